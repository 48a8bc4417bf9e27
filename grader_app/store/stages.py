"""What can no longer be graded: closed items, answers out of a queue, answers whose source is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from grader_app.store.database import Connection, Store


@dataclass(frozen=True)
class TakenOut:
    """How an answer was taken out of its grader's queue.

    Parameters
    ----------
    event_seq, at
        The act.
    was_sent
        True when its grader had sent it to the lead before.
    """

    event_seq: int
    at: str
    was_sent: bool


def released_at_or_none(store: Store) -> str | None:
    """Say when scores were released; None while they are not."""
    row = store.row_or_none("SELECT at FROM event WHERE kind = 'ScoresReleased' LIMIT 1")
    return None if row is None else str(row["at"])


def rereads_are_begun(store: Store) -> bool:
    """Say whether any answer was ever sent to be read again; asked at every save, so without the record."""
    return store.row_or_none("SELECT 1 FROM event WHERE kind = 'RereadsBegun' LIMIT 1") is not None


def closed_items(store: Store) -> set[str]:
    """List the items the lead has closed."""
    return {row["item"] for row in store.rows("SELECT item FROM closed_item")}


def set_aside_by_or_none(connection: Connection, assignment_id: str) -> str | None:
    """Say who took an answer out of its queue, inside an open transaction: ``grader``, ``lead`` or None."""
    row = connection.execute(
        "SELECT kind FROM set_aside WHERE assignment_id = ?", (assignment_id,)
    ).fetchone()
    if row is None:
        return None
    return "grader" if row["kind"] == "AnswerReferred" else "lead"


def set_aside_among(store: Store, assignment_ids: Sequence[str]) -> set[str]:
    """Say which of some answers are out of their queues."""
    rows = store.rows(
        "SELECT assignment_id FROM set_aside WHERE assignment_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(assignment_ids)),),
    )
    return {row["assignment_id"] for row in rows}


def taken_out_or_none(connection: Connection, assignment_id: str) -> TakenOut | None:
    """Say how an answer was taken out of its grader's queue, inside an open transaction, or None."""
    rows = connection.execute(
        "SELECT seq, at, kind, body FROM event WHERE subject = ? "
        "AND kind IN ('AnswerReferred', 'AnswerReturned') ORDER BY seq DESC LIMIT 2",
        (assignment_id,),
    ).fetchall()
    if not rows or rows[0]["kind"] != "AnswerReturned":
        return None
    if json.loads(rows[0]["body"])["decision"] != "taken_out":
        return None
    sent = len(rows) > 1 and rows[1]["kind"] == "AnswerReferred"
    return TakenOut(rows[0]["seq"], rows[0]["at"], sent)


def is_revealed(connection: Connection, response_id: str) -> bool:
    """Say whether an answer's source has been revealed, inside an open transaction."""
    sql = "SELECT 1 FROM revealed_response WHERE response_id = ?"
    return connection.execute(sql, (response_id,)).fetchone() is not None


def revealed_responses(store: Store) -> set[str]:
    """List the answers whose source has been revealed."""
    return {row["response_id"] for row in store.rows("SELECT response_id FROM revealed_response")}


def is_item_revealed(store: Store, item: str) -> bool:
    """Say whether the source of any answer to an item has been revealed."""
    sql = "SELECT 1 FROM revealed_response v JOIN response r ON r.id = v.response_id WHERE r.item = ? LIMIT 1"
    return store.row_or_none(sql, (item,)) is not None


def count_with_lead(store: Store, grader_id: str, item: str) -> int:
    """Count the answers of an item that a grader sent to the lead and that still wait there."""
    row = store.row_or_none(
        "SELECT count(*) AS n FROM assignment a JOIN set_aside s ON s.assignment_id = a.id "
        "WHERE a.grader_id = ? AND a.item = ? AND s.kind = 'AnswerReferred'",
        (grader_id, item),
    )
    return int(row["n"]) if row else 0
