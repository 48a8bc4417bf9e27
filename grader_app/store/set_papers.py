"""Papers of calibration sets: insert-only rows, one a paper and version of its set."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from grader_app.domain.calibration_record import SetPaper
from grader_app.store.database import Store


def add_set_papers(connection: sqlite3.Connection, papers: Iterable[SetPaper]) -> None:
    """Store the papers of one version of a set inside an open transaction; the texts are kept before."""
    connection.executemany(
        "INSERT INTO set_paper VALUES (?, ?, ?, ?, ?)",
        ((p.response_id, p.item, p.set_hash, p.essay, p.text_hash) for p in papers),
    )


def papers_of_set(connection: sqlite3.Connection, set_hash: str) -> list[tuple[str, str, str]]:
    """List the papers stored for a version of a set: id, essay and text hash, inside an open transaction."""
    sql = "SELECT id, essay, text_hash FROM set_paper WHERE set_hash = ? ORDER BY essay"
    rows = connection.execute(sql, (set_hash,)).fetchall()
    return [(row["id"], row["essay"], row["text_hash"]) for row in rows]


def text_hash_of(store: Store, response_id: str) -> str | None:
    """Give the hash of a set paper's text; None when no set has such a paper."""
    row = store.row_or_none("SELECT text_hash FROM set_paper WHERE id = ?", (response_id,))
    return None if row is None else str(row["text_hash"])
