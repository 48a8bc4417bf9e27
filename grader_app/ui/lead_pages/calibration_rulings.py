"""Calibration, rulings: the guidelines as they stand, who has read them, and the grades given before."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.rulings_text import rulings_text
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.calibration_meeting import draw_ruling, in_words
from grader_app.ui.lead_pages.graded_before import draw_decision
from grader_app.ui.lead_pages.item_sets import READING_WIDTH, account_names
from grader_app.ui.parts.html_table import Cell, draw_line, draw_table
from grader_app.ui.parts.links import draw_links_within
from grader_app.ui.parts.paper_text import draw_paper, draw_prose
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.rulings import GradedBefore, graded_before, receipts

_MOST_OPEN = 12
"""Grades listed without a click."""


def draw(lead_id: str, item: str) -> None:
    """Draw what rulings there are, who has read them, and what they leave to decide."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        _draw_guidelines(item)
        st.subheader("Make a ruling")
        draw_ruling(lead_id, item)
    with right:
        _draw_receipts(item)
        _draw_graded_before(lead_id, item)


def _draw_guidelines(item: str) -> None:
    found = bench().material().item(item)
    st.subheader(f"Guidelines, version {found.version}")
    if not found.guidelines:
        draw_line("There is no ruling on this question yet.")
        return
    with st.expander("Read the guidelines"):
        draw_prose(rulings_text(found.guidelines, found.sheet, bench().material().rubrics[item]))


def _draw_receipts(item: str) -> None:
    st.subheader("Who has read them")
    found, names = receipts(bench(), item), account_names()
    read = sum(at is not None for _, at in found)
    version = bench().material().item(item).version
    draw_line(f"{read} of {counted(len(found), 'grader')} have read version {version}, or trained under it.")
    rows: list[list[Cell]] = [
        [names.get(grader_id, grader_id), moment(at) if at else "not yet"] for grader_id, at in found
    ]
    if rows:
        draw_table(["Grader", "Read"], rows)


def _draw_graded_before(lead_id: str, item: str) -> None:
    st.subheader("Graded under an earlier version")
    found = graded_before(bench(), item)
    if not found:
        draw_line("Every live grade was given under the version that stands, or you let it stand.")
        return
    waiting, recalled = [one for one in found if not one.recalled], sum(one.recalled for one in found)
    if recalled:
        draw_line(f"{counted(recalled, 'grade')} asked for again; the answers wait for their graders.")
    names = account_names()
    if waiting:
        draw_decision(lead_id, item, waiting, names)
        draw_links_within([("", "See how each would read under this version", f"/versions#{item}")])
    with st.expander(counted(len(found), "grade"), expanded=len(found) <= _MOST_OPEN):
        draw_table(
            ["Answer", "Grader", "Version", "Given", "What changed since", "State"],
            [_row(one, names) for one in found],
        )
    _draw_one_answer(item, found, names)


def _draw_one_answer(item: str, found: list[GradedBefore], names: dict[str, str]) -> None:
    """Draw the text of one of the answers with what it was given, so that the decision can rest on it."""
    with st.expander("Read one of the answers"):
        labels = {
            one.assignment_id: f"{one.assignment_id}, {names.get(one.grader_id, one.grader_id)}"
            for one in found
        }
        chosen = st.selectbox(
            "Answer to read", list(labels), format_func=lambda one: labels[one], key=f"read:{item}"
        )
        one = next(grade for grade in found if grade.assignment_id == chosen)
        gave = in_words(item, one.gave)
        draw_line(
            f"{names.get(one.grader_id, one.grader_id)} gave it {gave} under version {one.version}.",
            "headline",
        )
        with st.container(width=READING_WIDTH):
            draw_paper(text_of_paper(bench(), one.response_id))


def _row(one: GradedBefore, names: dict[str, str]) -> list[Cell]:
    # Under the id its grader knows it by: the lead sees here who gave what, and elsewhere which answer.
    return [
        one.assignment_id,
        names.get(one.grader_id, one.grader_id),
        one.version,
        one.gave,
        "guidelines only" if one.only_guidelines else "the point sheet",
        "asked for again" if one.recalled else "to be decided",
    ]
