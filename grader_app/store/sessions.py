"""Who is signed in: one row a browser session, found by the hash of its token."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass

from grader_app.store.database import Store


@dataclass(frozen=True)
class Session:
    """A signed-in browser.

    Parameters
    ----------
    token_hash
        SHA-256 of the cookie's token; the token itself is kept nowhere.
    account_id
        Whose session it is.
    csrf_token
        What every form of this session must carry.
    last_seen_at
        UTC time of its last act.
    """

    token_hash: str
    account_id: str
    csrf_token: str
    last_seen_at: str


def hash_token(token: str) -> str:
    """Hash a cookie's token for look-up."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def start_session(connection: sqlite3.Connection, session: Session) -> None:
    """Store a new session inside an open transaction."""
    connection.execute(
        "INSERT INTO session VALUES (?, ?, ?, ?, ?)",
        (
            session.token_hash,
            session.account_id,
            session.csrf_token,
            session.last_seen_at,
            session.last_seen_at,
        ),
    )


def get_session_or_none(store: Store, token: str) -> Session | None:
    """Find the session of a cookie's token."""
    row = store.row_or_none("SELECT * FROM session WHERE token_hash = ?", (hash_token(token),))
    if row is None:
        return None
    return Session(row["token_hash"], row["account_id"], row["csrf_token"], row["last_seen_at"])


def touch_session(connection: sqlite3.Connection, token_hash: str, at: str) -> None:
    """Note that a session was used."""
    connection.execute("UPDATE session SET last_seen_at = ? WHERE token_hash = ?", (at, token_hash))


def end_session(connection: sqlite3.Connection, token_hash: str) -> None:
    """End one session."""
    connection.execute("DELETE FROM session WHERE token_hash = ?", (token_hash,))


def end_all_sessions(connection: sqlite3.Connection, account_id: str, *, but: str = "") -> None:
    """End every session of an account, except the one with the token hash ``but``."""
    connection.execute("DELETE FROM session WHERE account_id = ? AND token_hash <> ?", (account_id, but))
