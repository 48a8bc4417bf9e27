"""The blinding key: a database of its own that says who wrote each answer."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader_app.blinding.key_records import Batch, Candidate, KeptSource
from grader_app.errors import KeyProblem, StoreBusy, StoreFull

KEY_NAME = "blinding_key.db"
"""Name of the key's file when it lies in the workspace."""

_APPLICATION_ID = 0x47524B59  # GRKY
_VERSION = 1
_TABLES = """
CREATE TABLE workspace (id TEXT PRIMARY KEY NOT NULL);
CREATE TABLE batches (
  id TEXT PRIMARY KEY NOT NULL,
  item TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_hash TEXT NOT NULL,
  plain INTEGER NOT NULL CHECK (plain IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('pending', 'done', 'undone')),
  at TEXT NOT NULL
);
CREATE TABLE sources (
  response_id TEXT PRIMARY KEY NOT NULL,
  candidate_id TEXT NOT NULL,
  item TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  source TEXT NOT NULL,
  prompt_type TEXT NOT NULL,
  temperature TEXT NOT NULL,
  trial TEXT NOT NULL,
  model_version TEXT NOT NULL,
  gold TEXT NOT NULL,
  finish_reason TEXT NOT NULL,
  licence TEXT NOT NULL,
  slice TEXT NOT NULL,
  batch TEXT NOT NULL REFERENCES batches (id),
  line INTEGER NOT NULL,
  original_hash TEXT NOT NULL,
  others TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sources_by_item ON sources (item);
CREATE INDEX sources_by_batch ON sources (batch);
"""
_CANDIDATE = "source, prompt_type, temperature, model_version, trial"
_COLUMNS = (
    "response_id, candidate_id, item, sender_id, source, prompt_type, temperature, trial, model_version, "
    "gold, finish_reason, licence, slice, batch, line, original_hash, others"
)


def key_path(workspace: Path, chosen: Path | None) -> Path:
    """Give the key's place: the one chosen, else in the workspace."""
    return chosen or workspace / KEY_NAME


class BlindingKey:
    """An open blinding key; use `open`, `create` or `in_memory`, and close it.

    Parameters
    ----------
    path
        Its file, or None in memory.
    connection
        To its database.
    """

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path = path
        self._name = str(path or "the key in memory")
        self._connection = connection

    @classmethod
    def open(cls, path: Path, workspace_id: str) -> BlindingKey:
        """Open the key of a workspace.

        Raises
        ------
        KeyProblem
            There is no key at the path, the file is something else, or it belongs to another workspace.
        """
        if not path.is_file():
            raise KeyProblem(
                f"{path}: there is no blinding key here. Name it with --key FILE or GRADER_APP_KEY."
            )
        if not path.stat().st_size:
            raise KeyProblem(f"{path}: this file is empty. Remove it, or restore a copy of the key.")
        with _sentences(str(path)):
            key = cls(path, _connect(path))
        try:
            key._check(workspace_id)
        except BaseException:
            key.close()
            raise
        return key

    @classmethod
    def create(cls, path: Path, workspace_id: str) -> BlindingKey:
        """Make the key of a workspace, readable by its owner alone where the system allows."""
        try:
            # Made empty first, since SQLite would make it readable by all; its journals take after it.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            raise KeyProblem(
                f"{path}: the key cannot be made here: {error.strerror}. Name another place with --key FILE."
            ) from error
        return cls(path, _connect(path))._begin(workspace_id)

    @classmethod
    def in_memory(cls, workspace_id: str) -> BlindingKey:
        """Make a key that is never written, for trying an intake out."""
        return cls(None, sqlite3.connect(":memory:", isolation_level=None))._begin(workspace_id)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __enter__(self) -> BlindingKey:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def batches(self) -> list[Batch]:
        """List all batches, oldest first."""
        with _sentences(self._name):
            rows = self._connection.execute("SELECT * FROM batches ORDER BY at, id").fetchall()
        return [Batch(r[0], r[1], r[2], r[3], bool(r[4]), r[5], r[6]) for r in rows]

    def sources(self, *, item: str | None = None, also_undone: bool = False) -> list[KeptSource]:
        """Give the sources of an item's answers, or of all; of batches undone only if asked."""
        sql = (
            f"SELECT {_COLUMNS} FROM sources WHERE (?1 IS NULL OR item = ?1) "
            "AND (?2 OR batch IN (SELECT id FROM batches WHERE status <> 'undone'))"
        )
        with _sentences(self._name):
            rows = self._connection.execute(sql, (item, int(also_undone))).fetchall()
        return [KeptSource(*(*row[:16], json.loads(row[16]))) for row in rows]

    def response_ids(self, batch: str | None = None) -> set[str]:
        """Give the ids of a batch's answers, or of all that were ever taken in."""
        with _sentences(self._name):
            rows = self._connection.execute(
                "SELECT response_id FROM sources WHERE ?1 IS NULL OR batch = ?1", (batch,)
            )
            return {row[0] for row in rows}

    def candidates(self) -> dict[Candidate, str]:
        """Give the candidate id of everyone who ever answered, also of batches undone."""
        with _sentences(self._name):
            rows = self._connection.execute(f"SELECT DISTINCT {_CANDIDATE}, candidate_id FROM sources")
            return {(row[0], row[1], row[2], row[3], row[4]): row[5] for row in rows}

    def add_pending(self, batch: Batch, sources: Iterable[KeptSource]) -> None:
        """Store a batch whose answers the workbench does not hold yet."""
        with self._write() as connection:
            connection.execute(
                "INSERT INTO batches VALUES (?, ?, ?, ?, ?, 'pending', ?)",
                (batch.batch_id, batch.item, batch.file_name, batch.file_hash, int(batch.plain), batch.at),
            )
            connection.executemany(
                f"INSERT INTO sources ({_COLUMNS}) VALUES ({', '.join('?' * 17)})", map(_row, sources)
            )

    def mark(self, batch_id: str, status: str) -> None:
        """Set a batch's status; what is undone stays undone."""
        with self._write() as connection:
            connection.execute(
                "UPDATE batches SET status = ? WHERE id = ? AND status <> 'undone'", (status, batch_id)
            )

    def forget(self, batch_id: str) -> None:
        """Remove a pending batch whose answers never reached the workbench."""
        with self._write() as connection:
            connection.execute("DELETE FROM sources WHERE batch = ?", (batch_id,))
            connection.execute("DELETE FROM batches WHERE id = ? AND status = 'pending'", (batch_id,))

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with _sentences(self._name):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _begin(self, workspace_id: str) -> BlindingKey:
        try:
            with _sentences(self._name):
                self._connection.executescript(
                    f"BEGIN; PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_VERSION};"
                    f"{_TABLES} INSERT INTO workspace VALUES ('{workspace_id}'); COMMIT"
                )
        except BaseException:
            self.close()
            if self.path:
                self.path.unlink(missing_ok=True)
            raise
        return self

    def _check(self, workspace_id: str) -> None:
        with _sentences(self._name):
            (mark,) = self._connection.execute("PRAGMA application_id").fetchone()
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if mark != _APPLICATION_ID:
                raise KeyProblem(f"{self.path}: this is not a blinding key. Name it with --key FILE.")
            if version != _VERSION:
                newer = "a newer" if version > _VERSION else "an older"
                raise KeyProblem(f"{self.path}: {newer} program wrote this key. Use that program's version.")
            (found,) = self._connection.execute("SELECT id FROM workspace").fetchone()
        if found != workspace_id:
            raise KeyProblem(
                f"{self.path}: this key belongs to workspace {found}; this workspace is {workspace_id}. "
                "Name this workspace's key with --key FILE or GRADER_APP_KEY."
            )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _row(kept: KeptSource) -> tuple[object, ...]:
    return (
        kept.response_id,
        kept.candidate_id,
        kept.item,
        kept.sender_id,
        kept.source,
        kept.prompt_type,
        kept.temperature,
        kept.trial,
        kept.model_version,
        kept.gold,
        kept.finish_reason,
        kept.licence,
        kept.slice,
        kept.batch,
        kept.line,
        kept.original_hash,
        json.dumps(kept.others, ensure_ascii=False) if kept.others else "{}",
    )


@contextmanager
def _sentences(name: str) -> Iterator[None]:
    """Turn SQLite's errors into sentences a person can act on."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StoreBusy(
                f"{name}: another program holds the key. Nothing was stored; close it and try again."
            ) from error
        if "full" in text or "disk I/O" in text:
            raise StoreFull(
                f"{name}: the disk is full or failing ({text}). Nothing was stored; free some space."
            ) from error
        raise KeyProblem(
            f"{name}: the key cannot be used ({text}). Check the file and its folder."
        ) from error
    except sqlite3.DatabaseError as error:
        raise KeyProblem(
            f"{name}: this is not a sound blinding key ({error}). Name the right file with --key FILE, "
            "or restore a copy."
        ) from error
