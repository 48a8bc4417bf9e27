"""Append and read events; nothing else writes the event table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import FIRST_HASH, Event, EventKind, event_hash
from grader_app.domain.held_once import held_once
from grader_app.domain.release import CHANGES_SCORES, no_regrading
from grader_app.errors import ScoresAreReleased
from grader_app.store.database import Store, sentences

_NO_END = 2**63 - 1


def append(
    connection: sqlite3.Connection,
    *,
    at: str,
    actor: str,
    kind: EventKind,
    subject: str,
    body: Mapping[str, Any] | None = None,
) -> int:
    """Append one event inside an open transaction.

    Parameters
    ----------
    connection
        From `Store.write`.
    at, actor, kind, subject, body
        As in `Event`.

    Returns
    -------
    int
        Its place in the log.

    Raises
    ------
    ScoresAreReleased
        The act could change scores, and they have been released.
    """
    if kind in CHANGES_SCORES and (at_release := _released_at_or_none(connection)) is not None:
        raise ScoresAreReleased(no_regrading(at_release))
    last = connection.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    seq, previous = (last["seq"] + 1, last["hash"]) if last else (1, FIRST_HASH)
    text = canonical_json(body or {})
    digest = event_hash(seq, at, actor, kind.value, subject, text, previous)
    connection.execute(
        "INSERT INTO event (seq, at, actor, kind, subject, body, previous_hash, hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (seq, at, actor, kind.value, subject, text, previous, digest),
    )
    return seq


def _released_at_or_none(connection: sqlite3.Connection) -> str | None:
    sql = "SELECT at FROM event WHERE kind = ? LIMIT 1"
    row = connection.execute(sql, (EventKind.SCORES_RELEASED.value,)).fetchone()
    return None if row is None else str(row["at"])


def read_events(store: Store, after: int = 0, up_to: int | None = None) -> Iterator[Event]:
    """Read the log in order.

    Parameters
    ----------
    after
        Leave out events up to this place.
    up_to
        The last place to read; None for the whole log.
    """
    # Row by row: a long log is never in memory whole as rows beside the events made of them.
    last = FIRST_HASH
    with sentences(store.path), store.connection() as connection:
        sql = "SELECT * FROM event WHERE seq > ? AND seq <= ? ORDER BY seq"
        for row in connection.execute(sql, (after, _NO_END if up_to is None else up_to)):
            event = _event(row, last)
            last = event.hash
            yield event


def find_event(store: Store, seq: int) -> Event:
    """Read one event.

    Raises
    ------
    KeyError
        There is none at that place.
    """
    row = store.row_or_none("SELECT * FROM event WHERE seq = ?", (seq,))
    if row is None:
        raise KeyError(seq)
    return _event(row)


def first_at_or_none(connection: sqlite3.Connection, kind: EventKind, subject: str) -> str | None:
    """Say when something was first done to a subject, inside an open transaction."""
    row = connection.execute(
        "SELECT at FROM event WHERE subject = ? AND kind = ? ORDER BY seq LIMIT 1", (subject, kind.value)
    ).fetchone()
    return None if row is None else str(row["at"])


def events_of_kinds(store: Store, kinds: Iterable[EventKind]) -> list[Event]:
    """Read the events of certain kinds, in order."""
    named = ", ".join(f"'{kind.value}'" for kind in kinds)
    return [_event(row) for row in store.rows(f"SELECT * FROM event WHERE kind IN ({named}) ORDER BY seq")]


def seqs_of_kinds(store: Store, kinds: Iterable[EventKind]) -> list[int]:
    """Give the places of the events of certain kinds, in order."""
    named = ", ".join(f"'{kind.value}'" for kind in kinds)
    return [row["seq"] for row in store.rows(f"SELECT seq FROM event WHERE kind IN ({named}) ORDER BY seq")]


def last_seq_among(store: Store, kinds: Iterable[EventKind]) -> int:
    """Give the place of the last event of certain kinds, 0 when there is none."""
    row = store.rows(_last_seq_sql(frozenset(kinds)))[0]
    return max((seq for seq in tuple(row) if seq is not None), default=0)


@cache
def _last_seq_sql(kinds: frozenset[EventKind]) -> str:
    named = ", ".join(f"(SELECT max(seq) FROM event WHERE kind = '{kind.value}')" for kind in sorted(kinds))
    return f"SELECT {named}"


def last_seq_but_grades(store: Store) -> int:
    """Give the place of the last event that is no submitted grade, 0 when there is none."""
    row = store.row_or_none("SELECT max(seq) FROM event WHERE kind <> 'GradeSubmitted'")
    return int(row[0] or 0) if row else 0


def last_seq(store: Store) -> int:
    """Give the place of the last event, 0 in an empty log."""
    row = store.row_or_none("SELECT max(seq) AS seq FROM event")
    return int(row["seq"] or 0) if row else 0


def _event(row: sqlite3.Row, last: str = FIRST_HASH) -> Event:
    seq, at, actor, kind, subject, body_json, previous, digest = row
    # What thousands of events have in common is held once.
    previous = last if previous == last else previous
    return Event(seq, at, held_once(actor), held_once(kind), subject, body_json, previous, digest)
