from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind, first_break
from grader_app.store.event_log import append, find_event, last_seq, read_events


def test_events_come_back_as_they_were_written_and_the_log_can_be_read_from_a_place_on(
    small: SmallWorkspace,
) -> None:
    store = small.bench.store
    before = last_seq(store)
    seq = small.append(EventKind.ITEM_CLOSED, "mee-barge", why=["é", 0.5, None, True])
    assert seq == last_seq(store) == before + 1
    event = find_event(store, seq)
    assert (event.kind, event.subject, event.actor) == ("ItemClosed", "mee-barge", small.actor)
    assert event.body == {"why": ["é", 0.5, None, True]}
    assert list(read_events(store, before)) == [event]
    assert first_break(read_events(store)) is None


def test_an_event_that_is_not_there_is_a_key_error(small: SmallWorkspace) -> None:
    with pytest.raises(KeyError):
        find_event(small.bench.store, 10_000)


@given(
    body=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
        st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text("aé\u2028\n\"'")),
    )
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_json_holds_the_chain_stays_whole(small: SmallWorkspace, body: dict[str, object]) -> None:
    store = small.bench.store
    with store.write() as connection:
        seq = append(connection, at="t", actor="p1", kind=EventKind.ITEM_CLOSED, subject="x", body=body)
    assert find_event(store, seq).body == json.loads(json.dumps(body))
    assert first_break(read_events(store)) is None


def test_a_number_that_is_none_is_refused_before_anything_is_stored(small: SmallWorkspace) -> None:
    before = last_seq(small.bench.store)
    with pytest.raises(ValueError, match="JSON"):
        small.append(EventKind.ITEM_CLOSED, "x", score=float("nan"))
    assert last_seq(small.bench.store) == before
