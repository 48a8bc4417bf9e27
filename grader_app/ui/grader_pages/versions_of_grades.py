"""On My progress: what was changed in a grade since, every version of it, and grades that came too late."""

from __future__ import annotations

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.changed_grades import ChangedGrade
from grader_app.workflow.own_grades import OwnGrade, own_history
from grader_app.workflow.surplus import surplus_grades

UNCONFIRMED = "changed since submission, not confirmed"


def draw_changed(changed: list[ChangedGrade]) -> None:
    """List first the grades with changes that wait to be confirmed or dropped."""
    if not changed:
        return
    draw_line(f"{counted(len(changed), 'grade')} {UNCONFIRMED}.", "headline")
    draw_line("Until you save the correction, the grade counts as you submitted it.")
    rows: list[list[Cell]] = [
        [
            one.grade.assignment_id,
            one.grade.gave,
            "; ".join(one.differs),
            moment(one.changed_at),
            Link("Confirm it or leave it as it was", f"/grade?correct={one.grade.assignment_id}")
            if one.grade.can_correct
            else "closed: the grade stays as submitted",
        ]
        for one in changed
    ]
    draw_table(["Answer", "Submitted", "What changed", "When", "Next step"], rows)


def draw_history(grader_id: str, grades: list[OwnGrade]) -> None:
    """List every version of the grades that were corrected, the first one too."""
    corrected = [grade for grade in grades if grade.corrections]
    if not corrected:
        return
    with st.expander(f"Every version of {counted(len(corrected), 'corrected grade')}"):
        rows: list[list[Cell]] = []
        for grade in corrected:
            for place, version in enumerate(own_history(bench(), grader_id, grade.assignment_id)):
                why = version.reason if place else "first grade"
                rows.append([grade.assignment_id, moment(version.at), version.gave, why])
        draw_table(["Answer", "When", "Given", "Why"], rows)


def draw_surplus(grader_id: str) -> None:
    """List the grades that came after their answer had gone to another reader."""
    found = [one for one in surplus_grades(bench()) if one.grade.grader_id == grader_id]
    if not found:
        return
    draw_line(
        f"{counted(len(found), 'grade')} kept as surplus: the answer had gone to another reader. "
        "They do not count."
    )
    rows: list[list[Cell]] = [
        [one.grade.assignment_id, one.gave, moment(one.grade.submitted_at)] for one in found
    ]
    draw_table(["Answer", "Given", "When"], rows)
