"""A grader's own progress, and the way back to a grade that needs correcting."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.grader_pages.versions_of_grades import (
    UNCONFIRMED,
    draw_changed,
    draw_history,
    draw_surplus,
)
from grader_app.ui.parts.author_flag import draw_author_flags
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.links import draw_link, draw_links_within
from grader_app.ui.parts.notice import draw_notice
from grader_app.ui.parts.spoken import counted, duration, moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.backreads import words_to
from grader_app.workflow.changed_grades import changed_since_submission
from grader_app.workflow.own_grades import OwnGrade, own_grades
from grader_app.workflow.printed_packets import count_on_paper
from grader_app.workflow.progress import grader_progress
from grader_app.workflow.rulings import to_grade_again


def page() -> None:
    """Draw what is done, what is left, and every grade given."""
    grader_id = me(Role.GRADER).account.account_id
    st.header("My progress")
    rows = grader_progress(bench(), grader_id)
    if not rows:
        draw_line(
            "No answers have been dealt to you yet. The panel lead deals them; come back then.", "headline"
        )
        return
    draw_notice()
    changed = changed_since_submission(bench(), grader_id)
    draw_changed(grader_id, changed)
    _draw_again(grader_id)
    _draw_words(grader_id)
    done, left = sum(row.done for row in rows), sum(row.left for row in rows)
    draw_line(f"{counted(done, 'answer')} graded, {left} left.", "headline")
    draw_table(
        ["Question", "Graded", "Left", "With the lead", "Median time", "State"],
        [
            [
                row.title,
                row.done,
                row.left,
                row.with_lead,
                None if row.median_seconds is None else duration(row.median_seconds),
                "closed" if row.closed else "open",
            ]
            for row in rows
        ],
    )
    on_paper = count_on_paper(bench(), grader_id)
    if on_paper:
        draw_line(
            counted(on_paper, "answer is", "answers are")
            + " with you on paper and not counted as left. The panel lead has them typed in when you hand "
            "the packet back."
        )
    if left:
        draw_link("Go on grading", "/grade", next_step=True)
    draw_link("Statement of my work", "/statement")
    _draw_grades(grader_id, {one.grade.assignment_id for one in changed})
    draw_surplus(grader_id)


def _draw_again(grader_id: str) -> None:
    """List first what the lead has asked to be graded again, each a click away from its correction."""
    again = to_grade_again(bench(), grader_id)
    if not again:
        return
    draw_line(
        f"Grade again: {counted(len(again), 'answer')}. The question has a new version since.", "headline"
    )
    draw_line(
        "Read the guidelines as they stand, then look at your grade once more; a correction records it."
    )
    titles = {item.id: item.title for item in bench().material().items.values()}
    rows: list[list[Cell]] = [
        [assignment_id, titles.get(item, item), Link("Grade it again", f"/grade?correct={assignment_id}")]
        for assignment_id, item in again
    ]
    draw_table(["Answer", "Question", "Change"], rows)


def _draw_words(grader_id: str) -> None:
    """Show what the lead wrote after looking at a paper again."""
    found = words_to(bench(), grader_id)
    if not found:
        return
    can_correct = {grade.assignment_id for grade in own_grades(bench(), grader_id) if grade.can_correct}
    for assignment_id, at, words in found:
        with st.container(border=True):
            draw_line(f"Answer {assignment_id}, {moment(at)}")
            draw_written(f"The lead looked at this paper again and writes: {words}")
            if assignment_id in can_correct:
                draw_links_within([("", "Look at your grade", f"/grade?correct={assignment_id}")])


def _draw_grades(grader_id: str, changed: set[str]) -> None:
    grades = own_grades(bench(), grader_id)
    if not grades:
        return
    st.subheader("My grades")
    draw_line(
        "Latest first. You can correct a grade until the panel lead closes the question; a correction asks "
        "for a reason, and the earlier grade stays in the record."
    )
    rows: list[list[Cell]] = [
        [
            grade.assignment_id,
            grade.title,
            grade.gave,
            moment(grade.submitted_at),
            UNCONFIRMED if grade.assignment_id in changed else "submitted",
            f"corrected {counted(grade.corrections, 'time')}" if grade.corrections else "",
            _change(grade),
        ]
        for grade in grades
    ]
    draw_table(["Answer", "Question", "Given", "When", "State", "Corrections", "Change"], rows)
    draw_history(grader_id, grades)
    draw_author_flags(grader_id, [grade.assignment_id for grade in grades])


def _change(grade: OwnGrade) -> Cell:
    if not grade.can_correct:
        return grade.why_fixed
    return Link("Correct this grade", f"/grade?correct={grade.assignment_id}")
