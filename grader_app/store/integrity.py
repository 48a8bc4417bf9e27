"""Whether a workbench database still says what was once written into it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from grader_app.domain.calibration_set import Packet
from grader_app.domain.content_hash import canonical_json, content_hash
from grader_app.domain.events import DEALING, Event, EventKind, first_break
from grader_app.domain.item import Item
from grader_app.domain.keyed_grades import keyed_faults
from grader_app.domain.model import DomainModel
from grader_app.domain.release import release_faults
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.errors import VerificationFailed
from grader_app.store.database import Store
from grader_app.store.event_log import read_events
from grader_app.store.reread_integrity import reread_faults
from grader_app.store.responses import all_mbe, all_responses, mbe_row_hash, response_row_hash
from grader_app.store.settling_integrity import settling_faults
from grader_app.store.texts import salted_hash

ExportEnds = Mapping[str, tuple[int, str]]
"""Number and hash of the last event of an export, by the export's name."""

_MODELS: dict[str, type[DomainModel]] = {
    "round": Round,
    "rubric": Rubric,
    "item": Item,
    "calibration_set": Packet,
}
# Where the content of a kind names its version, if not at its top.
_VERSION_STANDS_IN = {"item": "sheet", "calibration_set": "set"}
_GRADES = (EventKind.GRADE_SUBMITTED, EventKind.GRADE_CORRECTED, EventKind.SURPLUS_GRADE_KEPT)
_SUBMITTED = (*_GRADES, EventKind.ANSWER_REFERRED, EventKind.PAPERS_RANKED, EventKind.PAPER_SCORE_KEYED)
_JUDGED = (*_GRADES, EventKind.GRADE_ADJUDICATED, EventKind.GRADE_BACKREAD)
_TEXT_KEYS = ("note_hash", "reply_hash", "reason_hash")
_TEXTS_AT_A_TIME = 500
_RESTORE = "Someone has changed the database; restore a backup."

Faults = Iterator[str]


def check_store(store: Store, export_ends: ExportEnds | None = None) -> None:
    """Check a database from its first event to its last row; records nothing.

    Parameters
    ----------
    store
        The database.
    export_ends
        The last event of each export made from it. An export knows how far the log once reached, so
        a log cut or rewritten since then shows.

    Raises
    ------
    VerificationFailed
        Naming the first fault found.
    """
    events = _events(store)
    checks: tuple[Callable[[], Faults], ...] = (
        lambda: _chain_faults(store, events),
        lambda: _body_faults(store),
        lambda: _submission_faults(store, events),
        lambda: _export_faults(events, export_ends or {}),
        lambda: _file_faults(store, events),
        lambda: _response_faults(store, events),
        lambda: _set_paper_faults(store, events),
        lambda: _mbe_faults(store, events),
        lambda: _text_faults(store, events),
        lambda: _assignment_faults(store, events),
        lambda: _grade_faults(events),
        lambda: settling_faults(events),
        lambda: reread_faults(events, _rounds(store)),
        lambda: release_faults(events),
        lambda: _actor_faults(store, events),
    )
    for check in checks:
        fault = next(check(), None)
        if fault is not None:
            raise VerificationFailed(f"{store.path}: {fault} {_RESTORE}")


def _rounds(store: Store) -> dict[str, Any]:
    rows = store.rows("SELECT hash, content FROM file_version WHERE kind = 'round'")
    return {row["hash"]: json.loads(row["content"]) for row in rows}


def file_content_hash(kind: str, content: Mapping[str, Any]) -> str:
    """Hash the content of a registered file as it was hashed when it was registered.

    Parameters
    ----------
    kind
        ``round``, ``rubric``, ``item`` or ``calibration_set``.
    content
        As stored.

    Raises
    ------
    ValueError
        The kind is unknown, or the content is no longer one of its kind.
    """
    if kind not in _MODELS:
        raise ValueError(f"there is no kind of file called {kind!r}")
    return _MODELS[kind].model_validate_json(canonical_json(content)).content_hash


def registered_files(events: Iterable[Event]) -> dict[str, Event]:
    """Give the event that registered each round, rubric, item or calibration set first, by content hash."""
    found: dict[str, Event] = {}
    for event in events:
        if event.kind == EventKind.FILE_REGISTERED:
            found.setdefault(str(event.body["hash"]), event)
    return found


def unregistered_rubrics(events: Sequence[Event]) -> Faults:
    """Name each grade that was given under a rubric or an item that no event registered before it."""
    known: set[str] = set()
    for event in events:
        if event.kind == EventKind.FILE_REGISTERED:
            known.add(str(event.body["hash"]))
        elif event.kind in _JUDGED:
            for what in ("rubric", "item"):
                digest = event.body.get(f"{what}_hash")
                if digest is not None and digest not in known:
                    yield (
                        f"The grade of event {event.seq} names {what} {digest[:12]}…, "
                        "which was not registered before it."
                    )


def _events(store: Store) -> list[Event]:
    events = list(read_events(store))
    try:
        for event in events:
            if not isinstance(event.body, dict):
                raise ValueError(f"event {event.seq} has none")
    except (ValueError, RecursionError) as error:
        raise VerificationFailed(
            f"{store.path}: the body of an event can no longer be read ({error}). {_RESTORE}"
        ) from error
    return events


def _chain_faults(store: Store, events: Sequence[Event]) -> Faults:
    broken = first_break(events)
    if broken is not None:
        yield broken
    yield from tail_faults(store)
    if not events:
        yield "The log is empty."


def tail_faults(store: Store) -> Faults:
    """Say so when more events were written than the log holds."""
    # One statement sees one moment, whoever may be writing.
    counted = "SELECT seq FROM sqlite_sequence WHERE name = 'event'"
    row = store.rows(f"SELECT ({counted}) AS written, (SELECT max(seq) FROM event) AS last")[0]
    written, last = (row["written"] or 0), (row["last"] or 0)
    if written > last:
        yield f"{written} events were written, and the log ends with event {last}: its tail was cut off."


def _body_faults(store: Store) -> Faults:
    """Find bodies that say a thing twice: the chain's hash reads them one way, a query could read another."""
    for row in store.rows("SELECT seq, body FROM event ORDER BY seq"):
        try:
            same = canonical_json(json.loads(row["body"])) == row["body"]
        except ValueError:
            same = False  # not a number, or half a character
        if not same:
            yield f"The body of event {row['seq']} was changed: it is not written as the program writes it."


def _submission_faults(store: Store, events: Sequence[Event]) -> Faults:
    """Find acts of graders without their client's token, and rows that name others which are gone."""
    for row in store.rows("PRAGMA foreign_key_check"):
        yield f"A row of {row['table']} names a row of {row['parent']} that is gone."
    named = {row["event_seq"] for row in store.rows("SELECT event_seq FROM submission")}
    for event in events:
        if event.kind in _SUBMITTED and event.seq not in named:
            yield f"The submission that made event {event.seq} ({event.kind}) is gone."


def _export_faults(events: Sequence[Event], ends: ExportEnds) -> Faults:
    for name, (seq, digest) in sorted(ends.items()):
        if seq > len(events):
            yield f"The export {name} ends with event {seq}, and the log with event {len(events)}."
        elif seq and events[seq - 1].hash != digest:
            yield f"Event {seq} is not the one with which the export {name} ends."


def _file_faults(store: Store, events: Sequence[Event]) -> Faults:
    rows = {row["hash"]: row for row in store.rows("SELECT * FROM file_version ORDER BY kind, id, version")}
    for digest, row in rows.items():
        named = f"{row['kind']} {row['id']}, version {row['version']}"
        try:
            content = json.loads(row["content"])
            found = file_content_hash(row["kind"], content)
        except (ValueError, ValidationError):
            yield f"The stored content of {named} can no longer be read."
            continue
        said = content.get(_VERSION_STANDS_IN.get(row["kind"], ""), content)
        if found != digest or said["version"] != row["version"]:
            yield f"The stored content of {named} was changed: its hash is {found[:12]}…, not {digest[:12]}…."
    for digest, event in registered_files(events).items():
        body, kept = event.body, rows.get(digest)
        if kept is None or any(kept[key] != body[key] for key in ("kind", "id", "version")):
            yield f"{body['kind']} {body['id']}, version {body['version']} (event {event.seq}) is not stored."


def _response_faults(store: Store, events: Sequence[Event]) -> Faults:
    hashes = {row["id"]: row["row_hash"] for row in store.rows("SELECT id, row_hash FROM response")}
    responses = {response.response_id: response for response in all_responses(store)}
    for response_id, response in responses.items():
        if response_row_hash(response) != hashes[response_id]:
            yield f"The row of answer {response_id} was changed: its hash does not fit."
    for event in events:
        for dealt in event.body["assignments"] if event.kind == EventKind.ANSWERS_DEALT else ():
            found = responses.get(dealt["response_id"])
            if found is None:
                yield f"Answer {dealt['response_id']}, dealt in event {event.seq}, is gone."
            elif (found.text_hash, found.item, found.candidate_id) != (
                dealt["text_hash"],
                event.body["item"],
                dealt["candidate_id"],
            ):
                yield f"Answer {found.response_id} is no longer the one dealt in event {event.seq}."
    counts = Counter(response.item for response in responses.values())
    yield from taken_in_faults(events, counts, len(store.rows("SELECT DISTINCT candidate_id FROM mbe")))


def _set_paper_faults(store: Store, events: Sequence[Event]) -> Faults:
    said = {
        row["response_id"]: (event.body["item"], event.body["hash"], row["essay"], row["text_hash"])
        for event in events
        if event.kind == EventKind.FILE_REGISTERED and event.body["kind"] == "calibration_set"
        for row in event.body["papers"]
    }
    stored = {row["id"]: tuple(row)[1:] for row in store.rows("SELECT * FROM set_paper")}
    there = {row["hash"] for row in store.rows("SELECT hash FROM kept_text")}
    there |= {event.subject for event in events if event.kind == "TextRetired"}
    for response_id in sorted(said.keys() | stored.keys()):
        if said.get(response_id) != stored.get(response_id):
            yield f"Paper {response_id} of a calibration set is not as its event says."
        elif said[response_id][3] not in there:
            yield f"The text of paper {response_id} of a calibration set is gone, and no event retired it."


def taken_in_faults(events: Iterable[Event], answers: Mapping[str, int], mbe: int) -> Faults:
    """Name each item of which other answers are there than were taken in, and MBE scores likewise.

    Parameters
    ----------
    events
        The log; an intake that does not say how many is passed over.
    answers
        Answers there are, by item.
    mbe
        MBE scores there are.
    """
    taken: Counter[str] = Counter()
    taken_mbe = None
    for event in events:
        if event.kind == EventKind.ANSWERS_TAKEN_IN and {"item", "n"} <= set(event.body):
            taken[event.body["item"]] += event.body["n"]
        elif event.kind == EventKind.MBE_TAKEN_IN and "n" in event.body:
            taken_mbe = (taken_mbe or 0) + event.body["n"]
    for item, count in sorted(taken.items()):
        if answers.get(item, 0) != count:
            yield f"{count} answers to {item} were taken in, and {answers.get(item, 0)} are there."
    if taken_mbe is not None and taken_mbe != mbe:
        yield f"{taken_mbe} MBE scores were taken in, and {mbe} are there."


def mbe_hash_faults(events: Iterable[Event], scores: Mapping[str, float]) -> Faults:
    """Say so when the MBE scores are not those on record after the last intake of MBE scores."""
    said = [
        e.body["scores_hash"] for e in events if e.kind == EventKind.MBE_TAKEN_IN and "scores_hash" in e.body
    ]
    if said and content_hash(dict(scores)) != said[-1]:
        yield "An MBE score was changed: together they are not the scores that were taken in."


def _mbe_faults(store: Store, events: Sequence[Event]) -> Faults:
    yield from mbe_hash_faults(events, all_mbe(store))
    for row in store.rows("SELECT * FROM mbe ORDER BY candidate_id, revision"):
        if mbe_row_hash(row["candidate_id"], row["revision"], row["mbe"]) != row["row_hash"]:
            yield f"The MBE score of candidate {row['candidate_id']} was changed: its hash does not fit."


def _text_faults(store: Store, events: Sequence[Event]) -> Faults:
    there = set()
    for row in _kept_texts(store):
        there.add(row["hash"])
        if salted_hash(row["salt"], row["body"]) != row["hash"]:
            yield f"The text kept under {row['hash'][:12]}… was changed: its hash does not fit."
    there |= {event.subject for event in events if event.kind == "TextRetired"}
    for response in all_responses(store):
        if response.text_hash not in there:
            yield f"The text of answer {response.response_id} is gone, and no event retired it."
    for event in events:
        for key in _TEXT_KEYS:
            if event.body.get(key) is not None and event.body[key] not in there:
                yield f"The words that event {event.seq} names are gone, and no event retired them."


def _kept_texts(store: Store) -> Iterator[Any]:
    """Read texts some at a time: all at once would fill the memory."""
    last = ""
    sql = f"SELECT hash, salt, body FROM kept_text WHERE hash > ? ORDER BY hash LIMIT {_TEXTS_AT_A_TIME}"
    while rows := store.rows(sql, (last,)):
        yield from rows
        last = rows[-1]["hash"]


def _assignment_faults(store: Store, events: Sequence[Event]) -> Faults:
    dealt = {
        row["assignment_id"]: (
            row["response_id"],
            event.body["item"],
            event.body["grader_id"],
            row["position"],
            row["read_number"],
            event.seq,
            row.get("kind", "live"),
        )
        for event in events
        if event.kind in DEALING
        for row in event.body["assignments"]
    }
    stored = {row["id"]: tuple(row)[1:] for row in store.rows("SELECT * FROM assignment ORDER BY id")}
    for assignment_id in sorted(dealt.keys() | stored.keys()):
        if dealt.get(assignment_id) != stored.get(assignment_id):
            how = _difference(dealt, stored, assignment_id)
            yield f"Dealt answer {assignment_id} is not as its event says: {how}."


def _difference(
    dealt: Mapping[str, tuple[Any, ...]], stored: Mapping[str, tuple[Any, ...]], assignment_id: str
) -> str:
    if assignment_id not in stored:
        return "its row is gone"
    if assignment_id not in dealt:
        return "no event dealt it"
    names = ("response_id", "item", "grader_id", "position", "read_number", "event_seq", "kind")
    pairs = zip(names, stored[assignment_id], dealt[assignment_id], strict=True)
    return "; ".join(f"{name} is {is_now}, was {was}" for name, is_now, was in pairs if is_now != was)


def _grade_faults(events: Sequence[Event]) -> Faults:
    yield from unregistered_rubrics(events)
    readers = {
        row["assignment_id"]: event.body["grader_id"]
        for event in events
        if event.kind in DEALING
        for row in event.body["assignments"]
    }
    for event in events:
        if event.kind in _GRADES and readers.get(event.subject) is None:
            yield f"The grade of event {event.seq} is for an answer that was never dealt."
        elif event.kind in _GRADES and readers[event.subject] != event.actor and "keyed" not in event.body:
            yield f"The grade of event {event.seq} is by another than the answer was dealt to."
    # Others enter what its reader wrote on paper; the keyings must bear them out.
    yield from keyed_faults(events)


def _actor_faults(store: Store, events: Sequence[Event]) -> Faults:
    known = {row["id"] for row in store.rows("SELECT id FROM actor")}
    for event in events:
        if event.actor not in known:
            yield f"Nobody is named for {event.actor}, who acted in event {event.seq}."
