"""What the grading page says when no answer can be graded now: all done, none dealt, or calibration first."""

from __future__ import annotations

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.printed_packets import count_on_paper
from grader_app.workflow.progress import GraderProgress, grader_progress
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.rulings import to_grade_again


def draw(grader_id: str) -> None:
    """Say why there is nothing on the desk, and what comes next."""
    rows = grader_progress(bench(), grader_id)
    closed = _calibrate_first(grader_id, rows)
    paused = _paused_for_all(grader_id, rows)
    waiting = sum(row.left for row in rows)
    st.header(_heading(bool(closed) and (waiting > 0 or not rows), bool(paused)))
    _draw_done(grader_id, rows, waiting)
    if paused:
        draw_lines(paused)
        draw_line("Open this page again later; your answers wait where you left them.")
    if closed:
        if waiting:
            draw_line(counted(waiting, "answer waits", "answers wait") + " for you behind it.")
        draw_lines(closed)
        draw_link("Open the calibration page", "/calibrate", next_step=True)
    again = to_grade_again(bench(), grader_id)
    if again:
        draw_line(counted(len(again), "answer") + " of yours the panel lead asks you to grade again.")
    if again or any(row.done for row in rows):
        draw_link("Look at my grades", "/progress", next_step=bool(again) and not closed)


def _calibrate_first(grader_id: str, rows: list[GraderProgress]) -> list[str]:
    """Say why a question is closed to its grader: one with answers waiting, or any before the first deal."""
    named = {row.item for row in rows if row.left}
    return [
        f"{item.title}: {standing.says}"
        for item in bench().material().items.values()
        if (item.id in named or not rows)
        and not (standing := standing_of(bench(), grader_id, item.id)).may_grade
        and not standing.is_paused_for_all
    ]


def _paused_for_all(grader_id: str, rows: list[GraderProgress]) -> list[str]:
    """Say which questions with answers waiting the lead has paused for everybody."""
    named = {row.item for row in rows if row.left}
    return [
        f"{item.title}: {standing.says}"
        for item in bench().material().items.values()
        if item.id in named and (standing := standing_of(bench(), grader_id, item.id)).is_paused_for_all
    ]


def _heading(calibrate_first: bool, paused: bool) -> str:
    if calibrate_first:
        return "Calibration comes first"
    return "Grading is paused" if paused else "Nothing left to grade"


def _draw_done(grader_id: str, rows: list[GraderProgress], waiting: int) -> None:
    on_paper = count_on_paper(bench(), grader_id)
    done, with_lead = sum(row.done for row in rows), sum(row.with_lead for row in rows)
    if not rows:
        draw_line(
            "No answers have been dealt to you yet. The panel lead deals them; come back then.", "headline"
        )
    elif waiting:
        graded = f"{counted(done, 'answer')} graded; no other question" if done else "No question"
        draw_line(f"{graded} is open to you now.", "headline")
    else:
        where = "on the screen" if on_paper else "dealt to you"
        draw_line(f"You have graded everything {where}: {counted(done, 'answer')}.", "headline")
    if on_paper:
        draw_line(counted(on_paper, "answer is", "answers are") + " with you on paper.")
    if with_lead:
        draw_line(counted(with_lead, "answer") + " you could not grade went to the panel lead.")
    if any(row.closed for row in rows):
        draw_line("The panel lead has closed " + ", ".join(row.title for row in rows if row.closed) + ".")
    if done:
        draw_line(
            "You can correct a grade until the panel lead closes its question. If you expected more answers, "
            "tell the lead."
        )
