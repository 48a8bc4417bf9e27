"""Calibration as the lead sees it: who may grade and why, the meeting, rulings, references, checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.errors import FileProblems
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages import (
    calibration_meeting,
    calibration_panel,
    calibration_questions,
    calibration_references,
    calibration_rulings,
    calibration_validity,
)
from grader_app.ui.lead_pages.item_sets import sets_of, without_folder
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.question_choice import choose_question
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.qualification import Standing, enabled_graders, standing_of
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import graded_before, sheet_questions

_PARTS: dict[str, Callable[[str, str], None]] = {
    "Panel": calibration_panel.draw,
    "Meeting": calibration_meeting.draw,
    "Rulings": calibration_rulings.draw,
    "Questions from graders": calibration_questions.draw,
    "Panel's own references": calibration_references.draw,
    "Validity papers": calibration_validity.draw,
}
"""Draws one part for a lead and a question; the address keeps which."""


def page() -> None:
    """Draw one part of one question's calibration."""
    lead_id = me(Role.LEAD).account.account_id
    st.header("Calibration")
    draw_notice()
    left, right = st.columns(2)
    with left:
        item = _chosen_question()
    with right:
        part = st.radio("Part", _parts_of(item), horizontal=True, key="part", bind="query-params")
    draw_line(_headline(item), "headline")
    if not enabled_graders(bench()):
        draw_link("Go to the panel", "/panel")
    _PARTS[part](lead_id, item)
    _draw_reading_in(lead_id)


def _draw_reading_in(lead_id: str) -> None:
    st.divider()
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.text("Have you added a calibration set, or changed a point sheet or round.yaml on the server?")
    if right.button("Read the files again"):
        act_as_lead(partial(_read_in, lead_id))


def _read_in(lead_id: str) -> str:
    try:
        found = register_files(bench(), lead_id)
    except FileProblems as problem:
        return f"Nothing was read in.\n{without_folder(str(problem))}"
    if not found:
        return "Nothing new: the files say what was read in before."
    return f"Read in: {'; '.join(found)}."


def _chosen_question() -> str:
    return choose_question({item.id: item.title for item in bench().material().items.values()})


def _parts_of(item: str) -> list[str]:
    panel_made = any(packet.set.reference == "panel" for packet in sets_of(item))
    return [name for name in _PARTS if panel_made or name != "Panel's own references"]


def _headline(item: str) -> str:
    graders = enabled_graders(bench())
    if not graders:
        return "There is no grader yet. Add one on the panel page."
    if bench().material().round.qualification == "not_required":
        said = ["This round does not require graders to qualify: live grading is open to all"]
    else:
        said = [_who_may_grade([standing_of(bench(), grader.account_id, item) for grader in graders])]
    questions = sum(asked.item == item for asked, _ in sheet_questions(bench()))
    if questions:
        said.append(f"{counted(questions, 'question')} on the point sheet {_wait(questions)} for you")
    undecided = sum(not one.recalled for one in graded_before(bench(), item))
    if undecided:
        said.append(f"{counted(undecided, 'grade')} given under an earlier version {_wait(undecided)}")
    return "; ".join(said) + "."


def _who_may_grade(standings: list[Standing]) -> str:
    open_to = [one.qualification.status for one in standings if one.may_grade]
    said = f"{len(open_to)} of {counted(len(standings), 'grader')} may grade this question live"
    let_in, paused = open_to.count("overridden"), sum(one.pause is not None for one in standings)
    if let_in:
        said += f", {let_in} of them without having qualified"
    return f"{said}; {paused} {'is' if paused == 1 else 'are'} paused" if paused else said


def _wait(number: int) -> str:
    return "waits" if number == 1 else "wait"
