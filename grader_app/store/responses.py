"""Answers and MBE scores as stored: insert-only rows that carry a hash of their own content."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence, Set

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.held_once import held_once
from grader_app.domain.inputs import kept_response
from grader_app.domain.response import Response
from grader_app.store.database import Store, sentences


def response_row_hash(response: Response) -> str:
    """Hash what a response row says."""
    return _row_hash(
        [
            response.response_id,
            response.item,
            response.candidate_id,
            response.deal_order,
            response.text_hash,
            response.cut_off,
        ]
    )


def mbe_row_hash(candidate_id: str, revision: int, mbe: float) -> str:
    """Hash what an MBE row says."""
    return _row_hash([candidate_id, revision, repr(float(mbe))])


def add_responses(connection: sqlite3.Connection, rows: Iterable[tuple[Response, str, str]]) -> None:
    """Store answers with their texts inside an open transaction.

    Parameters
    ----------
    rows
        Response, salt of its text, text. The response's ``text_hash`` must be the salted hash.
    """
    held = list(rows)
    connection.executemany(
        "INSERT INTO kept_text VALUES (?, ?, ?)", ((r.text_hash, salt, body) for r, salt, body in held)
    )
    connection.executemany(
        "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                r.response_id,
                r.item,
                r.candidate_id,
                r.deal_order,
                r.text_hash,
                int(r.cut_off),
                response_row_hash(r),
            )
            for r, _, _ in held
        ),
    )


def add_mbe(connection: sqlite3.Connection, scores: Iterable[tuple[str, float]]) -> None:
    """Store MBE scores by candidate id inside an open transaction; a second one corrects the first."""
    counted = connection.execute("SELECT candidate_id, count(*) FROM mbe GROUP BY candidate_id").fetchall()
    revisions = {row[0]: row[1] for row in counted}
    for who, mbe in scores:
        revisions[who] = revisions.get(who, 0) + 1
        digest = mbe_row_hash(who, revisions[who], mbe)
        connection.execute("INSERT INTO mbe VALUES (?, ?, ?, ?)", (who, revisions[who], float(mbe), digest))


def get_response_or_none(store: Store, response_id: str) -> Response | None:
    """Read one answer's row; None when the id is no answer's."""
    row = store.row_or_none("SELECT * FROM response WHERE id = ?", (response_id,))
    return None if row is None else _response(row)


def all_responses(store: Store) -> Iterator[Response]:
    """Read every answer's row, sorted by id."""
    with sentences(store.path), store.connection() as connection:
        yield from map(_response, connection.execute("SELECT * FROM response ORDER BY id"))


def kept_responses(store: Store) -> dict[str, dict[str, str]]:
    """Read what `Inputs` holds of every answer, by its id, sorted; row by row, since there can be many."""
    sql = "SELECT id, item, candidate_id, text_hash FROM response ORDER BY id"
    with sentences(store.path), store.connection() as connection:
        return {held_once(row[0]): kept_response(row[1], row[2], row[3]) for row in connection.execute(sql)}


def all_mbe(store: Store) -> dict[str, float]:
    """Read MBE scores by candidate id, each as last corrected."""
    rows = store.rows("SELECT * FROM mbe ORDER BY candidate_id, revision")
    return {row["candidate_id"]: row["mbe"] for row in rows}


def undealt_in_deal_order(store: Store, item: str) -> list[str]:
    """List answers that were never dealt, nor drawn for a panel's packet, in the item's deal order."""
    rows = store.rows(
        "SELECT id FROM response r WHERE item = ? "
        "AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.response_id = r.id AND a.kind = 'live') "
        "AND id NOT IN (SELECT value FROM event, json_each(event.body, '$.response_ids') "
        "WHERE kind = 'PanelPacketDrawn') "
        "AND id NOT IN (SELECT response_id FROM withdrawn_response) ORDER BY deal_order",
        (item,),
    )
    return [row["id"] for row in rows]


def dealt_in_deal_order(store: Store, item: str) -> list[str]:
    """List the answers of an item that somebody reads for the score, in the item's deal order.

    Notes
    -----
    Without those whose source is known: grading them is over.
    """
    rows = store.rows(
        "SELECT id FROM response r WHERE item = ? "
        "AND EXISTS (SELECT 1 FROM assignment a WHERE a.response_id = r.id AND a.kind = 'live') "
        "AND id NOT IN (SELECT response_id FROM revealed_response) ORDER BY deal_order",
        (item,),
    )
    return [row["id"] for row in rows]


def facts_for_the_log(store: Store, response_ids: Set[str]) -> dict[str, dict[str, str]]:
    """Give what the event that deals an answer says of it, by response id: whose it is, and its text's hash.

    Notes
    -----
    Being in the chain, these cannot be changed later without a trace.
    """
    sql = "SELECT id, candidate_id, text_hash FROM response WHERE id IN (SELECT value FROM json_each(?))"
    rows = store.rows(sql, (json.dumps(sorted(response_ids)),))
    return {r["id"]: {"candidate_id": r["candidate_id"], "text_hash": r["text_hash"]} for r in rows}


def count_stored(store: Store, item: str) -> int:
    """Count the answers to an item that are stored, those taken back left out."""
    row = store.row_or_none(
        "SELECT count(*) AS n FROM response WHERE item = ? "
        "AND id NOT IN (SELECT response_id FROM withdrawn_response)",
        (item,),
    )
    return int(row["n"]) if row else 0


def last_deal_order(store: Store, item: str) -> int:
    """Give the highest place in an item's deal order, 0 before the first answer."""
    row = store.row_or_none("SELECT max(deal_order) AS last FROM response WHERE item = ?", (item,))
    return int(row["last"] or 0) if row else 0


def dealt_among(store: Store, response_ids: Sequence[str]) -> set[str]:
    """Say which of the answers have been dealt to anyone, or drawn for a panel's packet."""
    rows = store.rows(
        "SELECT response_id FROM assignment WHERE kind = 'live' UNION "
        "SELECT value FROM event, json_each(event.body, '$.response_ids') WHERE kind = 'PanelPacketDrawn'"
    )
    dealt = {row["response_id"] for row in rows}
    return dealt & set(response_ids)


def _response(row: sqlite3.Row) -> Response:
    return Response(
        row["id"], row["item"], row["candidate_id"], row["deal_order"], row["text_hash"], bool(row["cut_off"])
    )


def _row_hash(values: list[object]) -> str:
    return hashlib.sha256(canonical_json(values).encode("utf-8")).hexdigest()
