"""Unfinished grades: what a grader has entered so far, with the time it reached the disk."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from grader_app.store.database import Connection, Store


@dataclass(frozen=True)
class Draft:
    """An unfinished grade.

    Parameters
    ----------
    body
        What was entered: score, marks, errors, gaps, points, condition code, note.
    revision
        Grows with each save, so that a tab can tell that another has saved since.
    saved_at
        UTC time at which it was on disk.
    """

    body: dict[str, Any]
    revision: int
    saved_at: str


def save_draft(connection: sqlite3.Connection, assignment_id: str, body: dict[str, Any], at: str) -> int:
    """Save a draft inside an open transaction and give its revision."""
    row = connection.execute(
        "INSERT INTO draft VALUES (?, ?, 1, ?) ON CONFLICT (assignment_id) DO UPDATE "
        "SET body = excluded.body, revision = revision + 1, saved_at = excluded.saved_at RETURNING revision",
        (assignment_id, json.dumps(body), at),
    ).fetchone()
    return int(row["revision"])


def get_draft_or_none(store: Store, assignment_id: str) -> Draft | None:
    """Read an assignment's draft."""
    row = store.row_or_none("SELECT * FROM draft WHERE assignment_id = ?", (assignment_id,))
    return None if row is None else Draft(json.loads(row["body"]), row["revision"], row["saved_at"])


def draft_within_or_none(connection: Connection, assignment_id: str) -> Draft | None:
    """Read an assignment's draft inside an open transaction."""
    row = connection.execute("SELECT * FROM draft WHERE assignment_id = ?", (assignment_id,)).fetchone()
    return None if row is None else Draft(json.loads(row["body"]), row["revision"], row["saved_at"])


def drafts_of_graded(store: Store, grader_id: str) -> dict[str, Draft]:
    """Give the drafts of answers that a grader has submitted already, by assignment id."""
    rows = store.rows(
        "SELECT d.* FROM assignment a JOIN draft d ON d.assignment_id = a.id WHERE a.grader_id = ? "
        "AND EXISTS (SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'GradeSubmitted')",
        (grader_id,),
    )
    return {
        row["assignment_id"]: Draft(json.loads(row["body"]), row["revision"], row["saved_at"]) for row in rows
    }


def drop_draft(connection: sqlite3.Connection, assignment_id: str) -> None:
    """Forget a draft inside an open transaction, once its grade is submitted."""
    connection.execute("DELETE FROM draft WHERE assignment_id = ?", (assignment_id,))
