"""Rubrics, items and rounds as registered: insert-only rows keyed by the hash of their content."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from grader_app.domain.content_hash import canonical_json
from grader_app.store.database import Store


@dataclass(frozen=True)
class FileVersion:
    """One version of a round, a rubric or an item.

    Parameters
    ----------
    hash
        Content hash.
    kind
        ``round``, ``rubric`` or ``item``.
    id, version
        As the file says.
    content
        The parsed content, as JSON would hold it.
    """

    hash: str
    kind: str
    id: str
    version: str
    content: dict[str, Any]


def add_file_version(connection: sqlite3.Connection, kept: FileVersion) -> None:
    """Store a version inside an open transaction; one already there is left as it is."""
    known = connection.execute("SELECT 1 FROM file_version WHERE hash = ?", (kept.hash,)).fetchone()
    if known is None:
        connection.execute(
            "INSERT INTO file_version VALUES (?, ?, ?, ?, ?)",
            (kept.hash, kept.kind, kept.id, kept.version, canonical_json(kept.content)),
        )


def find_file_version(store: Store, digest: str) -> FileVersion:
    """Read the version of a content hash.

    Raises
    ------
    KeyError
        There is none.
    """
    row = store.row_or_none("SELECT * FROM file_version WHERE hash = ?", (digest,))
    if row is None:
        raise KeyError(digest)
    return _version(row)


def all_file_versions(store: Store) -> list[FileVersion]:
    """Read every version, sorted by kind, id and hash."""
    rows = store.rows("SELECT * FROM file_version ORDER BY kind, id, hash")
    return [_version(row) for row in rows]


def find_version(store: Store, kind: str, name: str, version: str) -> FileVersion:
    """Read one version of a round, a rubric or an item by its id.

    Raises
    ------
    KeyError
        There is none.
    """
    sql = "SELECT * FROM file_version WHERE kind = ? AND id = ? AND version = ?"
    row = store.row_or_none(sql, (kind, name, version))
    if row is None:
        raise KeyError(f"{kind} {name}, version {version}")
    return _version(row)


def current_hashes(store: Store) -> dict[tuple[str, str], str]:
    """Give the content hash in use now, by kind and id, in order of registration."""
    rows = store.rows("SELECT body FROM event WHERE kind = 'FileRegistered' ORDER BY seq")
    current: dict[tuple[str, str], str] = {}
    for row in rows:
        body = json.loads(row["body"])
        current[body["kind"], body["id"]] = body["hash"]
    return current


def last_registration(store: Store) -> int:
    """Give the place in the log of the last file registered, 0 before the first."""
    row = store.row_or_none("SELECT max(seq) AS seq FROM event WHERE kind = 'FileRegistered'")
    return int(row["seq"] or 0) if row else 0


def _version(row: sqlite3.Row) -> FileVersion:
    return FileVersion(row["hash"], row["kind"], row["id"], row["version"], json.loads(row["content"]))
