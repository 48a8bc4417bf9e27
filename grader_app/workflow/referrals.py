"""Answers that graders sent to the lead, and the ways out: back, to another grader, or out of the round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import NEVER_COUNT, Account, Assignment
from grader_app.domain.referral import RECUSAL, Referral, Settled, reason_in_words
from grader_app.errors import GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store.database import Connection
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.moving import Move, takers
from grader_app.workflow.papers import is_cut_off
from grader_app.workflow.recusals import send_recused_on
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench

LONGEST_REASON = 2_000
"""Characters that the words on a decision may have."""


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
        What the grader wrote with it; empty for an incident that has not been opened.
    answer
        The text of the answer; empty for an incident that has not been opened.
    is_check
        True for a planted check or an apprentice's read, which no other grader takes over.
    is_incident
        True for a threat, distress or suspected copying: closing it takes a word on what was done.
    is_recusal
        True where the grader knows the writer and nobody else could take the answer over.
    has_writer
        False for a paper of a set, which no candidate wrote.
    cut_off
        True when the text stops before its end.
    came_along
        True for an answer its grader did not send: it left the queue with another by the same writer.
    """

    assignment_id: str
    item: str
    grader_id: str
    at: str
    reason: str
    note: str
    answer: str
    is_check: bool = False
    is_incident: bool = False
    is_recusal: bool = False
    has_writer: bool = True
    cut_off: bool = False
    came_along: bool = False


@dataclass(frozen=True)
class Closed:
    """A referral that was settled, as the lead's trail shows it.

    Parameters
    ----------
    assignment_id, item, grader_id, reason
        What was sent, by whom, and why in words.
    referred_at, closed_at
        UTC times.
    closed_by
        Account id of whoever decided; the grader's own where the answer went straight on.
    decision
        One of `referral.DECISIONS`.
    said
        What was written with the decision.
    is_incident
        True for a threat, distress or suspected copying.
    can_come_back
        True for an answer that is out of the round.
    """

    assignment_id: str
    item: str
    grader_id: str
    reason: str
    referred_at: str
    closed_at: str
    closed_by: str
    decision: str
    said: str
    is_incident: bool
    can_come_back: bool


def open_referrals(bench: Workbench, opened: str | None = None) -> list[OpenReferral]:
    """List the answers that wait for the lead: incidents first, then the oldest.

    Parameters
    ----------
    opened
        The incident whose words and text are asked for. Others come without: nobody meets them by chance.
    """
    with bench.record() as record:
        still = [one for one in record.referrals.values() if one.response_id not in record.revealed]
        found = sorted(still, key=lambda one: (not one.is_incident, one.event_seq))
        checks = {r.assignment_id for r in found if record.assignments[r.assignment_id].kind in NEVER_COUNT}
        written = {r.response_id for r in found if record.candidate_of(r.response_id) is not None}
    return [
        OpenReferral(
            r.assignment_id,
            r.item,
            r.grader_id,
            r.at,
            reason_in_words(r.reason),
            _words(bench, r.note_hash) if shown else "",
            text_of_paper(bench, r.response_id) if shown else "",
            r.assignment_id in checks,
            r.is_incident,
            r.reason == RECUSAL,
            r.response_id in written,
            is_cut_off(bench, r.response_id),
            r.along_with is not None,
        )
        for r in found
        for shown in (not r.is_incident or r.assignment_id == opened,)
    ]


def closed_referrals(bench: Workbench) -> list[Closed]:
    """List the referrals that were settled, latest first."""
    with bench.record() as record:
        return [_closed(bench, record, one) for one in reversed(record.settled)]


def return_to_grader(
    bench: Workbench, actor: str, assignment_id: str, reply: str = "", *, reason: str = ""
) -> None:
    """Put a referred answer back into its grader's queue.

    Raises
    ------
    NotAllowed
        The grader has stepped aside from what its writer wrote.
    GradeProblem
        It is an incident, and nothing was said about what was done.
    """
    with bench.store.write() as connection, bench.record() as record:
        dealt = _open_referral(record, assignment_id)
        if record.is_recused(dealt.grader_id, dealt.response_id):
            raise NotAllowed(
                "This grader knows, or may know, who wrote it. Deal it to another grader, or take the "
                "recusal back first."
            )
        said = _said(connection, record, assignment_id, reason)
        said["reply_hash"] = keep_text(connection, reply) if reply.strip() else None
        record_return(bench, connection, actor, assignment_id, {"decision": "returned", **said})


def deal_to_another(
    bench: Workbench, actor: str, assignment_id: str, grader_id: str, *, reason: str = ""
) -> None:
    """Take a referred answer out of its grader's queue and deal it to another grader.

    Raises
    ------
    NotAllowed
        The other grader has this answer already, or cannot grade; or no score waits for this read.
    GradeProblem
        It is an incident, and nothing was said about what was done.
    """
    with bench.store.write() as connection, bench.record() as record:
        dealt = _open_referral(record, assignment_id)
        if dealt.kind in NEVER_COUNT:
            raise NotAllowed(
                "No score waits for this read (it is a planted check, or an apprentice's), so nobody takes "
                "it over. Take it out instead."
            )
        free = {taker.account.account_id: taker for taker in takers(bench, record, dealt)}
        if grader_id not in free:
            raise NotAllowed("That grader has read this answer already, or cannot grade. Choose another.")
        said = _said(connection, record, assignment_id, reason)
        Move(bench, connection, actor, record).give(dealt, free[grader_id], **said)


def take_out(bench: Workbench, actor: str, assignment_id: str, *, reason: str = "") -> None:
    """Take a referred read no score waits for out of its grader's queue for good; nobody else reads it.

    Raises
    ------
    NotAllowed
        It is an answer, which somebody has to read.
    GradeProblem
        It is an incident, and nothing was said about what was done.
    """
    with bench.store.write() as connection, bench.record() as record:
        if _open_referral(record, assignment_id).kind not in NEVER_COUNT:
            raise NotAllowed("This is an answer of the round. Give it back, or deal it to another grader.")
        said = _said(connection, record, assignment_id, reason)
        Move(bench, connection, actor, record).take_out(record.assignments[assignment_id], **said)


def exclude(bench: Workbench, actor: str, assignment_id: str, reason: str) -> None:
    """Take a referred answer out of the round: nobody reads it any more, and it has no final score.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        It is a planted paper, or its question is closed.
    """
    if not reason.strip():
        raise GradeProblem("Taking an answer out of the round needs a reason; write one in a few words.")
    with bench.store.write() as connection, bench.record() as record:
        dealt = _open_referral(record, assignment_id)
        if record.candidate_of(dealt.response_id) is None:
            raise NotAllowed("This is a planted paper, which no candidate wrote. Take it out instead.")
        if dealt.item in record.closed_items:
            raise NotAllowed("This question is closed, so its scores no longer change. Reopen it first.")
        said = _said(connection, record, assignment_id, reason)
        # What others sent the lead about the same answer is settled with it.
        for other in record.referrals.values():
            if other.response_id == dealt.response_id and other.assignment_id != assignment_id:
                body = {"decision": "taken_out", "why": "excluded", **said}
                record_return(bench, connection, actor, other.assignment_id, body)
        record_return(bench, connection, actor, assignment_id, {"decision": "excluded", **said})


def bring_back(bench: Workbench, actor: str, assignment_id: str, reason: str) -> None:
    """Bring an answer that is out of the round back into the queue it was sent from.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        It is not out of the round, or its question is closed.
    """
    if not reason.strip():
        raise GradeProblem("Bringing an answer back needs a reason; write one in a few words.")
    with bench.store.write() as connection, bench.record() as record:
        dealt = record.assignments.get(assignment_id)
        if dealt is None or record.excluded.get(dealt.response_id) != assignment_id:
            raise NotAllowed("This answer is in the round. Reload the page.")
        if dealt.item in record.closed_items:
            raise NotAllowed("This question is closed, so its scores no longer change. Reopen it first.")
        body = {"decision": "returned", "reason_hash": keep_text(connection, reason)}
        record_return(bench, connection, actor, assignment_id, body)
        send_recused_on(bench, connection, actor, record, dealt)


def other_graders(bench: Workbench, assignment_id: str) -> list[Account]:
    """List the graders who could take over a referred answer: enabled, real, not recused, and new to it."""
    with bench.record() as record:
        return [taker.account for taker in takers(bench, record, _open_referral(record, assignment_id))]


def _closed(bench: Workbench, record: GradingRecord, one: Settled) -> Closed:
    referral = one.referral
    return Closed(
        referral.assignment_id,
        referral.item,
        referral.grader_id,
        reason_in_words(referral.reason),
        referral.at,
        one.at,
        one.actor,
        one.decision,
        _words(bench, one.reason_hash),
        referral.is_incident,
        one.decision == "excluded" and record.excluded.get(referral.response_id) == referral.assignment_id,
    )


def _words(bench: Workbench, digest: str | None) -> str:
    return (get_text_or_none(bench.store, digest) or "") if digest else ""


def _said(connection: Connection, record: GradingRecord, assignment_id: str, reason: str) -> dict[str, Any]:
    """Keep what was written with a decision, inside an open transaction."""
    if len(reason) > LONGEST_REASON:
        raise GradeProblem(f"The reason has {len(reason):,} characters; keep it to {LONGEST_REASON:,}.")
    referral: Referral = record.referrals[assignment_id]
    if referral.is_incident and not reason.strip():
        raise GradeProblem("Closing an incident needs a word on what was done; write it in a sentence.")
    return {"reason_hash": keep_text(connection, reason)} if reason.strip() else {}


def _open_referral(record: GradingRecord, assignment_id: str) -> Assignment:
    if assignment_id not in record.referrals:
        raise NotAllowed("This answer no longer waits for the lead. Reload the page.")
    dealt = record.assignments[assignment_id]
    if dealt.response_id in record.revealed:
        raise SourcesAreRevealed("The source of this answer has been revealed, so grading it is over.")
    return dealt
