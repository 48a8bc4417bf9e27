"""The parts of the agreement page that show where readers differ: papers, scores, points."""

from __future__ import annotations

from typing import Any

import streamlit as st

from grader_app.agreement.point_ticks import point_ticks
from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench, me
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import Cell, draw_line, draw_table
from grader_app.ui.parts.side_by_side import DIFFERENCES_ONLY, readers, side_by_side
from grader_app.ui.parts.spoken import counted
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.adjudication import hidden_from
from grader_app.workflow.papers import find_paper, points_by_reader

_MOST_PAPERS = 8
_MOST_POINTS = 6
_READING_WIDTH = 720  # Pixels: about seventy characters a line.


def draw_papers(facet: dict[str, Any]) -> None:
    """Draw the papers that carry most of the disagreement, each a click away from its text."""
    st.subheader("Papers people read differently")
    found = facet["disagreement"]["responses"]
    if not found:
        draw_line("No paper read twice was scored differently.")
        return
    hidden = hidden_from(bench(), me(Role.LEAD).account.account_id)
    for response in found[:_MOST_PAPERS]:
        # Sorted, so that no place in the list tells one reader from the other.
        scores = " / ".join(sorted(rating["score"] for rating in response["ratings"]))
        left, middle, right = st.columns([3, 5, 2], vertical_alignment="center")
        left.text(response["response"])
        if response["response"] in hidden:
            middle.text("in dispute: its reads are hidden until you have scored it")
            continue
        middle.text(f"{scores}   {100 * response['share']:.0f} % of the disagreement")
        if right.button("Read", key=f"read:{facet['facet']}:{response['response']}"):
            _show_paper(response["response"])
    if len(found) > _MOST_PAPERS:
        draw_line(f"{counted(len(found) - _MOST_PAPERS, 'more paper')} differ less.")


@st.dialog("Paper", width="large")
def _show_paper(response_id: str) -> None:
    try:
        paper = find_paper(bench(), response_id)
        item, rubric = bench().material().item(paper.item), bench().material().rubrics[paper.item]
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    st.text(f"{paper.response_id} · {item.title}")
    draw_line(DIFFERENCES_ONLY)
    draw_table(["Judgment", *readers(paper.reads)], side_by_side(item, rubric, paper.reads))
    with st.container(width=_READING_WIDTH):
        draw_cut_off(paper.cut_off)
        draw_written(paper.text)


def draw_confusions(facet: dict[str, Any]) -> None:
    """Draw how often each two scores met on one paper."""
    st.subheader("Which scores are confused")
    confusions = facet["confusions"]
    if not confusions:
        draw_line("No paper has two scores to compare.")
        return
    scale = facet["scale"]
    rows: list[list[Cell]] = [
        [score, *(confusions.get((score, other)) for other in scale)] for score in scale
    ]
    draw_table(["lower \\ higher", *scale], rows)
    worst = facet["disagreement"]["scores"]
    if worst:
        low, high = worst[0]["scores"]
        share = f"{100 * worst[0]['share']:.0f} % of the disagreement"
        draw_line(f"{low} against {high} carries {share}.")


def draw_points(item: str) -> None:
    """Draw the points of the sheet that readers of the same paper ticked differently."""
    if item not in bench().material().items:
        draw_line("The question is no longer in the round, so there is no point sheet to compare by.")
        return
    sheet = bench().material().items[item].sheet
    found = point_ticks([point.id for point in sheet.points], points_by_reader(bench(), item))
    apart = [one for one in found if one.one][:_MOST_POINTS]
    st.subheader("Points read differently")
    if not apart:
        draw_line("No point was ticked by one reader of a paper and left by the other.")
        return
    texts = {point.id: f"{sheet.numbers[point.id]} {point.text}" for point in sheet.points}
    rows: list[list[Cell]] = [
        [texts[one.point], f"{100 * one.share_apart:.0f} %", one.one, one.both, one.neither] for one in apart
    ]
    draw_table(["Point", "Read differently", "One of two", "Both", "Neither"], rows)
    draw_line(f"{counted(apart[0].n_pairs, 'pair')} of readers of the same paper.")
