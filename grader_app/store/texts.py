"""Answers, notes and reasons, kept under salted hashes apart from the events that name them."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3

from grader_app.store.database import Store


def salted_hash(salt: str, body: str) -> str:
    """Hash a text with its salt, so that nobody can test a guessed text against an export."""
    return hashlib.sha256(f"{salt}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


def keep_text(connection: sqlite3.Connection, body: str) -> str:
    """Keep a text inside an open transaction and give the hash that names it.

    Notes
    -----
    Half a character, as a browser can send one (a lone surrogate), is kept as the replacement
    character: it cannot be stored, and a note is not lost for it.
    """
    body = body.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    salt = secrets.token_hex(16)
    digest = salted_hash(salt, body)
    connection.execute("INSERT INTO kept_text VALUES (?, ?, ?)", (digest, salt, body))
    return digest


def word_counts(store: Store) -> dict[str, int]:
    """Count the words of each answer, by response id."""
    rows = store.rows("SELECT r.id, t.body FROM response r JOIN kept_text t ON t.hash = r.text_hash")
    return {row["id"]: len(row["body"].split()) for row in rows}


def get_text_or_none(store: Store, digest: str) -> str | None:
    """Read a kept text; None once it has been retired."""
    row = store.row_or_none("SELECT body FROM kept_text WHERE hash = ?", (digest,))
    return None if row is None else str(row["body"])
