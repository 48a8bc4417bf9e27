"""Moving waiting answers from one grader's queue to another's: who may take one over, and recording it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import CHECKS, Account, Assignment, ReadKind, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.database import Connection
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.qualification import is_stopped, standing_of
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench

COUNTING = (ReadKind.LIVE, ReadKind.THIRD, ReadKind.REREAD)
"""Kinds of reads that an answer's score waits for, so that somebody has to give them."""


@dataclass(frozen=True)
class Taker:
    """A grader who could take an answer over.

    Parameters
    ----------
    account
        The grader.
    earlier
        The same read as it was dealt to this grader before it went to somebody else, unread; it would
        only be put back. None for a grader who never had the answer.
    """

    account: Account
    earlier: Assignment | None = None


def active_graders(bench: Workbench) -> list[Account]:
    """List the graders whose reads count and who can sign in."""
    return [
        account
        for account in accounts(bench.store)
        if account.role is Role.GRADER and not (account.disabled or account.simulated or account.apprentice)
    ]


def takers(bench: Workbench, record: GradingRecord, dealt: Assignment) -> list[Taker]:
    """List the graders who could take over a read: active, not stopped, not recused, and new to the answer.

    Parameters
    ----------
    record
        The round as it is on disk.
    dealt
        The read that is to leave its queue.
    """
    before: dict[str, list[Assignment]] = defaultdict(list)
    for one in assignments.dealt_of(bench.store, dealt.response_id):
        before[one.grader_id].append(one)
    found = []
    for account in active_graders(bench):
        grader_id = account.account_id
        if grader_id == dealt.grader_id or record.is_recused(grader_id, dealt.response_id):
            continue
        if is_stopped(bench, grader_id, dealt.item):
            continue
        if not before[grader_id]:
            found.append(Taker(account))
        elif (earlier := _put_back_or_none(record, before[grader_id], dealt)) is not None:
            found.append(Taker(account, earlier))
    return found


def _put_back_or_none(
    record: GradingRecord, before: list[Assignment], dealt: Assignment
) -> Assignment | None:
    """Give the one read of an answer a grader had, if it is this read and merely went to somebody else."""
    if len(before) != 1 or before[0].assignment_id not in record.taken_over:
        return None
    same = (before[0].kind, before[0].read_number) == (dealt.kind, dealt.read_number)
    return before[0] if same else None


class Move:
    """One move of answers between queues, inside an open transaction.

    Parameters
    ----------
    bench, connection
        The workspace, and the connection of the transaction.
    actor
        Who moves them.
    record
        The round as it was when the transaction began.
    """

    def __init__(self, bench: Workbench, connection: Connection, actor: str, record: GradingRecord) -> None:
        self._bench, self._connection, self._actor, self._record = bench, connection, actor, record
        self._queues: Counter[str] = Counter()
        self._known: set[str] = set()
        self._places: dict[str, dict[str, int]] = {}
        self._given: set[tuple[str, str]] = set()

    def take_out(self, dealt: Assignment, **said: object) -> None:
        """Take a read out of its queue; `said` stands in the event."""
        body = {"decision": "taken_out", **said}
        record_return(self._bench, self._connection, self._actor, dealt.assignment_id, body)

    def give(self, dealt: Assignment, taker: Taker, **said: object) -> None:
        """Give a read to another grader: last in that queue, or back in the place it had there."""
        self.take_out(dealt, **said)
        grader_id = taker.account.account_id
        self._queue_of(grader_id)
        self._queues[grader_id] += 1
        self._given.add((grader_id, dealt.response_id))
        if taker.earlier is not None:
            body = {"decision": "returned", "why": "put_back"}
            record_return(self._bench, self._connection, self._actor, taker.earlier.assignment_id, body)
            return
        place = self.next_place(dealt.item, grader_id)
        fresh = Assignment(
            new_id("a"), dealt.response_id, dealt.item, grader_id, place, dealt.read_number, dealt.kind
        )
        record_deal(self._bench, self._connection, self._actor, dealt.item, grader_id, [fresh])

    def next_place(self, item: str, grader_id: str) -> int:
        """Give the place behind a grader's queue for an item; each call gives the next."""
        if item not in self._places:
            self._places[item] = assignments.last_positions(self._bench.store, item)
        last = self._places[item]
        last[grader_id] = last.get(grader_id, 0) + 1
        return last[grader_id]

    def best_taker_or_none(
        self,
        dealt: Assignment,
        *,
        but: Set[str] = frozenset(),
        among: Set[str] | None = None,
        anew: bool = False,
    ) -> Taker | None:
        """Choose who takes a read over: one who may grade now, and of those the one with the shortest queue.

        Parameters
        ----------
        but
            Account ids that are out of the question.
        among
            The only account ids in question; None for all.
        anew
            Only graders who never had the answer.
        """
        found = [
            taker
            for taker in takers(self._bench, self._record, dealt)
            if taker.account.account_id not in but
            and (among is None or taker.account.account_id in among)
            # Both reads of an answer can be left behind at once.
            and (taker.account.account_id, dealt.response_id) not in self._given
            and not (anew and taker.earlier)
        ]

        def order(taker: Taker) -> tuple[bool, int]:
            grader_id = taker.account.account_id
            open_to_them = dealt.item not in self._bench.material().items or (
                standing_of(self._bench, grader_id, dealt.item).may_grade
            )
            return not open_to_them, self._queue_of(grader_id)

        return min(found, key=order, default=None)

    def _queue_of(self, grader_id: str) -> int:
        if grader_id not in self._known:
            self._known.add(grader_id)
            self._queues[grader_id] = len(assignments.waiting_in_queue(self._bench.store, grader_id))
        return self._queues[grader_id]

    def take_lonely_checks_out(self, moved: Iterable[Assignment], **said: object) -> None:
        """Take planted checks out of queues whose answers went to others: alone they would stand out.

        Parameters
        ----------
        moved
            The reads that left their queues in this transaction.

        Notes
        -----
        A check goes when the answers behind it have gone. Repeats leave with the answer they repeat.
        """
        gone: set[str] = set()
        farthest: dict[tuple[str, str], int] = {}
        for dealt in moved:
            gone.add(dealt.assignment_id)
            at = dealt.grader_id, dealt.item
            farthest[at] = max(dealt.position, farthest.get(at, 0))
        for (grader_id, item), end in sorted(farthest.items()):
            queue = [
                one
                for one in assignments.waiting_in_queue(self._bench.store, grader_id)
                if one.item == item and one.assignment_id not in gone
            ]
            last = max((one.position for one in queue if one.kind not in CHECKS), default=0)
            for one in queue if end > last else ():
                if one.kind in CHECKS and one.position > last:
                    self.take_out(one, **said)
