"""The desk without a mouse: with both hands, with the left hand alone, and with single keys switched off."""

import pytest
from playwright.sync_api import expect
from test_desk_reading import faults

pytestmark = pytest.mark.browser


def test_the_left_hand_alone_grades_an_answer(grader):
    first = grader.at_desk()
    grader.press("t", "x", "Shift+T", "w", "d", "Shift+d", "v", "Escape")
    expect(grader.page.locator(".quotes q")).to_have_count(1)
    grader.press("5", "Shift+D", "Shift+W")
    grader.page.keyboard.type("a")
    expect(grader.note).to_have_value("a")
    grader.press("Escape", "z")
    expect(grader.page.get_by_role("tabpanel", name="Question")).to_be_visible()
    grader.press("Shift+Z", "f")
    expect(grader.page.get_by_test_id("find")).to_be_focused()
    grader.press("Escape", "Shift+S")
    second = grader.next_after(first)
    (_, subject, body), *_ = grader.served.grades_of(grader.name)
    assert (subject, body["score"], len(body["points"]), len(body["highlights"])) == (first, 4, 1, 1)
    grader.press("Shift+C", "x")
    assert grader.chosen_score() is None
    expect(grader.page.locator('[aria-pressed="true"]')).to_have_count(1)
    grader.press("`")
    assert grader.chosen_score() == "score-0"
    grader.press("b")
    expect(grader.answer).to_have_attribute("data-response", first)
    expect(grader.page.get_by_test_id("reason")).to_be_visible()
    assert second in grader.served.drafts_of(grader.name)


def test_caps_lock_does_not_turn_a_letter_into_a_submission(grader):
    assignment = grader.at_desk()
    grader.press("4", "S")  # The letter as Caps Lock gives it, without Shift.
    grader.press("N")
    expect(grader.note).to_be_focused()
    assert grader.at_desk() == assignment
    assert grader.served.grades_of(grader.name) == []


def test_no_key_reaches_the_desk_while_something_is_typed_or_a_dialog_is_open(grader):
    grader.at_desk()
    grader.press("/")
    grader.page.keyboard.type("4xjnS?")
    expect(grader.page.get_by_test_id("find")).to_have_value("4xjnS?")
    grader.press("Escape", "w", "Shift+V")
    expect(grader.page.get_by_test_id("choice")).to_be_visible()
    grader.press("3")
    expect(grader.page.get_by_test_id("choice")).to_be_hidden()
    expect(grader.page.locator(".quotes q")).to_have_count(1)
    for key in ("o", "?", "u"):
        grader.press("Escape", "Escape", key, "4", "x", "Control+Enter")
        expect(grader.page.locator("dialog[open]")).to_have_count(1)
    grader.press("Escape")
    assert grader.chosen_score() is None
    assert grader.served.grades_of(grader.name) == []


def test_single_keys_can_be_switched_off_and_the_rest_still_works(grader):
    assignment = grader.at_desk()
    grader.press("o")
    grader.page.get_by_test_id("single-keys").uncheck()
    grader.press("Escape", "4", "n")
    assert grader.chosen_score() is None
    expect(grader.note).not_to_be_focused()
    grader.page.get_by_test_id("score-0").focus()
    grader.press("ArrowRight", "ArrowRight")
    assert grader.chosen_score() == "score-2"
    grader.press("Control+Enter")
    grader.next_after(assignment)


def test_tab_stops_once_at_a_scale_and_arrows_move_within_it(grader):
    grader.at_desk()
    stops = grader.page.locator('[role="radio"][tabindex="0"]')
    expect(stops).to_have_count(1)
    grader.press("4")
    expect(stops).to_have_attribute("data-testid", "score-4")
    grader.page.get_by_test_id("tab-question").focus()
    grader.page.get_by_test_id("tab-sheet").focus()
    grader.press("ArrowRight")
    expect(grader.page.get_by_test_id("tab-question")).to_be_focused()
    expect(grader.page.get_by_role("tabpanel", name="Question")).to_be_visible()


def test_what_the_keys_open_has_no_fault(grader):
    grader.at_desk()
    grader.press("j", "w")
    assert faults(grader.page) == []
    for keys in (["Shift+V"], ["Escape", "v", "5"], ["/"], ["Escape", "o"], ["Escape", "?"]):
        grader.press(*keys)
        assert faults(grader.page) == [], keys
    grader.press("Escape")
    grader.page.set_viewport_size({"width": 390, "height": 844})
    grader.press("w")
    assert faults(grader.page) == []
