"""A rubric's checklist, in the words every form shows beside the score."""

from __future__ import annotations

from grader_app.domain.rubric import Rubric
from grader_app.ui.parts.html_table import draw_lines


def draw_reminders(rubric: Rubric) -> None:
    """Draw what not to overlook before the score is given; it never changes a score."""
    draw_lines(f"Reminder: {one.question}" for one in rubric.checklist)
