"""Grades keyed from paper: two keyings must stand in the log and agree, or a third look must settle them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grader_app.domain.events import DEALING, Event, EventKind

_VALUES = (
    "score",
    "marks",
    "marks_entered",
    "error_types",
    "analysis_gaps",
    "points",
    "condition_code",
    "rubric_hash",
)


def same_values(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two event bodies hold the same judgment."""
    return all(one.get(key) == other.get(key) for key in _VALUES)


def keyed_faults(events: Iterable[Event]) -> Iterator[str]:
    """Name each grade keyed from paper that the keyings in the log do not bear out.

    Parameters
    ----------
    events
        The whole log, in order.

    Yields
    ------
    str
        A sentence for each fault.

    Notes
    -----
    Such a grade is its reader's, and operators entered it: the only grades that somebody else than the
    reader may record. What makes it one is therefore checked in full. Its packet was printed for
    the reader, bears the paper and was not recalled; two keyings stand before the grade; they are by
    two people, or the second says that one was alone; and the grade equals both, or equals a
    third look where they differ. Of several keyings with one number only the earliest counts: nobody
    keys a paper until two agree by chance.
    """
    readers: dict[str, str] = {}
    packets: dict[str, Event] = {}
    recalled: set[str] = set()
    keyings: dict[int, Event] = {}
    seen: set[tuple[Any, ...]] = set()
    for event in events:
        if event.kind in DEALING:
            readers |= {row["assignment_id"]: event.body["grader_id"] for row in event.body["assignments"]}
        elif event.kind == EventKind.PACKET_PRINTED:
            packets[event.body["packet_id"]] = event
        elif event.kind == EventKind.PACKET_RECALLED:
            recalled.add(event.subject)
        elif event.kind == EventKind.PAPER_SCORE_KEYED:
            which = (event.body.get("packet_id"), event.subject, event.body.get("keying"))
            if which not in seen:
                keyings[event.seq] = event
            seen.add(which)
        elif event.kind in (EventKind.GRADE_SUBMITTED, EventKind.GRADE_CORRECTED) and "keyed" in event.body:
            out = {name: packet for name, packet in packets.items() if name not in recalled}
            fault = _fault_or_none(event, out, keyings, readers.get(event.subject))
            if fault is not None:
                yield f"The grade of event {event.seq} was keyed from paper, and {fault}."


def _fault_or_none(
    grade: Event, packets: Mapping[str, Event], keyings: Mapping[int, Event], reader: str | None
) -> str | None:
    keyed = grade.body["keyed"]
    if grade.kind != EventKind.GRADE_SUBMITTED or not isinstance(keyed, dict):
        return "no keying makes such a grade"
    packet = packets.get(str(keyed.get("packet_id")))
    if packet is None or packet.subject != reader or grade.subject not in packet.body["assignment_ids"]:
        return "no packet that was out holds its paper"
    first, second = (_keying_or_none(grade, keyings, number) for number in (1, 2))
    if first is None or second is None:
        return "its two keyings are not in the log"
    if keyed.get("by") != [first.actor, second.actor]:
        return "it was keyed by others than it says"
    if first.actor == second.actor and second.body.get("alone") is not True:
        return "one person keyed it twice without saying so"
    return _difference_or_none(grade, first, second, _keying_or_none(grade, keyings, 3))


def _keying_or_none(grade: Event, keyings: Mapping[int, Event], number: int) -> Event | None:
    keyed = grade.body["keyed"]
    seq = keyed.get({1: "first", 2: "second", 3: "settled"}[number])
    found = keyings.get(seq) if isinstance(seq, int) else None
    if found is None:
        return None
    said = (found.subject, found.body.get("keying"), found.body.get("packet_id"))
    return found if said == (grade.subject, number, keyed["packet_id"]) else None


def _difference_or_none(grade: Event, first: Event, second: Event, settled: Event | None) -> str | None:
    agree = same_values(first.body, second.body)
    if not agree and settled is None:
        return "its two keyings differ and nobody settled them"
    if agree and grade.body["keyed"].get("settled") is not None:
        return "it names a third look although its two keyings agree"
    last = second if agree or settled is None else settled
    if not same_values(last.body, grade.body):
        return "it is not what was keyed"
    return None if grade.actor == last.actor else "another recorded it than keyed it last"
