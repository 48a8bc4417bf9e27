"""What a grader has changed in a grade since submitting it, and has neither confirmed nor left as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader_app.domain.grade import GradeEntry
from grader_app.domain.grade_changes import as_entered, differences
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.store import drafts
from grader_app.workflow.evidence import places_shown
from grader_app.workflow.own_grades import OwnGrade, find_own_grade
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class ChangedGrade:
    """A submitted grade with changes that are not confirmed; the grade as submitted stands.

    Parameters
    ----------
    grade
        The grade as it stands.
    changed_at
        UTC time of the last change.
    differs
        In what the two differ, in words.
    """

    grade: OwnGrade
    changed_at: str
    differs: tuple[str, ...]


def changed_since_submission(bench: Workbench, grader_id: str) -> list[ChangedGrade]:
    """List a grader's own grades with changes that wait to be confirmed, the latest change first."""
    found = []
    for assignment_id, draft in drafts.drafts_of_graded(bench.store, grader_id).items():
        changed = _changed_or_none(bench, grader_id, find_own_grade(bench, grader_id, assignment_id), draft)
        found += [changed] if changed else []
    return sorted(found, key=lambda one: one.changed_at, reverse=True)


def changed_or_none(bench: Workbench, grader_id: str, assignment_id: str) -> ChangedGrade | None:
    """Say what a grader has changed in one grade since submitting it; None when nothing waits."""
    grade = find_own_grade(bench, grader_id, assignment_id)
    draft = drafts.get_draft_or_none(bench.store, assignment_id)
    return None if draft is None else _changed_or_none(bench, grader_id, grade, draft)


def as_submitted(bench: Workbench, grader_id: str, grade: OwnGrade) -> dict[str, Any]:
    """Give a grade as a draft of it would be kept; words are placed in the text as shown."""
    return as_entered(places_shown(bench, grader_id, grade.assignment_id, grade.entry), grade.note)


def keep_to_confirm(bench: Workbench, dealt: Assignment, entry: GradeEntry, note: str) -> None:
    """Keep what was entered over a grade that stands already, for its author to confirm or to drop.

    Notes
    -----
    Changes that wait already are left alone, and so is a grade that says the same or can no longer change.
    """
    if dealt.kind is ReadKind.CALIBRATION:
        return
    grade = find_own_grade(bench, dealt.grader_id, dealt.assignment_id)
    entered = as_entered(places_shown(bench, dealt.grader_id, dealt.assignment_id, entry), note)
    stands = as_submitted(bench, dealt.grader_id, grade)
    if not grade.can_correct or not differences(stands, entered):
        return
    body = {**entered, "reason": "", "seconds": 0, "correcting": True, "over": grade.submitted_at}
    with bench.store.write() as connection:
        if drafts.draft_within_or_none(connection, dealt.assignment_id) is None:
            drafts.save_draft(connection, dealt.assignment_id, body, bench.now())


def _changed_or_none(
    bench: Workbench, grader_id: str, grade: OwnGrade, draft: drafts.Draft
) -> ChangedGrade | None:
    if not draft.body.get("correcting"):
        return None
    differs = differences(as_submitted(bench, grader_id, grade), draft.body)
    if not differs:
        return None
    return ChangedGrade(grade, draft.saved_at, differs)
