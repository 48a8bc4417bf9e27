"""On My progress: what was changed in a grade since, every version of it, and grades that came too late."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.notice import act_as
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.changed_grades import ChangedGrade
from grader_app.workflow.live_grading import discard_draft
from grader_app.workflow.own_grades import OwnGrade, own_history
from grader_app.workflow.surplus import surplus_grades

UNCONFIRMED = "changed since submission, not confirmed"


def draw_changed(grader_id: str, changed: list[ChangedGrade]) -> None:
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
            Link("Look at it and confirm it", f"/grade?correct={one.grade.assignment_id}")
            if one.grade.can_correct
            else f"{one.grade.why_fixed} It stays as you submitted it.",
        ]
        for one in changed
    ]
    draw_table(["Answer", "Submitted", "What changed", "When", "Next step"], rows)
    with st.container(horizontal=True):
        for one in changed:
            name = one.grade.assignment_id
            if st.button(f"Leave {name} as it was", key=f"leave:{name}"):
                act_as(Role.GRADER, partial(_leave, grader_id, name))


def _leave(grader_id: str, assignment_id: str) -> str:
    discard_draft(bench(), grader_id, assignment_id)
    return f"The change to answer {assignment_id} is dropped. Your grade stands as you submitted it."


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
