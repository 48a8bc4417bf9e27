"""Grades that came after their answer had gone to another reader: kept, listed, and counted nowhere."""

from __future__ import annotations

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.lead_pages.item_sets import account_names
from grader_app.ui.parts.html_table import draw_line, draw_table
from grader_app.ui.parts.spoken import moment
from grader_app.workflow.surplus import surplus_grades

_WHY = {
    "time_ran_out": "the grader's time with it had run out",
    "moved": "you had moved it to another reader",
}


def draw_surplus() -> None:
    """Draw each such grade with who gave it, when, and why the answer had gone; nothing without one."""
    found = surplus_grades(bench())
    if not found:
        return
    names = account_names()
    titles = {item.id: item.title for item in bench().material().items.values()}
    st.subheader("Surplus grades", anchor="surplus")
    draw_line(
        "Nothing to decide: each came after its answer had gone to another reader. It is kept and counts "
        "nowhere, and its grader was told. Latest first."
    )
    draw_table(
        ["Answer", "Question", "Grader", "Given", "When", "Why it came too late"],
        [
            [
                one.grade.assignment_id,
                titles.get(one.grade.item, one.grade.item),
                names.get(one.grade.grader_id, one.grade.grader_id),
                one.gave,
                moment(one.grade.submitted_at),
                _WHY[one.why],
            ]
            for one in reversed(found)
        ],
        "Surplus grades",
    )
