"""The third read that a re-read rule asks for, dealt when a re-read lies too far from the first score."""

from __future__ import annotations

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Assignment
from grader_app.domain.reread_standing import third_is_due
from grader_app.domain.rereads import REREAD_THIRD
from grader_app.store import assignments
from grader_app.store.stages import closed_items
from grader_app.workflow.reread_readers import NewReaders, deal_again
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench

_TAKEN_OUT = {"decision": "taken_out"}


def third_after_reread(bench: Workbench, actor: str, response_id: str) -> None:
    """Deal the third read of an answer that was read again, or take it out, as the rule asks.

    Notes
    -----
    If nobody is left, nothing is dealt, and the answer is in dispute for the adjudicator.
    """
    with bench.store.write() as connection, bench.record() as record:
        item = record.inputs.responses[response_id]["item"]
        if item in closed_items(bench.store) or response_id in record.revealed:
            return
        due, waiting = _is_due(record, response_id), _waiting_third_or_none(record, response_id)
        if due and not _has_third(record, response_id):
            reader = NewReaders(bench, record).take_or_none(response_id, item)
            if reader is not None:
                to, of = {response_id: reader}, {response_id: item}
                deal_again(bench, connection, actor, to, of, REREAD_THIRD)
        elif not due and waiting is not None and not _is_being_read(bench, record, waiting):
            record_return(bench, connection, actor, waiting.assignment_id, _TAKEN_OUT)


def _is_due(record: GradingRecord, response_id: str) -> bool:
    settling = record.settling_of(response_id)
    if settling.reread is None or settling.adjudication != settling.before_reread:
        return False
    return third_is_due(record.first_standing(response_id).final, settling.reread)


def _thirds(record: GradingRecord, response_id: str) -> list[Assignment]:
    gone = record.released | record.superseded
    return [one for one in record.rereads.dealt_of(response_id, gone) if one.read_number == REREAD_THIRD]


def _has_third(record: GradingRecord, response_id: str) -> bool:
    return bool(_thirds(record, response_id))


def _waiting_third_or_none(record: GradingRecord, response_id: str) -> Assignment | None:
    waiting = (one for one in _thirds(record, response_id) if one.assignment_id not in record.rereads.grades)
    return next(waiting, None)


def _is_being_read(bench: Workbench, record: GradingRecord, waiting: Assignment) -> bool:
    """Say whether somebody has it on the desk or on paper: they finish it."""
    on_paper = waiting.assignment_id in record.printed
    return on_paper or assignments.is_on_a_desk(bench.store, waiting.assignment_id, bench.now())
