"""The plain form beside another tab of the same grader: neither overwrites the other unasked."""

import pytest
from drawn_pages import says

from grader_app.workflow.live_grading import get_draft_or_none, save_draft, serve_next_or_none

PLAIN = {"form": "plain"}


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def sheet(grader):
    return serve_next_or_none(grader.bench, grader.account.account_id)


def note(app):
    return next(area for area in app.text_area if area.label == "Note")


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def kept(grader, sheet):
    return get_draft_or_none(grader.bench, grader.account.account_id, sheet.assignment_id).body["note"]


@pytest.fixture
def asked(grader, sheet):
    """A plain form with a note typed while another tab has saved one."""
    app = grader.draw("grader_pages.grade", **PLAIN)
    save_draft(
        grader.bench, grader.account.account_id, sheet.assignment_id, {"note": "There", "tab": "other"}
    )
    note(app).set_value("Here")
    return app.run()


def test_a_draft_saved_elsewhere_is_not_overwritten_and_the_grader_is_asked(grader, sheet, asked):
    assert not asked.exception
    assert says(asked, "You saved this answer in another tab at")
    assert kept(grader, sheet) == "There"
    assert note(asked).value == "Here"


def test_what_is_here_can_be_kept(grader, sheet, asked):
    app = press(asked, "Keep what is here")
    assert kept(grader, sheet) == "Here"
    assert not says(app, "in another tab")


def test_what_is_there_can_be_taken(grader, sheet, asked):
    app = press(asked, "Take that one")
    assert note(app).value == "There"
    assert kept(grader, sheet) == "There"
