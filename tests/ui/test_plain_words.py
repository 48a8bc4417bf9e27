"""The words that show a point or an error, copied into the plain form."""

import json

import pytest
from drawn_pages import says

from grader_app.domain.grade import GradeEntry
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.live_grading import get_draft_or_none, next_sheet_or_none

PLAIN = {"form": "plain"}


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def sheet(grader):
    return next_sheet_or_none(grader.bench, grader.account.account_id)


def field(app, start):
    return next(one for one in app.text_area if one.label.startswith(start))


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def with_first_point(grader, words):
    app = grader.draw("grader_pages.grade", **PLAIN)
    app.checkbox[0].check().run()
    field(app, "Words that show point 1.1").set_value(words).run()
    next(one for one in app.radio if one.label == "Score").set_value(4.0)
    return app.run()


def recorded(grader, kind="GradeSubmitted"):
    rows = grader.bench.store.rows(
        "SELECT body FROM event WHERE kind = ? AND actor = ? ORDER BY seq", (kind, grader.account.account_id)
    )
    return [json.loads(row["body"]) for row in rows]


def test_words_copied_into_the_plain_form_are_attached_where_they_stand(grader, sheet):
    words = " ".join(sheet.answer.split()[:8])
    app = with_first_point(grader, words)
    assert says(app, "Found in the answer.")
    press(app, "Submit")
    (body,) = recorded(grader)
    (one,) = body["highlights"]
    first = sheet.point_sheet.points[0].id
    assert (one["of"], one["id"], body["points"]) == ("point", first, [first])
    assert " ".join(sheet.answer[one["start"] : one["end"]].split()) == words


@pytest.mark.parametrize(("words", "says_so"), [("zzz not there", "is not in the answer"), ("e", "places")])
def test_words_without_one_place_are_not_sent(grader, sheet, words, says_so):
    app = with_first_point(grader, words)
    assert says(app, says_so)
    press(app, "Submit")
    assert recorded(grader) == []


def test_what_is_entered_in_the_plain_form_is_kept_as_a_draft(grader, sheet):
    with_first_point(grader, " ".join(sheet.answer.split()[:8]))
    draft = get_draft_or_none(grader.bench, grader.account.account_id, sheet.assignment_id)
    assert draft.body["score"] == 4.0
    assert len(draft.body["highlights"]) == 1
    again = grader.draw("grader_pages.grade", **PLAIN)
    assert field(again, "Words that show point 1.1").value == " ".join(sheet.answer.split()[:8])


def test_opening_the_plain_form_alone_keeps_no_draft(grader, sheet):
    grader.draw("grader_pages.grade", **PLAIN).run()
    assert get_draft_or_none(grader.bench, grader.account.account_id, sheet.assignment_id) is None


def test_the_plain_form_asks_where_score_and_points_lie_apart(grader, sheet):
    app = with_first_point(grader, "")
    assert says(app, "Points found 1 of")
    assert says(app, "You gave 4; the points ticked come to about")


def test_a_correction_starts_with_the_words_of_the_grade(grader, sheet):
    app = with_first_point(grader, " ".join(sheet.answer.split()[:8]))
    press(app, "Submit")
    again = grader.draw("grader_pages.grade", **PLAIN, correct=sheet.assignment_id)
    assert field(again, "Words that show point 1.1").value == " ".join(sheet.answer.split()[:8])
    field(again, "Why do you correct it?").set_value("No such point.")
    again.checkbox[0].uncheck().run()
    press(again, "Save correction")
    assert recorded(grader, "GradeCorrected")[0]["highlights"] == []


def test_errors_take_words_too(grader):
    account_id = grader.account.account_id
    rows = grader.bench.store.rows(
        "SELECT id FROM assignment WHERE grader_id = ? AND item NOT LIKE 'rule-%'", (account_id,)
    )
    for row in rows:
        submit_grade(grader.bench, account_id, row["id"], GradeEntry(score=3), token=row["id"])
    sheet = next_sheet_or_none(grader.bench, account_id)
    app = grader.draw("grader_pages.grade", **PLAIN)
    app.multiselect[0].set_value(["logic-error"]).run()
    field(app, "Words that show error").set_value(sheet.answer).run()
    press(app, "Submit")
    (one,) = recorded(grader)[-1]["highlights"]
    assert (one["of"], one["id"], one["start"]) == ("error_type", "logic-error", 0)
