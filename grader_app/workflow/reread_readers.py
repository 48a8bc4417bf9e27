"""Who may read an answer again before release, and dealing it to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.store import assignments
from grader_app.store.database import Connection
from grader_app.workflow.assignment import own_order, record_deal
from grader_app.workflow.moving import active_graders
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.workbench import Workbench


class NewReaders:
    """The graders to whom answers can go again: active, qualified, not recused, and new to the answer.

    Parameters
    ----------
    bench
        The workspace.
    record
        The round as it is on disk.
    """

    def __init__(self, bench: Workbench, record: GradingRecord) -> None:
        self._bench, self._record = bench, record
        self._graders = [account.account_id for account in active_graders(bench)]
        self._queues = Counter(
            {g: len(assignments.waiting_in_queue(bench.store, g)) for g in self._graders},
        )
        self._open: dict[str, list[str]] = {}

    def take_or_none(self, response_id: str, item: str) -> str | None:
        """Choose the one with the shortest queue, which grows by this answer; None where nobody is left."""
        had = assignments.readers_of(self._bench.store, response_id) | self._judged(response_id)
        free = [
            grader
            for grader in self._open_to(item)
            if grader not in had and not self._record.is_recused(grader, response_id)
        ]
        found = min(free, key=lambda grader: (self._queues[grader], grader), default=None)
        if found is not None:
            self._queues[found] += 1
        return found

    def _open_to(self, item: str) -> list[str]:
        if item not in self._open:
            self._open[item] = [g for g in self._graders if standing_of(self._bench, g, item).may_grade]
        return self._open[item]

    def _judged(self, response_id: str) -> set[str]:
        """Name whoever has settled the answer or looked at its reads."""
        settling = self._record.settling
        made = [*settling.adjudications.get(response_id, ()), *settling.first_looks.get(response_id, ())]
        return {one.given.grader_id for one in made}


def deal_again(
    bench: Workbench,
    connection: Connection,
    actor: str,
    readers: Mapping[str, str],
    items: Mapping[str, str],
    number: int,
) -> None:
    """Deal answers to their new readers, inside an open transaction.

    Parameters
    ----------
    readers
        Account id by response id.
    items
        Item by response id.
    number
        `REREAD` or `REREAD_THIRD`.

    Notes
    -----
    They come last in each queue, in an order drawn for that grader, so that answers of one candidate do
    not lie together.
    """
    piles: dict[tuple[str, str], list[str]] = defaultdict(list)
    for response_id, grader_id in readers.items():
        piles[grader_id, items[response_id]].append(response_id)
    seed = bench.material().round.seed
    for (grader_id, item), pile in sorted(piles.items()):
        start = assignments.last_positions(bench.store, item).get(grader_id, 0) + 1
        ordered = sorted(pile, key=lambda response_id: own_order(seed, grader_id, response_id))
        dealt = [
            Assignment(new_id("a"), response_id, item, grader_id, place, number, ReadKind.REREAD)
            for place, response_id in enumerate(ordered, start=start)
        ]
        record_deal(bench, connection, actor, item, grader_id, dealt)
