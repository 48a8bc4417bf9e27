"""What a grader has done in a period: papers, corrections and active minutes, by item and by day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from grader_app.domain.panel import CHECKS, Account, ReadKind, Role
from grader_app.errors import NotAllowed
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.work_done import GradeGiven, grades_given
from grader_app.workflow.workbench import Workbench

KINDS = {
    "live": "read for the score",
    "third": "third readings",
    "reread": "read again before release",
    "checks": "planted checks",
    "apprentice": "read as an apprentice",
}
"""Why a paper was read, in words; all are paid alike, and only the lead is told."""

HOW_TIME_IS_COUNTED = (
    "Active minutes: the time a paper was on the desk and was being worked on; a pause longer than a minute "
    "counts as one minute. Papers without a measured time are counted as papers only."
)


@dataclass(frozen=True)
class Work:
    """Work added up.

    Parameters
    ----------
    papers
        Papers graded on the desk, whatever they were read for.
    calibration_papers
        Papers of calibration packets scored.
    corrections
        Grades corrected.
    active_seconds
        Time measured, of papers of both sorts.
    without_time
        Papers whose time was not measured.
    kinds
        Papers by what they were read for, by the names in `KINDS`; empty for the grader's own eyes.
    """

    papers: int = 0
    calibration_papers: int = 0
    corrections: int = 0
    active_seconds: float = 0.0
    without_time: int = 0
    kinds: tuple[tuple[str, int], ...] = ()

    @property
    def active_minutes(self) -> int:
        """The time measured, to the minute."""
        return round(self.active_seconds / 60)


@dataclass(frozen=True)
class Statement:
    """One grader's statement.

    Parameters
    ----------
    account
        Whose it is.
    first, last
        Days of the period, both included; None where it is open.
    total
        Everything.
    by_item
        Title and work, in the round's order; items that a new version dropped come last, by their id.
    by_day
        UTC day and work, in order.
    by_day_and_item
        UTC day, item id and work.
    """

    account: Account
    first: date | None
    last: date | None
    total: Work
    by_item: tuple[tuple[str, Work], ...]
    by_day: tuple[tuple[str, Work], ...]
    by_day_and_item: tuple[tuple[str, str, Work], ...]


def statements(bench: Workbench, first: date | None = None, last: date | None = None) -> list[Statement]:
    """Give every grader's statement, by name; simulated graders are nobody to pay and are left out.

    Raises
    ------
    NotAllowed
        The period ends before it begins.
    """
    graders = [a for a in accounts(bench.store) if a.role is Role.GRADER and not a.simulated]
    return [statement_of(bench, account.account_id, first, last) for account in graders]


def statement_of(
    bench: Workbench, grader_id: str, first: date | None = None, last: date | None = None
) -> Statement:
    """Give one grader's statement as the lead sees it.

    Raises
    ------
    NotAllowed
        There is no such grader, or the period ends before it begins.
    """
    account = get_account_or_none(bench.store, grader_id)
    if account is None or account.role is not Role.GRADER:
        raise NotAllowed("There is no such grader. Open the statement from the panel page.")
    if first is not None and last is not None and last < first:
        raise NotAllowed(f"The period ends on {last} before it begins on {first}. Swap the two days.")
    given = [one for one in grades_given(bench.store, grader_id) if _is_within(one.at[:10], first, last)]
    titles = {item.id: item.title for item in bench.material().items.values()}
    by_item, by_day = defaultdict(list), defaultdict(list)
    by_both: dict[tuple[str, str], list[GradeGiven]] = defaultdict(list)
    for one in given:
        by_item[one.item].append(one)
        by_day[one.at[:10]].append(one)
        by_both[one.at[:10], one.item].append(one)
    order = [item for item in titles if item in by_item] + sorted(set(by_item) - set(titles))
    return Statement(
        account,
        first,
        last,
        _added_up(given),
        tuple((titles.get(item, item), _added_up(by_item[item])) for item in order),
        tuple((day, _added_up(by_day[day])) for day in sorted(by_day)),
        tuple((day, item, _added_up(by_both[day, item])) for day, item in sorted(by_both)),
    )


def own_statement(
    bench: Workbench, grader_id: str, first: date | None = None, last: date | None = None
) -> Statement:
    """Give a grader's own statement: sums only, so that nothing tells which papers were checks."""
    found = statement_of(bench, grader_id, first, last)
    return replace(
        found,
        total=_without_kinds(found.total),
        by_item=tuple((title, _without_kinds(work)) for title, work in found.by_item),
        by_day=tuple((day, _without_kinds(work)) for day, work in found.by_day),
        by_day_and_item=tuple((day, item, _without_kinds(work)) for day, item, work in found.by_day_and_item),
    )


def _is_within(day: str, first: date | None, last: date | None) -> bool:
    return (first is None or first.isoformat() <= day) and (last is None or day <= last.isoformat())


def _added_up(given: Iterable[GradeGiven]) -> Work:
    kinds: Counter[str] = Counter()
    calibration = corrections = without_time = 0
    seconds = 0.0
    for one in given:
        seconds += one.seconds or 0.0
        if one.is_correction:
            corrections += 1
            continue
        without_time += one.seconds is None
        if one.kind is ReadKind.CALIBRATION:
            calibration += 1
        else:
            kinds["checks" if one.kind in CHECKS else one.kind.value] += 1
    named = tuple((name, kinds[name]) for name in KINDS if kinds[name])
    return Work(kinds.total(), calibration, corrections, seconds, without_time, named)


def _without_kinds(work: Work) -> Work:
    return replace(work, kinds=())
