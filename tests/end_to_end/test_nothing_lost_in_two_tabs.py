"""Two tabs of one grader, a lease run out, a correction: the right single grade, and each tab is told."""

import re

import pytest
from people import Tab, intercept
from playwright.sync_api import expect
from served_workspace import wait_until

from grader_app.domain.events import EventKind
from grader_app.store.database import Store
from grader_app.store.event_log import append

pytestmark = pytest.mark.browser

TIME = r"\d\d:\d\d:\d\d"


def second_tab(grader):
    other = Tab(grader.page.context.new_page(), grader.served).open("/grade")
    other.at_desk()
    return other


def notice(tab):
    return tab.page.get_by_test_id("notice")


def deaf(tab):
    """Let a tab hear nothing of the others, as a tab in another browser does, until it asks."""
    tab.page.evaluate("window.gradingDeskChannel.close()")
    return tab


def both_have_entered(grader):
    """Enter one thing here and another there, neither tab knowing of the other."""
    other = deaf(second_tab(grader))
    intercept(other.page, "/desk/state", lambda route: route.abort())
    grader.press("4", "n")
    grader.page.keyboard.type("Here")
    grader.draft_saved()
    other.press("2", "n")
    other.page.keyboard.type("There")
    other.page.unroute("**/desk/state")
    return other


def draft_of(grader, assignment):
    return grader.served.drafts_of(grader.name).get(assignment, {})


def test_a_second_tab_shows_what_the_first_has_saved(grader):
    other = second_tab(grader)
    grader.press("4")
    grader.draft_saved()
    expect(other.saved).to_have_text(re.compile(rf"^draft saved {TIME}, in another tab$"))
    assert other.chosen_score() == "score-4"


@pytest.mark.parametrize(("button", "kept"), [("Take that one", "Here"), ("Keep what is here", "There")])
def test_of_two_drafts_the_grader_chooses_and_neither_is_lost_meanwhile(grader, button, kept):
    assignment = grader.at_desk()
    other = both_have_entered(grader)
    other.page.keyboard.type("!")
    expect(notice(other)).to_have_text(
        re.compile(rf"^You saved this answer in another tab at {TIME}\."), timeout=10_000
    )
    assert draft_of(grader, assignment)["note"] == "Here"
    expect(other.note).to_have_value("There!")
    other.press("Control+Enter")
    assert grader.served.grades_of(grader.name) == [], "first one has to choose"
    other.button(button).click()
    expect(notice(other)).to_have_count(0)
    expect(other.note).to_have_value(re.compile(kept))
    wait_until(lambda: draft_of(grader, assignment)["note"].startswith(kept))


def test_a_tab_that_hears_nothing_is_told_when_it_submits_and_its_words_are_kept(grader):
    assignment = grader.at_desk()
    other = deaf(second_tab(grader))
    grader.press("4", "Control+Enter")
    grader.next_after(assignment)
    other.press("1", "Control+Enter")
    expect(notice(other)).to_contain_text(
        re.compile(rf"You submitted this answer in another tab at {TIME}: 4\.")
    )
    other.press("Control+Enter", "6")
    assert [body["score"] for _, _, body in grader.served.grades_of(grader.name)] == [4]
    other.button("Look at what you entered here, as a correction").click()
    expect(other.page.get_by_test_id("standing")).to_contain_text("Changed since submission, not confirmed.")
    assert other.chosen_score() == "score-1"


def test_a_grade_changed_since_submission_says_so_until_it_is_confirmed(grader):
    assignment = grader.at_desk()
    grader.press("4", "Control+Enter")
    grader.next_after(assignment)
    grader.open(f"/grade?correct={assignment}")
    standing = grader.page.get_by_test_id("standing")
    expect(standing).to_contain_text("As submitted.")
    grader.at_desk()
    grader.press("j", "x")
    expect(standing).to_contain_text("Changed since submission, not confirmed.")
    expect(grader.saved).to_have_text(re.compile(rf"^changed since submission, not confirmed; kept {TIME}$"))
    grader.open("/grade")
    waits = grader.page.get_by_test_id("waits").filter(has_text="changed since submission")
    expect(waits).to_contain_text(f"Answer {assignment}: changed since submission, not confirmed.")
    grader.open("/progress")
    expect(grader.page.get_by_text("changed since submission, not confirmed").first).to_be_visible()
    assert [body["points"] for _, _, body in grader.served.grades_of(grader.name)] == [[]]
    grader.open(f"/grade?correct={assignment}")
    grader.at_desk()
    grader.page.get_by_test_id("reason").fill("The rule is there after all.")
    grader.press("Control+Enter")
    grader.heading("My progress").wait_for()
    expect(grader.page.get_by_text("changed since submission, not confirmed")).to_have_count(0)
    grades = grader.served.grades_of(grader.name)
    assert [(kind, len(body["points"])) for kind, _, body in grades] == [
        ("GradeSubmitted", 0),
        ("GradeCorrected", 1),
    ]
    grader.open(f"/grade?correct={assignment}")
    history = grader.page.get_by_test_id("history")
    history.locator("summary").click()
    expect(history).to_contain_text("The rule is there after all.")


def test_a_grade_left_as_it_was_says_nothing_more(grader):
    assignment = grader.at_desk()
    grader.press("4", "Control+Enter")
    grader.next_after(assignment)
    grader.open(f"/grade?correct={assignment}")
    grader.at_desk()
    grader.press("1")
    expect(grader.saved).to_contain_text("changed since submission, not confirmed; kept")
    grader.page.get_by_test_id("leave").click()
    grader.heading("My progress").wait_for()
    expect(grader.page.get_by_text("changed since submission, not confirmed")).to_have_count(0)
    assert [body["score"] for _, _, body in grader.served.grades_of(grader.name)] == [4]


def test_a_grade_after_its_time_ran_out_is_kept_as_surplus_and_the_grader_told(grader):
    assignment = grader.at_desk()
    store = Store.open(grader.served.workspace / "workbench.db")
    with store.write() as connection:
        connection.execute("UPDATE lease SET expires_at = '2026-01-01T00:00:00.000Z'")
        append(
            connection,
            at="2026-11-30T14:40:00.000Z",
            actor=grader.served.rows("SELECT id FROM actor WHERE name = 'lead'")[0]["id"],
            kind=EventKind.ANSWER_RETURNED,
            subject=assignment,
            body={"decision": "taken_out"},
        )
    store.close()
    grader.press("4", "Control+Enter")
    expect(notice(grader)).to_contain_text(
        re.compile(
            rf"^This answer went to another reader at {TIME}, because its time with you had run out\. "
            r"Your grade is kept as surplus and does not count\."
        )
    )
    expect(grader.saved).to_have_text(re.compile(rf"^kept as surplus {TIME}$"))
    assert grader.served.grades_of(grader.name) == []
    assert [body["score"] for body in grader.served.events("SurplusGradeKept", assignment)] == [4]
    grader.button("Go to the next answer").click()
    grader.next_after(assignment)
