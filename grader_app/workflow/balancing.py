"""Evening out the work: who has an empty queue takes answers over from the one with the longest."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Account, Assignment, ReadKind
from grader_app.store import assignments
from grader_app.store.accounts import get_account_or_none
from grader_app.store.desks import on_the_desk
from grader_app.store.stages import closed_items
from grader_app.workflow.assignment import in_own_order, record_checks, record_deal
from grader_app.workflow.moving import Move, active_graders, takers
from grader_app.workflow.qualification import open_items
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class _Queue:
    """What waits for one grader, and what of it another could take over."""

    grader_id: str
    size: int
    free: list[Assignment]
    held: bool


def even_out(bench: Workbench, grader_id: str) -> int:
    """Let a grader whose queue is empty take answers over from the grader with the longest queue.

    Parameters
    ----------
    grader_id
        A grader to whom nothing is open any more.

    Returns
    -------
    int
        Answers taken over: as many as even the two queues, from the end of the longer one.

    Notes
    -----
    Only live reads go, which the taker may read and has not read, and never one that is on somebody's desk
    or stands in a printed packet; whoever has a packet on paper takes nothing. The order of what stays does
    not change. An odd answer stays with a grader who is at the desk, and goes when nobody is there. Nobody
    is given the same answer twice in this way, so it comes to an end. In a round with
    ``workload: as_dealt`` nothing goes.
    """
    if bench.material().round.reading.workload != "balanced":
        return 0
    account = get_account_or_none(bench.store, grader_id)
    open_to_taker = set(open_items(bench, grader_id)) - closed_items(bench.store)
    if account not in active_graders(bench) or not open_to_taker:
        return 0
    # Looked at before anything is locked: most often there is nothing to take over.
    if not any(_sizes(bench, account, open_to_taker).values()):
        return 0
    with bench.store.write() as connection, bench.record() as record:
        if _sizes(bench, account, open_to_taker)[grader_id]:
            return 0  # Something came in meanwhile.
        if any(record.assignments[one].grader_id == grader_id for one in record.printed):
            return 0
        held = on_the_desk(connection, bench.now())
        queues = [
            _queue(bench, record, account, other, open_to_taker, held)
            for other in active_graders(bench)
            if other != account
        ]
        longest = max((one for one in queues if one.free), key=lambda one: one.size, default=None)
        if longest is None:
            return 0
        even = longest.size // 2 if longest.held else (longest.size + 1) // 2
        going = longest.free[-even:] if even else []
        if not going:
            return 0
        move = Move(bench, connection, grader_id, record)
        for dealt in going:
            move.take_out(dealt, why="balanced")
        move.take_lonely_checks_out(going, why="balanced")
        for item in dict.fromkeys(dealt.item for dealt in going):
            pile = [(dealt.response_id, dealt.read_number) for dealt in going if dealt.item == item]
            fresh = in_own_order(bench, item, grader_id, pile, move.next_place(item, grader_id))
            live = [one for one in fresh if one.kind is ReadKind.LIVE]
            record_deal(bench, connection, grader_id, item, grader_id, live)
            record_checks(bench, connection, grader_id, item, grader_id, fresh)
        return len(going)


def _sizes(bench: Workbench, taker: Account, items: set[str]) -> dict[str, int]:
    """Count what waits for each grader in the items open to a taker."""
    return {
        account.account_id: sum(
            assignments.count_waiting(bench.store, account.account_id, item) for item in items
        )
        for account in active_graders(bench)
    }


def _queue(
    bench: Workbench,
    record: GradingRecord,
    taker: Account,
    other: Account,
    items: set[str],
    held: set[str],
) -> _Queue:
    waiting = [
        one for one in assignments.waiting_in_queue(bench.store, other.account_id) if one.item in items
    ]
    free = [
        one
        for one in waiting
        if one.kind is ReadKind.LIVE
        and one.assignment_id not in held | record.printed.keys()
        and any(found.account == taker and found.earlier is None for found in takers(bench, record, one))
    ]
    at_the_desk = any(one.assignment_id in held for one in waiting)
    return _Queue(other.account_id, len(waiting), free, at_the_desk)
