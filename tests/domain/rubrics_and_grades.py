"""Rubrics, a point sheet and grades in small, for tests of the domain."""

from __future__ import annotations

from typing import Any

from grader_app.domain.grade import Grade
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric

CODES = [
    {"id": "blank", "title": "Blank", "counts_as": "zero"},
    {"id": "illegible", "title": "Illegible", "counts_as": "lowest"},
    {"id": "wrong-file", "title": "Wrong file", "counts_as": "excluded"},
    {"id": "off-topic", "title": "Off topic", "counts_as": "to_lead"},
]
ERRORS = [{"id": "rule-misstated", "title": "Rule misstated"}, {"id": "logic-error", "title": "Logic error"}]
GAPS = [{"id": "prediction-only", "title": "Outcome without a reason"}]


def rubric(
    given_by: str = "grader",
    criteria: list[dict[str, Any]] | None = None,
    *,
    lowest: float = 0,
    highest: float = 6,
    step: float = 1,
) -> Rubric:
    score = {
        "lowest": lowest,
        "highest": highest,
        "step": step,
        "level_of_measurement": "ordinal",
        "given_by": given_by,
    }
    levels = [{"score": highest, "label": "Outstanding", "means": "All of it."}]
    return Rubric.model_validate(
        {
            "format": "rubric/1",
            "id": "small",
            "version": "1",
            "title": "Small",
            "score": score,
            "levels": levels if given_by == "grader" else [],
            "condition_codes": CODES,
            "criteria": criteria or [],
            "error_types": ERRORS,
            "analysis_gaps": GAPS,
        }
    )


def criterion(name: str, **changes: Any) -> dict[str, Any]:
    plain = {"id": name, "title": name.title(), "question": "Is it?", "lowest": 0, "highest": 1, "step": 1}
    return {**plain, **changes}


def sheet(wide: dict[str, int] | None = None) -> PointSheet:
    """Give a sheet of one point, or of issues with as many points as said."""
    issues = [
        {
            "id": name,
            "title": name.title(),
            "weight_percent": 100 / len(wide or {}),
            "points": [
                {"id": f"{name}.{at}", "part": "rule", "text": f"{name} {at}"} for at in range(1, count + 1)
            ],
        }
        for name, count in (wide or {}).items()
    ]
    return PointSheet.model_validate(
        {
            "format": "point_sheet/1",
            "id": "mee-barge",
            "version": "1",
            "item": "mee-barge",
            "kind": "mee",
            "rubric": "small",
            "rubric_version": "1",
            "title": "The barge",
            "issues": issues
            or [
                {
                    "id": "duty",
                    "title": "Was there a duty?",
                    "weight_percent": 100,
                    "points": [{"id": "duty.rule", "part": "rule", "text": "A duty needs control."}],
                }
            ],
        }
    )


def grade(score: float | None = None, code: str | None = None, read_number: int = 1, **changes: Any) -> Grade:
    plain: dict[str, Any] = {
        "event_seq": read_number,
        "assignment_id": f"a{read_number}",
        "response_id": "r1",
        "item": "mee-barge",
        "grader_id": f"p{read_number}",
        "read_number": read_number,
        "score": score,
        "marks": {},
        "marks_entered": {},
        "error_types": (),
        "analysis_gaps": (),
        "points": (),
        "condition_code": code,
        "rubric": "small",
        "rubric_version": "1",
        "rubric_hash": "0" * 64,
        "submitted_at": "2026-11-29T09:00:00.000Z",
    }
    return Grade(**{**plain, **changes})
