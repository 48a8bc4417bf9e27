"""Calibration, questions from graders: the point sheet is wrong, they say; a new version, or why not."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.calibration_record import SheetQuestion
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.item_sets import account_names, without_folder
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.rulings import answer_sheet_question, sheet_questions


def draw(lead_id: str, item: str) -> None:
    """Draw each question that waits, with its two answers."""
    waiting = [(asked, words) for asked, words in sheet_questions(bench()) if asked.item == item]
    if not waiting:
        draw_line(
            "No grader has questioned this point sheet. They can, from the calibration page's materials."
        )
        return
    names, version = account_names(), bench().material().item(item).version
    draw_lines(
        [
            f"To change the point sheet: edit rubrics/{item}/point_sheet.yaml, raise its version above "
            f"{version}, run `grader-app check`, then answer here. Answering registers the new version.",
            "Grades given before are then listed under Rulings, to be given again or left to stand.",
        ]
    )
    for asked, words in waiting:
        _draw(lead_id, asked, words, names.get(asked.grader_id, asked.grader_id))


def _draw(lead_id: str, asked: SheetQuestion, words: str, name: str) -> None:
    with st.container(border=True):
        st.text(f"{name}, {moment(asked.at)}, on version {bench().kept_item(asked.item_hash).version}")
        draw_written(words)
        with st.form(f"answer:{asked.event_seq}", border=False):
            reason = st.text_input("Reason for the answer")
            with st.container(horizontal=True):
                changed = st.form_submit_button("The new version is on disk: register it")
                unchanged = st.form_submit_button("The point sheet stays")
            if changed:
                act_as_lead(partial(_answer, lead_id, asked.event_seq, "new_version", reason))
            elif unchanged:
                act_as_lead(partial(_answer, lead_id, asked.event_seq, "no_change", reason))


def _answer(lead_id: str, question: int, decision: str, reason: str) -> str:
    try:
        answer_sheet_question(bench(), lead_id, question, decision, reason)
    except GraderAppError as refusal:
        return without_folder(str(refusal))
    if decision == "new_version":
        return "Answered: the new version is registered. Under Rulings you find the grades given before."
    return "Answered: the point sheet stays as it is."
