"""Apprentices: the answers they read beside others, how far they agree, and the end of it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass

from grader_app.agreement.beside_others import BesideOthers, beside_others
from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account, Assignment, ReadKind, Role
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store import assignments as kept
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.responses import dealt_in_deal_order, facts_for_the_log
from grader_app.store.stages import closed_items
from grader_app.workflow.qualification import is_stopped, refuse_names
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench

LONGEST_REASON = 500


@dataclass(frozen=True)
class ApprenticeItem:
    """One apprentice on one item, held beside the reads that count.

    Parameters
    ----------
    item, title
        The item.
    dealt, done
        Answers dealt to read beside others, and graded.
    beside
        How far the grades agree with those that count.
    """

    item: str
    title: str
    dealt: int
    done: int
    beside: BesideOthers


def apprentices(bench: Workbench) -> list[Account]:
    """List the graders who are apprentices now, by name."""
    return [a for a in accounts(bench.store) if a.role is Role.GRADER and a.apprentice and not a.disabled]


def deal_shadow_reads(bench: Workbench, actor: str, items: Iterable[str]) -> int:
    """Deal answers that others read to each apprentice as well; give how many reads were dealt.

    Notes
    -----
    An apprentice's share of an item is what its graders have been dealt on average, times the round's
    ``apprentice_percent``. The answers follow each other in deal order, which spreads the candidates
    evenly, from a place that the seed sets for each apprentice. Checks are never planted among them.
    """
    pupils = apprentices(bench)
    if not pupils:
        return 0
    closed = closed_items(bench.store)
    count = 0
    with bench.store.write() as connection:
        for item in items:
            for pupil in pupils:
                if item not in closed and not is_stopped(bench, pupil.account_id, item):
                    count += _deal_beside(bench, connection, actor, item, pupil.account_id)
    return count


def reads_beside(bench: Workbench) -> dict[str, int]:
    """Count the reads dealt to each apprentice so far, by account id."""
    dealt = {
        a.account_id: sum(
            one.kind is ReadKind.APPRENTICE for one in kept.assignments_of(bench.store, a.account_id)
        )
        for a in apprentices(bench)
    }
    return {account_id: count for account_id, count in dealt.items() if count}


def _deal_beside(bench: Workbench, connection: Connection, actor: str, item: str, pupil: str) -> int:
    loads = kept.counts_by_grader(bench.store, item)
    if not loads:
        return 0
    the_round = bench.material().round
    share = the_round.reading.apprentice_percent / 100 * sum(loads.values()) / len(loads)
    had = kept.read_before(bench.store, pupil)
    with bench.record() as record:
        had |= {r for r in record.response_ids(item) if record.is_recused(pupil, r)}
    own = [one for one in kept.assignments_of(bench.store, pupil) if one.item == item]
    wanted = math.ceil(share) - sum(one.kind is ReadKind.APPRENTICE for one in own)
    draw = random.Random(f"{the_round.seed}:{item}:{pupil}:beside others")
    dealt = dealt_in_deal_order(bench.store, item)
    start = draw.randrange(len(dealt)) if dealt else 0
    chosen = [r for r in dealt[start:] + dealt[:start] if r not in had][: max(0, wanted)]
    if not chosen:
        return 0
    draw.shuffle(chosen)
    first = max((one.position for one in own), default=0) + 1
    rows = [
        Assignment(a, response_id, item, pupil, position, 0, ReadKind.APPRENTICE)
        for position, (a, response_id) in enumerate(
            zip(new_ids("a", len(chosen)), chosen, strict=True), start=first
        )
    ]
    facts = facts_for_the_log(bench.store, set(chosen))
    logged = [
        {
            "assignment_id": d.assignment_id,
            "response_id": d.response_id,
            **facts[d.response_id],
            "position": d.position,
            "read_number": d.read_number,
            "kind": d.kind.value,
        }
        for d in rows
    ]
    seq = append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.ANSWERS_DEALT,
        subject=pupil,
        body={"item": item, "grader_id": pupil, "assignments": logged},
    )
    kept.add_assignments(connection, rows, seq)
    return len(rows)


def end_apprenticeship(bench: Workbench, actor: str, grader_id: str, reason: str) -> int:
    """Let an apprentice read for the score from the next deal on; what they graded before never counts.

    Parameters
    ----------
    reason
        Stands in the event, so no name belongs in it.

    Returns
    -------
    int
        Answers still waiting beside others, which leave the queue.

    Raises
    ------
    GradeProblem
        No reason was given, it is too long, or it names somebody.
    NotAllowed
        There is no such apprentice.
    """
    words = " ".join(reason.split())
    if not 5 <= len(words) <= LONGEST_REASON:
        raise GradeProblem(f"Ending an apprenticeship needs a reason of 5 to {LONGEST_REASON} characters.")
    refuse_names(bench, words)
    with bench.store.write() as connection:
        account = get_account_or_none(bench.store, grader_id)
        if account is None or not account.apprentice:
            raise NotAllowed("This account is no apprentice (any more). Reload the page.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.APPRENTICESHIP_ENDED,
            subject=grader_id,
            body={"reason": words},
        )
        waiting = [
            one for one in kept.waiting_in_queue(bench.store, grader_id) if one.kind is ReadKind.APPRENTICE
        ]
        for one in waiting:
            record_return(bench, connection, actor, one.assignment_id, {"decision": "taken_out"})
    return len(waiting)


def apprentice_items(bench: Workbench, grader_id: str) -> list[ApprenticeItem]:
    """Hold an apprentice's grades beside those that count, item by item in the round's order."""
    material = bench.material()
    with bench.record() as record:
        own = [
            one
            for one in record.assignments.values()
            if one.grader_id == grader_id and one.kind is ReadKind.APPRENTICE
        ]
        found = []
        for item in material.items.values():
            here = [one for one in own if one.item == item.id and one.assignment_id not in record.released]
            if not here:
                continue
            grades = [
                record.shadow_grades[a.assignment_id] for a in here if a.assignment_id in record.shadow_grades
            ]
            pairs = [(grade.score, [r.score for r in record.reads(grade.response_id)]) for grade in grades]
            found.append(
                ApprenticeItem(
                    item.id,
                    item.title,
                    len(here),
                    len(grades),
                    beside_others(pairs, step=material.rubrics[item.id].score.step),
                )
            )
    return found
