"""A consistent copy of a database while others write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from grader_app.errors import StoreProblem
from grader_app.store.database import Store, sentences


def copy_database(source: Path, target: Path) -> None:
    """Copy a database page by page into a new file, which appears under its name only when whole.

    Raises
    ------
    StoreProblem
        The target exists, or the copy is not sound.
    """
    if target.exists():
        raise StoreProblem(f"{target}: this file exists. Choose another name; backups are never overwritten.")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        with (
            sentences(partial),
            closing(sqlite3.connect(source)) as origin,
            closing(sqlite3.connect(partial)) as copy,
        ):
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            (sound,) = copy.execute("PRAGMA integrity_check").fetchone()
        if sound != "ok":
            raise StoreProblem(
                f"{source}: the copy is not sound ({sound}). The database may be damaged; restore a backup."
            )
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def open_copy(path: Path) -> Store:
    """Open a restored copy, which checks its version and its triggers, and bring it back to WAL."""
    with sentences(path), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    return Store.open(path)
