"""The grading desk: what is entered is kept, sent once, and never sent by accident."""

import re

import pytest
from people import PHONE, Tab, intercept, offline
from playwright.sync_api import expect
from served_workspace import wait_until

pytestmark = pytest.mark.browser

DRAFT_SECONDS = 2
"""How soon what was entered must be on disk."""

LINES = """
(buttons) => buttons.map((button) => {
  const words = document.createRange();
  words.selectNode(button.firstChild.firstChild ?? button.firstChild);
  return new Set([...words.getClientRects()].map((one) => Math.round(one.top))).size;
})
"""
"""On how many lines the words of each button stand."""


def enter_a_draft(grader):
    """Score, tick one point and begin a note; give the draft's id and what the disk holds of it."""
    assignment = grader.at_desk()
    grader.press("j", "x", "4", "n")
    grader.page.keyboard.type("Half a thought")
    kept = wait_until(lambda: on_disk(grader, assignment, note="Half a thought"), DRAFT_SECONDS)
    return assignment, kept


def on_disk(grader, assignment, note):
    draft = grader.served.drafts_of(grader.name).get(assignment)
    return draft if draft and draft["note"] == note else None


def shows_the_draft(grader, assignment):
    expect(grader.answer).to_have_attribute("data-response", assignment)
    assert grader.chosen_score() == "score-4"
    expect(grader.note).to_have_value("Half a thought")
    expect(grader.page.locator("input[data-testid^=point-]:checked")).to_have_count(1)
    grader.draft_saved()


def test_score_tick_and_note_are_on_disk_within_two_seconds(grader):
    _, kept = enter_a_draft(grader)
    assert kept["score"] == 4
    assert len(kept["points"]) == 1
    grader.draft_saved()


def test_a_reload_keeps_the_draft_and_the_sign_in(grader):
    assignment, _ = enter_a_draft(grader)
    grader.page.reload()
    shows_the_draft(grader, assignment)


def test_leaving_the_page_at_once_keeps_the_last_keystroke(grader):
    assignment = grader.at_desk()
    grader.press("3")
    grader.page.goto(grader.served.url + "/progress")
    wait_until(lambda: grader.served.drafts_of(grader.name).get(assignment), DRAFT_SECONDS)
    grader.open("/grade")
    expect(grader.answer).to_have_attribute("data-response", assignment)
    assert grader.chosen_score() == "score-3"


def test_a_killed_browser_keeps_the_draft(own_chromium, panel, name, browser):
    with own_chromium() as (context, kill):
        killed = Tab(context.new_page(), panel).enter(name, "/grade")
        killed.name = name
        assignment, _ = enter_a_draft(killed)
        cookies = context.storage_state()
        assert kill() == 1
    context = browser.new_context(storage_state=cookies)
    again = Tab(context.new_page(), panel).open("/grade")
    shows_the_draft(again, assignment)
    context.close()


def test_a_restart_of_the_server_keeps_sign_in_and_draft(grader):
    assignment, _ = enter_a_draft(grader)
    grader.served.stop()
    grader.served.start()
    grader.page.reload()
    shows_the_draft(grader, assignment)


def test_what_is_entered_while_the_server_is_away_is_sent_when_it_is_back(grader):
    assignment = grader.at_desk()
    grader.served.stop()
    grader.press("5")
    expect(grader.saved).to_contain_text("not saved: no connection; trying again")
    grader.served.start()
    draft = wait_until(lambda: grader.served.drafts_of(grader.name).get(assignment), 20)
    assert draft["score"] == 5


def test_a_double_click_on_submit_is_one_grade(grader):
    assignment = grader.at_desk()
    grader.press("4")
    grader.page.get_by_test_id("submit").dblclick()
    grader.next_after(assignment)
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [assignment]


def test_submitting_twice_by_keys_does_not_grade_the_next_answer(grader):
    first = grader.at_desk()
    grader.press("4", "Control+Enter", "Control+Enter")
    grader.next_after(first)
    grader.press("Control+Enter")
    expect(grader.problem).to_contain_text("Choose a score first")
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [first]


def test_a_second_tab_is_told_what_happened_and_can_go_on(grader):
    assignment = grader.at_desk()
    other = Tab(grader.page.context.new_page(), grader.served).open("/grade")
    assert other.at_desk() == assignment
    grader.press("4", "Control+Enter")
    after = grader.next_after(assignment)
    expect(other.page.get_by_test_id("notice")).to_contain_text(
        re.compile(r"^You submitted this answer in another tab at \d\d:\d\d:\d\d: 4\.")
    )
    other.press("1", "Control+Enter")
    other.button("Go to the next answer").click()
    assert other.next_after(assignment) == after
    assert [body["score"] for _, _, body in grader.served.grades_of(grader.name)] == [4]


def test_a_connection_lost_before_the_grade_arrives_still_gives_one_grade(grader):
    assignment = grader.at_desk()
    grader.press("4")
    with offline(grader.page, "/desk/submit") as lost:
        grader.press("Control+Enter")
        expect(grader.saved).to_contain_text("not submitted: no connection; trying again")
    assert lost
    grader.next_after(assignment)
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [assignment]


def test_a_connection_lost_after_the_grade_arrived_still_gives_one_grade(grader):
    assignment = grader.at_desk()
    sent = []

    def deliver_and_lose_the_answer(route):
        sent.append(route.request.post_data)
        answer = route.fetch()
        if len(sent) == 1:
            route.abort("connectionreset")
        else:
            route.fulfill(response=answer)

    intercept(grader.page, "/desk/submit", deliver_and_lose_the_answer)
    grader.press("4", "Control+Enter")
    grader.next_after(assignment)
    assert sent[0] == sent[1]
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [assignment]


def test_submitting_from_within_the_note_keeps_the_note(grader):
    assignment = grader.at_desk()
    grader.press("4", "n")
    grader.page.keyboard.type("Sent with the cursor still here")
    grader.press("Control+Enter")
    grader.next_after(assignment)
    (_, _, body), *_ = grader.served.grades_of(grader.name)
    (text,) = grader.served.rows("SELECT body FROM kept_text WHERE hash = ?", body["note_hash"])
    assert text["body"] == "Sent with the cursor still here"
    expect(grader.note).to_have_value("")


def test_keys_do_nothing_while_a_note_is_written(grader):
    grader.at_desk()
    grader.press("n")
    grader.page.keyboard.type("4 juxtaposed ?")
    expect(grader.note).to_have_value("4 juxtaposed ?")
    assert grader.chosen_score() is None
    expect(grader.page.locator("input[data-testid^=point-]:checked")).to_have_count(0)
    expect(grader.page.locator("dialog[open]")).to_have_count(0)
    grader.press("Escape", "4")
    assert grader.chosen_score() == "score-4"


def test_a_condition_code_takes_the_place_of_a_score(grader):
    assignment = grader.at_desk()
    grader.press("4")
    grader.page.get_by_test_id("code-blank").click()
    assert grader.chosen_score() is None
    grader.press("Control+Enter")
    grader.next_after(assignment)
    (_, subject, body), *_ = grader.served.grades_of(grader.name)
    assert (subject, body["score"], body["condition_code"]) == (assignment, None, "blank")


def test_a_score_takes_the_place_of_a_condition_code(grader):
    grader.at_desk()
    grader.page.get_by_test_id("code-blank").click()
    expect(grader.page.get_by_test_id("code-blank")).to_have_attribute("aria-pressed", "true")
    grader.press("2")
    expect(grader.page.get_by_test_id("code-blank")).to_have_attribute("aria-pressed", "false")
    assert grader.chosen_score() == "score-2"


def test_every_key_of_the_list_does_what_it_says(grader):
    grader.at_desk()
    grader.press("?")
    expect(grader.page.get_by_role("dialog", name="Keys")).to_be_visible()
    grader.press("4")  # Keys are for the list now.
    grader.press("Escape")
    assert grader.chosen_score() is None
    for key, pane in (("q", "Question"), ("r", "Rulings"), ("p", "Point sheet")):
        grader.press(key)
        expect(grader.page.get_by_role("tabpanel", name=pane)).to_be_visible()
    grader.press("u")
    expect(grader.page.get_by_role("dialog", name="Cannot grade this")).to_be_visible()


def test_the_words_of_a_dialogs_buttons_stand_on_one_line_on_a_phone(grader):
    grader.at_desk()
    grader.page.set_viewport_size(PHONE)
    for key in ("u", "g", "o"):
        grader.press(key)
        buttons = grader.page.locator("dialog[open] .row button")
        buttons.first.wait_for()
        tall = buttons.evaluate_all(LINES)
        assert set(tall) == {1}, (key, tall)
        grader.press("Escape")


def test_the_next_answer_starts_clean_and_the_hand_can_go_on(grader):
    first = grader.at_desk()
    grader.press("j", "x", "4", "Control+Enter")
    second = grader.next_after(first)
    assert grader.chosen_score() is None
    expect(grader.page.locator("input[data-testid^=point-]:checked")).to_have_count(0)
    expect(grader.saved).to_contain_text("last answer submitted")
    grader.press("2", "Control+Enter")
    grader.next_after(second)
    assert [body["score"] for _, _, body in grader.served.grades_of(grader.name)] == [4, 2]


def test_who_goes_back_from_the_desk_goes_on_with_the_queue(grader):
    first = grader.grade(4)
    second = grader.next_after(first)
    grader.press("b")
    expect(grader.answer).to_have_attribute("data-response", first)
    grader.page.get_by_test_id("leave").click()
    expect(grader.answer).to_have_attribute("data-response", second)
    grader.press("b")
    expect(grader.answer).to_have_attribute("data-response", first)
    grader.page.get_by_test_id("score-3").click()
    grader.page.get_by_test_id("reason").fill("Misread.")
    grader.press("Control+Enter")
    expect(grader.answer).to_have_attribute("data-response", second)
    assert [body["score"] for _, _, body in grader.served.grades_of(grader.name)] == [4, 3]


def test_who_came_from_the_list_of_grades_goes_back_to_it(grader):
    first = grader.grade(4)
    grader.next_after(first)
    grader.open(f"/grade?correct={first}")
    grader.page.get_by_test_id("leave").click()
    grader.heading("My progress").wait_for()
