"""Unfinished rankings: where each paper of a packet stands, with the time it reached the disk."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from grader_app.store.database import Store
from grader_app.store.drafts import Draft


def save_ranking(connection: sqlite3.Connection, attempt_id: str, body: dict[str, Any], at: str) -> int:
    """Save an order inside an open transaction and give its revision."""
    row = connection.execute(
        "INSERT INTO ranking_draft VALUES (?, ?, 1, ?) ON CONFLICT (attempt_id) DO UPDATE "
        "SET body = excluded.body, revision = revision + 1, saved_at = excluded.saved_at RETURNING revision",
        (attempt_id, json.dumps(body), at),
    ).fetchone()
    return int(row["revision"])


def get_ranking_or_none(store: Store, attempt_id: str) -> Draft | None:
    """Read an attempt's unfinished order."""
    row = store.row_or_none("SELECT * FROM ranking_draft WHERE attempt_id = ?", (attempt_id,))
    return None if row is None else Draft(json.loads(row["body"]), row["revision"], row["saved_at"])


def ranking_revision(connection: sqlite3.Connection, attempt_id: str) -> int:
    """Give the revision of an attempt's order inside an open transaction, 0 before the first move."""
    row = connection.execute(
        "SELECT revision FROM ranking_draft WHERE attempt_id = ?", (attempt_id,)
    ).fetchone()
    return 0 if row is None else int(row["revision"])


def drop_ranking(connection: sqlite3.Connection, attempt_id: str) -> None:
    """Forget an order inside an open transaction, once it is submitted."""
    connection.execute("DELETE FROM ranking_draft WHERE attempt_id = ?", (attempt_id,))
