"""Live answers that three or more readers scored alike, and making one of them a validity paper."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.qualification import same_but_guidelines
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.drafts import get_draft_or_none
from grader_app.store.event_log import append
from grader_app.store.responses import get_response_or_none
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.workbench import Workbench

FEWEST_ALIKE = 3
"""Readers who must have given an answer the same score before it can be a validity paper."""


@dataclass(frozen=True)
class Promotable:
    """A live answer that can become a validity paper.

    Parameters
    ----------
    response_id
        The answer.
    score
        What every reader gave it, in points; it becomes the reference.
    readers
        How many read it.
    text
        The answer as its readers saw it.
    """

    response_id: str
    score: float
    readers: int
    text: str


def promotable(bench: Workbench, item: str) -> list[Promotable]:
    """List the answers of an item that can become validity papers, those with most readers first.

    Notes
    -----
    Reads are live ones, or those of a panel's packet once its references are frozen. An answer is left out
    while a read of it is outstanding, being corrected or to be given again; when a read was given under a
    point sheet that no longer holds; when it is a validity paper already; and once its source is known.
    """
    with bench.record() as record:
        found = {
            response_id: reads
            for response_id in record.response_ids(item)
            if (reads := _reads(record, response_id)) and _are_alike(record, response_id, reads)
        }
    ready = [
        Promotable(response_id, reads[0].score, len(reads), _text_of(bench, response_id))
        for response_id, reads in found.items()
        if reads[0].score is not None and not _is_being_corrected(bench, reads)
    ]
    return sorted(ready, key=lambda one: (-one.readers, one.response_id))


def promote(bench: Workbench, actor: str, response_id: str, reason: str) -> None:
    """Make a live answer a validity paper; its own score and reads stay as they are.

    Parameters
    ----------
    reason
        Why it makes a good check; kept apart from the event.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        The answer cannot be promoted, or no longer.

    Notes
    -----
    It is planted from the next deal on, and never before somebody who has read it.
    """
    if not reason.strip():
        raise GradeProblem("Making an answer a validity paper needs a reason; write one in a few words.")
    with bench.store.write() as connection:
        # Looked up inside the transaction, so that no correction slips in between.
        with bench.record() as record:
            answer = record.inputs.responses.get(response_id)
            reads = _reads(record, response_id)
            alike = answer is not None and _are_alike(record, response_id, reads)
            current = None if answer is None else record.current_files.get(("item", answer["item"]))
        if answer is None or not alike or _is_being_corrected(bench, reads):
            raise NotAllowed(
                f"The answer {response_id} cannot be a validity paper: it takes {FEWEST_ALIKE} readers who "
                "all gave it the same score, and no read that is still to come. Reload the page."
            )
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.PAPER_PROMOTED,
            subject=response_id,
            body={
                "item": answer["item"],
                "item_hash": current,
                "reference": reads[0].score,
                "grade_events": sorted(grade.event_seq for grade in reads),
                "reason_hash": keep_text(connection, reason),
            },
        )


def _are_alike(record: GradingRecord, response_id: str, reads: list[Grade]) -> bool:
    calibration = record.calibration
    return (
        len(reads) >= FEWEST_ALIKE  # nobody has the same answer twice
        and len({grade.score for grade in reads}) == 1
        and all(grade.condition_code is None for grade in reads)
        and len(reads) >= record.expected_reads(response_id)
        and all(_still_holds(record, grade) for grade in reads)
        and not any(grade.assignment_id in calibration.recalled for grade in reads)
        and response_id not in calibration.promoted
        and response_id not in record.revealed
    )


def _reads(record: GradingRecord, response_id: str) -> list[Grade]:
    """List the independent reads of an answer: live, or in a panel's packet whose references are frozen."""
    calibration = record.calibration
    if response_id not in calibration.drawn:
        return record.reads(response_id)
    frozen = calibration.frozen.get(response_id)
    reads = [
        grade
        for grade in record.check_grades.values()
        if grade.response_id == response_id and not record.was_apprentice(grade.grader_id, grade.event_seq)
    ]
    agrees = frozen is not None and all(grade.score == frozen.score for grade in reads)
    return sorted(reads, key=lambda grade: grade.event_seq) if agrees else []


def _still_holds(record: GradingRecord, grade: Grade) -> bool:
    """Say whether a grade was given under the item as it stands, or under what counts as the same."""
    current = record.current_files.get(("item", grade.item))
    if current is None or grade.item_hash == current:
        return current is not None
    if record.calibration.kept.get(grade.assignment_id) == current:
        return True
    files = record.inputs.files
    if grade.item_hash not in files:
        return False
    return same_but_guidelines(files[grade.item_hash]["content"], files[current]["content"])


def _is_being_corrected(bench: Workbench, reads: list[Grade]) -> bool:
    """Say whether a reader has begun to enter something else; submitting a grade ends its draft."""
    return any(get_draft_or_none(bench.store, grade.assignment_id) is not None for grade in reads)


def _text_of(bench: Workbench, response_id: str) -> str:
    response = get_response_or_none(bench.store, response_id)
    return "" if response is None else get_text_or_none(bench.store, response.text_hash) or ""
