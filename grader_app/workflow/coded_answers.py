"""Answers whose condition code waits for the lead: how they count, or that they are read anew for a score."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.final_score import DECIDED, CodeForLead
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.errors import GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store.event_log import append, find_event
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.moving import Move, takers
from grader_app.workflow.papers import is_cut_off
from grader_app.workflow.workbench import Workbench

SCORE_IT = "scored"
"""The decision that an answer is to be read anew for a score."""


@dataclass(frozen=True)
class CodedAnswer:
    """An answer whose reads agree on a code that the lead decides about.

    Parameters
    ----------
    response_id, item
        The answer.
    shown_id
        The id under which its first reader knows it, which screens show.
    title
        The code in words.
    reads
        How many reads gave it.
    answer
        The text of the answer.
    notes
        What its readers wrote with it.
    decided
        What the lead decided before, or nothing.
    said
        What was written with that decision.
    decided_at
        UTC time, or nothing.
    can_be_read
        True when there is a grader who has not read it.
    lowest
        The rubric's lowest score.
    cut_off
        True when the text stops before its end.
    """

    response_id: str
    item: str
    shown_id: str
    title: str
    reads: int
    answer: str
    notes: tuple[str, ...]
    decided: str
    said: str
    decided_at: str
    can_be_read: bool
    lowest: float
    cut_off: bool


def coded_answers(bench: Workbench, *, decided: bool = False) -> list[CodedAnswer]:
    """List the coded answers that wait for the lead, or with `decided` those the lead has decided about.

    Notes
    -----
    Answers of closed questions are left out: their scores no longer change.
    """
    with bench.record() as record:
        return [
            _coded(bench, record, response_id, code)
            for item in record.items()
            if item not in record.closed_items
            for response_id in record.response_ids(item)
            if (code := _code_for_lead_or_none(record, response_id)) is not None and code.decided is decided
        ]


def decide_code(bench: Workbench, actor: str, response_id: str, counts_as: str, reason: str = "") -> int:
    """Decide how a coded answer counts; a later decision replaces it.

    Parameters
    ----------
    counts_as
        ``zero``, ``lowest``, ``excluded``, or ``scored``: each coded read is replaced by a fresh one.
    reason
        The lead's words, kept apart from the event.

    Returns
    -------
    int
        Fresh reads dealt.

    Raises
    ------
    GradeProblem
        There is no such decision.
    NotAllowed
        The answer has no agreed code that waits for the lead, its question is closed, or nobody is left
        to read it.
    """
    if counts_as not in {*DECIDED, SCORE_IT}:
        known = ", ".join([*DECIDED, SCORE_IT])
        raise GradeProblem(f"`{counts_as}` is no decision the workbench knows; choose one of {known}.")
    with bench.store.write() as connection, bench.record() as record:
        code = _code_for_lead_or_none(record, response_id)
        if code is None:
            raise NotAllowed("This answer's code no longer waits for you. Reload the page.")
        if response_id in record.revealed:
            raise SourcesAreRevealed("The source of this answer has been revealed, so grading it is over.")
        item = record.inputs.responses[response_id]["item"]
        if item in record.closed_items:
            raise NotAllowed("This question is closed, so its scores no longer change. Reopen it first.")
        coded = [one for one in record.judgments(response_id) if one.condition_code is not None]
        fresh = _fresh_reads(bench, record, coded, Move(bench, connection, actor, record))
        if counts_as == SCORE_IT and (coded or not record.reads(response_id)) and not fresh:
            raise NotAllowed(
                "Every grader has read this answer or cannot grade it. Add a grader, or decide how it counts."
            )
        body = {"item": item, "condition_code": code.condition_code, "counts_as": counts_as}
        body |= {"reason_hash": keep_text(connection, reason)} if reason.strip() else {}
        if counts_as == SCORE_IT:
            body["replaced"] = [grade.assignment_id for grade in coded]
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.CODE_DECIDED,
            subject=response_id,
            body=body,
        )
        for dealt in fresh if counts_as == SCORE_IT else ():
            record_deal(bench, connection, actor, item, dealt.grader_id, [dealt])
        return len(fresh) if counts_as == SCORE_IT else 0


def _fresh_reads(bench: Workbench, record: GradingRecord, coded: list[Grade], move: Move) -> list[Assignment]:
    """Plan a fresh read in place of each coded one, as far as there are graders new to the answer."""
    planned: list[Assignment] = []
    for grade in coded:
        old = record.assignments[grade.assignment_id]
        if old.kind is not ReadKind.LIVE:
            continue
        taken = {dealt.grader_id for dealt in planned}
        taker = move.best_taker_or_none(old, but=taken, anew=True)
        if taker is not None:
            grader_id = taker.account.account_id
            place = move.next_place(old.item, grader_id)
            planned.append(
                Assignment(
                    new_id("a"), old.response_id, old.item, grader_id, place, old.read_number, old.kind
                )
            )
    return planned


def _code_for_lead_or_none(record: GradingRecord, response_id: str) -> CodeForLead | None:
    """Give the code of an answer that the lead decides about, or has decided about."""
    if response_id in record.excluded or response_id in record.revealed:
        return None
    return record.standing(response_id).for_lead


def _coded(bench: Workbench, record: GradingRecord, response_id: str, code: CodeForLead) -> CodedAnswer:
    reads: list[Grade] = record.reads(response_id)
    made = record.decisions[response_id] if code.decided else None
    said = get_text_or_none(bench.store, made.reason_hash) if made and made.reason_hash else None
    # An answer the panel calibrated on has no reads, and its consensus is no read to put another in place of.
    first = record.assignments[reads[0].assignment_id] if reads else None
    return CodedAnswer(
        response_id,
        str(record.inputs.responses[response_id]["item"]),
        first.assignment_id if first else "of the panel's packet",
        code.title,
        len(reads),
        text_of_paper(bench, response_id),
        tuple(note for grade in reads if (note := _note_of(bench, grade))),
        made.counts_as if made else "",
        said or "",
        made.at if made else "",
        first is not None and any(taker.earlier is None for taker in takers(bench, record, first)),
        code.lowest,
        is_cut_off(bench, response_id),
    )


def _note_of(bench: Workbench, grade: Grade) -> str:
    digest = find_event(bench.store, grade.event_seq).body["note_hash"]
    return (get_text_or_none(bench.store, digest) or "") if digest else ""
