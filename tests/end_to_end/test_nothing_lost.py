"""What is entered at the desk outlives everything that can happen to page, browser, connection and server."""

import re

import pytest
from people import Tab, intercept
from playwright.sync_api import expect
from served_workspace import wait_until

pytestmark = pytest.mark.browser

WITHIN = 2
"""Seconds within which what was entered must be on disk."""


def tick(grader, count=1):
    """Tick points by keys and give their ids."""
    for _ in range(count):
        grader.press("j", "x")
    ticked = grader.page.locator("input[data-testid^=point-]:checked")
    return {one.get_attribute("data-testid").removeprefix("point-") for one in ticked.all()}


def attach_words(grader):
    """Attach the first words of the answer to the point at hand, by keys."""
    grader.press("w", "Space", "v")
    grader.press("Escape")


def on_disk(grader, assignment, **said):
    draft = grader.served.drafts_of(grader.name).get(assignment)
    return draft if draft and all(draft[key] == value for key, value in said.items()) else None


def test_whoever_types_without_a_pause_is_saved_within_two_seconds(grader):
    assignment = grader.at_desk()
    grader.press("n")
    grader.page.evaluate(
        """() => {
          window.typed = 0;
          window.typist = setInterval(() => {
            const desk = window.currentGradingDesk;
            desk.noteBox.value += "x";
            desk.noteBox.dispatchEvent(new InputEvent("input", { bubbles: true }));
            window.typed += 1;
          }, 60);
        }"""
    )
    # Sixteen strokes a second and never a pause of half a second.
    kept = wait_until(lambda: grader.served.drafts_of(grader.name).get(assignment), WITHIN)
    assert set(kept["note"]) == {"x"}
    grader.page.evaluate("clearInterval(window.typist)")
    typed = grader.page.evaluate("window.typed")
    wait_until(lambda: on_disk(grader, assignment, note="x" * typed), WITHIN)


def test_score_ticks_words_attached_and_note_come_back_after_the_server_is_killed(grader):
    assignment = grader.at_desk()
    points = tick(grader, 2)
    attach_words(grader)
    grader.press("3", "n")
    grader.page.keyboard.type("Half a thought")
    kept = wait_until(lambda: on_disk(grader, assignment, note="Half a thought"), WITHIN)
    assert (kept["score"], set(kept["points"])) == (3, points)
    grader.served.kill()
    grader.served.start()
    grader.page.reload()
    assert grader.at_desk() == assignment
    assert grader.chosen_score() == "score-3"
    expect(grader.note).to_have_value("Half a thought")
    expect(grader.page.locator("input[data-testid^=point-]:checked")).to_have_count(2)
    assert grader.served.drafts_of(grader.name)[assignment]["highlights"] == kept["highlights"]


def test_a_killed_browser_finds_its_draft_again(own_chromium, panel, name, new_tab):
    with own_chromium() as (context, kill):
        killed = Tab(context.new_page(), panel).enter(name, "/grade")
        killed.name = name
        assignment = killed.at_desk()
        killed.press("5", "n")
        killed.page.keyboard.type("Killed in mid-")
        wait_until(lambda: on_disk(killed, assignment, note="Killed in mid-"), WITHIN)
        assert kill() == 1
    again = new_tab(panel).enter(name, "/grade")
    assert again.at_desk() == assignment
    assert again.chosen_score() == "score-5"
    expect(again.note).to_have_value("Killed in mid-")


def test_a_sign_in_elsewhere_finds_the_draft(grader, new_tab):
    assignment = grader.at_desk()
    grader.press("2")
    wait_until(lambda: on_disk(grader, assignment, score=2), WITHIN)
    elsewhere = new_tab(grader.served).enter(grader.name, "/grade")
    assert elsewhere.at_desk() == assignment
    assert elsewhere.chosen_score() == "score-2"


def test_what_no_connection_took_waits_in_the_browser_and_comes_back(grader):
    assignment = grader.at_desk()
    grader.served.kill()
    grader.press("4", "n")
    grader.page.keyboard.type("Typed on a train")
    expect(grader.saved).to_contain_text("not saved: no connection; trying again")
    stashed = f"localStorage.getItem('desk-unsaved:{assignment}')"
    wait_until(lambda: "on a train" in (grader.page.evaluate(stashed) or ""), WITHIN)
    grader.page.close()
    grader.served.start()
    assert on_disk(grader, assignment) is None
    again = Tab(grader.page.context.new_page(), grader.served).open("/grade")
    assert again.at_desk() == assignment
    expect(again.note).to_have_value("Typed on a train")
    assert again.chosen_score() == "score-4"
    wait_until(lambda: on_disk(grader, assignment, note="Typed on a train", score=4), WITHIN)
    wait_until(lambda: again.page.evaluate(stashed) is None, WITHIN)


def test_signing_out_leaves_nothing_in_the_browser_and_loses_nothing(grader):
    assignment = grader.at_desk()
    grader.press("4")
    grader.page.evaluate("localStorage.setItem('desk-unsaved:planted', '{}')")
    grader.button("Sign out").click()
    grader.page.get_by_label("Password").wait_for()
    assert (
        grader.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('desk-unsaved'))")
        == []
    )
    assert on_disk(grader, assignment, score=4)


def test_draft_and_submitted_are_told_apart_in_words(grader):
    assignment = grader.at_desk()
    grader.press("4")
    expect(grader.saved).to_have_text(re.compile(r"^draft saved \d\d:\d\d:\d\d$"))
    grader.press("Control+Enter")
    grader.next_after(assignment)
    expect(grader.saved).to_have_text(re.compile(r"^last answer submitted \d\d:\d\d:\d\d$"))


def test_keys_while_a_submission_is_on_its_way_are_refused_and_land_nowhere(grader):
    assignment = grader.at_desk()
    held = []
    intercept(grader.page, "/desk/submit", lambda route: held.append(route))
    grader.press("4", "Control+Enter")
    expect(grader.page.get_by_test_id("submit")).to_contain_text("Submitting …")
    expect(grader.page.locator("[aria-busy=true]")).to_have_count(1)
    grader.press("1", "j", "x")
    grader.page.get_by_test_id("score-2").click()
    expect(grader.saved).to_contain_text("that was not taken")
    assert grader.chosen_score() == "score-4"
    (route,) = held
    route.continue_()
    grader.next_after(assignment)
    assert grader.chosen_score() is None
    expect(grader.page.locator("input[data-testid^=point-]:checked")).to_have_count(0)
    ((_, subject, body),) = grader.served.grades_of(grader.name)
    assert (subject, body["score"], body["points"]) == (assignment, 4, [])


def test_the_last_keystroke_in_the_note_is_in_the_grade(grader):
    assignment = grader.at_desk()
    grader.press("4", "n")
    grader.page.keyboard.type("The last stroke counts!")
    grader.press("Control+Enter")
    grader.next_after(assignment)
    ((_, _, body),) = grader.served.grades_of(grader.name)
    (text,) = grader.served.rows("SELECT body FROM kept_text WHERE hash = ?", body["note_hash"])
    assert text["body"] == "The last stroke counts!"


def test_a_grade_sent_while_the_server_is_dead_is_one_grade_when_it_is_back(grader):
    assignment = grader.at_desk()
    grader.press("4")
    grader.draft_saved()
    grader.served.kill()
    grader.press("Control+Enter")
    expect(grader.saved).to_contain_text("not submitted: no connection; trying again")
    grader.served.start()
    wait_until(lambda: grader.served.grades_of(grader.name), 20)
    expect(grader.answer).not_to_have_attribute("data-response", assignment, timeout=30_000)
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [assignment]


def hang(grader, path):
    """Let a server take requests to a path and answer none of them, until told otherwise."""
    held = []
    intercept(grader.page, path, lambda route: held.append(route))
    return lambda: grader.page.unroute(f"**{path}")


def test_a_server_that_hangs_is_told_of_and_asked_again_until_it_has_the_draft(grader):
    assignment = grader.at_desk()
    wake = hang(grader, "/desk/draft")
    grader.press("4")
    expect(grader.saved).to_contain_text("not saved yet: the workbench is slow to answer", timeout=10_000)
    assert grader.page.evaluate("(key) => Boolean(localStorage.getItem(key))", f"desk-unsaved:{assignment}")
    grader.press("j", "x")
    expect(grader.saved).to_contain_text("not saved yet")
    wake()
    expect(grader.saved).to_contain_text(re.compile(r"^draft saved \d\d:"), timeout=30_000)
    wait_until(lambda: (found := on_disk(grader, assignment, score=4)) and found["points"])


def test_a_grade_sent_to_a_server_that_hangs_is_sent_again_and_is_one_grade(grader):
    assignment = grader.at_desk()
    wake = hang(grader, "/desk/submit")
    grader.press("4", "Control+Enter")
    expect(grader.saved).to_contain_text("not submitted yet: the workbench is slow to answer", timeout=10_000)
    wake()
    expect(grader.answer).not_to_have_attribute("data-response", assignment, timeout=30_000)
    assert [subject for _, subject, _ in grader.served.grades_of(grader.name)] == [assignment]
