"""Dealing one grader's waiting answers to others, as the lead decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grader_app.domain.panel import Account, Assignment
from grader_app.errors import NotAllowed
from grader_app.store import assignments
from grader_app.store.stages import closed_items
from grader_app.workflow.moving import COUNTING, Move, active_graders
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class PassedOn:
    """What became of one grader's waiting answers.

    Parameters
    ----------
    moved
        Answers that went to others, by account id of who has them now.
    stayed
        Answers that nobody else could take over.
    """

    moved: dict[str, int]
    stayed: int


def waiting_for(bench: Workbench, grader_id: str) -> list[Assignment]:
    """List the answers that wait for a grader and could go to others: of open questions, checks left out."""
    closed = closed_items(bench.store)
    return [
        one
        for one in assignments.waiting_in_queue(bench.store, grader_id)
        if one.kind in COUNTING and one.item not in closed
    ]


def possible_takers(bench: Workbench, grader_id: str) -> list[Account]:
    """List the graders who could take answers over from one: enabled, real, no apprentices."""
    return [account for account in active_graders(bench) if account.account_id != grader_id]


def pass_on(bench: Workbench, actor: str, grader_id: str, to: str | None = None) -> PassedOn:
    """Deal every answer that waits for a grader to others.

    Parameters
    ----------
    to
        Account id of the one grader who gets them; None for whoever has the shortest queue at each.

    Raises
    ------
    NotAllowed
        Nothing waits for the grader, or there is no such other grader.

    Notes
    -----
    Nobody gets an answer they have read or may not read, or one of a question they may not grade now. Checks
    that would be left alone in the queue are taken out.
    """
    with bench.store.write() as connection, bench.record() as record:
        others = [one.account_id for one in possible_takers(bench, grader_id) if to in (None, one.account_id)]
        if not others:
            raise NotAllowed("There is no other grader to take the answers over. Add one, or choose another.")
        going = waiting_for(bench, grader_id)
        if not going:
            raise NotAllowed("No answer waits for this grader that could go to others. Reload the page.")
        move = Move(bench, connection, actor, record)
        moved: Counter[str] = Counter()
        gone: list[Assignment] = []
        for old in going:
            open_to = {g for g in others if standing_of(bench, g, old.item).may_grade}
            taker = move.best_taker_or_none(old, among=open_to)
            if taker is not None:
                move.give(old, taker, why="passed_on")
                moved[taker.account.account_id] += 1
                gone.append(old)
        move.take_lonely_checks_out(gone, why="passed_on")
    return PassedOn(dict(moved), len(going) - len(gone))
