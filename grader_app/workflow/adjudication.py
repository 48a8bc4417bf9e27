"""Settling an answer in dispute, blind: one's own score first, then the reads, then the decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader_app.domain.events import EventKind
from grader_app.domain.final_score import change_since
from grader_app.domain.grade import Grade, GradeEntry, check_grade, grade_body
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_order import in_shown_order
from grader_app.domain.release import no_regrading
from grader_app.domain.settling import Adjudication, Settling
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed, ScoresAreReleased, SourcesAreRevealed
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.disputes import Dispute, disputes
from grader_app.workflow.grade_submission import LONGEST_NOTE
from grader_app.workflow.papers import Read, read_of, text_of_answer
from grader_app.workflow.third_reads import third_read_where_due
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Case:
    """An answer in dispute, as one adjudicator may see it.

    Parameters
    ----------
    response_id, item
        The answer and its question.
    text
        As the graders saw it.
    kind
        Why it is here, without a score in it.
    why
        The same with what the reads say; empty while they are hidden.
    hidden
        Whether the reads stay hidden until this adjudicator has entered a score.
    reads
        The reads in the order in which they are shown; empty while they are hidden.
    seen
        Events of those reads, to be named when the answer is settled.
    first_look
        What this adjudicator gave before the reads were shown, or None.
    earlier
        The adjudication that no longer stands; None without one, and while the reads are hidden.
    can_confirm
        Whether ``earlier`` can be confirmed as it is.
    entry
        What this adjudicator entered at first, to start from, or None.
    """

    response_id: str
    item: str
    text: str
    kind: str
    why: str
    hidden: bool
    reads: tuple[Read, ...]
    seen: tuple[int, ...]
    first_look: Read | None
    earlier: Read | None
    can_confirm: bool
    entry: GradeEntry | None


@dataclass(frozen=True)
class Settled:
    """An answer that an adjudicator has settled.

    Parameters
    ----------
    response_id, item
        The answer and its question.
    gave
        The score or condition code that stands.
    at
        UTC time of the decision.
    changed
        Whether it differs from what the same adjudicator gave first.
    reason
        The adjudicator's words.
    """

    response_id: str
    item: str
    gave: str
    at: str
    changed: bool
    reason: str


def open_disputes(bench: Workbench) -> tuple[list[Dispute], list[Dispute]]:
    """List what waits for the adjudicator, and what a third reader has.

    Notes
    -----
    Furthest apart first; where prior scores are hidden in the order of their random ids, since a place in
    the list would tell how far apart they are.
    Answers of questions that are closed or no longer in the round are left out, and those whose source is
    known: nobody can settle them.
    """
    found = [one for one in disputes(bench) if one.can_be_settled]
    if bench.material().round.reading.prior_scores == "hidden":
        found.sort(key=lambda one: one.response_id)
    return [one for one in found if not one.with_third_reader], [
        one for one in found if one.with_third_reader
    ]


def settled_answers(bench: Workbench) -> list[Settled]:
    """List the answers that an adjudication decides as they stand, latest first."""
    with bench.record() as record:
        standing = [
            made[-1]
            for response_id, made in record.settling.adjudications.items()
            if record.standing(response_id).settled_by == "adjudication"
        ]
        first = {look.event_seq: look for one in record.settling.first_looks.values() for look in one}
        made_by = {made.event_seq: made for one in record.settling.adjudications.values() for made in one}
    found = []
    for made in sorted(standing, key=lambda one: -one.event_seq):
        origin = made
        while origin.confirms is not None:
            origin = made_by[origin.confirms]
        look = first.get(origin.first_look or 0)
        found.append(
            Settled(
                made.given.response_id,
                made.given.item,
                _gave(made.given),
                made.given.submitted_at,
                look is not None and _gave(look.given) != _gave(made.given),
                _words(bench, origin.reason_hash),
            )
        )
    return found


def hidden_from(bench: Workbench, actor: str) -> set[str]:
    """List the answers in dispute whose reads this person must not see yet.

    Notes
    -----
    Other pages of the lead show reads as well; what is hidden on one must be hidden on all.
    """
    if bench.material().round.reading.prior_scores != "hidden":
        return set()
    waiting, with_third = open_disputes(bench)
    with bench.record() as record:
        ids = [one.response_id for one in (*waiting, *with_third)]
        return {one for one in ids if not _has_looked(record, one, actor)}


def find_case(bench: Workbench, actor: str, response_id: str) -> Case:
    """Find an answer in dispute as this adjudicator may see it.

    Raises
    ------
    NotAllowed
        It is not in dispute, a third reader has it, or this person is one of its readers.
    """
    text = text_of_answer(bench, response_id)
    kinds = {one.response_id: one for one in disputes(bench)}
    with bench.record() as record:
        _refuse(record, actor, response_id)
        dispute = kinds.get(response_id)
        if dispute is None:
            raise NotAllowed("This answer is no longer in dispute. Reload the page.")
        hidden = _is_hidden(bench, record, actor, response_id)
        reads = in_shown_order(record.judgments(response_id), bench.material().round.seed)
        look = _own_look_or_none(record, response_id, actor)
        earlier = record.settling.last_adjudication_or_none(response_id)
        return Case(
            response_id,
            dispute.item,
            text,
            dispute.kind,
            "" if hidden else dispute.why,
            hidden,
            () if hidden else tuple(read_of(read, text) for read in reads),
            tuple(read.event_seq for read in record.judgments(response_id)),
            None if look is None else read_of(look.given, text),
            None if earlier is None or hidden else read_of(earlier.given, text),
            earlier is not None and not hidden and _can_confirm(record.settling_of(response_id)),
            None if look is None else _entry_of(bench, look.given),
        )


def look_first(bench: Workbench, actor: str, response_id: str, entry: GradeEntry) -> None:
    """Record what an adjudicator gives before the reads are shown; it settles nothing.

    Raises
    ------
    GradeProblem
        It does not fit the rubric.
    NotAllowed
        The answer is not in dispute, or this person has seen its reads.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            _refuse(record, actor, response_id)
            if _has_looked(record, response_id, actor):
                raise NotAllowed("You have given this answer a score already, and its reads are shown.")
            body = _body(bench, record, response_id, entry) | {"stage": "first_look"}
        _record(bench, connection, actor, response_id, body)


def adjudicate(
    bench: Workbench,
    actor: str,
    response_id: str,
    entry: GradeEntry,
    *,
    reason: str = "",
    seen: tuple[int, ...] | None = None,
) -> None:
    """Settle an answer in dispute.

    Parameters
    ----------
    reason
        The adjudicator's words; needed where the decision differs from the adjudicator's own first score.
    seen
        Events of the reads that were before the adjudicator, if they are to be the same still.

    Raises
    ------
    GradeProblem
        It does not fit the rubric, or the reason is missing.
    NotAllowed
        The answer is not in dispute, its reads have changed meanwhile, or they are hidden still.
    """
    _check_length(reason)
    with bench.store.write() as connection:
        with bench.record() as record:
            _refuse(record, actor, response_id)
            if _is_hidden(bench, record, actor, response_id):
                raise NotAllowed("Give the answer a score of your own first; then its reads are shown.")
            body = _body(bench, record, response_id, entry)
            if seen is not None and tuple(seen) != tuple(body["settles"]):
                raise NotAllowed("A read was corrected meanwhile. Look at the reads again, then settle it.")
            look = _own_look_or_none(record, response_id, actor)
        if look is not None:
            body["first_look"] = look.event_seq
            if _differs(body, look.given) and not reason.strip():
                raise GradeProblem("This is not what you gave at first. Say in a few words why.")
        if reason.strip():
            body["reason_hash"] = keep_text(connection, reason)
        _record(bench, connection, actor, response_id, body)


def confirm(bench: Workbench, actor: str, response_id: str) -> None:
    """Let an adjudication stand although a read was corrected after it.

    Raises
    ------
    NotAllowed
        There is none that has ceased to stand for that reason.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            _refuse(record, actor, response_id)
            settling, judgments = record.settling_of(response_id), record.judgments(response_id)
            earlier = None if _is_before_reread(settling) else settling.adjudication
            changed = earlier is not None and change_since(earlier, judgments, None)
            if earlier is None or settling.is_raised or not changed:
                raise NotAllowed("There is no decision about this answer to confirm. Reload the page.")
            if _is_hidden(bench, record, actor, response_id):
                raise NotAllowed("Give the answer a score of your own first; then its reads are shown.")
            seqs = [one.event_seq for one in record.judgments(response_id)]
        body = _body_again(earlier.given) | {"settles": seqs, "confirms": earlier.event_seq}
        _record(bench, connection, actor, response_id, body)


def raise_dispute(
    bench: Workbench, actor: str, response_id: str, reason: str, *, backread: int | None = None
) -> None:
    """Bring an answer before the adjudicator although its reads agree, or again after it was settled.

    Parameters
    ----------
    reason
        In a few words.
    backread
        The event of the backread that led to it, if one did.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        The answer is not settled yet, or in dispute already.
    """
    _check_length(reason)
    if not reason.strip():
        raise GradeProblem("Say in a few words why this answer should be looked at again.")
    with bench.store.write() as connection:
        with bench.record() as record:
            item = _item_of(record, response_id)
            _refuse_over(record, response_id, item)
            status = record.standing(response_id).status
            if status not in ("final", "coded"):
                what = "is in dispute already" if status == "disputed" else "has reads outstanding"
                raise NotAllowed(f"This answer {what}, so there is nothing to raise.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.DISPUTE_RAISED,
            subject=response_id,
            body={"item": item, "reason_hash": keep_text(connection, reason), "backread": backread},
        )
    third_read_where_due(bench, actor, response_id)


def _refuse(record: GradingRecord, actor: str, response_id: str) -> None:
    """Refuse whoever may not settle an answer, and answers that are not to be settled."""
    item = _item_of(record, response_id)
    _refuse_over(record, response_id, item)
    if any(one.response_id == response_id and one.grader_id == actor for one in record.assignments.values()):
        raise NotAllowed("You have read this answer as a grader, so somebody else must settle it.")
    if record.standing(response_id).status != "disputed":
        raise NotAllowed("This answer is no longer in dispute. Reload the page.")
    if record.settling_of(response_id).third_waits:
        raise NotAllowed("A third reader has this answer. Settle it yourself only after taking it back.")


def _refuse_over(record: GradingRecord, response_id: str, item: str) -> None:
    if record.release.released is not None:
        raise ScoresAreReleased(no_regrading(record.release.released.at))
    if response_id in record.revealed:
        raise SourcesAreRevealed("The source of this answer has been revealed, so grading it is over.")
    if item in record.closed_items:
        raise ItemIsClosed(
            "The question is closed, so its scores no longer change. Reopen it on the page Scores first."
        )


def _item_of(record: GradingRecord, response_id: str) -> str:
    answer = record.inputs.responses.get(response_id)
    if answer is None or response_id in record.withdrawn:
        raise NotAllowed(f"There is no answer {response_id} in this round. Reload the page.")
    return str(answer["item"])


def _can_confirm(settling: Settling) -> bool:
    return not settling.is_raised and not _is_before_reread(settling)


def _is_before_reread(settling: Settling) -> bool:
    """Say whether the last decision knew nothing of a re-read made since, so that it cannot settle it."""
    return settling.reread is not None and settling.adjudication == settling.before_reread


def _is_hidden(bench: Workbench, record: GradingRecord, actor: str, response_id: str) -> bool:
    if bench.material().round.reading.prior_scores == "shown":
        return False
    return not _has_looked(record, response_id, actor)


def _has_looked(record: GradingRecord, response_id: str, actor: str) -> bool:
    return _own_look_or_none(record, response_id, actor) is not None


def _own_look_or_none(record: GradingRecord, response_id: str, actor: str) -> Adjudication | None:
    looks = record.settling.first_looks.get(response_id, [])
    return next((look for look in reversed(looks) if look.given.grader_id == actor), None)


def _body(bench: Workbench, record: GradingRecord, response_id: str, entry: GradeEntry) -> dict[str, Any]:
    """Give the body of an adjudication under the item and rubric in use."""
    material = bench.material()
    item = material.item(_item_of(record, response_id))
    check_grade(material.rubrics[item.id], item.sheet, entry)
    return {
        "item": item.id,
        "response_id": response_id,
        **grade_body(material.rubrics[item.id], entry),
        "item_version": item.version,
        "item_hash": item.content_hash,
        "settles": [one.event_seq for one in record.judgments(response_id)],
        "reason_hash": None,
    }


def _body_again(given: Grade) -> dict[str, Any]:
    """Give the body of an adjudication once more, as it was given."""
    return {
        "item": given.item,
        "response_id": given.response_id,
        "score": given.score,
        "marks": dict(given.marks),
        "marks_entered": dict(given.marks_entered),
        "error_types": list(given.error_types),
        "analysis_gaps": list(given.analysis_gaps),
        "points": list(given.points),
        "condition_code": given.condition_code,
        "highlights": [one.as_json() for one in given.highlights],
        "rubric": given.rubric,
        "rubric_version": given.rubric_version,
        "rubric_hash": given.rubric_hash,
        "item_hash": given.item_hash,
        "reason_hash": None,
    }


def _entry_of(bench: Workbench, given: Grade) -> GradeEntry:
    by_hand = bench.kept_rubric(given.rubric_hash).score.given_by == "grader"
    return GradeEntry(
        score=given.score if by_hand else None,
        marks=given.marks_entered,
        error_types=given.error_types,
        analysis_gaps=given.analysis_gaps,
        points=given.points,
        condition_code=given.condition_code,
    )


def _differs(body: dict[str, Any], first: Grade) -> bool:
    """Say whether a decision gives another score, code or mark than the first look did."""
    given = (first.score, first.condition_code, dict(first.marks))
    return (body["score"], body["condition_code"], body["marks"]) != given


def _gave(given: Grade) -> str:
    return given.condition_code or f"{given.score:g}"


def _words(bench: Workbench, digest: str | None) -> str:
    return (get_text_or_none(bench.store, digest) or "") if digest else ""


def _check_length(words: str) -> None:
    if len(words) > LONGEST_NOTE:
        raise GradeProblem(f"The reason has {len(words):,} characters; keep it to {LONGEST_NOTE:,}.")


def _record(
    bench: Workbench, connection: Connection, actor: str, response_id: str, body: dict[str, Any]
) -> None:
    append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.GRADE_ADJUDICATED,
        subject=response_id,
        body=body,
    )
