"""Calibration sets, their papers and a point sheet in small, and what the models say against them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from rubrics_and_grades import rubric

from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric


def said(**changes: Any) -> dict[str, Any]:
    whole = {
        "format": "calibration_set/1",
        "id": "mee-barge-a",
        "version": "1",
        "title": "First set",
        "item": "mee-barge",
        "point_sheet_version": "1",
        "purpose": "qualify",
        "reference": "given",
        "origin": "constructed",
    }
    return {**whole, **changes}


def paper(
    essay: str, score: float | None = 3, text: str = "Three little words.", **changes: Any
) -> dict[str, Any]:
    return {"essay": essay, "text": text, "score": score, **changes}


def papers(*scores: float) -> list[dict[str, Any]]:
    return [paper(f"E{at}", score) for at, score in enumerate(scores, start=1)]


def packet(*held: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"set": said(**changes), "papers": list(held) or papers(1, 2, 3, 4, 5)}


# 40 % in two points, 60 % in one.
def sheet(version: str = "1", issues: bool = True) -> PointSheet:
    points = {"bailment": ["bailment.rule", "bailment.use"], "care": ["care.rule"]}
    made = [
        {
            "id": issue,
            "title": issue,
            "weight_percent": weight,
            "points": [{"id": point, "part": "rule", "text": "A rule."} for point in points[issue]],
        }
        for issue, weight in (("bailment", 40), ("care", 60))
    ]
    return PointSheet.model_validate(
        {
            "format": "point_sheet/1",
            "id": "mee-barge",
            "version": version,
            "item": "mee-barge",
            "kind": "mee" if issues else "essay",
            "rubric": "small",
            "rubric_version": "1",
            "title": "Barge",
            "issues": made if issues else [],
        }
    )


def sentences(model: type[Any], data: dict[str, Any]) -> list[tuple[tuple[Any, ...], str]]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(data)
    return [(detail["loc"], detail["msg"]) for detail in caught.value.errors()]


def only(model: type[Any], data: dict[str, Any]) -> tuple[tuple[Any, ...], str]:
    [found] = sentences(model, data)
    return found


def in_context(*held: dict[str, Any], of: Rubric | None = None, **changes: Any) -> dict[str, Any]:
    return {**packet(*held, **changes), "sheet": sheet(), "rubric": of or rubric()}
