"""Answers that graders sent to the lead, and the two ways out: back to the same grader, or to another."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_id
from grader_app.domain.panel import NEVER_COUNT, Account, Assignment, Role
from grader_app.errors import NotAllowed, SourcesAreRevealed
from grader_app.store import assignments
from grader_app.store.accounts import accounts
from grader_app.store.event_log import append
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.grade_submission import REASONS
from grader_app.workflow.papers import is_cut_off
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class OpenReferral:
    """An answer waiting for the lead.

    Parameters
    ----------
    assignment_id, item, grader_id
        What was sent, by whom.
    at
        UTC time.
    reason
        The reason in words.
    note
        What the grader wrote with it.
    answer
        The text of the answer.
    is_check
        True for a planted check or an apprentice's read, which no other grader takes over.
    cut_off
        True when the text stops before its end.
    """

    assignment_id: str
    item: str
    grader_id: str
    at: str
    reason: str
    note: str
    answer: str
    is_check: bool = False
    cut_off: bool = False


def open_referrals(bench: Workbench) -> list[OpenReferral]:
    """List the answers that wait for the lead, oldest first."""
    with bench.record() as record:
        still = [one for one in record.referrals.values() if one.response_id not in record.revealed]
        found = sorted(still, key=lambda referral: referral.event_seq)
        checks = {r.assignment_id for r in found if record.assignments[r.assignment_id].kind in NEVER_COUNT}
    return [
        OpenReferral(
            r.assignment_id,
            r.item,
            r.grader_id,
            r.at,
            REASONS.get(r.reason, r.reason),
            (get_text_or_none(bench.store, r.note_hash) or "") if r.note_hash else "",
            text_of_paper(bench, r.response_id),
            r.assignment_id in checks,
            is_cut_off(bench, r.response_id),
        )
        for r in found
    ]


def return_to_grader(bench: Workbench, actor: str, assignment_id: str, reply: str = "") -> None:
    """Put a referred answer back into its grader's queue."""
    with bench.store.write() as connection:
        _open_referral(bench, assignment_id)
        body = {"decision": "returned", "reply_hash": keep_text(connection, reply) if reply.strip() else None}
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ANSWER_RETURNED,
            subject=assignment_id,
            body=body,
        )


def deal_to_another(bench: Workbench, actor: str, assignment_id: str, grader_id: str) -> None:
    """Take a referred answer out of its grader's queue and deal it to another grader.

    Raises
    ------
    NotAllowed
        The other grader has this answer already, or cannot grade.
    """
    with bench.store.write() as connection:
        dealt = _open_referral(bench, assignment_id)
        if dealt.kind in NEVER_COUNT:
            raise NotAllowed("This read never counts, so nobody takes it over. Take it out instead.")
        if grader_id not in {grader.account_id for grader in other_graders(bench, assignment_id)}:
            raise NotAllowed("That grader has read this answer already, or cannot grade. Choose another.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ANSWER_RETURNED,
            subject=assignment_id,
            body={"decision": "taken_out"},
        )
        place = assignments.last_positions(bench.store, dealt.item).get(grader_id, 0) + 1
        fresh = Assignment(
            new_id("a"), dealt.response_id, dealt.item, grader_id, place, dealt.read_number, dealt.kind
        )
        record_deal(bench, connection, actor, dealt.item, grader_id, [fresh])


def take_out(bench: Workbench, actor: str, assignment_id: str) -> None:
    """Take a referred check out of its grader's queue for good; it is read by nobody else.

    Raises
    ------
    NotAllowed
        It is an answer, which somebody has to read.
    """
    with bench.store.write() as connection:
        if _open_referral(bench, assignment_id).kind not in NEVER_COUNT:
            raise NotAllowed("This is an answer of the round. Give it back, or deal it to another grader.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ANSWER_RETURNED,
            subject=assignment_id,
            body={"decision": "taken_out"},
        )


def other_graders(bench: Workbench, assignment_id: str) -> list[Account]:
    """List the graders who could take over a referred answer: enabled, real, and new to it."""
    dealt = _open_referral(bench, assignment_id)
    readers = assignments.readers_of(bench.store, dealt.response_id)
    return [
        account
        for account in accounts(bench.store)
        if account.role is Role.GRADER
        and not (account.disabled or account.simulated or account.apprentice)
        and account.account_id not in readers
    ]


def _open_referral(bench: Workbench, assignment_id: str) -> Assignment:
    with bench.record() as record:
        if assignment_id not in record.referrals:
            raise NotAllowed("This answer no longer waits for the lead. Reload the page.")
        dealt = record.assignments[assignment_id]
        if dealt.response_id in record.revealed:
            raise SourcesAreRevealed("The source of this answer has been revealed, so grading it is over.")
        return dealt
