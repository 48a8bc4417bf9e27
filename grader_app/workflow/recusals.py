"""Graders who know, or may know, who wrote an answer: everything that candidate wrote goes to others."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.referral import RECUSAL
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store import assignments
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.grades import keep_submission
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.moving import COUNTING, Move
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Recusal:
    """A grader who stepped aside, as the lead sees it.

    Parameters
    ----------
    assignment_id, item, grader_id
        The answer at which it was said, and by whom.
    at
        UTC time.
    note
        What the grader wrote with it.
    waits
        True while no other grader could take the answer over.
    """

    assignment_id: str
    item: str
    grader_id: str
    at: str
    note: str
    waits: bool


def step_aside(bench: Workbench, connection: Connection, dealt: Assignment) -> None:
    """Take everything the writer of an answer wrote out of a grader's queue, inside an open transaction.

    Parameters
    ----------
    dealt
        The answer at which the grader said so; its referral has been recorded in this transaction.

    Notes
    -----
    Each answer goes at once to a grader who has not read it. Where there is none it waits for the lead.
    Planted checks and an apprentice's reads are only taken out.
    """
    with bench.record() as record:
        move = Move(bench, connection, dealt.grader_id, record)
        left: list[Assignment] = []
        for one in (dealt, *_others_by_the_writer(record, dealt)):
            if not _send_on(move, one) and one is not dealt:
                _leave_to_the_lead(bench, connection, one, dealt)
            left.append(one)
        move.take_lonely_checks_out(left, why="recused")


def send_recused_on(
    bench: Workbench, connection: Connection, actor: str, record: GradingRecord, dealt: Assignment
) -> None:
    """Send an answer that came back to the queues on from all who stepped aside meanwhile.

    Parameters
    ----------
    record
        The round as it was when the transaction began.
    dealt
        The read with which it came back.
    """
    move = Move(bench, connection, actor, record)
    over = record.released | record.referrals.keys() | record.history.keys()
    for one in assignments.dealt_of(bench.store, dealt.response_id):
        if one.assignment_id in over or not record.is_recused(one.grader_id, one.response_id):
            continue
        if not _send_on(move, one):
            _leave_to_the_lead(bench, connection, one, dealt)


def _send_on(move: Move, dealt: Assignment) -> bool:
    """Give a read to whoever can take it over; say whether anything came of it."""
    if dealt.kind not in COUNTING:
        move.take_out(dealt, why="recused")
        return True
    taker = move.best_taker_or_none(dealt)
    if taker is not None:
        move.give(dealt, taker, why="recused")
    return taker is not None


def recusals(bench: Workbench) -> list[Recusal]:
    """List the recusals that hold, oldest first."""
    with bench.record() as record:
        said = [*(one.referral for one in record.settled), *record.referrals.values()]
        found = {
            one.assignment_id: one
            for one in said
            if one.reason == RECUSAL
            and one.along_with is None
            and (one.grader_id, record.candidate_of(one.response_id)) in record.recusals
        }
        waiting = set(record.referrals)
    return [
        Recusal(
            one.assignment_id,
            one.item,
            one.grader_id,
            one.at,
            (get_text_or_none(bench.store, one.note_hash) or "") if one.note_hash else "",
            one.assignment_id in waiting,
        )
        for one in sorted(found.values(), key=lambda one: one.event_seq)
    ]


def lift_recusal(bench: Workbench, actor: str, assignment_id: str, reason: str) -> None:
    """Take a recusal back; answers that still wait for the lead because of it return to their grader.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        It does not hold any more.

    Notes
    -----
    What other graders took over stays with them.
    """
    if not reason.strip():
        raise GradeProblem("Taking a recusal back needs a reason; write one in a few words.")
    with bench.store.write() as connection, bench.record() as record:
        dealt = record.assignments.get(assignment_id)
        candidate_id = record.candidate_of(dealt.response_id) if dealt else None
        if dealt is None or (dealt.grader_id, candidate_id) not in record.recusals:
            raise NotAllowed("This recusal does not hold any more. Reload the page.")
        record_return(
            bench,
            connection,
            actor,
            assignment_id,
            {"decision": "recusal_lifted", "reason_hash": keep_text(connection, reason)},
        )
        for one in list(record.referrals.values()):
            same = one.grader_id == dealt.grader_id and record.candidate_of(one.response_id) == candidate_id
            if same and one.reason == RECUSAL:
                record_return(bench, connection, actor, one.assignment_id, {"decision": "returned"})


def _others_by_the_writer(record: GradingRecord, dealt: Assignment) -> list[Assignment]:
    """List what else the writer of an answer has in the same grader's queue, for now held back or not."""
    candidate_id = record.candidate_of(dealt.response_id)
    if candidate_id is None:
        return []
    over = record.released | record.referrals.keys() | record.history.keys() | {dealt.assignment_id}
    return [
        one
        for one in record.assignments.values()
        if one.grader_id == dealt.grader_id
        and one.kind is not ReadKind.CALIBRATION
        and one.assignment_id not in over
        and one.response_id not in record.revealed
        and one.response_id not in record.excluded
        and record.candidate_of(one.response_id) == candidate_id
    ]


def _leave_to_the_lead(
    bench: Workbench, connection: Connection, dealt: Assignment, along_with: Assignment
) -> None:
    """Let an answer nobody else can read wait for the lead together with the one its grader sent."""
    seq = append(
        connection,
        at=bench.now(),
        actor=dealt.grader_id,
        kind=EventKind.ANSWER_REFERRED,
        subject=dealt.assignment_id,
        body={
            "item": dealt.item,
            "response_id": dealt.response_id,
            "reason": RECUSAL,
            "note_hash": None,
            "along_with": along_with.assignment_id,
        },
    )
    keep_submission(connection, new_id("t"), seq)
