"""Changes that are not confirmed, and the versions of a grade, on a grader's own page."""

import pytest
from drawn_pages import says

from grader_app.domain.grade import GradeEntry
from grader_app.workflow.grade_submission import correct_grade, submit_grade
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import get_draft_or_none, next_sheet_or_none, save_draft

PAGE = "grader_pages.progress"


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def graded(grader):
    """The answer the grader has just graded with a 3."""
    account_id = grader.account.account_id
    sheet = next_sheet_or_none(grader.bench, account_id)
    submit_grade(grader.bench, account_id, sheet.assignment_id, GradeEntry(score=3), token="first")
    return sheet


def change(grader, sheet, score=5):
    body = {"score": score, "correcting": True, "note": "Fairer."}
    save_draft(grader.bench, grader.account.account_id, sheet.assignment_id, body)


def draft_of(grader, sheet):
    return get_draft_or_none(grader.bench, grader.account.account_id, sheet.assignment_id)


def test_a_change_that_is_not_confirmed_says_what_differs_and_leads_to_both_ways_on(grader, graded):
    change(grader, graded)
    app = grader.draw(PAGE)
    assert not app.exception
    assert says(app, "1 grade changed since submission, not confirmed.")
    assert says(app, "score 3, now 5; the note")
    assert says(app, f"/grade?correct={graded.assignment_id}")


def test_leaving_a_grade_as_it_was_drops_the_change_and_nothing_else(grader, graded):
    change(grader, graded)
    app = grader.draw(PAGE)
    app.button(key=f"leave:{graded.assignment_id}").click().run()
    assert not app.exception
    assert says(app, f"The change to answer {graded.assignment_id} is dropped.")
    assert not says(app, "not confirmed")
    assert draft_of(grader, graded) is None


def test_a_draft_that_says_what_was_submitted_is_no_change(grader, graded):
    body = {"score": 3, "correcting": True}
    save_draft(grader.bench, grader.account.account_id, graded.assignment_id, body)
    assert not says(grader.draw(PAGE), "not confirmed")


def test_once_the_question_is_closed_the_page_says_why_nothing_can_be_confirmed(grader, graded):
    change(grader, graded)
    close_item(grader.bench, grader.bench.cli_actor("tester"), graded.item)
    app = grader.draw(PAGE)
    assert says(app, "The panel lead has closed the question. It stays as you submitted it.")
    assert not says(app, "Look at it and confirm it")
    assert not says(app, f"/grade?correct={graded.assignment_id}")
    app.button(key=f"leave:{graded.assignment_id}").click().run()
    assert draft_of(grader, graded) is None


def test_every_version_of_a_corrected_grade_is_shown_with_its_reason(grader, graded):
    assert not says(grader.draw(PAGE), "first grade")
    correct_grade(
        grader.bench,
        grader.account.account_id,
        graded.assignment_id,
        GradeEntry(score=4),
        reason="I overlooked <b>custody</b>.",
        token="second",
    )
    app = grader.draw(PAGE)
    assert not app.exception
    assert says(app, "I overlooked &lt;b&gt;custody&lt;/b&gt;.")
    assert says(app, "first grade")
    assert "Every version of 1 corrected grade" in [fold.label for fold in app.expander]


def test_nothing_of_it_shows_before_anything_was_graded(grader):
    app = grader.draw(PAGE)
    assert not app.exception
    assert not says(app, "not confirmed")
    assert not says(app, "first grade")
