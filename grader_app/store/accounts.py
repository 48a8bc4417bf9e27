"""Names and password hashes: rows outside the event log."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from grader_app.domain.ids import new_id
from grader_app.domain.panel import Account, Role
from grader_app.store.database import Store


@dataclass(frozen=True)
class KeptPassword:
    """A password hash, and whether it may be used once only."""

    hash: str
    one_time: bool


def add_actor(connection: sqlite3.Connection, *, kind: str, name: str, at: str) -> str:
    """Give a name a random id inside an open transaction; a name already known keeps its id.

    Parameters
    ----------
    kind
        ``account`` or ``cli``.
    """
    row = connection.execute("SELECT id FROM actor WHERE kind = ? AND name = ?", (kind, name)).fetchone()
    if row is not None:
        return str(row["id"])
    actor_id = new_id("p")
    connection.execute("INSERT INTO actor VALUES (?, ?, ?, ?)", (actor_id, kind, name, at))
    return actor_id


def actor_name(connection: sqlite3.Connection, actor_id: str) -> str:
    """Give an actor's name inside an open transaction; ``cli:USER`` where the command line named nobody."""
    row = connection.execute("SELECT name FROM actor WHERE id = ?", (actor_id,)).fetchone()
    return str(row["name"])


def name_of_actor(store: Store, actor_id: str) -> str:
    """Give an actor's name as `actor_name` does, outside any transaction."""
    row = store.row_or_none("SELECT name FROM actor WHERE id = ?", (actor_id,))
    return actor_id if row is None else str(row["name"])


def accounts(store: Store) -> list[Account]:
    """List all accounts, sorted by name."""
    return [_account(row) for row in store.rows("SELECT * FROM account ORDER BY name COLLATE NOCASE, name")]


def get_account_by_name_or_none(store: Store, name: str) -> Account | None:
    """Find an account by the name its person types."""
    row = store.row_or_none("SELECT * FROM account WHERE name = ?", (name,))
    return None if row is None else _account(row)


def get_account_or_none(store: Store, account_id: str) -> Account | None:
    """Find an account by its id."""
    row = store.row_or_none("SELECT * FROM account WHERE id = ?", (account_id,))
    return None if row is None else _account(row)


def set_password(
    connection: sqlite3.Connection, account_id: str, password_hash: str, *, one_time: bool, at: str
) -> None:
    """Set an account's password hash inside an open transaction."""
    connection.execute(
        "INSERT INTO password VALUES (?, ?, ?, ?) ON CONFLICT (account_id) DO UPDATE "
        "SET hash = excluded.hash, one_time = excluded.one_time, changed_at = excluded.changed_at",
        (account_id, password_hash, int(one_time), at),
    )


def get_password_or_none(store: Store, account_id: str) -> KeptPassword | None:
    """Read an account's password hash."""
    row = store.row_or_none("SELECT hash, one_time FROM password WHERE account_id = ?", (account_id,))
    return None if row is None else KeptPassword(row["hash"], bool(row["one_time"]))


def _account(row: sqlite3.Row) -> Account:
    return Account(
        row["id"],
        row["name"],
        Role(row["role"]),
        bool(row["disabled"]),
        bool(row["simulated"]),
        bool(row["apprentice"]),
    )
