"""What graders did and when: every grade they gave, and when each was last here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader_app.domain.panel import ReadKind
from grader_app.store.database import Store

_GIVEN = "('GradeSubmitted', 'GradeCorrected', 'SurplusGradeKept')"


@dataclass(frozen=True)
class GradeGiven:
    """One act of grading.

    Parameters
    ----------
    grader_id, item, kind
        Who graded what, and why it was before them.
    at
        UTC time.
    is_correction
        True when a grade given before was corrected.
    seconds
        Active seconds, or None where they were not measured.
    """

    grader_id: str
    item: str
    kind: ReadKind
    at: str
    is_correction: bool
    seconds: float | None


def grades_given(store: Store, grader_id: str | None = None) -> Iterable[GradeGiven]:
    """List every act of grading, oldest first; of one grader, or of all."""
    where, values = ("", ()) if grader_id is None else ("WHERE a.grader_id = ?", (grader_id,))
    rows = store.rows(
        "SELECT a.grader_id, a.item, a.kind, e.at, e.kind AS act, "
        "json_extract(e.body, '$.seconds_spent') AS seconds FROM assignment a "
        f"JOIN event e ON e.subject = a.id AND e.kind IN {_GIVEN} {where} ORDER BY e.seq",
        values,
    )
    return [
        GradeGiven(
            row["grader_id"],
            row["item"],
            ReadKind(row["kind"]),
            row["at"],
            row["act"] == "GradeCorrected",
            row["seconds"],
        )
        for row in rows
    ]


def papers_by_day(store: Store) -> dict[str, dict[str, int]]:
    """Count the papers each grader graded by UTC day, those of calibration left out, by account id."""
    rows = store.rows(
        "SELECT a.grader_id, substr(e.at, 1, 10) AS day, count(*) AS n FROM event e "
        "JOIN assignment a ON a.id = e.subject WHERE e.kind = 'GradeSubmitted' "
        "AND a.kind <> 'calibration' GROUP BY a.grader_id, day"
    )
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["grader_id"], {})[row["day"]] = row["n"]
    return found


def last_graded_by_all(store: Store) -> dict[str, str]:
    """Say when each grader last submitted or corrected anything, calibration included, by account id."""
    rows = store.rows(
        "SELECT a.grader_id, max(e.at) AS at FROM event e JOIN assignment a ON a.id = e.subject "
        f"WHERE e.kind IN {_GIVEN} GROUP BY a.grader_id"
    )
    return {row["grader_id"]: row["at"] for row in rows}


def last_seen_by_all(store: Store) -> dict[str, str]:
    """Say when each account last did anything that is still known: a page looked at, a draft, an act."""
    rows = store.rows(
        "SELECT id, max(at) AS at FROM ("
        "SELECT account_id AS id, last_seen_at AS at FROM session UNION ALL "
        "SELECT actor, max(at) FROM event GROUP BY actor UNION ALL "
        "SELECT a.grader_id, d.saved_at FROM draft d JOIN assignment a ON a.id = d.assignment_id) GROUP BY id"
    )
    return {row["id"]: row["at"] for row in rows}


def leases_run_out(store: Store, now: str) -> list[tuple[str, str, str]]:
    """List grader, item and time of each lease that has run out on an answer that still waits."""
    rows = store.rows(
        "SELECT a.grader_id, a.item, l.expires_at FROM lease l JOIN assignment a ON a.id = l.assignment_id "
        "WHERE l.expires_at < ? AND a.id NOT IN (SELECT assignment_id FROM set_aside) AND NOT EXISTS "
        "(SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'GradeSubmitted') ORDER BY l.expires_at",
        (now,),
    )
    return [(row["grader_id"], row["item"], row["expires_at"]) for row in rows]


def dealt_at(store: Store, assignment_ids: Iterable[str]) -> str | None:
    """Say when the earliest of some papers was dealt."""
    first = None
    for assignment_id in assignment_ids:
        row = store.row_or_none(
            "SELECT e.at FROM assignment a JOIN event e ON e.seq = a.event_seq WHERE a.id = ?",
            (assignment_id,),
        )
        if row is not None and (first is None or row["at"] < first):
            first = str(row["at"])
    return first
