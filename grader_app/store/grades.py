"""Grades as the log holds them: whether an answer has one, which submission made it, what its author gave."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from grader_app.store.database import Connection, Store

_GRADES = "('GradeSubmitted', 'GradeCorrected')"


@dataclass(frozen=True)
class Submission:
    """A submission that arrived before.

    Parameters
    ----------
    event_seq, at
        The event it made.
    kind
        What kind of act it was.
    assignment_id
        The answer it belonged to.
    """

    event_seq: int
    at: str
    kind: str
    assignment_id: str


@dataclass(frozen=True)
class GradedAnswer:
    """An answer that a grader has graded, by its id for that grader.

    Parameters
    ----------
    assignment_id, item
        The answer.
    """

    assignment_id: str
    item: str


@dataclass(frozen=True)
class StandingGrade:
    """The grade of one dealt answer as it stands.

    Parameters
    ----------
    assignment_id, item
        The answer.
    at
        UTC time of the grade, or of its latest correction.
    body
        The event's body.
    corrections
        How often it was corrected.
    """

    assignment_id: str
    item: str
    at: str
    body: dict[str, Any]
    corrections: int


def graded_at_or_none(connection: Connection, assignment_id: str) -> str | None:
    """Say when an answer was submitted, inside an open transaction; None when it was not."""
    row = connection.execute(
        "SELECT at FROM event WHERE subject = ? AND kind = 'GradeSubmitted'", (assignment_id,)
    ).fetchone()
    return None if row is None else str(row["at"])


def standing_at_or_none(connection: Connection, assignment_id: str) -> str | None:
    """Say when an answer's grade was given or last corrected, inside an open transaction."""
    row = connection.execute(
        f"SELECT at FROM event WHERE subject = ? AND kind IN {_GRADES} ORDER BY seq DESC LIMIT 1",
        (assignment_id,),
    ).fetchone()
    return None if row is None else str(row["at"])


def versions_of(store: Store, assignment_id: str) -> list[StandingGrade]:
    """Read every grade ever given to one dealt answer, oldest first."""
    rows = store.rows(
        "SELECT a.id, a.item, e.at, e.body FROM event e JOIN assignment a ON a.id = e.subject "
        f"WHERE e.subject = ? AND e.kind IN {_GRADES} ORDER BY e.seq",
        (assignment_id,),
    )
    return [
        StandingGrade(row["id"], row["item"], row["at"], json.loads(row["body"]), place)
        for place, row in enumerate(rows)
    ]


def surplus_at_or_none(connection: Connection, assignment_id: str) -> str | None:
    """Say when a grade of an answer was kept as surplus, inside an open transaction; None when none was."""
    row = connection.execute(
        "SELECT at FROM event WHERE subject = ? AND kind = 'SurplusGradeKept'", (assignment_id,)
    ).fetchone()
    return None if row is None else str(row["at"])


def standing_seq_or_none(connection: Connection, assignment_id: str) -> int | None:
    """Give the event that holds an answer's grade as it stands, inside an open transaction."""
    row = connection.execute(
        f"SELECT max(seq) AS seq FROM event WHERE subject = ? AND kind IN {_GRADES}", (assignment_id,)
    ).fetchone()
    return None if row["seq"] is None else int(row["seq"])


def graded_another_since(connection: Connection, grader_id: str, assignment_id: str) -> bool:
    """Say whether a grader has submitted another paper after this one, inside an open transaction."""
    row = connection.execute(
        "SELECT 1 FROM event WHERE kind = 'GradeSubmitted' AND actor = ? AND seq > "
        "(SELECT seq FROM event WHERE kind = 'GradeSubmitted' AND subject = ?) LIMIT 1",
        (grader_id, assignment_id),
    ).fetchone()
    return row is not None


def get_submission_or_none(connection: Connection, token: str) -> Submission | None:
    """Find the event that a client's token made before, inside an open transaction."""
    row = connection.execute(
        "SELECT e.seq, e.at, e.kind, e.subject FROM submission s JOIN event e ON e.seq = s.event_seq "
        "WHERE s.token = ?",
        (token,),
    ).fetchone()
    return None if row is None else Submission(row["seq"], row["at"], row["kind"], row["subject"])


def keep_submission(connection: Connection, token: str, event_seq: int) -> None:
    """Keep a client's token with the event it made, inside an open transaction."""
    connection.execute("INSERT INTO submission VALUES (?, ?)", (token, event_seq))


def grades_by(store: Store, grader_id: str) -> list[StandingGrade]:
    """List a grader's grades as they stand, latest first, those of planted checks too."""
    return _standing(store, "a.kind <> 'calibration' AND a.grader_id = ?", grader_id)


def get_grade_or_none(store: Store, assignment_id: str) -> StandingGrade | None:
    """Read the grade of one dealt answer as it stands."""
    found = _standing(store, "a.id = ?", assignment_id)
    return found[0] if found else None


def last_graded_at_or_none(store: Store, grader_id: str) -> str | None:
    """Say when a grader last submitted or corrected anything on the screen; packets are left out."""
    # Each kind by itself is read from its latest on; both at once would be sorted whole.
    last = (
        "SELECT * FROM (SELECT e.seq, e.at FROM event e WHERE e.kind = '{}' AND e.actor = ? AND EXISTS "
        "(SELECT 1 FROM assignment a WHERE a.id = e.subject AND a.kind <> 'calibration') "
        "ORDER BY e.seq DESC LIMIT 1)"
    )
    both = " UNION ALL ".join(last.format(kind) for kind in ("GradeSubmitted", "GradeCorrected"))
    row = store.row_or_none(f"{both} ORDER BY seq DESC LIMIT 1", (grader_id, grader_id))
    return None if row is None else str(row["at"])


def last_graded_or_none(store: Store, grader_id: str, before: str | None = None) -> GradedAnswer | None:
    """Find the answer a grader submitted on the screen last, or last before another; packets are left out."""
    row = store.row_or_none(
        "SELECT a.id, a.item FROM event e CROSS JOIN assignment a ON a.id = e.subject "
        "WHERE e.actor = ? AND e.kind = 'GradeSubmitted' AND a.kind <> 'calibration' "
        "AND (? IS NULL OR e.seq < (SELECT b.seq FROM event b WHERE b.subject = ? "
        "AND b.kind = 'GradeSubmitted')) ORDER BY e.seq DESC LIMIT 1",
        (grader_id, before, before),
    )
    return None if row is None else GradedAnswer(row["id"], row["item"])


def seconds_by_item(store: Store, grader_id: str) -> dict[str, list[float | None]]:
    """List the active seconds of each grade a grader submitted, by item; None where it was not measured."""
    rows = store.rows(
        # A cross join keeps the order: the grader's own papers first, not every grade of the round.
        "SELECT a.item, json_extract(e.body, '$.seconds_spent') AS seconds FROM assignment a "
        "CROSS JOIN event e ON e.subject = a.id AND e.kind = 'GradeSubmitted' "
        "WHERE a.kind <> 'calibration' AND a.grader_id = ?",
        (grader_id,),
    )
    found: dict[str, list[float | None]] = {}
    for row in rows:
        found.setdefault(row["item"], []).append(row["seconds"])
    return found


def _standing(store: Store, where: str, value: str) -> list[StandingGrade]:
    rows = store.rows(
        "SELECT a.id, a.item, e.at, e.body, (SELECT count(*) FROM event c WHERE c.subject = a.id "
        "AND c.kind = 'GradeCorrected') AS corrections FROM assignment a "
        "JOIN event e ON e.seq = (SELECT max(g.seq) FROM event g WHERE g.subject = a.id "
        f"AND g.kind IN {_GRADES}) WHERE {where} ORDER BY e.seq DESC",
        (value,),
    )
    return [
        StandingGrade(row["id"], row["item"], row["at"], json.loads(row["body"]), row["corrections"])
        for row in rows
    ]
