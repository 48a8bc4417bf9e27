"""What the protocol card looks up in the log: first acts, live work, closed items, early reveals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from grader_app.domain.events import Event, EventKind
from grader_app.domain.panel import CHECKS, ReadKind
from grader_app.export.results import Results

Pair = tuple[str, str]
"""A grader's id and an item."""


class ProtocolLog:
    """The events of a round, arranged for the protocol card.

    Parameters
    ----------
    results
        The round.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.record = results.record

    @cached_property
    def by_kind(self) -> dict[str, list[Event]]:
        """Every event that is no deal and no grade by its kind, oldest first."""
        found: dict[str, list[Event]] = defaultdict(list)
        for event in self.results.acts_but_reads:
            found[event.kind].append(event)
        return found

    def seqs(self, *kinds: EventKind) -> list[int]:
        """List the events of some kinds."""
        return sorted(event.seq for kind in kinds for event in self.by_kind.get(kind, ()))

    @cached_property
    def live_work(self) -> dict[Pair, int]:
        """The event of each grader's first live grade of each item."""
        assignments = self.record.assignments
        return _earliest(
            ((grades[0].grader_id, grades[0].item), grades[0].event_seq)
            for assignment_id, grades in self.record.history.items()
            if assignments[assignment_id].kind is ReadKind.LIVE
        )

    @cached_property
    def trained(self) -> dict[Pair, int]:
        """The event by which each grader had seen all materials of an item."""
        return _earliest(
            ((event.subject, event.body["item"]), event.seq)
            for event in self.by_kind.get(EventKind.TRAINING_COMPLETED, ())
        )

    @cached_property
    def ranked(self) -> dict[Pair, int]:
        """The event of each grader's first packet of an item that was put in order before it was scored."""
        scored = {attempt_id: min(seqs) for attempt_id, seqs in self._scored_papers().items() if seqs}
        return _earliest(
            ((event.body["grader_id"], event.body["item"]), event.seq)
            for event in self.by_kind.get(EventKind.PAPERS_RANKED, ())
            if event.seq < scored.get(event.subject, 0)
        )

    @cached_property
    def checked(self) -> dict[Pair, int]:
        """The event by which the first check was planted in each grader's queue of an item."""
        return _earliest(
            ((event.body["grader_id"], event.body["item"]), event.seq)
            for event in self.by_kind.get(EventKind.CHECKS_PLANTED, ())
            if any(row.get("kind") in CHECKS for row in event.body["assignments"])
        )

    @cached_property
    def closing(self) -> dict[str, int]:
        """The event that closed each closed item."""
        found = {event.subject: event.seq for event in self.by_kind.get(EventKind.ITEM_CLOSED, ())}
        return {item: seq for item, seq in found.items() if item in self.record.closed_items}

    @cached_property
    def early_reveals(self) -> list[int]:
        """Events by which the source of an answer became known while its item was open."""
        responses, is_closed, found = self.results.inputs.responses, set(), []
        for event in self.results.acts_but_reads:
            if event.kind == EventKind.ITEM_CLOSED:
                is_closed.add(event.subject)
            elif event.kind == EventKind.ITEM_REOPENED:
                is_closed.discard(event.subject)
            elif event.kind == EventKind.SOURCES_REVEALED:
                items = {str(responses[r]["item"]) for r in event.body["response_ids"] if r in responses}
                found += [event.seq] if items - is_closed else []
        return found

    def _scored_papers(self) -> dict[str, list[int]]:
        """List the events of the grades of each packet's papers, by attempt."""
        return {
            attempt.attempt_id: [
                grade.event_seq for a in attempt.assignment_ids for grade in self.record.history.get(a, ())
            ]
            for attempt in self.record.calibration.attempts.values()
        }


def _earliest(found: Iterable[tuple[Pair, int]]) -> dict[Pair, int]:
    first: dict[Pair, int] = {}
    for pair, seq in found:
        first[pair] = min(seq, first.get(pair, seq))
    return first
