"""Packets printed on paper and the scores keyed from them, as the log tells them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader_app.domain.events import Event, EventKind


@dataclass(frozen=True)
class PrintedPacket:
    """Papers of one grader's queue, printed together.

    Parameters
    ----------
    packet_id
        Random id, printed on every sheet.
    event_seq, printed_at
        The act.
    grader_id, item
        Whose papers, and to which question.
    item_hash, rubric_hash
        What was printed with them; their grades are given under these.
    assignment_ids
        The papers in the order printed.
    named
        True when the cover bears the grader's name.
    recalled_at
        UTC time at which its papers went back to the screen, or None.
    """

    packet_id: str
    event_seq: int
    printed_at: str
    grader_id: str
    item: str
    item_hash: str
    rubric_hash: str
    assignment_ids: tuple[str, ...]
    named: bool
    recalled_at: str | None = None


@dataclass(frozen=True)
class Keying:
    """What somebody typed from the score sheet for one paper.

    Parameters
    ----------
    event_seq, at, actor
        The act.
    number
        1 and 2 for the two keyings, 3 for the third look that settles a difference.
    body
        The event's body: the values as a grade would hold them.
    """

    event_seq: int
    at: str
    actor: str
    number: int
    body: Mapping[str, Any]


class PaperRecord:
    """What is on paper, and what has been keyed from it.

    Attributes
    ----------
    packets
        Every packet by its id, in the order printed.
    printed
        Id of its packet for each paper that is on paper now: neither graded nor recalled.
    keyings
        Keyings by packet and paper, then by number.
    """

    def __init__(self) -> None:
        self.packets: dict[str, PrintedPacket] = {}
        self.printed: dict[str, str] = {}
        self.keyings: dict[tuple[str, str], dict[int, Keying]] = defaultdict(dict)

    def replay(self, event: Event) -> None:
        """Replay one event; what does not concern paper is passed over."""
        match event.kind:
            case EventKind.PACKET_PRINTED:
                self._print(event)
            case EventKind.PACKET_RECALLED:
                packet = self.packets[event.subject]
                self.packets[event.subject] = replace(packet, recalled_at=event.at)
                for assignment_id in packet.assignment_ids:
                    self.printed.pop(assignment_id, None)
            case EventKind.PAPER_SCORE_KEYED:
                keying = Keying(event.seq, event.at, event.actor, event.body["keying"], event.body)
                self.keyings[event.body["packet_id"], event.subject].setdefault(keying.number, keying)
            case EventKind.GRADE_SUBMITTED:
                self.printed.pop(event.subject, None)

    def _print(self, event: Event) -> None:
        body = event.body
        packet = PrintedPacket(
            packet_id=body["packet_id"],
            event_seq=event.seq,
            printed_at=event.at,
            grader_id=event.subject,
            item=body["item"],
            item_hash=body["item_hash"],
            rubric_hash=body["rubric_hash"],
            assignment_ids=tuple(body["assignment_ids"]),
            named=body["named"],
        )
        self.packets[packet.packet_id] = packet
        self.printed.update(dict.fromkeys(packet.assignment_ids, packet.packet_id))
