"""How far each paper of a printed packet is: keyed, recorded, or beyond grading."""

from __future__ import annotations

from enum import StrEnum

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Assignment
from grader_app.domain.paper_record import PrintedPacket
from grader_app.store.stages import set_aside_among
from grader_app.workflow.moving import COUNTING
from grader_app.workflow.workbench import Workbench


class PaperState(StrEnum):
    """How far the score of one paper of a packet has been keyed."""

    OPEN = "open"
    """Nothing keyed yet; a row left blank stays so."""
    KEYED_ONCE = "keyed_once"
    DIFFERS = "differs"
    GRADED = "graded"
    """Keyed twice and recorded."""
    ON_SCREEN = "on_screen"
    """Graded on the screen; the sheet no longer counts for it."""
    REVEALED = "revealed"
    """Without a grade when its source was revealed; it gets none."""
    LEFT_QUEUE = "left_queue"
    """Sent to the lead or given to somebody else; the sheet does not count while that stands."""

    @property
    def takes_no_grade(self) -> bool:
        """Whether the paper has no grade and keying can give it none."""
        return self in (PaperState.REVEALED, PaperState.LEFT_QUEUE)


def paper_states(bench: Workbench, record: GradingRecord, packet: PrintedPacket) -> dict[str, PaperState]:
    """Say how far each paper of a packet is, by assignment id, in the order printed."""
    left = set_aside_among(bench.store, packet.assignment_ids)
    return {a: _state(record, packet, a, left) for a in packet.assignment_ids}


def _is_over(record: GradingRecord, dealt: Assignment) -> bool:
    """Say whether sources known end the grading of a paper; a check goes with the answers it lies among."""
    if dealt.response_id in record.revealed:
        return True
    if dealt.kind in COUNTING:
        return False
    return any(record.inputs.responses[r]["item"] == dealt.item for r in record.revealed)


def _state(record: GradingRecord, packet: PrintedPacket, assignment_id: str, left: set[str]) -> PaperState:
    given = record.history.get(assignment_id)
    if given:
        return PaperState.GRADED if given[0].keyed else PaperState.ON_SCREEN
    if _is_over(record, record.assignments[assignment_id]):
        return PaperState.REVEALED
    if assignment_id in left:
        return PaperState.LEFT_QUEUE
    numbers = record.paper.keyings.get((packet.packet_id, assignment_id), {})
    if 2 in numbers:
        return PaperState.DIFFERS
    return PaperState.KEYED_ONCE if 1 in numbers else PaperState.OPEN
