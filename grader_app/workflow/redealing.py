"""Answers that wait for a grader who has left or may not grade, and dealing them to somebody else."""

from __future__ import annotations

from collections import Counter

from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_id
from grader_app.domain.panel import CHECKS, Account, Assignment, ReadKind, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.stages import closed_items
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.qualification import is_stopped
from grader_app.workflow.workbench import Workbench


def left_behind(bench: Workbench) -> list[Assignment]:
    """List the answers that wait for a grader who is disabled or stopped, but for those of closed items."""
    closed = closed_items(bench.store)
    return [
        waiting
        for account in accounts(bench.store)
        if account.role is Role.GRADER
        for waiting in assignments.waiting_in_queue(bench.store, account.account_id)
        if waiting.kind in (ReadKind.LIVE, ReadKind.THIRD)
        and waiting.item not in closed
        and (account.disabled or is_stopped(bench, account.account_id, waiting.item))
    ]


def deal_left_behind(bench: Workbench, actor: str) -> int:
    """Deal each answer left behind to the grader with the shortest queue who has not read it.

    Returns
    -------
    int
        Answers dealt. One that every remaining grader has read stays where it is.

    Notes
    -----
    Only this moves an earlier deal: the grader it was dealt to can no longer grade it.
    """
    graders = [
        a
        for a in accounts(bench.store)
        if a.role is Role.GRADER and not (a.disabled or a.simulated or a.apprentice)
    ]
    count = 0
    with bench.store.write() as connection:
        queues = Counter(
            {g.account_id: len(assignments.waiting_in_queue(bench.store, g.account_id)) for g in graders}
        )
        places: dict[str, dict[str, int]] = {}
        moved: set[tuple[str, str]] = set()
        for old in left_behind(bench):
            grader = _shortest_queue_or_none(bench, old, graders, queues)
            if grader is None:
                continue
            last = places.setdefault(old.item, assignments.last_positions(bench.store, old.item))
            last[grader] = last.get(grader, 0) + 1
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.ANSWER_RETURNED,
                subject=old.assignment_id,
                body={"decision": "taken_out"},
            )
            fresh = Assignment(
                new_id("a"), old.response_id, old.item, grader, last[grader], old.read_number, old.kind
            )
            record_deal(bench, connection, actor, old.item, grader, [fresh])
            queues[grader] += 1
            count += 1
            moved.add((old.grader_id, old.item))
        _take_checks_out(bench, connection, actor, moved)
    return count


def _take_checks_out(
    bench: Workbench, connection: Connection, actor: str, moved: set[tuple[str, str]]
) -> None:
    """Take the planted checks out of queues whose answers went to others: alone they would stand out."""
    for grader_id, item in sorted(moved):
        for waiting in assignments.waiting_in_queue(bench.store, grader_id):
            if waiting.item == item and waiting.kind in CHECKS:
                append(
                    connection,
                    at=bench.now(),
                    actor=actor,
                    kind=EventKind.ANSWER_RETURNED,
                    subject=waiting.assignment_id,
                    body={"decision": "taken_out"},
                )


def _shortest_queue_or_none(
    bench: Workbench, old: Assignment, graders: list[Account], queues: Counter[str]
) -> str | None:
    readers = assignments.readers_of(bench.store, old.response_id)
    free = [
        g.account_id
        for g in graders
        if g.account_id not in readers and not is_stopped(bench, g.account_id, old.item)
    ]
    return min(free, key=lambda grader: queues[grader], default=None)
