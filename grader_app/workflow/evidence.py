"""Words attached to what a grader marked: their place as the grader sees the text, and as it is stored."""

from __future__ import annotations

from dataclasses import replace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.domain.panel import Assignment
from grader_app.domain.shown_text import Places
from grader_app.errors import GradeProblem
from grader_app.workflow.live_grading import own_assignment, stored_text_or_none
from grader_app.workflow.workbench import Workbench


def with_places_stored(bench: Workbench, grader_id: str, assignment_id: str, entry: GradeEntry) -> GradeEntry:
    """Turn the places of words as a grader chose them on the screen into places in the text as stored.

    Raises
    ------
    GradeProblem
        A place lies outside the text.
    NotDealtToYou
        The answer is not this grader's.
    """
    if not entry.highlights:
        return entry
    dealt = own_assignment(bench, grader_id, assignment_id)
    places = Places(stored_text_or_none(bench, dealt.response_id) or "")
    moved = []
    for one in entry.highlights:
        try:
            start, end = places.to_stored(one.start, one.end)
        except ValueError as error:
            raise _outside(one) from error
        moved.append(replace(one, start=start, end=end))
    return replace(entry, highlights=tuple(moved))


def places_shown(bench: Workbench, grader_id: str, assignment_id: str, entry: GradeEntry) -> GradeEntry:
    """Turn the places of words in the text as stored into places on the screen.

    Notes
    -----
    Words of a text that has been destroyed have no place on the screen; they are left out.
    """
    if not entry.highlights:
        return entry
    dealt = own_assignment(bench, grader_id, assignment_id)
    text = stored_text_or_none(bench, dealt.response_id)
    places = Places(text or "")
    moved = []
    for one in entry.highlights if text is not None else ():
        start, end = places.to_shown(one.start, one.end)
        moved.append(replace(one, start=start, end=end))
    return replace(entry, highlights=tuple(moved))


def refuse_words_outside(bench: Workbench, dealt: Assignment, entry: GradeEntry) -> None:
    """Refuse words that lie outside the text as stored.

    Raises
    ------
    GradeProblem
        Saying which.
    """
    if entry.highlights:
        length = len(stored_text_or_none(bench, dealt.response_id) or "")
        for one in entry.highlights:
            if not 0 <= one.start < one.end <= length:
                raise _outside(one)


def _outside(one: Highlight) -> GradeProblem:
    return GradeProblem(
        f"The words attached to `{one.id}` lie at {one.start} to {one.end}, outside this answer. "
        "Take them off and select them again."
    )
