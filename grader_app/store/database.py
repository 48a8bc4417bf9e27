"""One workbench database: pooled connections, one writer at a time, triggers checked on opening."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from grader_app.errors import (
    SchemaTooNew,
    SchemaTooOld,
    StoreBusy,
    StoreFull,
    StoreProblem,
    WorkspaceMissing,
)
from grader_app.store.schema import APPLICATION_ID, SCHEMA_VERSION, TABLES, VIEWS, triggers

T = TypeVar("T")

Connection = sqlite3.Connection
"""What `Store.write` lends; other layers pass it on to the store and look no further."""

BUSY_TIMEOUT_SECONDS = 10.0


class Store:
    """The database of one workspace.

    Parameters
    ----------
    path
        ``workbench.db``, on a local disk. Use `create` or `open`.

    Notes
    -----
    WAL with ``synchronous=FULL``: a write is on disk when `write` ends. Writes start with
    ``BEGIN IMMEDIATE`` behind one lock a process, which fifty writers get through without an error.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._write_lock = threading.Lock()
        # A connection serves one thread at a time; page runs come and go in threads of their own,
        # so connections wait here between them rather than die with each.
        self._idle: deque[sqlite3.Connection] = deque()
        # The connection a thread writes with, and how much it had changed before.
        self._writing = threading.local()

    @classmethod
    def create(cls, path: Path, workspace_id: str, made_at: str) -> Store:
        """Make a new database; refused where one exists."""
        if path.exists():
            raise StoreProblem(f"{path}: a workbench database is already there. Choose another folder.")
        with sentences(path), closing(_connect(path)) as connection:
            connection.executescript(
                f"PRAGMA journal_mode = WAL; PRAGMA application_id = {APPLICATION_ID}; BEGIN;"
                + TABLES
                + VIEWS
                + ";".join(triggers().values())
                + f"; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
            connection.execute("INSERT INTO workspace VALUES (?, ?)", (workspace_id, made_at))
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a database; its version and triggers are checked.

        Raises
        ------
        WorkspaceMissing
            There is no database at the path.
        SchemaTooOld, SchemaTooNew
            Another version of the program wrote it.
        StoreProblem
            It is no workbench database, or its guarding triggers were removed.
        """
        if not path.is_file():
            raise WorkspaceMissing(
                f"{path}: there is no workbench database here. Make a workspace with `grader-app init DIR`, "
                "or name one with `--workspace DIR`."
            )
        store = cls(path)
        with sentences(path), store.connection() as connection:
            _check_version(path, connection)
            _check_schema(path, connection)
        return store

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to the calling thread."""
        connection = self._lent()
        try:
            yield connection
        finally:
            self._returned(connection)

    def _lent(self) -> sqlite3.Connection:
        writing: sqlite3.Connection | None = getattr(self._writing, "connection", None)
        # While it has changed nothing it reads what all read, and has the pages in memory.
        if writing is not None and writing.total_changes == self._writing.changes_before:
            return writing
        try:
            return self._idle.pop()
        except IndexError:
            return _connected(self.path)

    def _returned(self, connection: sqlite3.Connection) -> None:
        if connection is not getattr(self._writing, "connection", None):
            self._idle.append(connection)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one durable transaction; any error undoes all of it.

        Notes
        -----
        What the block reads through the store is what is on disk, without the block's own writes: the record
        and other things kept between calls must never hold what a rollback takes back.
        """
        with self._write_lock, sentences(self.path), self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._writing.connection, self._writing.changes_before = connection, connection.total_changes
            self._writing.known = {}
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._writing.connection = self._writing.known = None

    def asked_once(self, read: Callable[[Store], T]) -> T:
        """Give what a function reads from the store; within one `write` it is asked once.

        Notes
        -----
        While a block writes nobody else can, and it does not read its own writes: what is on disk stays.
        """
        known: dict[Any, Any] | None = getattr(self._writing, "known", None)
        if known is None:
            return read(self)
        if read not in known:
            known[read] = read(self)
        found: T = known[read]
        return found

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Read rows."""
        # Asked twenty times a save: written out, since a context manager each would cost a tenth of it.
        connection = self._lent()
        try:
            return connection.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            said = in_a_sentence(self.path, error)
            if said is None:
                raise
            raise said from error
        finally:
            self._returned(connection)

    def row_or_none(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Row | None:
        """Read one row, or None."""
        connection = self._lent()
        try:
            found: sqlite3.Row | None = connection.execute(sql, parameters).fetchone()
            return found
        except sqlite3.DatabaseError as error:
            said = in_a_sentence(self.path, error)
            if said is None:
                raise
            raise said from error
        finally:
            self._returned(connection)

    @property
    def workspace_id(self) -> str:
        """The random id that ties database, key and exports together."""
        return str(self.rows("SELECT id FROM workspace")[0]["id"])

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            self._idle.pop().close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        _address(path),
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        uri=True,
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _address(path: Path) -> str:
    """Give the address SQLite opens; an archived copy nobody may write to is opened for reading alone."""
    address = f"file:{quote(str(path.resolve()))}"
    if not path.exists() or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return address
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise StoreProblem(
            f"{path}: this copy cannot be written to and was taken while the database was in use "
            f"({log.name} is not empty). Copy both files to a folder you can write to."
        )
    return f"{address}?mode=ro&immutable=1"


@contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn SQLite's errors, met while a block works on a database, into sentences a person can act on."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        said = in_a_sentence(path, error)
        if said is None:
            raise
        raise said from error


def in_a_sentence(path: Path, error: sqlite3.DatabaseError) -> StoreProblem | None:
    """Give an error of SQLite as a sentence a person can act on; None for a fault of the program's own."""
    if isinstance(error, sqlite3.IntegrityError):
        return None
    if not isinstance(error, sqlite3.OperationalError):
        return StoreProblem(f"{path}: this is not a sound SQLite database ({error}). Restore a backup.")
    text = str(error)
    if "locked" in text or "busy" in text:
        return StoreBusy(
            f"{path}: another program holds the database. Nothing was stored; "
            "close the other program and try again."
        )
    if "full" in text or "disk I/O" in text:
        return StoreFull(
            f"{path}: the disk is full or failing ({text}). Nothing was stored; free some space."
        )
    if "readonly" in text or "unable to open" in text:
        return StoreProblem(f"{path}: {text}. Give the program the right to write there.")
    if "decode to UTF-8" in text:
        return StoreProblem(f"{path}: a text in it can no longer be read ({text}). Restore a backup.")
    return None


def _connected(path: Path) -> sqlite3.Connection:
    with sentences(path):
        return _connect(path)


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if mark != APPLICATION_ID:
        raise StoreProblem(f"{path}: this is not a workbench database. Name another workspace.")
    if version < SCHEMA_VERSION:
        raise SchemaTooOld(
            f"{path}: written by an older program (schema {version}, this program needs {SCHEMA_VERSION}). "
            "Open it with the program that wrote it, or export there."
        )
    if version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"{path}: written by a newer program (schema {version}, this program knows {SCHEMA_VERSION}). "
            "Update this program."
        )


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse a database whose tables, triggers or views are not those this program makes."""
    present = _objects(connection)
    expected = _expected_objects()
    wrong = sorted(
        name for name in present.keys() | expected.keys() if present.get(name) != expected.get(name)
    )
    if wrong:
        raise StoreProblem(
            f"{path}: the triggers, views or tables that keep recorded acts unchanged are missing or altered "
            f"({', '.join(wrong)}). Someone has changed the database, or a test version of this program made "
            "it; run `grader-app verify` with the program that made it, or restore a backup."
        )


@cache
def _expected_objects() -> dict[str, str | None]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES + VIEWS + ";".join(triggers().values()))
        return _objects(connection)


def _objects(connection: sqlite3.Connection) -> dict[str, str | None]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'")
    return {row[0]: row[1] for row in rows}
