"""A grade read under another version of its rubric and point sheet."""

from __future__ import annotations

from typing import Any

import pytest
from small_workspace import SHEET, SIX_POINT, TWO_CRITERIA
from yaml import safe_load

from grader_app.domain.grade import Grade, GradeEntry, grade_body
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.read_anew import read_anew
from grader_app.domain.rubric import Rubric

SIX, TWO = safe_load(SIX_POINT), safe_load(TWO_CRITERIA)
TICKS = safe_load(SHEET.format(item="mee-barge", version=1, kind="mee", rubric="six-point", rubric_version=1))


def sheet(**points: str) -> PointSheet:
    """A point sheet with these points, by the last part of their id."""
    content = TICKS | {"issues": [dict(TICKS["issues"][0])]}
    content["issues"][0]["points"] = [
        {"id": f"duty.{name}", "part": "rule", "text": text} for name, text in points.items()
    ]
    return PointSheet.model_validate(content)


def rubric(content: dict[str, Any], **changes: Any) -> Rubric:
    return Rubric.model_validate(content | changes)


def given(under: Rubric, entry: GradeEntry) -> Grade:
    body = grade_body(under, entry)
    body |= {"marks": body["marks"], "highlights": ()}
    return Grade(7, "a", "r", "mee-barge", "g", 1, submitted_at="2026-11-29T09:00:00Z", **body)


@pytest.fixture
def ticks() -> PointSheet:
    return sheet(rule="A duty needs control.", facts="The owner had control.")


def test_a_grade_read_under_its_own_version_reads_the_same(ticks: PointSheet) -> None:
    six = rubric(SIX)
    found = read_anew(given(six, GradeEntry(4, points=("duty.rule",))), (six, ticks), (six, ticks))
    assert (found.score, found.moved, found.differs, found.makes_a_score) == (4, 0, (), True)


def test_points_that_vanished_new_ones_and_new_words_are_counted(ticks: PointSheet) -> None:
    six = rubric(SIX)
    grade = given(six, GradeEntry(4, points=("duty.rule", "duty.facts")))
    found = read_anew(grade, (six, ticks), (six, sheet(rule="A duty needs custody.", breach="It broke.")))
    assert found.differs == (
        "1 point ticked no longer there: duty.facts",
        "1 point ticked has new words",
        "1 point is new and not ticked",
    )
    assert found.moved == 0


def test_a_score_off_the_new_scale_makes_no_score(ticks: PointSheet) -> None:
    six = rubric(SIX)
    five = rubric(
        SIX,
        score=SIX["score"] | {"highest": 5},
        levels=[{"score": 5, "label": "Outstanding", "means": "Sees every issue."}],
    )
    found = read_anew(given(six, GradeEntry(6)), (six, ticks), (five, ticks))
    assert (found.score, found.moved, found.makes_a_score) == (None, None, False)
    assert found.differs == ("score 6 is off the new scale, 0 to 5 in steps of 1",)
    on_it = read_anew(given(six, GradeEntry(4)), (six, ticks), (five, ticks))
    assert (on_it.score, on_it.differs) == (4, ("the scale now runs from 0 to 5",))


def test_new_words_for_the_score_given_are_said(ticks: PointSheet) -> None:
    six = rubric(SIX)
    reworded = rubric(SIX, levels=[SIX["levels"][0] | {"means": "Sees the main issues."}])
    found = read_anew(given(six, GradeEntry(6)), (six, ticks), (reworded, ticks))
    assert found.differs == ("what 6 means has been reworded",)
    assert read_anew(given(six, GradeEntry(3)), (six, ticks), (reworded, ticks)).differs == ()


def test_marks_that_would_count_differently_move_the_score(ticks: PointSheet) -> None:
    two = rubric(TWO)
    milder = rubric(TWO, criteria=[TWO["criteria"][0] | {"if_unmet": "ignore"}, TWO["criteria"][1]])
    grade = given(two, GradeEntry(marks={"analysis": 1, "correctness": 0}))
    found = read_anew(grade, (two, ticks), (milder, ticks))
    assert (grade.score, found.score, found.moved) == (0, 0.5, 0.5)
    assert found.differs == ("score 0.5 in place of 0", "Analysis counts 1 in place of 0 (+1)")


def test_a_new_criterion_leaves_the_grade_without_a_score_and_a_gone_one_is_named(ticks: PointSheet) -> None:
    two = rubric(TWO)
    clarity = TWO["criteria"][1] | {"id": "clarity", "title": "Clarity", "zero_if_any_error": False}
    other = rubric(TWO, criteria=[TWO["criteria"][1], clarity])
    grade = given(two, GradeEntry(marks={"analysis": 1, "correctness": 1}))
    found = read_anew(grade, (two, ticks), (other, ticks))
    assert not found.makes_a_score
    assert found.differs == ("Analysis is no longer marked", "Clarity is new and not marked")


def test_a_mark_off_its_new_scale_and_an_error_type_that_is_gone_are_said(ticks: PointSheet) -> None:
    two = rubric(TWO)
    wider = TWO["criteria"][0] | {"lowest": 2, "highest": 3}
    changed = rubric(
        TWO,
        score=TWO["score"] | {"lowest": 1, "highest": 2},
        criteria=[wider, TWO["criteria"][1]],
        error_types=[{"id": "other", "title": "Other"}],
    )
    grade = given(two, GradeEntry(marks={"analysis": 1, "correctness": 1}, error_types=("rule-misstated",)))
    found = read_anew(grade, (two, ticks), (changed, ticks))
    assert "1 error type no longer there: rule-misstated" in found.differs
    assert "Analysis: 1 is off the new scale, 2 to 3" in found.differs


def test_a_code_that_is_gone_or_counts_otherwise_is_said(ticks: PointSheet) -> None:
    six = rubric(SIX)
    lowest = rubric(SIX, condition_codes=[SIX["condition_codes"][0] | {"counts_as": "excluded"}])
    blank = read_anew(given(six, GradeEntry(condition_code="blank")), (six, ticks), (lowest, ticks))
    assert (blank.makes_a_score, blank.differs) == (True, ("the code Blank counts in another way",))
    gone = read_anew(given(six, GradeEntry(condition_code="off-topic")), (six, ticks), (lowest, ticks))
    assert (gone.makes_a_score, gone.differs) == (False, ("the code Off topic is no longer there",))
