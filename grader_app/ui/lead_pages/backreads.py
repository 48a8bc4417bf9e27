"""Backreads: the lead grades a random answer of a grader's again, then sees both grades."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages.item_sets import account_names
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.judgment_form import NOTHING, draw_answer, draw_points, draw_score, entry_of
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.side_by_side import DIFFERENCES_ONLY, side_by_side
from grader_app.ui.parts.spoken import points as in_points
from grader_app.ui.parts.submit_key import draw_submit_key
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.adjudication import raise_dispute
from grader_app.workflow.backreads import (
    BackreadFigures,
    Comparison,
    PaperToBackread,
    backread,
    backread_figures,
    backreads_by,
    compare,
    longest_unchecked_or_none,
    next_to_backread,
    write_to_grader,
)
from grader_app.workflow.papers import is_cut_off

_HEIGHT = 600
"""Pixels of the panes that scroll beside each other."""
_SHOWN = "backread"
"""Key under which the session keeps the backread whose two grades are before the lead."""


def page() -> None:
    """Draw the two grades of the backread just made, the next paper to read back, and the figures."""
    lead_id = me(Role.LEAD).account.account_id
    st.header("Backreads")
    draw_notice()
    figures = backread_figures(bench())
    if not figures:
        draw_line("Nothing has been graded yet, so there is nothing to read back.", "headline")
        draw_link("See what is still to be read", "/panel")
        return
    draw_lines(
        [
            "You grade an answer that a grader has graded, without seeing the grade; then you see both. "
            "It changes no score and enters no figure on agreement."
        ]
    )
    _draw_comparison(lead_id)
    _draw_next(lead_id, figures)
    _draw_figures(figures)


def _draw_next(lead_id: str, figures: list[BackreadFigures]) -> None:
    names = account_names()
    graders = sorted({one.grader_id for one in figures}, key=lambda one: str(names.get(one, one)).casefold())
    items = list(dict.fromkeys(one.item for one in figures if one.item in bench().material().items))
    longest = longest_unchecked_or_none(bench(), lead_id)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.button("Whoever was not checked longest", disabled=longest is None) and longest is not None:
            st.session_state["backread:grader"], st.session_state["backread:item"] = longest
        grader_id = st.selectbox(
            "Grader", graders, index=None, format_func=lambda one: names.get(one, one), key="backread:grader"
        )
        item = st.selectbox(
            "Question",
            items,
            index=None,
            format_func=lambda one: bench().material().item(one).title,
            key="backread:item",
        )
    if grader_id is None or item is None:
        draw_line("Choose a grader and a question.")
        return
    paper = next_to_backread(bench(), lead_id, grader_id, item)
    if paper is None:
        draw_line("Nothing of this grader's is left to read back on this question.")
        return
    _draw_paper(lead_id, paper)


def _draw_paper(lead_id: str, paper: PaperToBackread) -> None:
    item, rubric = bench().material().item(paper.item), bench().material().rubrics[paper.item]
    key = f"backread:{paper.assignment_id}"
    draw_line(f"Answer {paper.assignment_id}")
    with st.form(f"form:{key}", border=False):
        left, middle, right = st.columns([5, 4, 3], gap="medium")
        with left:
            cut_off = is_cut_off(bench(), paper.response_id)
            draw_answer(item, rubric, paper.text, _HEIGHT, key, cut_off=cut_off)
        with middle:
            (sheet,) = st.tabs(["Point sheet"])
            with sheet, st.container(height=_HEIGHT, border=False):
                ticked = draw_points(item, NOTHING, key)
        with right:
            given = draw_score(rubric, NOTHING, key)
            sent = st.form_submit_button("Enter my score", type="primary")
            draw_line("Or Ctrl+Enter. Then the grader's own grade is shown beside yours.")
    draw_submit_key()
    if sent:
        act_as_lead(partial(_enter, lead_id, paper, entry_of(ticked, given)))


def _enter(lead_id: str, paper: PaperToBackread, entry: GradeEntry) -> str:
    st.session_state[_SHOWN] = backread(bench(), lead_id, paper.assignment_id, entry)
    return ""


def _draw_comparison(lead_id: str) -> None:
    made = dict(backreads_by(bench(), lead_id))
    shown = st.session_state.get(_SHOWN)
    if made:
        with st.expander("Backreads you have made", expanded=False):
            again = st.selectbox(
                "Show one again", list(made), index=None, format_func=lambda seq: made[seq], key="again"
            )
        shown = again if again is not None else shown
    if shown is None:
        return
    try:
        both = compare(bench(), shown)
    except GraderAppError:
        return
    with st.container(border=True):
        _draw_both(both)
        left, right = st.columns(2, gap="medium")
        with left:
            _draw_word(lead_id, both)
        with right:
            _draw_dispute(lead_id, both)


def _draw_both(both: Comparison) -> None:
    item, rubric = bench().material().item(both.item), bench().material().rubrics[both.item]
    name = account_names().get(both.grader_id, both.grader_id)
    draw_line(f"Answer {both.assignment_id}: you and {name}", "headline")
    named = [(name, both.theirs), ("You", both.own)]
    draw_table(
        ["Judgment", *(who for who, _ in named)], side_by_side(item, rubric, [read for _, read in named])
    )
    draw_line(DIFFERENCES_ONLY)
    with st.expander("Read the answer again"):
        draw_cut_off(is_cut_off(bench(), both.response_id))
        draw_written(both.text)


def _draw_word(lead_id: str, both: Comparison) -> None:
    if both.word:
        draw_written(f"You wrote to the grader: {both.word}")
        return
    with st.form(f"word:{both.event_seq}"):
        words = st.text_area("A word to the grader, if you wish", height=90)
        draw_line(
            "They read it on their progress page, without your score. If they correct the grade then, "
            "figures on agreement keep to the one given before."
        )
        if st.form_submit_button("Send"):
            act_as_lead(partial(_send, lead_id, both, words))


def _draw_dispute(lead_id: str, both: Comparison) -> None:
    if both.status not in ("final", "coded"):
        draw_line(
            "The answer is in dispute." if both.status == "disputed" else "A read of it is outstanding."
        )
        return
    with st.form(f"raise:{both.event_seq}"):
        reason = st.text_area("Why should it be settled anew?", height=90)
        draw_line("The answer then has no final score until it is settled.")
        if st.form_submit_button("Bring it before the adjudicator"):
            act_as_lead(partial(_raise, lead_id, both, reason))


def _send(lead_id: str, both: Comparison, words: str) -> str:
    write_to_grader(bench(), lead_id, both.event_seq, words)
    return "Sent. The grader reads it on their progress page."


def _raise(lead_id: str, both: Comparison, reason: str) -> str:
    raise_dispute(bench(), lead_id, both.response_id, reason, backread=both.event_seq)
    return f"Answer {both.response_id} is in dispute now."


def _draw_figures(figures: list[BackreadFigures]) -> None:
    names = account_names()
    titles = {item.id: item.title for item in bench().material().items.values()}
    rows: list[list[Cell]] = [
        [
            names.get(one.grader_id, one.grader_id),
            titles.get(one.item, one.item),
            one.graded,
            one.n,
            _share(one.exact),
            _share(one.exact_or_adjacent),
            _difference(one.difference),
        ]
        for one in sorted(figures, key=lambda one: (titles.get(one.item, one.item), names[one.grader_id]))
    ]
    draw_table(
        ["Grader", "Question", "Graded", "Read back", "Same", "Same or next", "Grader against you"],
        rows,
        "What backreads show",
    )


def _share(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.0f} %"


def _difference(value: float | None) -> str | None:
    if value is None:
        return None
    if abs(value) < 0.005:
        return "on average the same"
    return f"{in_points(value)} {'lower' if value > 0 else 'higher'}"
