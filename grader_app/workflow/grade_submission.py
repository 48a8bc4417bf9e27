"""Submitting a grade, correcting it with a reason, or sending the answer to the panel lead."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry, check_grade, grade_body
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.referral import REASONS, RECUSAL
from grader_app.domain.rubric import Rubric
from grader_app.errors import AlreadyGraded, GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store import drafts, leases
from grader_app.store.database import Connection
from grader_app.store.event_log import append, find_event
from grader_app.store.grades import (
    get_submission_or_none,
    graded_at_or_none,
    keep_submission,
    standing_seq_or_none,
    surplus_at_or_none,
)
from grader_app.store.stages import is_revealed, set_aside_by_or_none
from grader_app.store.texts import keep_text
from grader_app.workflow.calibration_scoring import finish_attempt_if_scored, refuse_unless_scoring
from grader_app.workflow.changed_grades import keep_to_confirm
from grader_app.workflow.clock import as_words
from grader_app.workflow.evidence import refuse_words_outside
from grader_app.workflow.live_grading import own_assignment, refuse_closed
from grader_app.workflow.monitoring import watch_after
from grader_app.workflow.recusals import step_aside
from grader_app.workflow.served_version import (
    is_earlier,
    refuse_earlier_where_recalled,
    refuse_unqualified_then,
    served_version,
)
from grader_app.workflow.surplus import WentElsewhere, kept_as_surplus, went_elsewhere_or_none
from grader_app.workflow.third_reads import third_read_after
from grader_app.workflow.workbench import Workbench

_WHAT_COUNTS = (
    "score",
    "marks_entered",
    "error_types",
    "analysis_gaps",
    "points",
    "condition_code",
    "highlights",
)

LONGEST_NOTE = 20_000
"""Characters a note or reason may have."""


@dataclass(frozen=True)
class Receipt:
    """What became of a submission.

    Parameters
    ----------
    event_seq
        The event that holds it.
    recorded_at
        UTC time at which it was on disk.
    repeated
        True when the same submission had arrived before; nothing was added.
    surplus
        Set when the answer had gone to another reader: the grade is kept and does not count.
    earlier_version
        True when it was given under a version of the question that is no longer in use.
    """

    event_seq: int
    recorded_at: str
    repeated: bool
    surplus: WentElsewhere | None = None
    earlier_version: bool = False


def submit_grade(
    bench: Workbench,
    grader_id: str,
    assignment_id: str,
    entry: GradeEntry,
    *,
    token: str,
    note: str = "",
    seconds_spent: float | None = None,
    item_hash: str | None = None,
) -> Receipt:
    """Submit a grade; on disk when this returns.

    Parameters
    ----------
    token
        The client's token for this submission. The same token again is the same submission.
    note
        The grader's words, kept apart from the event.
    seconds_spent
        Active time on the answer, in seconds.
    item_hash
        Version of the question that the page showed; the grade is given under it, whatever came since.

    Returns
    -------
    Receipt
        Its ``surplus`` is set when the answer had gone to another reader meanwhile.

    Raises
    ------
    GradeProblem
        It does not fit the rubric.
    AlreadyGraded, NotDealtToYou, ItemIsClosed, NotQualified, SourcesAreRevealed
        The workflow says no; nothing is stored and the draft stays. What was entered over a grade that stands
        already is kept as a correction that its author may confirm.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    try:
        receipt = _record_grade(
            bench,
            dealt,
            EventKind.GRADE_SUBMITTED,
            entry,
            token=token,
            note=note,
            seconds_spent=seconds_spent,
            item_hash=item_hash,
        )
    except AlreadyGraded:
        keep_to_confirm(bench, dealt, entry, note)
        raise
    if receipt.surplus is None:
        finish_attempt_if_scored(bench, dealt)
        watch_after(bench, dealt)
        third_read_after(bench, dealt)
    return receipt


def correct_grade(
    bench: Workbench,
    grader_id: str,
    assignment_id: str,
    entry: GradeEntry,
    *,
    reason: str,
    token: str,
    note: str = "",
    seconds_spent: float | None = None,
    item_hash: str | None = None,
) -> Receipt:
    """Replace one's own grade, with a reason; the earlier grade stays in the log.

    Raises
    ------
    GradeProblem
        It does not fit the rubric, or no reason was given.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    if not reason.strip():
        raise GradeProblem("A correction needs a reason; write one in a few words.")
    receipt = _record_grade(
        bench,
        dealt,
        EventKind.GRADE_CORRECTED,
        entry,
        token=token,
        note=note,
        seconds_spent=seconds_spent,
        reason=reason,
        item_hash=item_hash,
    )
    finish_attempt_if_scored(bench, dealt)
    third_read_after(bench, dealt)
    return receipt


def refer_to_lead(
    bench: Workbench,
    grader_id: str,
    assignment_id: str,
    reason: str,
    *,
    token: str,
    note: str = "",
    item_hash: str | None = None,
) -> Receipt:
    """Send an answer that cannot be graded to the panel lead; it leaves the grader's queue.

    Parameters
    ----------
    reason
        One of `REASONS`.
    item_hash
        Version of the question that the page showed.

    Notes
    -----
    Whoever knows the writer sends it on to another grader, where there is one, and waits for nobody.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    if dealt.kind is ReadKind.CALIBRATION:
        raise NotAllowed("Papers of a calibration packet are scored or coded, every one; choose a score.")
    if reason not in REASONS:
        raise GradeProblem(
            f"`{reason}` is no reason the workbench knows; choose one of {', '.join(REASONS)}."
        )
    _check_length(note)
    with bench.store.write() as connection:
        earlier = _earlier_receipt_or_none(bench, connection, dealt, EventKind.ANSWER_REFERRED, token)
        if earlier:
            return earlier
        refuse_closed(bench, dealt)
        refuse_unqualified_then(bench, dealt, item_hash)
        _refuse_revealed(connection, dealt)
        if graded_at_or_none(connection, dealt.assignment_id) is not None:
            raise AlreadyGraded("This answer has your grade already; correct the grade instead.")
        _refuse_set_aside(connection, dealt)
        body: dict[str, Any] = {"item": dealt.item, "response_id": dealt.response_id, "reason": reason}
        body["note_hash"] = keep_text(connection, note) if note.strip() else None
        receipt = _append(bench, connection, dealt, EventKind.ANSWER_REFERRED, body, token)
        if reason == RECUSAL:
            step_aside(bench, connection, dealt)
        return receipt


def _record_grade(
    bench: Workbench,
    dealt: Assignment,
    kind: EventKind,
    entry: GradeEntry,
    *,
    token: str,
    note: str,
    seconds_spent: float | None,
    reason: str = "",
    item_hash: str | None = None,
) -> Receipt:
    item, rubric = served_version(bench, dealt, item_hash)
    _check_length(note)
    _check_length(reason)
    with bench.store.write() as connection:
        earlier = _earlier_receipt_or_none(bench, connection, dealt, kind, token)
        if earlier:
            _refuse_other_content(bench, earlier, rubric, entry)
            return earlier
        replaces = standing_seq_or_none(connection, dealt.assignment_id)
        surplus = None
        if kind is EventKind.GRADE_SUBMITTED and replaces is None:
            surplus = went_elsewhere_or_none(connection, dealt.assignment_id)
        if surplus is not None:
            kind = EventKind.SURPLUS_GRADE_KEPT
            _refuse_second_surplus(connection, dealt)
            _refuse_revealed(connection, dealt)
        else:
            _refuse_wrong_moment(bench, connection, dealt, kind, item_hash)
        check_grade(rubric, item.sheet, entry)
        refuse_words_outside(bench, dealt, entry)
        body = {"item": dealt.item, "response_id": dealt.response_id} | grade_body(rubric, entry)
        body |= {"item_version": item.version, "item_hash": item.content_hash}
        body |= {"seconds_spent": _tenths(seconds_spent)}
        body["note_hash"] = keep_text(connection, note) if note.strip() else None
        if replaces is not None:
            body |= {"replaces": replaces, "reason_hash": keep_text(connection, reason)}
        if surplus is not None:
            body |= {"why": surplus.why, "taken_out_seq": surplus.event_seq}
        receipt = _append(bench, connection, dealt, kind, body, token)
        under_earlier = is_earlier(bench, dealt, item_hash)
    if surplus is None and not under_earlier:
        return receipt
    return replace(receipt, surplus=surplus, earlier_version=under_earlier)


def _append(
    bench: Workbench,
    connection: Connection,
    dealt: Assignment,
    kind: EventKind,
    body: dict[str, Any],
    token: str,
) -> Receipt:
    at = bench.now()
    seq = append(connection, at=at, actor=dealt.grader_id, kind=kind, subject=dealt.assignment_id, body=body)
    keep_submission(connection, token, seq)
    drafts.drop_draft(connection, dealt.assignment_id)
    leases.let_go(connection, dealt.assignment_id)
    return Receipt(seq, at, repeated=False)


def _earlier_receipt_or_none(
    bench: Workbench, connection: Connection, dealt: Assignment, kind: EventKind, token: str
) -> Receipt | None:
    earlier = get_submission_or_none(connection, token)
    if earlier is None:
        return None
    if (
        earlier.assignment_id == dealt.assignment_id
        and kind is EventKind.GRADE_SUBMITTED
        and earlier.kind == EventKind.SURPLUS_GRADE_KEPT
    ):
        surplus = kept_as_surplus(bench, earlier.event_seq)
        return Receipt(earlier.event_seq, earlier.at, repeated=True, surplus=surplus)
    if (earlier.assignment_id, earlier.kind) != (dealt.assignment_id, kind.value):
        raise NotAllowed("This submission was used for something else. Reload the page and enter it again.")
    return Receipt(earlier.event_seq, earlier.at, repeated=True)


def _refuse_other_content(bench: Workbench, earlier: Receipt, rubric: Rubric, entry: GradeEntry) -> None:
    """Refuse to confirm a grade that is not the one recorded under its token."""
    recorded = find_event(bench.store, earlier.event_seq).body
    try:
        sent = grade_body(rubric, entry)
    except GradeProblem:
        sent = {}
    if any(sent.get(key) != recorded.get(key) for key in _WHAT_COUNTS):
        raise AlreadyGraded(
            f"This submission was recorded at {as_words(earlier.recorded_at)} with other content. "
            "What was changed since is not recorded; correct the grade instead."
        )


def _refuse_wrong_moment(
    bench: Workbench, connection: Connection, dealt: Assignment, kind: EventKind, item_hash: str | None
) -> None:
    graded = graded_at_or_none(connection, dealt.assignment_id)
    if kind is EventKind.GRADE_SUBMITTED and graded is not None:
        raise AlreadyGraded(
            f"This answer has your grade of {as_words(graded)} already. Nothing was changed; "
            "correct that grade instead."
        )
    if kind is EventKind.GRADE_CORRECTED and graded is None:
        raise NotAllowed("This answer has no grade of yours to correct yet. Grade it first.")
    refuse_closed(bench, dealt)
    refuse_unqualified_then(bench, dealt, item_hash)
    if kind is EventKind.GRADE_CORRECTED:
        refuse_earlier_where_recalled(bench, dealt, item_hash)
    refuse_unless_scoring(bench, dealt)
    _refuse_set_aside(connection, dealt)
    _refuse_revealed(connection, dealt)


def _refuse_second_surplus(connection: Connection, dealt: Assignment) -> None:
    at = surplus_at_or_none(connection, dealt.assignment_id)
    if at is not None:
        raise NotAllowed(
            f"This answer went to another reader, and your grade of {as_words(at)} is kept as surplus. "
            "Go to the next answer."
        )


def _refuse_revealed(connection: Connection, dealt: Assignment) -> None:
    if is_revealed(connection, dealt.response_id):
        raise SourcesAreRevealed("The source of this answer has been revealed, so grading it is over.")


def _refuse_set_aside(connection: Connection, dealt: Assignment) -> None:
    by = set_aside_by_or_none(connection, dealt.assignment_id)
    if by is not None:
        who = (
            "You sent this answer to the panel lead"
            if by == "grader"
            else "The panel lead took this answer out of your queue"
        )
        raise NotAllowed(f"{who}. Open the grading page to get your next one.")


def _tenths(seconds: float | None) -> float | None:
    """Round a time; a browser whose clock says nonsense has measured nothing."""
    return round(max(0.0, seconds), 1) if seconds is not None and math.isfinite(seconds) else None


def _check_length(words: str) -> None:
    if len(words) > LONGEST_NOTE:
        raise GradeProblem(f"The note has {len(words):,} characters; keep it to {LONGEST_NOTE:,}.")
