"""Whether re-reads before release were begun as the round says, and went to new readers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.events import DEALING, Event, EventKind
from grader_app.domain.reread_rule import NEEDS_GAP
from grader_app.domain.rereads import REREAD, REREAD_THIRD

_GRADES = (EventKind.GRADE_SUBMITTED, EventKind.GRADE_CORRECTED)


@dataclass
class _Seen:
    """What the log has said so far."""

    rule: Mapping[str, Any] | None = None
    """The re-read rule of the round as last registered."""
    readers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Everyone an answer was dealt to, by response id."""
    answers: dict[str, str] = field(default_factory=dict)
    """Answer by assignment id."""
    judged: dict[int, str] = field(default_factory=dict)
    """Answer by the event of a grade or an adjudication."""
    begun: dict[str, Event] = field(default_factory=dict)
    """The last act that asked for an answer to be read again, by response id."""
    revealed: bool = False


def reread_faults(events: Sequence[Event], rounds: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Name each re-read that was not begun by the round's rule, or went to somebody who had the answer.

    Parameters
    ----------
    events
        The log.
    rounds
        Content of every round by its hash.
    """
    seen = _Seen()
    for event in events:
        if event.kind == EventKind.FILE_REGISTERED and event.body["kind"] == "round":
            seen.rule = rounds.get(event.body["hash"], {}).get("reread")
        elif event.kind == EventKind.REREADS_BEGUN:
            yield from _begun_faults(event, seen)
            seen.begun.update({row["response_id"]: event for row in event.body["papers"]})
        elif event.kind in DEALING:
            for row in event.body["assignments"]:
                yield from _deal_faults(event, row, seen)
                seen.answers[row["assignment_id"]] = row["response_id"]
                seen.readers[row["response_id"]].add(event.body["grader_id"])
        elif event.kind in _GRADES:
            seen.judged[event.seq] = seen.answers.get(event.subject, "")
        elif event.kind == EventKind.GRADE_ADJUDICATED:
            seen.judged[event.seq] = event.subject
        elif event.kind == EventKind.SOURCES_REVEALED:
            seen.revealed = True


def _begun_faults(event: Event, seen: _Seen) -> Iterator[str]:
    body, act = event.body, f"The re-read that event {event.seq} begins"
    rule = seen.rule or {}
    if (body["rule"], body["gap"]) != (rule.get("rule"), rule.get("gap")):
        yield f"{act} follows the rule {body['rule']}, and the round then said {rule.get('rule')}."
    if not body["picked"] and not rule.get("all_papers", True):
        yield f"{act} takes all papers of a band, and the round then said that papers are picked."
    if seen.revealed:
        yield f"{act} came after sources were revealed."
    for row in body["papers"]:
        if row["response_id"] not in seen.readers:
            yield f"{act} names an answer that was never dealt."
        for seq in row["settles"]:
            if seen.judged.get(seq) != row["response_id"]:
                yield f"{act} names event {seq}, which is no judgment of the answer before it."


def _deal_faults(event: Event, row: Mapping[str, Any], seen: _Seen) -> Iterator[str]:
    if row.get("kind") != "reread":
        return
    act, response_id = f"The re-read dealt in event {event.seq}", row["response_id"]
    begun = seen.begun.get(response_id)
    if begun is None:
        yield f"{act} was never asked for."
        return
    if event.body["grader_id"] in seen.readers[response_id]:
        yield f"{act} went to a grader who had the answer before."
    if row["read_number"] not in (REREAD, REREAD_THIRD):
        yield f"{act} has the read number {row['read_number']}, which no re-read has."
    if row["read_number"] == REREAD_THIRD and begun.body["rule"] != NEEDS_GAP:
        yield f"{act} is a third read, and the rule {begun.body['rule']} asks for none."
