"""How far the work is: for one grader, for the lead, and for the command line."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import CHECKS, Account, ReadKind, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.grades import seconds_by_item
from grader_app.store.stages import closed_items, count_with_lead
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class GraderProgress:
    """One grader's work on one item.

    Parameters
    ----------
    item, title
        The item and its title.
    done, left, with_lead
        Answers graded, waiting in the queue, and sent to the lead.
    median_seconds
        Median active time an answer, in seconds; None before the first.
    closed
        True when the lead has closed the item.
    """

    item: str
    title: str
    done: int
    left: int
    with_lead: int
    median_seconds: float | None
    closed: bool


@dataclass(frozen=True)
class ItemProgress:
    """An item's answers by stage.

    Parameters
    ----------
    item, title
        The item.
    answers
        Answers taken in.
    undealt
        Not dealt to anyone yet.
    waiting, with_lead
        Dealt, with a read outstanding: in a grader's queue, or sent to the lead.
    final, disputed, coded
        As in `ScoreStanding`.
    closed
        True when the lead has closed the item.
    revealed
        Answers whose source is known, so that grading them is over.
    undecided
        Of these, answers that had no final score by then; they are in no other stage and get none.
    """

    item: str
    title: str
    answers: int
    undealt: int
    waiting: int
    with_lead: int
    final: int
    disputed: int
    coded: int
    closed: bool
    revealed: int = 0
    undecided: int = 0


def grader_progress(bench: Workbench, grader_id: str) -> list[GraderProgress]:
    """Give one grader's progress, item by item in the round's order; items not dealt to them are left out."""
    closed = closed_items(bench.store)
    done = seconds_by_item(bench.store, grader_id)
    dealt = assignments.counts_by_item(bench.store, grader_id)
    rows = []
    for item in bench.material().items.values():
        if item.id in dealt:
            seconds = done.get(item.id, [])
            timed = [second for second in seconds if second is not None]
            left = 0 if item.id in closed else assignments.count_waiting(bench.store, grader_id, item.id)
            median = statistics.median(timed) if timed else None
            with_lead = count_with_lead(bench.store, grader_id, item.id)
            rows.append(
                GraderProgress(item.id, item.title, len(seconds), left, with_lead, median, item.id in closed)
            )
    return rows


def item_progress(bench: Workbench) -> list[ItemProgress]:
    """Count each item's answers by stage, in the round's order."""
    titles = {item.id: item.title for item in bench.material().items.values()}
    with bench.record() as record:
        referred = {
            referral.response_id
            for referral in record.referrals.values()
            if record.assignments[referral.assignment_id].kind is not ReadKind.APPRENTICE
        }
        return [_item_progress(record, item, titles.get(item, item), referred) for item in record.items()]


def _item_progress(record: GradingRecord, item: str, title: str, referred: set[str]) -> ItemProgress:
    stages: Counter[str] = Counter()
    for response_id in record.response_ids(item):
        status = record.standing(response_id).status
        if response_id in record.revealed and status in ("waiting", "disputed"):
            status_shown = "undecided"
        elif status == "waiting" and not record.is_dealt(response_id):
            status_shown = "undealt"
        elif status == "waiting" and response_id in referred:
            status_shown = "with_lead"
        else:
            status_shown = status
        stages[status_shown] += 1
    return ItemProgress(
        item=item,
        title=title,
        answers=stages.total(),
        undealt=stages["undealt"],
        waiting=stages["waiting"],
        with_lead=stages["with_lead"],
        final=stages["final"],
        disputed=stages["disputed"],
        coded=stages["coded"],
        closed=item in record.closed_items,
        revealed=sum(response_id in record.revealed for response_id in record.response_ids(item)),
        undecided=stages["undecided"],
    )


def panel_progress(bench: Workbench) -> list[tuple[Account, list[GraderProgress]]]:
    """Give every grader's progress, sorted by name."""
    graders = [account for account in accounts(bench.store) if account.role is Role.GRADER]
    return [(account, grader_progress(bench, account.account_id)) for account in graders]


@dataclass(frozen=True)
class PlantedChecks:
    """How much of a grader's work is planted checks; for the lead alone, since graders cannot tell.

    Parameters
    ----------
    done, left
        Checks graded, and waiting in the queue; both are part of the sums in `GraderProgress`.
    """

    done: int
    left: int


def planted_checks(bench: Workbench) -> dict[str, PlantedChecks]:
    """Give every grader's planted checks by account id, so that a lead's figures can leave them out."""
    closed = closed_items(bench.store)
    with bench.record() as record:
        done = Counter(
            record.assignments[assignment_id].grader_id
            for assignment_id in record.check_grades
            if record.assignments[assignment_id].kind in CHECKS
        )
    found = {}
    for account in accounts(bench.store):
        if account.role is Role.GRADER:
            waiting = assignments.waiting_in_queue(bench.store, account.account_id)
            live = Counter(one.item for one in waiting if one.kind not in CHECKS)
            items = {one.item for one in waiting} - closed
            # By the very count that graders see: some repeats will never come up.
            left = sum(
                assignments.count_waiting(bench.store, account.account_id, item) - live[item]
                for item in items
            )
            found[account.account_id] = PlantedChecks(done[account.account_id], left)
    return found


def all_accounts(bench: Workbench) -> list[Account]:
    """List everyone with an account, sorted by name."""
    return accounts(bench.store)
