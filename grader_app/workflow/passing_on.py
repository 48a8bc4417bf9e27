"""Dealing one grader's waiting answers to others, as the lead decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_id
from grader_app.domain.panel import CHECKS, Account, Assignment, ReadKind, Role
from grader_app.errors import NotAllowed
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.event_log import append
from grader_app.store.stages import closed_items
from grader_app.workflow.assignment import record_deal
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
        if one.kind is ReadKind.LIVE and one.item not in closed
    ]


def possible_takers(bench: Workbench, grader_id: str) -> list[Account]:
    """List the graders who could take answers over from one: enabled, real, no apprentices."""
    return [
        account
        for account in accounts(bench.store)
        if account.role is Role.GRADER
        and account.account_id != grader_id
        and not (account.disabled or account.simulated or account.apprentice)
    ]


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
    Nobody gets an answer they have had before, or of a question they may not grade. Checks that would be
    left alone in the queue are taken out.
    """
    with bench.store.write() as connection:
        takers = [one.account_id for one in possible_takers(bench, grader_id) if to in (None, one.account_id)]
        if not takers:
            raise NotAllowed("There is no other grader to take the answers over. Add one, or choose another.")
        going = waiting_for(bench, grader_id)
        if not going:
            raise NotAllowed("No answer waits for this grader that could go to others. Reload the page.")
        queues = Counter({g: len(assignments.waiting_in_queue(bench.store, g)) for g in takers})
        moved: Counter[str] = Counter()
        places: dict[str, dict[str, int]] = {}
        for old in going:
            before = assignments.readers_of(bench.store, old.response_id)
            free = [g for g in takers if g not in before and standing_of(bench, g, old.item).may_grade]
            if not free:
                continue
            taker = min(free, key=lambda one: queues[one])
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.ANSWER_RETURNED,
                subject=old.assignment_id,
                body={"decision": "taken_out"},
            )
            last = places.setdefault(old.item, assignments.last_positions(bench.store, old.item))
            last[taker] = last.get(taker, 0) + 1
            fresh = Assignment(new_id("a"), old.response_id, old.item, taker, last[taker], old.read_number)
            record_deal(bench, connection, actor, old.item, taker, [fresh])
            queues[taker] += 1
            moved[taker] += 1
        left = {one.item for one in waiting_for(bench, grader_id)}
        for one in assignments.waiting_in_queue(bench.store, grader_id):
            if one.kind in CHECKS and one.item not in left and one.item in {old.item for old in going}:
                append(
                    connection,
                    at=bench.now(),
                    actor=actor,
                    kind=EventKind.ANSWER_RETURNED,
                    subject=one.assignment_id,
                    body={"decision": "taken_out"},
                )
    return PassedOn(dict(moved), len(going) - sum(moved.values()))
