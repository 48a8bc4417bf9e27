"""The parts of the agreement page that show where readers differ: papers, scores, points."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

import streamlit as st

from grader_app.agreement.point_ticks import point_ticks
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import Cell, draw_line, draw_table
from grader_app.ui.parts.spoken import counted
from grader_app.ui.parts.written_text import draw_written, with_controls_shown
from grader_app.workflow.papers import Paper, Read, find_paper, points_by_reader

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
    for response in found[:_MOST_PAPERS]:
        scores = " / ".join(rating["score"] for rating in response["ratings"])
        left, middle, right = st.columns([3, 5, 2], vertical_alignment="center")
        left.text(response["response"])
        middle.text(f"{scores}   {100 * response['share']:.0f} % of the disagreement")
        if right.button("Read", key=f"read:{facet['facet']}:{response['response']}"):
            _show_paper(response["response"])
    if len(found) > _MOST_PAPERS:
        draw_line(f"{counted(len(found) - _MOST_PAPERS, 'more paper')} differ less.")


@st.dialog("Paper", width="large")
def _show_paper(response_id: str) -> None:
    try:
        paper = find_paper(bench(), response_id)
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    st.text(f"{paper.response_id} · {bench().material().item(paper.item).title}")
    draw_line("Points that every reader found, and points that none found, are not listed.")
    draw_table(["Judgment", *(f"Reader {n}" for n in range(1, len(paper.reads) + 1))], _side_by_side(paper))
    with st.container(width=_READING_WIDTH):
        draw_cut_off(paper.cut_off)
        draw_written(paper.text)


def _side_by_side(paper: Paper) -> list[list[Cell]]:
    item, rubric = bench().material().items[paper.item], bench().material().rubrics[paper.item]
    rows: list[list[Cell]] = [["Score", *(read.gave for read in paper.reads)]]
    for criterion in rubric.criteria:
        marks = [read.marks.get(criterion.id) for read in paper.reads]
        rows.append([criterion.title, *(None if mark is None else f"{mark:g}" for mark in marks)])
    for error in rubric.error_types:
        if any(error.id in read.error_types for read in paper.reads):
            rows.append(
                [
                    error.title,
                    *(
                        _with_words("marked", r, ("error_type", error.id))
                        if error.id in r.error_types
                        else None
                        for r in paper.reads
                    ),
                ]
            )
    for point in item.sheet.points:
        ticks = [point.id in read.points for read in paper.reads]
        if any(ticks) and not all(ticks):
            said = [
                _with_words("found", r, ("point", point.id)) if point.id in r.points else "not ticked"
                for r in paper.reads
            ]
            rows.append([point.text, *said])
    return rows


def _with_words(judged: str, read: Read, what: tuple[str, str]) -> str:
    quotes = " ".join(f"“{shorten(words, 160, placeholder=' …')}”" for words in read.words.get(what, ()))
    return f"{judged}: {with_controls_shown(quotes)}" if quotes else judged


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
    sheet = bench().material().item(item).sheet
    found = point_ticks([point.id for point in sheet.points], points_by_reader(bench(), item))
    apart = [one for one in found if one.one][:_MOST_POINTS]
    st.subheader("Points read differently")
    if not apart:
        draw_line("No point was ticked by one reader of a paper and left by the other.")
        return
    texts = {point.id: point.text for point in sheet.points}
    rows: list[list[Cell]] = [
        [texts[one.point], f"{100 * one.share_apart:.0f} %", one.one, one.both, one.neither] for one in apart
    ]
    draw_table(["Point", "Read differently", "One of two", "Both", "Neither"], rows)
    draw_line(f"{counted(apart[0].n_pairs, 'pair')} of readers of the same paper.")
