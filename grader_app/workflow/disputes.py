"""Answers in dispute: what waits for the adjudicator, and what for a third reader."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.final_score import change_since
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_order import in_shown_order
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Dispute:
    """One disputed answer.

    Parameters
    ----------
    response_id, item, title
        The answer and its question.
    given
        Score or condition code of each read, in the order in which reads are shown.
    why
        A sentence.
    kind
        The same without a score in it: what an adjudicator may know who has not given a score yet.
    with_third_reader
        Whether a third read has been dealt and is not in.
    closed
        Whether its question is closed: it can be settled once that is open again.
    revealed
        Whether its source is known: nobody settles it any more.
    dropped
        Whether its question is no longer in the round: there is no version to settle it under.
    """

    response_id: str
    item: str
    title: str
    given: tuple[str, ...]
    why: str
    kind: str = ""
    with_third_reader: bool = False
    closed: bool = False
    revealed: bool = False
    dropped: bool = False

    @property
    def can_be_settled(self) -> bool:
        """Whether an adjudicator, or a third reader, can settle it as things stand."""
        return not (self.closed or self.revealed or self.dropped)


def disputes(bench: Workbench) -> list[Dispute]:
    """List the disputed answers, item by item, the furthest apart first."""
    titles = {item.id: item.title for item in bench.material().items.values()}
    found: list[Dispute] = []
    with bench.record() as record:
        for item in record.items():
            disputed = [r for r in record.response_ids(item) if record.standing(r).status == "disputed"]
            for response_id in sorted(disputed, key=lambda one: (-_apart(record, one), one)):
                title = titles.get(item, item)
                found.append(_dispute(record, response_id, item, title, dropped=item not in titles))
    return found


def _dispute(record: GradingRecord, response_id: str, item: str, title: str, *, dropped: bool) -> Dispute:
    reads = in_shown_order(record.judgments(response_id), record.round.seed if record.round else 0)
    settling = record.settling_of(response_id)
    return Dispute(
        response_id,
        item,
        title,
        tuple(grade.condition_code or f"{grade.score:g}" for grade in reads),
        record.standing(response_id).why,
        _kind(record, response_id),
        settling.third_waits,
        item in record.closed_items,
        response_id in record.revealed,
        dropped,
    )


def _kind(record: GradingRecord, response_id: str) -> str:
    settling = record.settling_of(response_id)
    if settling.is_raised:
        return "A lead asked for another look"
    if settling.adjudication is not None and settling.adjudication != settling.before_reread:
        changed = change_since(settling.adjudication, record.judgments(response_id), None)
        came = changed.startswith("A read came in")
        return "A read came in after it was settled" if came else "Corrected after it was settled"
    if settling.reread is not None and settling.reread.given:
        return "The re-read did not settle it"
    if settling.third is not None:
        return "A third read did not settle it"
    return "The reads differ"


def _apart(record: GradingRecord, response_id: str) -> float:
    """Give the distance between an answer's reads; a code against a score, or another code, is beyond any."""
    reads = record.judgments(response_id)
    scores = [grade.score for grade in reads if grade.score is not None]
    if len(scores) == len(reads):
        return max(scores) - min(scores)
    return float("inf") if len({grade.condition_code for grade in reads}) > 1 else 0.0
