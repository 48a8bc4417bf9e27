"""What does not move by itself: answers with nobody to read them, and graders who have gone quiet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from datetime import datetime, timedelta

from grader_app.domain.calibration_record import Pause
from grader_app.domain.panel import Account, ReadKind
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.responses import undealt_in_deal_order
from grader_app.store.stages import closed_items
from grader_app.store.work_done import dealt_at, last_graded_by_all, leases_run_out
from grader_app.workflow.clock import from_text
from grader_app.workflow.moving import COUNTING
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.redealing import left_behind
from grader_app.workflow.waiting import Waiting, Why, oldest, only_or_none
from grader_app.workflow.workbench import Workbench
from grader_app.workflow.workload import Workload

QUIET_HOURS = 24
"""A grader who has work, may do it, and has submitted nothing for so many hours on working days is quiet."""

QUIET_RULE = (
    f"Quiet: answers wait, the grader may grade them, and nothing was submitted for {QUIET_HOURS} hours; "
    "Saturdays and Sundays (UTC) do not count."
)


def standing_still(bench: Workbench, loads: Sequence[Workload]) -> list[Waiting]:
    """List what does not move by itself, the most pressing first."""
    found = [*_undealt(bench), *_nobody(bench, loads), *_left_behind(bench), *_by_grader(bench, loads)]
    quiet = {one.grader_id for one in found if one.why is Why.QUIET}
    found += _leases(bench, quiet)
    order = list(Why)
    return sorted(found, key=lambda one: order.index(one.why))


def working_hours(since: datetime, until: datetime) -> float:
    """Count the hours between two times, those of Saturdays and Sundays (UTC) left out.

    Examples
    --------
    >>> from datetime import UTC
    >>> friday = datetime(2026, 11, 27, 18, tzinfo=UTC)
    >>> working_hours(friday, friday + timedelta(days=3))
    24.0
    """
    hours, at = 0.0, since
    while at < until:
        midnight = (at + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        end = min(midnight, until)
        if at.weekday() < 5:
            hours += (end - at).total_seconds() / 3600
        at = end
    return hours


def _undealt(bench: Workbench) -> Iterator[Waiting]:
    closed = closed_items(bench.store)
    fresh = {
        item: len(undealt_in_deal_order(bench.store, item))
        for item in bench.material().items
        if item not in closed
    }
    total = sum(fresh.values())
    if total:
        says = "answer has not been dealt" if total == 1 else "answers have not been dealt"
        yield Waiting(Why.UNDEALT, total, says, None, only_or_none(item for item, n in fresh.items() if n))


def _nobody(bench: Workbench, loads: Sequence[Workload]) -> Iterator[Waiting]:
    """Items with reads outstanding that nobody may grade now."""
    closed = closed_items(bench.store)
    graders = [one.account for one in loads if _reads_for_the_score(one.account)]
    for item in bench.material().items:
        if item in closed or not _has_work(bench, loads, item):
            continue
        if not any(standing_of(bench, account.account_id, item).may_grade for account in graders):
            title = bench.material().item(item).title
            who = "there is no grader" if not graders else "nobody may grade it now"
            yield Waiting(Why.NOBODY, 1, f"question stands still: {who} ({title})", None, item)


def _has_work(bench: Workbench, loads: Sequence[Workload], item: str) -> bool:
    waits = any(load.item == item and load.left for one in loads for load in one.items)
    return waits or bool(undealt_in_deal_order(bench.store, item))


def _reads_for_the_score(account: Account) -> bool:
    return not (account.disabled or account.simulated or account.apprentice)


def _left_behind(bench: Workbench) -> Iterator[Waiting]:
    behind = left_behind(bench)
    if behind:
        names = {account.account_id: account.shown_name for account in accounts(bench.store)}
        who = ", ".join(sorted({names[one.grader_id] for one in behind}))
        says = ("answer" if len(behind) == 1 else "answers") + f" left behind by {who}"
        yield Waiting(
            Why.LEFT_BEHIND,
            len(behind),
            says,
            dealt_at(bench.store, (one.assignment_id for one in behind)),
            only_or_none(one.item for one in behind),
        )


def _by_grader(bench: Workbench, loads: Sequence[Workload]) -> Iterator[Waiting]:
    """Graders with work: paused, not calibrated yet, or quiet."""
    last = last_graded_by_all(bench.store)
    now = bench.clock()
    paused: dict[str, list[tuple[Workload, Pause]]] = defaultdict(list)
    for one in loads:
        if one.account.disabled or one.account.simulated:
            continue
        open_left, uncalibrated = 0, 0
        for load in one.items:
            standing = load.standing
            if standing is None or standing.may_grade:
                open_left += load.left
            elif standing.pause is not None:
                paused[load.item].append((one, standing.pause))
            elif standing.qualification.status in ("open", "no_set", "reread"):
                uncalibrated += load.left
        if uncalibrated and not open_left:
            since = _since(bench, one, last)
            noun, verb = ("answer", "waits") if uncalibrated == 1 else ("answers", "wait")
            said = f"{noun} of {one.account.shown_name} {verb} until the grader has calibrated"
            yield Waiting(Why.UNCALIBRATED, uncalibrated, said, since, grader_id=one.account.account_id)
        if open_left and (since := _since(bench, one, last)) is not None:
            hours = working_hours(from_text(since), now)
            if hours >= QUIET_HOURS:
                word = "answer waits" if open_left == 1 else "answers wait"
                says = f"{word} for {one.account.shown_name}, who has gone quiet"
                yield Waiting(Why.QUIET, open_left, says, since, grader_id=one.account.account_id)
    yield from _paused(bench, paused)


def _paused(bench: Workbench, paused: dict[str, list[tuple[Workload, Pause]]]) -> Iterator[Waiting]:
    for item, found in paused.items():
        title = bench.material().item(item).title
        for whole in (True, False):
            group = [(one, pause.at) for one, pause in found if pause.whole is whole]
            left = sum(load.left for one, _ in group for load in one.items if load.item == item)
            if not left:
                continue
            word = "answer waits" if left == 1 else "answers wait"
            who = ", ".join(sorted(one.account.shown_name for one, _ in group))
            says = (
                f"{word}: {title} is paused for everybody"
                if whole
                else f"{word} for {who}, paused on {title}"
            )
            why = Why.PAUSED_FOR_ALL if whole else Why.PAUSED
            grader_id = group[0][0].account.account_id if len(group) == 1 and not whole else None
            yield Waiting(why, left, says, oldest(at for _, at in group), item, grader_id)


def _since(bench: Workbench, one: Workload, last: dict[str, str]) -> str | None:
    """Give the time from which silence counts: the last grade, or the deal of what waits if that is later."""
    grader_id = one.account.account_id
    waiting = [
        dealt.assignment_id
        for dealt in assignments.waiting_in_queue(bench.store, grader_id)
        if dealt.kind in (*COUNTING, ReadKind.APPRENTICE)
    ]
    first_dealt = dealt_at(bench.store, waiting[:1])
    return max((at for at in (last.get(grader_id), first_dealt) if at is not None), default=None)


def _leases(bench: Workbench, quiet: Set[str | None]) -> Iterator[Waiting]:
    """Answers opened and left by graders who have submitted others since; the quiet are named anyway."""
    now = bench.clock()
    run_out = [
        (grader_id, item, at)
        for grader_id, item, at in leases_run_out(bench.store, bench.now())
        if grader_id not in quiet and working_hours(from_text(at), now) >= QUIET_HOURS
    ]
    if run_out:
        names = {account.account_id: account.shown_name for account in accounts(bench.store)}
        who = ", ".join(sorted({names[grader_id] for grader_id, _, _ in run_out}))
        word = "answer was opened and left" if len(run_out) == 1 else "answers were opened and left"
        since = oldest(at for _, _, at in run_out)
        item = only_or_none(item for _, item, _ in run_out)
        yield Waiting(Why.LEASE, len(run_out), f"{word} by {who}", since, item)
