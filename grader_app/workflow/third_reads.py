"""Third reads: dealt as soon as a grade makes a dispute, taken out when a correction ends it unread."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.errors import NotAllowed
from grader_app.store import assignments
from grader_app.store.database import Connection
from grader_app.store.stages import closed_items, rereads_are_begun
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.moving import active_graders
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.reread_thirds import third_after_reread
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench

Due = Literal["deal", "take_out"]

THIRD = 3
"""Read number of a third read."""
_TAKEN_OUT = {"decision": "taken_out"}


def third_read_after(bench: Workbench, dealt: Assignment) -> None:
    """Deal a third read if a grade has just made a dispute, or take it out if one has just ended it.

    Parameters
    ----------
    dealt
        The paper whose grade was submitted or corrected.
    """
    if bench.kept_while_only_graded("rereads", lambda: rereads_are_begun(bench.store)):
        with bench.record() as record:
            read_again = record.reread_or_none(dealt.response_id) is not None
        if read_again:
            third_after_reread(bench, dealt.grader_id, dealt.response_id)
    if dealt.kind is ReadKind.LIVE:
        third_read_where_due(bench, dealt.grader_id, dealt.response_id)


def third_read_where_due(bench: Workbench, actor: str, response_id: str) -> None:
    """Deal a third read of an answer, or take it out, if the round and the answer's reads ask for it.

    Notes
    -----
    It goes to the grader with the shortest queue who may grade the item and has never had the answer,
    at the end of that queue, where it looks like any other. If there is nobody, nothing is dealt,
    and the dispute waits for the adjudicator.
    """
    material = bench.material()
    if material.round.reading.disputes_go_to != "third_reader":
        return
    with bench.record() as record:
        due = _due_or_none(record, response_id)
        item = record.inputs.responses[response_id]["item"]
        queues = _queue_lengths(record)
    if due is None or item not in material.items or item in closed_items(bench.store):
        return
    reader = _reader_or_none(bench, response_id, item, queues)
    with bench.store.write() as connection:
        with bench.record() as record:
            due = _due_or_none(record, response_id)  # another submission may have come first
            waiting = record.waiting_third_or_none(response_id)
        if due == "deal" and reader is not None:
            _deal(bench, connection, actor, response_id, item, reader)
        elif due == "take_out" and waiting is not None and not _is_being_read(bench, waiting):
            record_return(bench, connection, actor, waiting.assignment_id, _TAKEN_OUT)


def settle_without_third(bench: Workbench, actor: str, response_id: str) -> None:
    """Take a third read that is not in out of its queue, so that the adjudicator can settle the answer.

    Raises
    ------
    NotAllowed
        No third read of it waits.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            waiting = record.waiting_third_or_none(response_id)
        if waiting is None:
            raise NotAllowed("No third read of this answer waits any more. Reload the page.")
        record_return(bench, connection, actor, waiting.assignment_id, _TAKEN_OUT)


def _due_or_none(record: GradingRecord, response_id: str) -> Due | None:
    settling, standing = record.settling_of(response_id), record.standing(response_id)
    if settling.reread is not None:
        return None  # what a re-read leaves open is for its own rule, or for the adjudicator
    if settling.third_waits:
        # Nothing but the third read is outstanding, and without it nothing is in dispute.
        return "take_out" if standing.status == "waiting" and _all_reads_in(record, response_id) else None
    new = settling.third is None and settling.adjudication is None
    return "deal" if new and standing.status == "disputed" and response_id not in record.revealed else None


def _is_being_read(bench: Workbench, waiting: Assignment) -> bool:
    """Say whether somebody has it on the desk or on paper: they finish it, and then it counts."""
    with bench.record() as record:
        printed = waiting.assignment_id in record.printed
    return printed or assignments.is_on_a_desk(bench.store, waiting.assignment_id, bench.now())


def _all_reads_in(record: GradingRecord, response_id: str) -> bool:
    return len(record.reads(response_id)) >= record.expected_reads(response_id)


def _queue_lengths(record: GradingRecord) -> Counter[str]:
    """Count what waits in each grader's queue."""
    return Counter(
        one.grader_id
        for one in record.assignments.values()
        if one.kind is not ReadKind.CALIBRATION
        and one.assignment_id not in record.history
        and one.assignment_id not in record.released
        and one.assignment_id not in record.referrals
    )


def _reader_or_none(bench: Workbench, response_id: str, item: str, queues: Counter[str]) -> str | None:
    readers = assignments.readers_of(bench.store, response_id)
    with bench.record() as record:
        free = [
            grader.account_id
            for grader in active_graders(bench)
            if grader.account_id not in readers
            and not record.is_recused(grader.account_id, response_id)
            and standing_of(bench, grader.account_id, item).may_grade
        ]
    return min(free, key=lambda grader: queues[grader], default=None)


def _deal(
    bench: Workbench, connection: Connection, actor: str, response_id: str, item: str, reader: str
) -> None:
    place = assignments.last_positions(bench.store, item).get(reader, 0) + 1
    fresh = Assignment(new_id("a"), response_id, item, reader, place, THIRD, ReadKind.THIRD)
    record_deal(bench, connection, actor, item, reader, [fresh])
