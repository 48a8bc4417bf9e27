"""Leases: which dealt answers are on a desk, and until when nobody else is given them."""

from __future__ import annotations

from grader_app.store.database import Connection


def expires_at_or_none(connection: Connection, assignment_id: str) -> str | None:
    """Say until when an answer is, or was, held for its grader, inside an open transaction."""
    row = connection.execute(
        "SELECT expires_at FROM lease WHERE assignment_id = ?", (assignment_id,)
    ).fetchone()
    return None if row is None else str(row["expires_at"])


def hold(connection: Connection, assignment_id: str, expires_at: str) -> None:
    """Hold an answer for its grader until a time, inside an open transaction."""
    connection.execute(
        "INSERT INTO lease VALUES (?, ?) ON CONFLICT (assignment_id) "
        "DO UPDATE SET expires_at = excluded.expires_at",
        (assignment_id, expires_at),
    )


def let_go(connection: Connection, assignment_id: str) -> None:
    """Hold an answer no longer, inside an open transaction: it is graded, or out of the queue."""
    connection.execute("DELETE FROM lease WHERE assignment_id = ?", (assignment_id,))
