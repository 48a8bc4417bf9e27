from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import FIRST_HASH, Event, EventKind, event_hash, first_break, unbroken
from grader_app.errors import ChainBroken
from grader_app.export.json_lines import events_bytes, parse_events

BODIES = st.dictionaries(
    st.text(max_size=4),
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    max_size=3,
)
FIELDS = ("seq", "at", "actor", "kind", "subject", "body_json", "previous_hash", "hash")


def chain(bodies: list[dict[str, Any]]) -> list[Event]:
    events, previous = [], FIRST_HASH
    for seq, body in enumerate(bodies, start=1):
        said = (f"2026-11-29T09:00:{seq:02d}.000Z", f"p{seq % 3}", "GradeSubmitted", f"a{seq}")
        digest = event_hash(seq, *said, canonical_json(body), previous)
        events.append(Event(seq, *said, canonical_json(body), previous, digest))
        previous = digest
    return events


chains = st.lists(BODIES, min_size=3, max_size=8).map(chain)


@given(chains)
@settings(max_examples=30)
def test_a_whole_chain_has_no_break_also_after_a_trip_through_json(events: list[Event]) -> None:
    assert first_break(events) is None
    assert first_break(parse_events(events_bytes(events))) is None


@given(chains, st.text(max_size=6))
@settings(max_examples=40)
def test_the_line_of_an_event_is_canonical_json(events: list[Event], subject: str) -> None:
    event = events[0]._replace(subject=subject)
    whole = {name: getattr(event, name) for name in FIELDS if name != "body_json"} | {"body": event.body}
    assert event.as_json() == canonical_json(whole)


@given(chains)
@settings(max_examples=20)
def test_what_is_read_stops_before_the_first_event_that_does_not_fit(events: list[Event]) -> None:
    events[1] = events[1]._replace(actor="somebody else")
    passing = unbroken(events)
    assert next(passing) == events[0]
    with pytest.raises(ChainBroken, match=r"Event 2 .* was changed"):
        next(passing)


def test_an_empty_chain_has_no_break() -> None:
    assert first_break([]) is None


@given(chains, st.sampled_from(FIELDS), st.data())
@settings(max_examples=80)
def test_any_changed_field_is_found_at_its_event_or_the_next(
    events: list[Event], name: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(events) - 1))
    was = getattr(events[at], name)
    other = {"seq": lambda: was + 1, "body_json": lambda: canonical_json({"score": "another"})}.get(
        name, lambda: was + "0"
    )()
    events[at] = events[at]._replace(**{name: other})
    assert first_break(events) is not None


@given(chains, st.data())
@settings(max_examples=40)
def test_a_deleted_event_is_found_unless_it_was_the_last(events: list[Event], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(events) - 2))
    del events[at]
    assert first_break(events) == f"Event {at + 1} is missing: event {at + 2} follows event {at}."


@given(chains, st.data())
@settings(max_examples=40)
def test_two_events_that_changed_places_are_found(events: list[Event], data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.integers(0, len(events) - 1), min_size=2, max_size=2, unique=True))
    events[one], events[other] = events[other], events[one]
    assert first_break(events) is not None
    # Also when the places were numbered anew.
    assert first_break([e._replace(seq=n) for n, e in enumerate(events, start=1)]) is not None


@given(chains, st.data())
@settings(max_examples=40)
def test_an_inserted_event_is_found_even_when_its_own_hash_fits(
    events: list[Event], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(events) - 1))
    previous = events[at - 1].hash if at else FIRST_HASH
    said = ("2026-11-29T09:00:00.500Z", "p9", "GradeSubmitted", "a99")
    digest = event_hash(at + 1, *said, "{}", previous)
    events.insert(at, Event(at + 1, *said, "{}", previous, digest))
    assert first_break(events) is not None
    assert first_break([e._replace(seq=n) for n, e in enumerate(events, start=1)]) is not None


@pytest.mark.parametrize("body", [{"score": float("nan")}, {"score": float("inf")}, {"note": "\ud800"}])
def test_a_body_that_no_event_can_hold_is_a_change_not_a_crash(body: dict[str, Any]) -> None:
    events = chain([{}, {}])
    events[1] = events[1]._replace(body_json=json.dumps(body, ensure_ascii=False))
    assert first_break(events) == (
        "Event 2 (GradeSubmitted, 2026-11-29T09:00:02.000Z) was changed: its hash does not fit."
    )


def test_text_cannot_move_from_one_field_to_the_next_unnoticed() -> None:
    one = event_hash(1, "ab", "c", "k", "s", "{}", FIRST_HASH)
    assert one != event_hash(1, "a", "bc", "k", "s", "{}", FIRST_HASH)


def test_every_kind_is_a_past_participle_of_its_own() -> None:
    values = [kind.value for kind in EventKind]
    assert len(set(values)) == len(values)
    assert all(value.isalpha() and value[0].isupper() for value in values)
