"""The fields of a judgment for a lead's own pages, as parts of a form that the page draws."""

from __future__ import annotations

from html import escape

import streamlit as st

from grader_app.domain.grade import GradeEntry
from grader_app.domain.item import Item
from grader_app.domain.rubric import Rubric
from grader_app.domain.rulings_text import rulings_text
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.issue_words import draw_issue_notes, point_words
from grader_app.ui.parts.paper_text import paper_html, prose_html
from grader_app.ui.parts.reminders import draw_reminders

_NONE = "none"
_STYLE = (
    "<style>p.issue { font-weight: 600; margin: .4rem 0 .2rem; } p.aside { margin-bottom: .2rem; }</style>"
)
NOTHING = GradeEntry()
"""A judgment not begun."""


def draw_answer(
    item: Item, rubric: Rubric, text: str, height: int, key: str, *, cut_off: bool = False
) -> None:
    """Draw an answer with what its graders had beside it, in a pane that scrolls by itself.

    The answer is in front whenever the key is another: the browser would else keep the tab of the paper
    before it.
    """
    others = [
        ("Question", item.prompt),
        ("Rulings", rulings_text(item.guidelines or "", item.sheet, rubric)),
        ("File", item.file),
        ("Library", item.library),
    ]
    shown = [(title, words) for title, words in others if words]
    answer, *tabs = st.tabs(["Answer", *(title for title, _ in shown)], key=f"{key}:texts")
    with answer:
        draw_cut_off(cut_off)
        _draw_pane("Answer", paper_html(text), height)
    for tab, (title, words) in zip(tabs, shown, strict=True):
        with tab:
            _draw_pane(title, (prose_html if title == "Rulings" else paper_html)(str(words)), height)


def _draw_pane(title: str, written: str, height: int) -> None:
    """Draw a text in a pane that scrolls by itself, by keys too."""
    st.html(
        f'<div tabindex="0" role="region" aria-label="{escape(title)}" '
        f'style="height: {height}px; overflow: auto">{written}</div>'
    )


def draw_points(item: Item, start: GradeEntry, key: str) -> tuple[str, ...]:
    """Draw the point sheet to tick; give the points ticked."""
    ticked = []
    st.html(_STYLE)
    for number, issue in enumerate(item.sheet.issues, start=1):
        st.html(f'<p class="issue">{number} {escape(issue.title)} ({issue.weight_percent:g} %)</p>')
        for place, point in enumerate(issue.points, start=1):
            # A widget's label is read as Markdown, so the point's words stand beside it.
            with st.container(horizontal=True, wrap=False, gap="small"):
                on = st.checkbox(
                    f"Point {number}.{place} found",
                    point.id in start.points,
                    key=f"{key}:{point.id}",
                    label_visibility="collapsed",
                )
                with st.container():
                    draw_line(point_words(number, place, point))
            if on:
                ticked.append(point.id)
        draw_issue_notes(issue)
    return tuple(ticked)


def draw_score(
    rubric: Rubric, start: GradeEntry, key: str
) -> tuple[float | None, dict[str, float], tuple[str, ...], tuple[str, ...], str | None]:
    """Draw the scale, the criteria, the errors and the codes; give what was entered, in this order."""
    score = None
    if rubric.score.given_by == "grader":
        score = _draw_scale("Score", rubric.score.range.values(), start.score, f"{key}:score")
        if rubric.levels:
            with st.expander("What each score means"):
                for level in rubric.levels:
                    draw_line(f"{level.score:g} {level.label}: {level.means}")
    marks = {}
    for criterion in rubric.criteria:
        mark = _draw_scale(
            criterion.title,
            criterion.range.values(),
            (start.marks or {}).get(criterion.id),
            f"{key}:mark:{criterion.id}",
        )
        draw_line(criterion.question)
        if mark is not None:
            marks[criterion.id] = mark
    errors = _draw_several("Errors", {e.id: e.title for e in rubric.error_types}, start.error_types, key)
    gaps = {gap.id: gap.title for gap in rubric.analysis_gaps}
    missing = _draw_several("Why analysis is missing", gaps, start.analysis_gaps, key)
    draw_reminders(rubric)
    return score, marks, errors, missing, _draw_code(rubric, start.condition_code, key)


def entry_of(
    points: tuple[str, ...],
    given: tuple[float | None, dict[str, float], tuple[str, ...], tuple[str, ...], str | None],
) -> GradeEntry:
    """Put together what `draw_points` and `draw_score` gave; a code stands in for the score."""
    score, marks, errors, gaps, code = given
    return GradeEntry(
        score=None if code else score,
        marks=marks,
        error_types=errors,
        analysis_gaps=gaps,
        points=points,
        condition_code=code,
    )


def _draw_scale(title: str, values: tuple[float, ...], start: float | None, key: str) -> float | None:
    at = values.index(start) if start in values else None
    return st.radio(title, values, index=at, format_func=lambda value: f"{value:g}", horizontal=True, key=key)


def _draw_several(title: str, options: dict[str, str], start: tuple[str, ...], key: str) -> tuple[str, ...]:
    if not options:
        return ()
    chosen = [option for option in options if option in start]
    found = st.multiselect(
        title, list(options), chosen, format_func=lambda one: options[one], key=f"{key}:{title}"
    )
    return tuple(found)


def _draw_code(rubric: Rubric, start: str | None, key: str) -> str | None:
    if not rubric.condition_codes:
        return None
    titles = {_NONE: "none: I give a score"} | {code.id: code.title for code in rubric.condition_codes}
    options = list(titles)
    at = options.index(start) if start in options else 0
    chosen = st.selectbox(
        "Instead of a score", options, index=at, format_func=lambda one: titles[one], key=f"{key}:code"
    )
    return None if chosen == _NONE else chosen
