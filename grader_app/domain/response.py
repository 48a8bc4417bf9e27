"""An answer below the blind line, and the sheet that lists everything its grader may see."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric


@dataclass(frozen=True)
class Response:
    """One answer, without a trace of who wrote it.

    Parameters
    ----------
    response_id
        Random id.
    item
        The question it answers.
    candidate_id
        Random id that links one candidate's answers across items; never on a `BlindSheet`.
    deal_order
        Place in the item's deal order, in which the answers of each source are spread evenly.
    text_hash
        Salted hash under which the text is kept.
    cut_off
        True when the text stops before its end.
    """

    response_id: str
    item: str
    candidate_id: str
    deal_order: int
    text_hash: str
    cut_off: bool


@dataclass(frozen=True)
class BlindSheet:
    """Everything a grader may see of one answer, and nothing else.

    The same fields for every kind of answer: a planted check looks like any other paper.

    Parameters
    ----------
    assignment_id
        The answer's id for this grader alone.
    item, title, kind
        The question's id, its title and its kind (``mee``, ``mpt``, ``rule_application``, ``essay``).
    prompt
        The question as put to the writer.
    answer
        The text of the answer, as stored.
    cut_off
        True when the text stops before its end.
    rubric, point_sheet
        How to grade it.
    guidelines
        Rulings of the panel on this question.
    file, library
        The documents of a performance test; empty for other kinds.
    item_hash
        Content hash of the question's version shown here; the grade is given under that version.
    """

    assignment_id: str
    item: str
    title: str
    kind: str
    prompt: str
    answer: str
    cut_off: bool
    rubric: Rubric
    point_sheet: PointSheet
    guidelines: str
    file: str
    library: str
    item_hash: str
