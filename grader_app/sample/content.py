"""The sample round's files: items, answers, MBE scores, and the grade each answer was written to deserve."""

from __future__ import annotations

import csv
import shutil
from dataclasses import dataclass
from pathlib import Path

from grader_app.domain.grade import GradeEntry
from grader_app.files.shipped import shipped_folder

_HERE = Path(__file__).parent

ITEMS = (
    "mee-sale-of-goods",
    "mee-negligence",
    "mpt-rescue-bill",
    "rule-hearsay",
    "rule-diversity",
    "rule-predominant-purpose",
)
"""The sample round's items; graders meet them in this order."""

ANSWER_FILES = {
    "mee-sale-of-goods": _HERE / "answers" / "mee-sale-of-goods.csv",
    "mee-negligence": _HERE / "answers" / "mee-negligence.csv",
    "mpt-rescue-bill": _HERE / "answers" / "mpt-rescue-bill.csv",
    "rule-hearsay": _HERE / "answers" / "rule-hearsay.jsonl",
    "rule-diversity": _HERE / "answers" / "rule-diversity.jsonl",
    "rule-predominant-purpose": _HERE / "answers" / "rule-predominant-purpose.jsonl",
}
"""The file of answers to each item, as a sender would deliver it."""

MBE_FILE = _HERE / "mbe.csv"
"""MBE scores of the sample's candidates."""


_LATE_CANDIDATES = {f"C-{number}" for number in range(1017, 1025)}


@dataclass(frozen=True)
class IntendedGrade:
    """What an answer was written to deserve.

    Parameters
    ----------
    score
        Overall score in points; None with a condition code, or where criteria make it up.
    entry
        Everything a grader in full agreement would enter.
    """

    score: float | None
    entry: GradeEntry


def copy_files(workspace: Path) -> None:
    """Copy the sample's round, items and calibration sets into a new workspace."""
    shutil.copyfile(_HERE / "round.yaml", workspace / "round.yaml")
    for name in ("rubrics", "calibration_sets"):
        shutil.copytree(shipped_folder(name), workspace / name, dirs_exist_ok=True)


def intended_grades(item: str) -> dict[str, IntendedGrade]:
    """Read what the answers of an item were written to deserve, by the sender's id."""
    with (_HERE / "intended" / f"{item}.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: _intended(row) for row in csv.DictReader(file)}


def batch_of(source: str, trial: str) -> int:
    """Say in which of two deliveries an answer came: the last third came late."""
    return 2 if source in _LATE_CANDIDATES or trial == "3" else 1


def _intended(row: dict[str, str]) -> IntendedGrade:
    marks = {name: float(row[name]) for name in ("correctness", "analysis") if row[name]}
    score = float(row["score"]) if row["score"] and not marks else None
    entry = GradeEntry(
        score=score,
        marks=marks,
        error_types=tuple(row["error_types"].split()),
        analysis_gaps=tuple(row["analysis_gaps"].split()),
        points=tuple(row["points"].split()),
        condition_code=row["condition_code"] or None,
    )
    return IntendedGrade(score, entry)
