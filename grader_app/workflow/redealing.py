"""Answers that wait for a grader who has left or may not grade, and dealing them to somebody else."""

from __future__ import annotations

from grader_app.domain.panel import Assignment, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.stages import closed_items
from grader_app.workflow.moving import COUNTING, Move
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
        if waiting.kind in COUNTING
        and waiting.item not in closed
        and (account.disabled or is_stopped(bench, account.account_id, waiting.item))
    ]


def deal_left_behind(bench: Workbench, actor: str) -> int:
    """Deal each answer left behind to the grader with the shortest queue who has not read it.

    Returns
    -------
    int
        Answers dealt. One that every remaining grader has read stays where it is.
    """
    moved: list[Assignment] = []
    with bench.store.write() as connection, bench.record() as record:
        move = Move(bench, connection, actor, record)
        for old in left_behind(bench):
            taker = move.best_taker_or_none(old)
            if taker is not None:
                move.give(old, taker, why="left_behind")
                moved.append(old)
        move.take_lonely_checks_out(moved, why="left_behind")
    return len(moved)
