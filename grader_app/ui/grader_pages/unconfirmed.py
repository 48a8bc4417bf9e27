"""Own grades changed since they were submitted and not confirmed: said on the grading page."""

from __future__ import annotations

from grader_app.ui.current import bench
from grader_app.workflow.changed_grades import changed_since_submission


def unconfirmed_lines(grader_id: str) -> list[dict[str, str]]:
    """Give a line for each such grade: what it ``says``, its ``link`` and where it ``goes_to``."""
    return [
        {
            "says": f"Answer {one.grade.assignment_id}: changed since submission, not confirmed.",
            "link": "Confirm it or leave it as it was",
            "goes_to": f"/grade?correct={one.grade.assignment_id}&then=queue",
        }
        for one in changed_since_submission(bench(), grader_id)
        if one.grade.can_correct
    ]
