from __future__ import annotations

import pytest
from rubrics_and_grades import criterion, rubric, sheet

from grader_app.domain.grade import GradeEntry, grade_body
from grader_app.domain.score_sheet import ScoreSheet, SheetRow
from grader_app.errors import GradeProblem

SIX = ScoreSheet(rubric(), sheet())
TWO = ScoreSheet(
    rubric(
        "sum",
        [criterion("correctness", zero_if_any_error=True), criterion("analysis", needs="correctness")],
        highest=2,
    ),
    sheet(),
)


def problem(score_sheet: ScoreSheet, **typed: str) -> str:
    with pytest.raises(GradeProblem) as caught:
        score_sheet.read(SheetRow("A", typed))
    return str(caught.value)


def test_fields_are_those_the_rubric_has() -> None:
    assert list(SIX.fields) == ["score", "code", "errors", "gaps", "points", "note"]
    assert list(TWO.fields) == [
        "mark:correctness",
        "mark:analysis",
        "code",
        "errors",
        "gaps",
        "points",
        "note",
    ]


def test_a_score_with_points_and_errors_is_read() -> None:
    typed = SheetRow("A", {"score": " 4 ", "points": "1.1", "errors": "2, 1", "gaps": "1"})
    assert SIX.read(typed) == GradeEntry(
        score=4,
        marks={},
        error_types=("logic-error", "rule-misstated"),
        analysis_gaps=("prediction-only",),
        points=("duty.rule",),
    )


@pytest.mark.parametrize("typed", ["b", "B", "illegible"])
def test_a_code_is_read_by_its_letter_or_its_name(typed: str) -> None:
    assert SIX.read(SheetRow("A", {"code": typed})).condition_code == "illegible"


def test_a_run_of_numbers_stands_for_each_of_them() -> None:
    assert SIX.read(SheetRow("A", {"score": "3", "errors": "1-2"})).error_types == (
        "rule-misstated",
        "logic-error",
    )


def test_points_have_the_number_of_their_issue_and_their_place_in_it() -> None:
    wide = ScoreSheet(rubric(), sheet({"duty": 2, "breach": 2}))
    signs = {"duty.1": "1.1", "duty.2": "1.2", "breach.1": "2.1", "breach.2": "2.2"}
    assert wide.points == signs
    read = wide.read(SheetRow("A", {"score": "3", "points": "1.2-2.1, 2.2"}))
    assert read.points == ("duty.2", "breach.1", "breach.2")


@pytest.mark.parametrize("typed", ["2.1-1.1", "1.3", "1-2", "1.1-", "3"])
def test_a_point_that_is_not_on_the_sheet_is_refused(typed: str) -> None:
    wide = ScoreSheet(rubric(), sheet({"duty": 2, "breach": 2}))
    said = problem(wide, score="3", points=typed)
    assert f"`{typed}` is not on the sheet, which numbers them 1.1 to 2.2" in said


def test_marks_of_criteria_are_read_and_their_rules_hold() -> None:
    entry = TWO.read(SheetRow("A", {"mark:correctness": "1", "mark:analysis": "1", "errors": "1"}))
    body = grade_body(TWO.rubric, entry)
    assert entry.marks == {"correctness": 1, "analysis": 1}
    assert body["marks"] == {"correctness": 0, "analysis": 0}
    assert body["score"] == 0


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"score": "9"}, "9 is not on the scale 0 to 6"),
        ({"score": "4.5"}, "4.5 is not on the scale"),
        ({"score": "3,5"}, "`3,5` is no number"),
        ({"score": "nan"}, "`nan` is no number"),
        ({"score": "1e5"}, "`1e5` is no number"),
        ({"points": "1.1"}, "No score was given"),
        ({"score": "4", "code": "A"}, "one or the other"),
        ({"code": "Z"}, "`Z` is no code; the sheet has A blank, B illegible"),
        ({"score": "4", "points": "7"}, "Points: `7` is not on the sheet, which numbers them 1.1 to 1.1"),
        ({"score": "4", "errors": "1-9"}, "Errors: `1-9` is not on the sheet"),
        ({"score": "4", "errors": "2-1"}, "Errors: `2-1` is not on the sheet"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(typed: dict[str, str], says: str) -> None:
    assert says in problem(SIX, **typed)


def test_everything_wrong_in_a_row_is_said_at_once() -> None:
    said = problem(SIX, score="x", points="9", code="Z")
    assert all(words in said for words in ("`x`", "`9`", "`Z`"))


def test_a_row_with_nothing_in_it_is_blank() -> None:
    assert SheetRow(" ", {"score": " "}).is_blank
    assert not SheetRow("A").is_blank
    assert not SheetRow("", {"note": "why"}).is_blank


@pytest.mark.parametrize(
    ("score_sheet", "typed"),
    [
        (SIX, {"score": "4", "errors": "1 2", "points": "1.1"}),
        (SIX, {"code": "D", "points": "1.1"}),
        (TWO, {"mark:correctness": "1", "mark:analysis": "0", "gaps": "1"}),
    ],
)
def test_what_was_typed_can_be_written_again(score_sheet: ScoreSheet, typed: dict[str, str]) -> None:
    body = grade_body(score_sheet.rubric, score_sheet.read(SheetRow("A", typed)))
    assert score_sheet.as_typed(body) == typed
