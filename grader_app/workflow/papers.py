"""One paper as the lead sees it: the blinded text with the grades side by side."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_order import in_shown_order
from grader_app.errors import NotAllowed
from grader_app.store.responses import get_response_or_none
from grader_app.store.texts import get_text_or_none, word_counts
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Read:
    """One grade of a paper, without its author.

    Parameters
    ----------
    gave
        Score or condition code.
    marks
        Mark by criterion id.
    points, error_types
        Ids of the points ticked and of the errors marked.
    words
        The words attached, by what they show (``point``, ``error_type``, ``analysis_gap``) and its id;
        empty once the text is destroyed.
    analysis_gaps
        Ids of the gaps marked.
    """

    gave: str
    marks: dict[str, float]
    points: frozenset[str]
    error_types: frozenset[str]
    words: dict[tuple[str, str], tuple[str, ...]]
    analysis_gaps: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Paper:
    """A paper with its reads, in an order random for each paper: Reader 1, Reader 2.

    Parameters
    ----------
    response_id, item
        The paper and its question.
    text
        As the graders saw it.
    reads
        Its grades that stand.
    cut_off
        True when the text stops before its end.
    """

    response_id: str
    item: str
    text: str
    reads: tuple[Read, ...]
    cut_off: bool = False


def find_paper(bench: Workbench, response_id: str) -> Paper:
    """Find a paper.

    Raises
    ------
    NotAllowed
        The round has no such answer.
    """
    text = text_of_answer(bench, response_id)
    with bench.record() as record:
        item = str(record.inputs.responses[response_id]["item"])
        reads = tuple(read_of(grade, text) for grade in shown_reads(record, response_id))
    return Paper(response_id, item, text, reads, is_cut_off(bench, response_id))


def text_of_answer(bench: Workbench, response_id: str) -> str:
    """Give the text of an answer of the round as the graders saw it.

    Raises
    ------
    NotAllowed
        The round has no such answer.
    """
    with bench.record() as record:
        answer = record.inputs.responses.get(response_id)
        if answer is None or response_id in record.withdrawn:
            raise NotAllowed(f"There is no answer {response_id} in this round. Reload the page.")
        text_hash = answer["text_hash"]
    return get_text_or_none(bench.store, text_hash) or ""


def shown_reads(record: GradingRecord, response_id: str) -> list[Grade]:
    """List the independent reads of an answer in the order in which they are shown."""
    return in_shown_order(record.reads(response_id), record.round.seed if record.round else 0)


def read_of(grade: Grade, text: str) -> Read:
    """Take a grade's author off it.

    Parameters
    ----------
    grade
        The grade.
    text
        The answer's text as stored, into which highlights point.
    """
    return Read(
        grade.condition_code or f"{grade.score:g}",
        dict(grade.marks),
        frozenset(grade.points),
        frozenset(grade.error_types),
        _words(grade, text),
        frozenset(grade.analysis_gaps),
    )


def is_cut_off(bench: Workbench, response_id: str) -> bool:
    """Say whether an answer's text stops before its end; papers of calibration sets are whole."""
    response = get_response_or_none(bench.store, response_id)
    return response is not None and response.cut_off


def _words(grade: Grade, text: str) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in grade.highlights if text else ():
        what = (one.of, one.id)
        found[what] = (*found.get(what, ()), " ".join(one.words(text).split()))
    return found


def paper_lengths(bench: Workbench) -> dict[str, int]:
    """Give the length of each answer in words, by response id."""
    return word_counts(bench.store)


def points_by_reader(bench: Workbench, item: str) -> dict[str, list[frozenset[str]]]:
    """Give, by paper of an item with two reads or more, the points each reader ticked; codes are left out."""
    found: dict[str, list[frozenset[str]]] = {}
    with bench.record() as record:
        for response_id in record.response_ids(item):
            sets = [
                frozenset(grade.points) for grade in record.reads(response_id) if grade.condition_code is None
            ]
            if len(sets) > 1:
                found[response_id] = sets
    return found
