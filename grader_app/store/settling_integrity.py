"""Whether adjudications, raised disputes and backreads fit the grades they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.events import DEALING, Event, EventKind

_GRADES = (EventKind.GRADE_SUBMITTED, EventKind.GRADE_CORRECTED)
_COUNTS = ("live", "third", "reread")


@dataclass
class _Seen:
    """What the log has said so far."""

    dealt: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Answer, grader and kind of read by assignment id."""
    readers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Everyone an answer was dealt to, by response id."""
    grades: dict[int, str] = field(default_factory=dict)
    """Assignment id by the event of a grade."""
    judged: dict[int, Event] = field(default_factory=dict)
    """Adjudications and backreads by their event."""


def settling_faults(events: Sequence[Event]) -> Iterator[str]:
    """Name each such act that does not fit what was dealt and graded before it.

    Parameters
    ----------
    events
        The log.
    """
    seen = _Seen()
    for event in events:
        if event.kind in DEALING:
            for row in event.body["assignments"]:
                grader, kind = event.body["grader_id"], row.get("kind", "live")
                seen.dealt[row["assignment_id"]] = (row["response_id"], grader, kind)
                seen.readers[row["response_id"]].add(grader)
        elif event.kind in _GRADES:
            seen.grades[event.seq] = event.subject
        elif event.kind == EventKind.GRADE_ADJUDICATED:
            yield from _adjudication_faults(event, seen)
            seen.judged[event.seq] = event
        elif event.kind == EventKind.GRADE_BACKREAD:
            yield from _backread_faults(event, seen)
            seen.judged[event.seq] = event
        elif event.kind == EventKind.DISPUTE_RAISED and event.subject not in seen.readers:
            yield f"The dispute of event {event.seq} is about an answer that was never dealt."


def _adjudication_faults(event: Event, seen: _Seen) -> Iterator[str]:
    body, act = event.body, f"The adjudication of event {event.seq}"
    if event.subject not in seen.readers or body["response_id"] != event.subject:
        yield f"{act} is about an answer that was never dealt."
        return
    if event.actor in seen.readers[event.subject]:
        yield f"{act} is by a reader of the answer."
    for seq in body["settles"]:
        response_id, _, kind = seen.dealt.get(seen.grades.get(seq, ""), ("", "", ""))
        if response_id != event.subject or kind not in _COUNTS:
            yield f"{act} settles event {seq}, which is no read of the answer before it."
    for key, stage in (("first_look", "first_look"), ("confirms", None)):
        named = seen.judged.get(body.get(key) or 0)
        if body.get(key) is not None and not _fits(named, event, stage):
            yield f"{act} names event {body[key]} as its {key}, which is none."
    earlier = seen.judged.get(body.get("confirms") or 0)
    if earlier is not None and _values(earlier) != _values(event):
        yield f"{act} confirms event {earlier.seq}, and says something else."


def _fits(named: Event | None, event: Event, stage: str | None) -> bool:
    if named is None or named.kind != EventKind.GRADE_ADJUDICATED or named.subject != event.subject:
        return False
    own = stage is None or named.actor == event.actor
    return own and named.body.get("stage") == stage


def _values(event: Event) -> tuple[Any, ...]:
    return tuple(event.body.get(key) for key in ("score", "condition_code", "marks"))


def _backread_faults(event: Event, seen: _Seen) -> Iterator[str]:
    body, act = event.body, f"The backread of event {event.seq}"
    if body.get("stage") == "word":
        made = seen.judged.get(body["backread"])
        if made is None or made.kind != EventKind.GRADE_BACKREAD or made.subject != event.subject:
            yield f"The word of event {event.seq} is about a backread that was never made."
        return
    response_id, grader, kind = seen.dealt.get(event.subject, ("", "", ""))
    if (response_id, grader, kind) != (body["response_id"], body["grader_id"], "live"):
        yield f"{act} is about an answer that was not dealt so."
    if seen.grades.get(body["of"]) != event.subject:
        yield f"{act} is held against event {body['of']}, which is no grade of the answer before it."
