"""What each grader has done and has left, for the lead: papers apart from checks, time, last seen."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass

from grader_app.domain.panel import CHECKS, Account, ReadKind, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.grades import seconds_by_item
from grader_app.store.stages import closed_items, count_with_lead
from grader_app.store.work_done import grades_given, last_seen_by_all
from grader_app.workflow.qualification import Standing, standing_of
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class ItemLoad:
    """One grader's queue of one item.

    Parameters
    ----------
    item
        The item.
    left, checks_left
        Papers waiting: read for their own sake, and planted checks.
    standing
        Whether the grader may grade it now.
    """

    item: str
    left: int
    checks_left: int
    standing: Standing | None


@dataclass(frozen=True)
class Workload:
    """One grader's work.

    Parameters
    ----------
    account
        The grader.
    done, left
        Papers graded and waiting, planted checks left out.
    checks_done, checks_left
        Planted checks among what the grader sees as one sum.
    with_lead
        Papers sent to the lead and waiting there.
    median_seconds
        Median active time a paper; None before the first that was timed.
    seconds_left
        About how long the rest takes, checks included; None where no pace is known.
    last_seen_at
        UTC time of the last sign of the grader, or None.
    items
        The queues with something left.
    """

    account: Account
    done: int
    left: int
    checks_done: int
    checks_left: int
    with_lead: int
    median_seconds: float | None
    seconds_left: float | None
    last_seen_at: str | None
    items: tuple[ItemLoad, ...]

    @property
    def papers_left(self) -> int:
        """Everything in the queue, as the grader counts it."""
        return self.left + self.checks_left


def workloads(bench: Workbench) -> list[Workload]:
    """Give every grader's work, by name.

    Notes
    -----
    The time left is the papers left of each item times the grader's own median for it; where the grader
    has not begun an item, the panel's median stands in.
    """
    done: Counter[tuple[str, bool]] = Counter(
        (one.grader_id, one.kind in CHECKS)
        for one in grades_given(bench.store)
        if not one.is_correction and one.kind is not ReadKind.CALIBRATION
    )
    seen = last_seen_by_all(bench.store)
    graders = [account for account in accounts(bench.store) if account.role is Role.GRADER]
    timed = {account.account_id: _timed(bench, account.account_id) for account in graders}
    panel = {
        item: statistics.median(found)
        for item in bench.material().items
        if (found := [second for own in timed.values() for second in own.get(item, ())])
    }
    return [_workload(bench, account, done, timed[account.account_id], panel, seen) for account in graders]


def _timed(bench: Workbench, grader_id: str) -> dict[str, list[float]]:
    return {
        item: [second for second in seconds if second is not None]
        for item, seconds in seconds_by_item(bench.store, grader_id).items()
    }


def _workload(
    bench: Workbench,
    account: Account,
    done: Counter[tuple[str, bool]],
    timed: dict[str, list[float]],
    panel: dict[str, float],
    seen: dict[str, str],
) -> Workload:
    grader_id = account.account_id
    items = _items(bench, account)
    every = [second for seconds in timed.values() for second in seconds]
    own = {item: statistics.median(seconds) for item, seconds in timed.items() if seconds}
    return Workload(
        account,
        done[grader_id, False],
        sum(one.left for one in items),
        done[grader_id, True],
        sum(one.checks_left for one in items),
        sum(count_with_lead(bench.store, grader_id, item) for item in bench.material().items),
        float(statistics.median(every)) if every else None,
        _seconds_left(items, own, panel),
        seen.get(grader_id),
        items,
    )


def _items(bench: Workbench, account: Account) -> tuple[ItemLoad, ...]:
    closed, known = closed_items(bench.store), bench.material().items
    waiting = Counter(
        one.item
        for one in assignments.waiting_in_queue(bench.store, account.account_id)
        if one.kind not in CHECKS
    )
    dealt = assignments.counts_by_item(bench.store, account.account_id)
    found = []
    for item in sorted(set(dealt) - closed):
        # By the very count that graders see: some repeats will never come up.
        every = assignments.count_waiting(bench.store, account.account_id, item)
        if every:
            standing = standing_of(bench, account.account_id, item) if item in known else None
            found.append(ItemLoad(item, waiting[item], every - waiting[item], standing))
    return tuple(found)


def _seconds_left(
    items: tuple[ItemLoad, ...], own: dict[str, float], panel: dict[str, float]
) -> float | None:
    total = 0.0
    for one in items:
        pace = own.get(one.item, panel.get(one.item))
        if pace is None:
            return None
        total += pace * (one.left + one.checks_left)
    return total
