"""One calibration set to examine, the item and rubric it is held to, and what is found in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_files import workspace

from grader_app.domain.item import Item
from grader_app.domain.rubric import Rubric
from grader_app.files.calibration_folder import examine_set
from grader_app.files.item_folder import load_item
from grader_app.files.rubric_file import RubricKey, load_rubrics

Known = tuple[dict[str, Item], dict[RubricKey, Rubric]]
CSV = "reference_scores.csv"
YAML = "calibration_set.yaml"


@pytest.fixture(name="known")
def known_items_and_rubrics(tmp_path: Path) -> Known:
    place = workspace(tmp_path / "known") / "rubrics"
    rubrics = load_rubrics(place)
    return {"mee-barge": load_item(place / "mee-barge", rubrics)}, rubrics


@pytest.fixture(name="folder")
def folder_of_set(tmp_path: Path) -> Path:
    return tmp_path / "sets" / "mee-barge-a"


def found(folder: Path, known: Known | tuple[()] = ()) -> list[tuple[str, int, str]]:
    problems = sorted(examine_set(folder, *known).problems)
    return [(Path(each.path).name, each.line, f"{each.what} {each.fix}") for each in problems]
