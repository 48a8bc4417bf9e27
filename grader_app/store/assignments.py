"""Dealt answers: who reads what, in which place, and what is still to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from grader_app.domain.panel import Assignment, ReadKind
from grader_app.store.database import Store

FEWEST_BETWEEN = 40
"""Papers a grader grades between an answer and its repeat, at least."""

# Once sources of an item are known its grading is over; checks left alone in a queue would stand out.
_NOT_REVEALED = (
    "AND a.response_id NOT IN (SELECT response_id FROM revealed_response) "
    "AND (a.kind IN ('live', 'third', 'reread') OR NOT EXISTS (SELECT 1 FROM revealed_response v "
    "JOIN response r ON r.id = v.response_id WHERE r.item = a.item)) "
)
# A self-repeat goes with the answer it repeats: out of the queue together, counted from the first, so that
# no count moves when the answer is graded.
_WAITING = (
    "FROM assignment a WHERE a.grader_id = ? AND a.item = ? AND a.kind <> 'calibration' "
    "AND (a.kind <> 'repeat' OR EXISTS (SELECT 1 FROM assignment o WHERE o.grader_id = a.grader_id "
    "AND o.response_id = a.response_id AND o.kind = 'live' "
    "AND o.id NOT IN (SELECT assignment_id FROM set_aside))) "
    "AND NOT EXISTS (SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'GradeSubmitted') "
    "AND a.id NOT IN (SELECT assignment_id FROM set_aside) "
    # What is printed is graded on paper; ?1 is the grader.
    "AND a.id NOT IN (SELECT assignment_id FROM on_paper WHERE grader_id = ?1) "
    "AND a.response_id NOT IN (SELECT response_id FROM held_response) "
    f"{_NOT_REVEALED}"
)
# What may be served: a repeat only once enough was graded after the answer it repeats.
_RIPE = (
    "AND (a.kind <> 'repeat' OR EXISTS (SELECT 1 FROM assignment o JOIN event e ON e.subject = o.id "
    "AND e.kind = 'GradeSubmitted' WHERE o.grader_id = a.grader_id AND o.response_id = a.response_id "
    "AND o.kind = 'live' AND (SELECT count(*) FROM assignment l JOIN event f ON f.subject = l.id "
    "AND f.kind = 'GradeSubmitted' WHERE l.grader_id = a.grader_id AND l.item = a.item "
    f"AND l.kind <> 'calibration' AND f.seq > e.seq) >= {FEWEST_BETWEEN})) "
)


def add_assignments(connection: sqlite3.Connection, dealt: Iterable[Assignment], event_seq: int) -> None:
    """Store dealt answers inside an open transaction, naming the event that dealt them."""
    connection.executemany(
        "INSERT INTO assignment VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                d.assignment_id,
                d.response_id,
                d.item,
                d.grader_id,
                d.position,
                d.read_number,
                event_seq,
                d.kind.value,
            )
            for d in dealt
        ),
    )


def get_assignment_or_none(store: Store, assignment_id: str) -> Assignment | None:
    """Read one dealt answer."""
    row = store.row_or_none("SELECT * FROM assignment WHERE id = ?", (assignment_id,))
    return None if row is None else _assignment(row)


def next_assignment_or_none(store: Store, grader_id: str, item: str) -> Assignment | None:
    """Read the first answer of an item that still waits in a grader's queue."""
    sql = f"SELECT a.* {_WAITING} {_RIPE} ORDER BY a.position LIMIT 1"
    row = store.row_or_none(sql, (grader_id, item))
    return None if row is None else _assignment(row)


def waiting_in_queue(store: Store, grader_id: str) -> list[Assignment]:
    """List what still waits in a grader's queue, planted checks too, item by item in queue order."""
    items = counts_by_item(store, grader_id)
    found: list[Assignment] = []
    for item in sorted(items):
        rows = store.rows(f"SELECT a.* {_WAITING} ORDER BY a.position", (grader_id, item))
        found += [_assignment(row) for row in rows]
    return found


def ready_for_paper(store: Store, grader_id: str, item: str) -> list[Assignment]:
    """List the answers of an item that can be printed for a grader, in queue order.

    Notes
    -----
    As the screen would serve them. A repeat that is not ripe stays behind: beside the answer it repeats
    it would stand out. So does an answer that was begun on the screen.
    """
    sql = (
        f"SELECT a.* {_WAITING} {_RIPE} AND a.id NOT IN (SELECT assignment_id FROM draft) ORDER BY a.position"
    )
    return [_assignment(row) for row in store.rows(sql, (grader_id, item))]


def count_on_paper(store: Store, grader_id: str) -> int:
    """Count the answers that are with a grader on paper and wait for their grade."""
    row = store.row_or_none(
        "SELECT count(*) AS n FROM on_paper p JOIN assignment a ON a.id = p.assignment_id "
        "WHERE p.grader_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'GradeSubmitted') "
        "AND a.id NOT IN (SELECT assignment_id FROM set_aside) "
        f"{_NOT_REVEALED}",
        (grader_id,),
    )
    return int(row["n"]) if row else 0


def count_waiting(store: Store, grader_id: str, item: str) -> int:
    """Count the answers of an item that still wait in a grader's queue.

    Notes
    -----
    Repeats that are not ripe count as long as anything else waits; at the end they never will be.
    """
    sql = f"SELECT count(*) AS n, coalesce(sum(a.kind <> 'repeat'), 0) AS others {_WAITING}"
    row = store.rows(sql, (grader_id, item))[0]
    if row["others"]:
        return int(row["n"])
    return int(store.rows(f"SELECT count(*) AS n {_WAITING} {_RIPE}", (grader_id, item))[0]["n"])


def assignments_of(store: Store, grader_id: str) -> list[Assignment]:
    """List everything dealt to a grader, planted checks too, item by item in queue order."""
    rows = store.rows(
        "SELECT * FROM assignment WHERE grader_id = ? AND kind <> 'calibration' ORDER BY item, position",
        (grader_id,),
    )
    return [_assignment(row) for row in rows]


def read_before(store: Store, grader_id: str) -> set[str]:
    """List every paper that was ever before a grader, in whatever way."""
    rows = store.rows("SELECT DISTINCT response_id FROM assignment WHERE grader_id = ?", (grader_id,))
    return {row["response_id"] for row in rows}


def reads_of(store: Store, response_id: str) -> list[Assignment]:
    """List the live reads dealt for one answer."""
    return [dealt for dealt in dealt_of(store, response_id) if dealt.kind is ReadKind.LIVE]


def dealt_of(store: Store, response_id: str) -> list[Assignment]:
    """List everything ever dealt of one answer, in whatever way and to whomever."""
    rows = store.rows(
        "SELECT * FROM assignment WHERE response_id = ? ORDER BY read_number, event_seq", (response_id,)
    )
    return [_assignment(row) for row in rows]


def readers_of(store: Store, response_id: str) -> set[str]:
    """List everyone who was ever dealt an answer, in whatever way: nobody reads it afresh a second time."""
    rows = store.rows("SELECT DISTINCT grader_id FROM assignment WHERE response_id = ?", (response_id,))
    return {row["grader_id"] for row in rows}


def is_on_a_desk(store: Store, assignment_id: str, now: str) -> bool:
    """Say whether a grader has an answer open: a draft was begun, or its lease runs at this UTC time."""
    row = store.row_or_none(
        "SELECT 1 FROM draft WHERE assignment_id = ? UNION "
        "SELECT 1 FROM lease WHERE assignment_id = ? AND expires_at > ?",
        (assignment_id, assignment_id, now),
    )
    return row is not None


def counts_by_grader(store: Store, item: str) -> dict[str, int]:
    """Count the live reads dealt of an item, by grader."""
    rows = store.rows(
        "SELECT grader_id, count(*) AS n FROM assignment WHERE item = ? AND kind = 'live' GROUP BY grader_id",
        (item,),
    )
    return {row["grader_id"]: row["n"] for row in rows}


def counts_by_item(store: Store, grader_id: str) -> dict[str, int]:
    """Count what has been dealt to one grader, planted checks too, by item."""
    sql = (
        "SELECT item, count(*) AS n FROM assignment WHERE grader_id = ? AND kind <> 'calibration' "
        "GROUP BY item"
    )
    return {row["item"]: row["n"] for row in store.rows(sql, (grader_id,))}


def count_dealt(store: Store, item: str) -> int:
    """Count the answers of an item that have been dealt to anyone."""
    row = store.row_or_none(
        "SELECT count(DISTINCT response_id) AS n FROM assignment WHERE item = ? AND kind = 'live'", (item,)
    )
    return int(row["n"]) if row else 0


def last_positions(store: Store, item: str) -> dict[str, int]:
    """Give the last place in each grader's queue for an item."""
    rows = store.rows(
        "SELECT grader_id, max(position) AS last FROM assignment WHERE item = ? AND kind <> 'calibration' "
        "GROUP BY grader_id",
        (item,),
    )
    return {row["grader_id"]: row["last"] for row in rows}


def _assignment(row: sqlite3.Row) -> Assignment:
    return Assignment(
        row["id"],
        row["response_id"],
        row["item"],
        row["grader_id"],
        row["position"],
        row["read_number"],
        ReadKind(row["kind"]),
    )
