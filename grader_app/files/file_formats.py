"""The formats people write, each with its model, and their JSON Schemas."""

from __future__ import annotations

from typing import Any

from grader_app.domain.calibration_set import CalibrationSet
from grader_app.domain.model import DomainModel
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric

MODELS: dict[str, type[DomainModel]] = {
    "rubric": Rubric,
    "point_sheet": PointSheet,
    "calibration_set": CalibrationSet,
    "round": Round,
}


def json_schema(name: str) -> dict[str, Any]:
    """Describe a file format as JSON Schema.

    Parameters
    ----------
    name
        ``rubric``, ``point_sheet``, ``calibration_set`` or ``round``.

    Returns
    -------
    dict
        A schema of draft 2020-12. Rules between values, such as weights that add up to 100, are
        checked by the program and are not in it.

    Raises
    ------
    KeyError
        If there is no such format.

    Examples
    --------
    >>> json_schema("rubric")["required"]
    ['format', 'id', 'version', 'title', 'score']
    """
    schema = MODELS[name].model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
