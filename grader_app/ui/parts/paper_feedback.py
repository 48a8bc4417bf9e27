"""Papers of a finished packet: what one gave beside the reference, why, and what was read differently."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape

import streamlit as st

from grader_app.domain.point_sheet import PointSheet
from grader_app.ui.parts.paper_text import paper_html
from grader_app.ui.parts.spoken import counted, points
from grader_app.workflow.feedback import PaperFeedback

_STYLE = """
<style>
article.read { display: grid; grid-template-columns: 11rem minmax(0, 60rem); gap: .2rem 1.25rem;
  padding: .8rem 0; border-top: 1px solid rgb(128 128 128 / 35%); }
article.read h4 { font-size: 1.05rem; margin: 0 0 .2rem; padding: 0; }
article.read p { margin: 0 0 .35rem; }
article.read p.apart { font-weight: 600; }
article.read details { margin: .15rem 0; }
article.read summary { cursor: pointer; padding: .15rem 0; }
article.read summary:focus-visible { outline: 3px solid var(--st-primary-color, #1f4e79); }
article.read details div.paper { margin-top: .5rem; }
article.read ul { margin: .2rem 0 .5rem; }
@media (max-width: 720px) { article.read { grid-template-columns: minmax(0, 1fr); } }
@media print { article.read { break-inside: avoid; } }
</style>
"""
_OPEN_FROM = 2.0
"""Points apart from which the differing points of a paper are shown without a click."""


def draw_papers(
    papers: tuple[PaperFeedback, ...],
    sheet: PointSheet,
    codes: Mapping[str, str],
    departures: Mapping[str, str],
    without_points: Collection[str] = (),
) -> None:
    """Draw each paper with its reference, in the order given.

    Parameters
    ----------
    papers
        What was given, and the reference.
    sheet
        The point sheet the packet was read by.
    codes
        Title by condition code.
    departures
        By essay, why its reference departs from the count of its points, where the set says so.
    without_points
        Essays of which no points are shown: none were ticked, or there were none to tick.
    """
    written = (paper_feedback_html(one, sheet, codes, departures, without_points) for one in papers)
    st.html(_STYLE + "".join(written))


def paper_feedback_html(
    paper: PaperFeedback,
    sheet: PointSheet,
    codes: Mapping[str, str],
    departures: Mapping[str, str],
    without_points: Collection[str] = (),
) -> str:
    """Write one paper; nothing in its texts is interpreted."""
    gave, reference = codes.get(paper.gave, paper.gave), codes.get(paper.reference, paper.reference)
    told = f"<p>{escape(paper.rationale)}</p>" if paper.rationale else ""
    if departs := departures.get(paper.essay):
        told += f"<p>Why the score is not the count of its points: {escape(departs)}</p>"
    read = "" if paper.essay in without_points else _points_html(paper, sheet)
    return (
        f'<article class="read"><div><h4>{escape(paper.essay)}</h4>'
        f"<p>You: {escape(gave)}<br>Reference: {escape(reference)}</p>"
        f'<p class="apart">{apart(paper)}</p></div>'
        f"<div>{told}{read}{_text_html(paper.text)}</div></article>"
    )


def apart(paper: PaperFeedback) -> str:
    """Say how far a grader's judgment lies from the reference.

    Examples
    --------
    >>> apart(PaperFeedback("E01", "", "2", "4", -2.0, "", None, None))
    '2 points below'
    >>> apart(PaperFeedback("E02", "", "blank", "4", None, "", None, None))
    'a code against a score'
    """
    if paper.apart is None:
        if paper.gave == paper.reference:
            return "the same code"
        if _is_number(paper.gave):
            return "a score against a code"
        return "a code against a score" if _is_number(paper.reference) else "another code"
    if not paper.apart:
        return "the same"
    return f"{points(paper.apart)} {'above' if paper.apart > 0 else 'below'}"


def _is_number(given: str) -> bool:
    try:
        float(given)
    except ValueError:
        return False
    return True


def _points_html(paper: PaperFeedback, sheet: PointSheet) -> str:
    if paper.only_mine is None or paper.only_reference is None:
        return ""
    count = len(paper.only_mine) + len(paper.only_reference)
    if not count:
        return "<p>You found the very points that the reference finds.</p>"
    lists = "".join(
        f"<p>{title}</p><ul>{_list_html(ids, sheet)}</ul>"
        for title, ids in (
            ("The reference finds these, and you did not tick them:", paper.only_reference),
            ("You ticked these, and the reference does not find them:", paper.only_mine),
        )
        if ids
    )
    shown = " open" if abs(paper.apart or 0) >= _OPEN_FROM and count <= len(sheet.points) / 2 else ""
    return f"<details{shown}><summary>{counted(count, 'point')} read differently</summary>{lists}</details>"


def _list_html(ids: tuple[str, ...], sheet: PointSheet) -> str:
    lines = [
        f"<li>{sheet.numbers[point.id]} <em>{escape(issue.title)}</em> ({escape(point.part)}) "
        f"{escape(point.text)}</li>"
        for issue in sheet.issues
        for point in issue.points
        if point.id in ids
    ]
    known = {point.id for point in sheet.points}
    return "".join([*lines, *(f"<li>{escape(name)}</li>" for name in ids if name not in known)])


def _text_html(text: str) -> str:
    words = counted(len(text.split()), "word")
    return f"<details><summary>Read the paper ({words})</summary>{paper_html(text)}</details>"
