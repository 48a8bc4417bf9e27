"""A calibration set that holds, for tests to spoil one cell at a time."""

from __future__ import annotations

from pathlib import Path

from written_files import spoiled, workspace

SET = """\
format: calibration_set/1
id: mee-barge-a
version: "1"
title: First set for the barge
item: mee-barge
point_sheet_version: "1"
purpose: qualify
reference: given
origin: constructed
"""

# The sheet: bailment 40 % in two points, care 60 % in one; so tallies on 0 to 6 are
# bailment.rule 1.2, bailment.application 1.2, care.rule 3.6.
HEADER = "essay,score,reference_rank,anchor,rationale,points,departs_because,matched_pair,style,feature"
ROWS = {
    "A1": 'A1,4,,yes,"Care is right, the bailment thin.",care.rule,,,,',
    "E01": "E01,6,,no,All of it.,bailment.rule bailment.application care.rule,,,,",
    "E02": "E02,4,,no,,care.rule,,p1,fuller,",
    "E03": "E03,4,,no,,care.rule,,p1,plainer,",
    "E04": "E04,2,,no,,bailment.rule bailment.application,,,,",
    "E05": "E05,2,,no,,,Every point is close and none is made.,,,long-and-empty",
    "E06": "E06,1,,no,,bailment.rule,,,,",
}
TEXTS = {
    "A1": "Great care was owed here, as one who borrows owes it. The rest I leave.",
    "E01": "First comes delivery: the key was handed over, and that is a bailment. Great care was owed.",
    "E02": "A borrower owes great care, that much is settled law, and here it was not taken at all.",
    "E03": "Great care is owed. It was not taken.",
    "E04": "Delivery and acceptance make a bailment; the key shows both.",
    "E05": "It might be asked, and it has often been asked, whether one thing follows from another thing.",
    "E06": "There was delivery.",
}


def table(*, header: str = HEADER, **rows: str) -> str:
    """Give the table with rows replaced, or left out where the new row is empty."""
    lines = [rows.get(name, row) for name, row in ROWS.items()]
    return "\n".join([header, *filter(None, lines)]) + "\n"


def write_set(folder: Path, *, said: str = SET, scores: str | None = None, **texts: str | None) -> Path:
    """Write a set; a text of None is left out."""
    (folder / "essays").mkdir(parents=True)
    (folder / "calibration_set.yaml").write_text(said, encoding="utf-8")
    (folder / "reference_scores.csv").write_text(scores or table(), encoding="utf-8")
    for name, text in {**TEXTS, **texts}.items():
        if text is not None:
            (folder / "essays" / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def workspace_with_set(folder: Path) -> Path:
    """Write a workspace that holds, with a set."""
    write_set(workspace(folder) / "calibration_sets" / "mee-barge-a")
    return folder


def spoil(path: Path, old: str, new: str) -> None:
    """Replace text that occurs exactly once in a file."""
    path.write_text(spoiled(path.read_text(encoding="utf-8"), old, new), encoding="utf-8")
