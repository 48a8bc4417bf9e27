"""A tab whose answer was dealt with elsewhere says so by itself, and submits it no more."""

import re
import sqlite3
from contextlib import closing

import pytest
from people import Tab
from playwright.sync_api import expect

from grader_app.domain.events import EventKind
from grader_app.store.event_log import append
from grader_app.workflow.workbench import Workbench

pytestmark = pytest.mark.browser

CLOCK = r"\d\d:\d\d:\d\d"


@pytest.fixture
def other(grader):
    """A second tab of the same browser on the same answer."""
    tab = Tab(grader.page.context.new_page(), grader.served).open("/grade")
    tab.name = grader.name
    assert tab.at_desk() == grader.at_desk()
    return tab


def told(tab):
    return tab.page.get_by_test_id("notice")


def test_a_tab_is_told_of_a_grade_given_in_another_and_can_no_longer_submit_it(grader, other):
    assignment = grader.at_desk()
    grader.press("4", "Control+Enter")
    after = grader.next_after(assignment)
    expect(told(other)).to_contain_text(
        re.compile(f"^You submitted this answer in another tab at {CLOCK}: 4\\.")
    )
    other.press("1", "Control+Enter")
    other.button("Go to the next answer").click()
    assert other.next_after(assignment) == after
    assert [(subject, body["score"]) for _, subject, body in grader.served.grades_of(grader.name)] == [
        (assignment, 4)
    ]


def test_a_tab_is_told_that_the_other_sent_the_answer_to_the_lead(grader, other):
    assignment = grader.at_desk()
    grader.press("u")
    grader.page.get_by_text("The text is missing or damaged").click()
    grader.page.get_by_test_id("refer-send").click()
    grader.next_after(assignment)
    expect(told(other)).to_contain_text("You sent this answer to the panel lead in another tab.")


def goes_elsewhere(tab, assignment):
    """Let the time of an answer run out and give it away, as the workbench does when somebody is idle."""
    with closing(sqlite3.connect(tab.served.workspace / "workbench.db")) as database:
        changed = database.execute(
            "UPDATE lease SET expires_at = '2020-01-01T00:00:00.000Z' WHERE assignment_id = ?", (assignment,)
        ).rowcount
        database.commit()
    assert changed == 1, "an answer on the desk is held"
    with closing(Workbench.open(tab.served.workspace).store) as store:
        bench = Workbench(store, None)
        actor, at = bench.cli_actor("tests"), bench.now()
        with store.write() as connection:
            append(
                connection,
                at=at,
                actor=actor,
                kind=EventKind.ANSWER_RETURNED,
                subject=assignment,
                body={"decision": "taken_out"},
            )


def test_a_tab_that_asks_hears_that_its_answer_went_elsewhere_before_it_is_sent(grader):
    assignment = grader.at_desk()
    grader.press("4")
    grader.draft_saved()
    goes_elsewhere(grader, assignment)
    grader.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(told(grader)).to_contain_text("This answer went to another reader")
    assert grader.chosen_score() == "score-4"
    grader.button("Go to the next answer").click()
    grader.next_after(assignment)
    assert grader.served.events("SurplusGradeKept", assignment) == []
