"""A grader's own grades, which their author may look at again and correct."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.errors import NotAllowed
from grader_app.store.grades import (
    StandingGrade,
    get_grade_or_none,
    grades_by,
    last_graded_at_or_none,
    last_graded_or_none,
    versions_of,
)
from grader_app.store.set_papers import text_hash_of
from grader_app.store.stages import closed_items, is_item_revealed, revealed_responses
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.live_grading import own_assignment
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class OwnGrade:
    """A grade as its own author sees it.

    Parameters
    ----------
    assignment_id
        The answer's id for this grader.
    item, title
        What it answers.
    entry
        What was entered.
    gave
        The score or condition code in words.
    note
        The note as written.
    submitted_at
        UTC time of the grade, or of its latest correction.
    corrections
        How often it was corrected.
    why_fixed
        Why the grade can no longer be corrected, as a sentence; empty while it can.
    """

    assignment_id: str
    item: str
    title: str
    entry: GradeEntry
    gave: str
    note: str
    submitted_at: str
    corrections: int
    why_fixed: str

    @property
    def can_correct(self) -> bool:
        """False once the lead has closed the item, the round has dropped it, or its source is known."""
        return not self.why_fixed


@dataclass(frozen=True)
class OwnVersion:
    """One version of a grade, as its own author sees it.

    Parameters
    ----------
    at
        UTC time at which it was given.
    gave
        The score or condition code in words.
    note
        The note as written.
    reason
        Why the grade before was corrected; empty for the first.
    """

    at: str
    gave: str
    note: str
    reason: str


def own_history(bench: Workbench, grader_id: str, assignment_id: str) -> list[OwnVersion]:
    """List every version of one's own grade of an answer, oldest first.

    Raises
    ------
    NotDealtToYou
        It is not this grader's.
    """
    own_assignment(bench, grader_id, assignment_id)
    return [
        OwnVersion(
            kept.at,
            _own(bench, kept).gave,
            _words(bench, kept.body["note_hash"]),
            _words(bench, kept.body.get("reason_hash")),
        )
        for kept in versions_of(bench.store, assignment_id)
    ]


def own_grades(bench: Workbench, grader_id: str) -> list[OwnGrade]:
    """List what a grader has graded, latest first."""
    return [_own(bench, kept) for kept in grades_by(bench.store, grader_id)]


def find_own_grade(bench: Workbench, grader_id: str, assignment_id: str) -> OwnGrade:
    """Find the grade of one answer.

    Raises
    ------
    NotDealtToYou, NotAllowed
        It is not this grader's, or not graded yet.
    """
    own_assignment(bench, grader_id, assignment_id)
    kept = get_grade_or_none(bench.store, assignment_id)
    if kept is None:
        raise NotAllowed("You have not graded this answer yet, so there is nothing to correct.")
    return _own(bench, kept)


def last_recorded_or_none(bench: Workbench, grader_id: str) -> str | None:
    """Say when a grader last submitted anything."""
    return last_graded_at_or_none(bench.store, grader_id)


def previous_or_none(bench: Workbench, grader_id: str, before: str | None = None) -> str | None:
    """Give the answer a grader submitted last, to look at it again.

    Parameters
    ----------
    before
        An answer graded by the same grader: the one submitted before it is given.

    Returns
    -------
    str or None
        Its id for this grader; None where there is none, or its item is closed.
    """
    found = last_graded_or_none(bench.store, grader_id, before)
    if found is None or found.item in closed_items(bench.store):
        return None
    return found.assignment_id


def _own(bench: Workbench, kept: StandingGrade) -> OwnGrade:
    body = kept.body
    # As they were under the grade: the round may since use other versions, or have dropped the item.
    rubric, item = bench.kept_rubric(body["rubric_hash"]), bench.kept_item(body["item_hash"])
    entry = GradeEntry(
        score=body["score"] if rubric.score.given_by == "grader" else None,
        marks=body["marks_entered"],
        error_types=tuple(body["error_types"]),
        analysis_gaps=tuple(body["analysis_gaps"]),
        points=tuple(body["points"]),
        condition_code=body["condition_code"],
        highlights=tuple(Highlight.from_json(one) for one in body.get("highlights", ())),
    )
    titles = {code.id: code.title for code in rubric.condition_codes}
    code = entry.condition_code
    return OwnGrade(
        assignment_id=kept.assignment_id,
        item=kept.item,
        title=item.title,
        entry=entry,
        gave=f"{body['score']:g}" if code is None else titles.get(code, code),
        note=_words(bench, body["note_hash"]),
        submitted_at=kept.at,
        corrections=kept.corrections,
        why_fixed=_why_fixed(bench, kept.item, body["response_id"]),
    )


def _why_fixed(bench: Workbench, item: str, response_id: str) -> str:
    if item not in bench.material().items:
        return "The question is no longer in the round."
    if response_id in revealed_responses(bench.store) or (
        text_hash_of(bench.store, response_id) and is_item_revealed(bench.store, item)
    ):
        return "Grading of it has ended."
    if item in closed_items(bench.store):
        return "The panel lead has closed the question."
    return ""


def _words(bench: Workbench, text_hash: str | None) -> str:
    return (get_text_or_none(bench.store, text_hash) or "") if text_hash else ""
