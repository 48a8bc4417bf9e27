"""Whether files, answers and MBE scores are those that the log says were registered and taken in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grader_app.domain.events import Event, EventKind
from grader_app.domain.inputs import Inputs
from grader_app.store.integrity import (
    file_content_hash,
    mbe_hash_faults,
    registered_files,
    taken_in_faults,
)

TELL_OF_INPUTS = frozenset(
    {
        EventKind.FILE_REGISTERED,
        EventKind.ANSWERS_TAKEN_IN,
        EventKind.ANSWERS_DEALT,
        EventKind.MBE_TAKEN_IN,
    }
)
"""The kinds of events that are looked at; others may be left out."""


def file_faults(events: Iterable[Event], inputs: Inputs) -> Iterator[str]:
    """Name each file whose content is not the one that an event registered, and each that is missing.

    Parameters
    ----------
    events
        The log; gone through several times.
    inputs
        What it refers to.
    """
    registered = registered_files(events)
    for digest, kept in inputs.files.items():
        named = f"{kept['kind']} {kept['id']}, version {kept['version']}"
        try:
            found = file_content_hash(kept["kind"], kept["content"])
        except ValueError as error:
            yield f"{named}: its content can no longer be read ({error})."
            continue
        if found != digest:
            yield f"{named}: its content has the hash {found}, and should have {digest}."
        if digest not in registered:
            yield f"{named}: no event registered it, so it should not be there."
    for digest, event in registered.items():
        body, there = event.body, inputs.files.get(digest)
        if there is None or any(there[key] != body[key] for key in ("kind", "id", "version")):
            yield (
                f"{body['kind']} {body['id']}, version {body['version']}, is not there as "
                f"event {event.seq} registered it (hash {digest})."
            )


def missing_faults(events: Iterable[Event], inputs: Inputs) -> Iterator[str]:
    """Name each answer that was dealt and is gone, and answers or MBE scores too many or too few.

    Parameters
    ----------
    events, inputs
        As for `file_faults`.
    """
    for event, _, dealt in _dealt(events):
        if dealt["response_id"] not in inputs.responses:
            yield _not_as_dealt(event, dealt)
    counts = Counter(str(response["item"]) for response in inputs.responses.values())
    yield from taken_in_faults(events, counts, len(inputs.mbe))


def changed_faults(events: Iterable[Event], inputs: Inputs) -> Iterator[str]:
    """Name each answer that is there but not as it was dealt, and say so when an MBE score was changed.

    Parameters
    ----------
    events, inputs
        As for `file_faults`.
    """
    for event, item, dealt in _dealt(events):
        found = inputs.responses.get(dealt["response_id"])
        said = (dealt["text_hash"], dealt["candidate_id"], item)
        if found is not None and (found["text_hash"], found["candidate_id"], found["item"]) != said:
            yield _not_as_dealt(event, dealt)
    yield from mbe_hash_faults(events, inputs.mbe)


def _dealt(events: Iterable[Event]) -> Iterator[tuple[Event, str, Mapping[str, Any]]]:
    for event in events:
        if event.kind == EventKind.ANSWERS_DEALT:
            body = event.body
            for dealt in body["assignments"]:
                yield event, body["item"], dealt


def _not_as_dealt(event: Event, dealt: Mapping[str, Any]) -> str:
    return (
        f"answer {dealt['response_id']} is not there as it was dealt in event "
        f"{event.seq} (item {event.body['item']}, candidate {dealt['candidate_id']}, "
        f"text hash {dealt['text_hash']})."
    )
