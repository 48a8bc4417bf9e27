"""How far the work is: for one grader, for the lead, and for the command line."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from grader_app.domain.panel import Account, Role
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.workflow.live_grading import closed_items
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
    waiting
        Dealt, with a read outstanding.
    final, disputed, coded
        As in `ScoreStanding`.
    closed
        True when the lead has closed the item.
    """

    item: str
    title: str
    answers: int
    undealt: int
    waiting: int
    final: int
    disputed: int
    coded: int
    closed: bool


def grader_progress(bench: Workbench, grader_id: str) -> list[GraderProgress]:
    """Give one grader's progress, item by item in the round's order; items not dealt to them are left out."""
    closed = closed_items(bench)
    done = _done_by_item(bench, grader_id)
    rows = []
    for item in bench.material().items.values():
        dealt = assignments.counts_by_grader(bench.store, item.id).get(grader_id, 0)
        if dealt:
            seconds = done.get(item.id, [])
            timed = [second for second in seconds if second is not None]
            left = 0 if item.id in closed else assignments.count_waiting(bench.store, grader_id, item.id)
            median = statistics.median(timed) if timed else None
            with_lead = _with_lead(bench, grader_id, item.id)
            rows.append(
                GraderProgress(item.id, item.title, len(seconds), left, with_lead, median, item.id in closed)
            )
    return rows


def item_progress(bench: Workbench) -> list[ItemProgress]:
    """Count each item's answers by stage, in the round's order."""
    titles = {item.id: item.title for item in bench.material().items.values()}
    with bench.record() as record:
        rows = []
        for item in record.items():
            ids = record.response_ids(item)
            statuses = [record.standing(response_id).status for response_id in ids]
            undealt = sum(not record.is_dealt(response_id) for response_id in ids)
            rows.append(
                ItemProgress(
                    item,
                    titles.get(item, item),
                    len(ids),
                    undealt,
                    statuses.count("waiting") - undealt,
                    statuses.count("final"),
                    statuses.count("disputed"),
                    statuses.count("coded"),
                    item in record.closed_items,
                )
            )
        return rows


def panel_progress(bench: Workbench) -> list[tuple[Account, list[GraderProgress]]]:
    """Give every grader's progress, sorted by name."""
    graders = [account for account in accounts(bench.store) if account.role is Role.GRADER]
    return [(account, grader_progress(bench, account.account_id)) for account in graders]


def _done_by_item(bench: Workbench, grader_id: str) -> dict[str, list[float | None]]:
    rows = bench.store.rows(
        "SELECT a.item, json_extract(e.body, '$.seconds_spent') AS seconds FROM assignment a "
        "JOIN event e ON e.subject = a.id AND e.kind = 'GradeSubmitted' WHERE a.grader_id = ?",
        (grader_id,),
    )
    done: dict[str, list[float | None]] = {}
    for row in rows:
        done.setdefault(row["item"], []).append(row["seconds"])
    return done


def _with_lead(bench: Workbench, grader_id: str, item: str) -> int:
    rows = bench.store.rows(
        "SELECT count(*) AS n FROM assignment a JOIN set_aside s ON s.assignment_id = a.id "
        "WHERE a.grader_id = ? AND a.item = ? AND s.kind = 'AnswerReferred'",
        (grader_id, item),
    )
    return int(rows[0]["n"])


def all_accounts(bench: Workbench) -> list[Account]:
    """List everyone with an account, sorted by name."""
    return accounts(bench.store)
