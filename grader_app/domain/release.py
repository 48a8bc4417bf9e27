"""Release of scores: prepared by one person, released by another, and no regrading after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader_app.domain.events import Event, EventKind

CHANGES_SCORES = frozenset(
    {
        EventKind.FILE_REGISTERED,
        EventKind.ANSWERS_TAKEN_IN,
        EventKind.ANSWERS_WITHDRAWN,
        EventKind.MBE_TAKEN_IN,
        EventKind.ANSWERS_DEALT,
        EventKind.CHECKS_PLANTED,
        EventKind.GRADE_SUBMITTED,
        EventKind.GRADE_CORRECTED,
        EventKind.PAPER_SCORE_KEYED,
        EventKind.ANSWER_REFERRED,
        EventKind.ANSWER_RETURNED,
        EventKind.ITEM_CLOSED,
        EventKind.ITEM_REOPENED,
        EventKind.PANEL_PACKET_DRAWN,
        EventKind.REFERENCES_FROZEN,
        EventKind.RULING_MADE,
        EventKind.GRADES_RECALLED,
        EventKind.GRADES_KEPT,
        EventKind.DISPUTE_RAISED,
        EventKind.GRADE_ADJUDICATED,
        EventKind.CODE_DECIDED,
        EventKind.REREADS_BEGUN,
        EventKind.SCALING_RULES_SET,
        EventKind.RELEASE_PREPARED,
        EventKind.SCORES_RELEASED,
    }
)
"""Acts after which scores, or what is released, could be others; none is recorded after release."""

PREPARATION = frozenset({EventKind.RELEASE_PREPARED, EventKind.SCORES_RELEASED})
"""Those of them that are the release itself, and change no score."""


@dataclass(frozen=True)
class ExportFacts:
    """What a release says of the export it releases.

    Parameters
    ----------
    manifest_hash
        Of its manifest, and so of every file in it.
    n_events, last_hash
        How far the log reached, and the hash of its last event.
    """

    manifest_hash: str
    n_events: int
    last_hash: str


@dataclass(frozen=True)
class Prepared:
    """The act by which one person proposed an export for release."""

    event_seq: int
    at: str
    actor: str
    manifest_hash: str
    n_events: int


@dataclass(frozen=True)
class Released:
    """The act by which another person released it."""

    event_seq: int
    at: str
    actor: str
    prepared: Prepared


class ReleaseRecord:
    """Preparation and release, replayed from the log.

    Attributes
    ----------
    prepared
        The last preparation, or None.
    released
        The release, or None.
    """

    def __init__(self) -> None:
        self.prepared: Prepared | None = None
        self.released: Released | None = None

    def replay(self, event: Event) -> None:
        """Take in one event."""
        if event.kind == EventKind.RELEASE_PREPARED:
            body = event.body
            self.prepared = Prepared(
                event.seq, event.at, event.actor, body["manifest_hash"], body["n_events"]
            )
        elif event.kind == EventKind.SCORES_RELEASED and self.prepared is not None:
            self.released = Released(event.seq, event.at, event.actor, self.prepared)


def no_regrading(released_at: str) -> str:
    """Say that scores have been released, and why nothing is graded again after that."""
    return (
        f"The scores were released on {released_at[:10]}. There is no regrading after release: by then who "
        "passed and the first scores are known, readers are far from the papers of that time, and where only "
        "those who ask are read again scores can only rise."
    )


def change_since_or_none(events: Sequence[Event], n_events: int) -> Event | None:
    """Give the first act after an export that could change scores, preparing a release left out."""
    later = (event for event in events[n_events:] if event.kind in CHANGES_SCORES - PREPARATION)
    return next(later, None)


def release_faults(events: Sequence[Event]) -> Iterator[str]:
    """Name each release that two people did not make over one unchanged export, and every act after it.

    Parameters
    ----------
    events
        The log.
    """
    prepared: Event | None = None
    released: Event | None = None
    dealt: set[str] = set()
    closed: set[str] = set()
    for event in events:
        if released is not None and event.kind in CHANGES_SCORES:
            yield f"Event {event.seq} ({event.kind}) came after scores were released in event {released.seq}."
        if event.kind == EventKind.ANSWERS_DEALT:
            dealt.add(event.body["item"])
        elif event.kind == EventKind.ITEM_CLOSED:
            closed.add(event.subject)
        elif event.kind == EventKind.ITEM_REOPENED:
            closed.discard(event.subject)
        elif event.kind == EventKind.RELEASE_PREPARED:
            prepared = event
        elif event.kind == EventKind.SCORES_RELEASED:
            yield from _faults(event, prepared, events)
            for item in sorted(dealt - closed):
                yield f"The release of event {event.seq} came while {item} was open."
            released = event


def _faults(event: Event, prepared: Event | None, events: Sequence[Event]) -> Iterator[str]:
    act = f"The release of event {event.seq}"
    if prepared is None or event.body["prepared"] != prepared.seq:
        yield f"{act} names event {event.body['prepared']}, which is not the last preparation before it."
        return
    if event.actor == prepared.actor:
        yield f"{act} is by the person who prepared it."
    if event.body["manifest_hash"] != prepared.body["manifest_hash"]:
        yield f"{act} is of another export than the one that was prepared."
    n_events = prepared.body["n_events"]
    if n_events >= prepared.seq or events[n_events - 1].hash != prepared.body["last_hash"]:
        yield f"{act} is of an export that does not end with event {n_events} of this log."
        return
    changed = change_since_or_none(events[: event.seq - 1], n_events)
    if changed is not None:
        yield f"{act} is of an export made before event {changed.seq} ({changed.kind})."
