"""A grader's own grades, which their author may look at again and correct."""

from __future__ import annotations

import json
from dataclasses import dataclass

from grader_app.domain.grade import GradeEntry
from grader_app.errors import NotAllowed
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.live_grading import closed_items, own_assignment
from grader_app.workflow.workbench import Workbench

_LATEST = """
(SELECT max(g.seq) FROM event g WHERE g.subject = a.id AND g.kind IN ('GradeSubmitted', 'GradeCorrected'))
"""


@dataclass(frozen=True)
class OwnGrade:
    """A grade as its own author sees it.

    Parameters
    ----------
    assignment_id
        The answer's id for this grader.
    item, title
        What it answers.
    entry
        What was entered.
    gave
        The score or condition code in words.
    note
        The note as written.
    submitted_at
        UTC time of the grade, or of its latest correction.
    corrections
        How often it was corrected.
    can_correct
        False once the lead has closed the item.
    """

    assignment_id: str
    item: str
    title: str
    entry: GradeEntry
    gave: str
    note: str
    submitted_at: str
    corrections: int
    can_correct: bool


def own_grades(bench: Workbench, grader_id: str) -> list[OwnGrade]:
    """List what a grader has graded, latest first."""
    return _read(bench, "a.grader_id = ?", grader_id)


def find_own_grade(bench: Workbench, grader_id: str, assignment_id: str) -> OwnGrade:
    """Find the grade of one answer.

    Raises
    ------
    NotDealtToYou, NotAllowed
        It is not this grader's, or not graded yet.
    """
    own_assignment(bench, grader_id, assignment_id)
    found = _read(bench, "a.id = ?", assignment_id)
    if not found:
        raise NotAllowed("You have not graded this answer yet, so there is nothing to correct.")
    return found[0]


def last_recorded_or_none(bench: Workbench, grader_id: str) -> str | None:
    """Say when a grader last submitted anything."""
    row = bench.store.row_or_none(
        "SELECT max(e.at) AS at FROM assignment a JOIN event e ON e.subject = a.id "
        "AND e.kind IN ('GradeSubmitted', 'GradeCorrected') WHERE a.grader_id = ?",
        (grader_id,),
    )
    return None if row is None or row["at"] is None else str(row["at"])


def _read(bench: Workbench, where: str, value: str) -> list[OwnGrade]:
    rows = bench.store.rows(
        "SELECT a.id, a.item, e.at, e.body, (SELECT count(*) FROM event c WHERE c.subject = a.id "
        "AND c.kind = 'GradeCorrected') AS corrections FROM assignment a "
        f"JOIN event e ON e.seq = {_LATEST} WHERE {where} ORDER BY e.seq DESC",
        (value,),
    )
    material, closed = bench.material(), closed_items(bench)
    grades = []
    for row in rows:
        body = json.loads(row["body"])
        note = get_text_or_none(bench.store, body["note_hash"]) if body["note_hash"] else ""
        codes = {code.id: code.title for code in material.rubrics[row["item"]].condition_codes}
        given_by_grader = material.rubrics[row["item"]].score.given_by == "grader"
        entry = GradeEntry(
            score=body["score"] if given_by_grader else None,
            marks=body["marks_entered"],
            error_types=tuple(body["error_types"]),
            analysis_gaps=tuple(body["analysis_gaps"]),
            points=tuple(body["points"]),
            condition_code=body["condition_code"],
        )
        gave = codes.get(body["condition_code"], "") if body["condition_code"] else f"{body['score']:g}"
        grades.append(
            OwnGrade(
                row["id"],
                row["item"],
                material.items[row["item"]].title,
                entry,
                gave,
                note or "",
                row["at"],
                row["corrections"],
                row["item"] not in closed,
            )
        )
    return grades
