"""Settling answers in dispute: read it, score it, then see the reads and decide."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench, me
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.judgment_form import NOTHING, draw_answer, draw_points, draw_score, entry_of
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.side_by_side import DIFFERENCES_ONLY, readers, side_by_side
from grader_app.ui.parts.spoken import counted, moment
from grader_app.ui.parts.submit_key import draw_submit_key
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.adjudication import (
    Case,
    adjudicate,
    confirm,
    find_case,
    look_first,
    open_disputes,
    raise_dispute,
    settled_answers,
)
from grader_app.workflow.disputes import Dispute
from grader_app.workflow.papers import is_cut_off
from grader_app.workflow.third_reads import settle_without_third

_HEIGHT = 580
"""Pixels of the panes that scroll beside each other."""
_MOST_SETTLED = 50
_AGAIN = "again"


def page() -> None:
    """Draw the first answer in dispute, or the one the address names, and what else waits."""
    lead_id = me(Role.LEAD).account.account_id
    st.header("Adjudicate")
    draw_notice()
    waiting, with_third = open_disputes(bench())
    draw_line(_headline(len(waiting), len(with_third)), "headline")
    chosen = _chosen(waiting)
    if chosen is None:
        draw_link("Go to the scores", "/scores")
    else:
        _draw_case(lead_id, chosen)
    _draw_queue(waiting, chosen)
    _draw_with_third(lead_id, with_third)
    _draw_settled(lead_id)


def _headline(waiting: int, with_third: int) -> str:
    third = f" {counted(with_third, 'more is', 'more are')} with a third reader." if with_third else ""
    if not waiting:
        return f"No answer waits for you to settle it.{third}"
    return f"{counted(waiting, 'answer waits', 'answers wait')} to be settled.{third}"


def _chosen(waiting: list[Dispute]) -> Dispute | None:
    asked = st.query_params.get("answer")
    return next((one for one in waiting if one.response_id == asked), waiting[0] if waiting else None)


def _draw_case(lead_id: str, dispute: Dispute) -> None:
    try:
        case = find_case(bench(), lead_id, dispute.response_id)
    except GraderAppError as refusal:
        draw_line(f"{dispute.title} · answer {dispute.response_id} · {refusal}")
        return
    draw_line(f"{dispute.title} · answer {case.response_id} · {_what_it_is(case)}")
    if case.can_confirm:
        _draw_confirmation(lead_id, case)
    item, rubric = bench().material().item(case.item), bench().material().rubrics[case.item]
    stage = "first" if case.hidden else "settle"
    key = f"{stage}:{case.response_id}:{len(case.seen)}:{max(case.seen, default=0)}"
    start = case.entry or NOTHING
    with st.form(f"form:{key}", border=False):
        left, middle, right = st.columns([5, 4, 3], gap="medium")
        with left:
            cut_off = is_cut_off(bench(), case.response_id)
            draw_answer(item, rubric, case.text, _HEIGHT, case.response_id, cut_off=cut_off)
        with middle:
            points = _draw_middle(case, start, key)
        with right:
            given = draw_score(rubric, start, key)
            reason = "" if case.hidden else _draw_reason(case, key)
            sent = st.form_submit_button("Enter my score" if case.hidden else "Settle", type="primary")
            draw_line(
                "Or Ctrl+Enter. The reads stay hidden until you have entered a score of your own; it is kept."
                if case.hidden
                else "Or Ctrl+Enter. The reads stay in the record."
            )
    draw_submit_key()
    if sent:
        entry = entry_of(points, given)
        act_as_lead(
            partial(_look, lead_id, case, entry)
            if case.hidden
            else partial(_settle, lead_id, case, entry, reason)
        )


def _what_it_is(case: Case) -> str:
    return f"{case.kind}." if case.hidden else case.why


def _draw_middle(case: Case, start: GradeEntry, key: str) -> tuple[str, ...]:
    """Draw the reads, once they may be seen, and the point sheet to tick."""
    item = bench().material().item(case.item)
    if case.hidden:
        # In a container, since tabs that take the place of tabs can keep the one in front by its title.
        (sheet,) = st.container().tabs(["Point sheet"], key=f"{key}:beside")
    else:
        reads, sheet = st.tabs(["The reads", "Point sheet"], key=f"{key}:beside")
        with reads, st.container(height=_HEIGHT, border=False):
            _draw_reads(case)
    with sheet, st.container(height=_HEIGHT, border=False):
        return draw_points(item, start, key)


def _draw_reads(case: Case) -> None:
    item, rubric = bench().material().item(case.item), bench().material().rubrics[case.item]
    own = [] if case.first_look is None else [("You, at first", case.first_look)]
    if case.earlier is not None:
        own = [("Settled as", case.earlier)]
    named = [*zip(readers(case.reads), case.reads, strict=True), *own]
    draw_table(
        ["Judgment", *(name for name, _ in named)], side_by_side(item, rubric, [read for _, read in named])
    )
    draw_line(DIFFERENCES_ONLY)


def _draw_reason(case: Case, key: str) -> str:
    label = "Reason" if case.first_look is None else "Reason, if it is not what you gave at first"
    return st.text_area(label, key=f"{key}:reason", height=90)


def _draw_confirmation(lead_id: str, case: Case) -> None:
    """Offer to let a decision stand that a correction has put in doubt."""
    if case.earlier is None:
        return
    gave = _in_words(case.item, case.earlier.gave)
    with st.container(border=True):
        draw_line(f"It was settled as {gave}. A read has changed since.")
        if st.button(f"Confirm {gave}", key=f"confirm:{case.response_id}"):
            act_as_lead(partial(_confirm, lead_id, case, gave))


def _look(lead_id: str, case: Case, entry: GradeEntry) -> str:
    look_first(bench(), lead_id, case.response_id, entry)
    return "Your score is kept. The reads are shown now: settle the answer as you see it."


def _settle(lead_id: str, case: Case, entry: GradeEntry, reason: str) -> str:
    adjudicate(bench(), lead_id, case.response_id, entry, reason=reason, seen=case.seen)
    return f"Answer {case.response_id} is settled."


def _confirm(lead_id: str, case: Case, gave: str) -> str:
    confirm(bench(), lead_id, case.response_id)
    return f"Answer {case.response_id} stays settled as {gave}."


def _draw_queue(waiting: list[Dispute], chosen: Dispute | None) -> None:
    if len(waiting) < 2:
        return
    st.subheader("All that wait")
    rows: list[list[Cell]] = [
        [
            one.title,
            one.response_id,
            one.kind,
            "on this page" if one is chosen else Link("Open", f"/adjudicate?answer={one.response_id}"),
        ]
        for one in waiting
    ]
    draw_table(["Question", "Answer", "Why", "To settle it"], rows)


def _draw_with_third(lead_id: str, with_third: list[Dispute]) -> None:
    if not with_third:
        return
    st.subheader("With a third reader")
    draw_line("Nothing to do for you, unless a reader does not get to it.")
    for one in with_third:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{one.title} · {one.response_id}")
            if st.button("Settle it myself", key=f"take:{one.response_id}"):
                act_as_lead(partial(_take, lead_id, one.response_id))


def _take(lead_id: str, response_id: str) -> str:
    settle_without_third(bench(), lead_id, response_id)
    return f"The third read of {response_id} is out of its queue; the answer waits for you."


def _draw_settled(lead_id: str) -> None:
    found = settled_answers(bench())
    if not found:
        return
    with st.expander(f"{counted(len(found), 'answer')} settled"):
        titles = {item.id: item.title for item in bench().material().items.values()}
        draw_table(
            ["Question", "Answer", "Settled as", "When", "Changed from the first score"],
            [
                [
                    titles.get(one.item, one.item),
                    one.response_id,
                    _in_words(one.item, one.gave),
                    moment(one.at),
                    "yes" if one.changed else "",
                ]
                for one in found[:_MOST_SETTLED]
            ],
        )
        for one in found[:_MOST_SETTLED]:
            if one.reason:
                draw_written(f"{one.response_id}: {one.reason}")
        with st.form(form_key(_AGAIN)):
            st.text("Look at one again")
            chosen = st.selectbox("Answer", [one.response_id for one in found], index=None)
            reason = st.text_input("Reason")
            if st.form_submit_button("Open it again"):
                act_as_lead(partial(_raise, lead_id, chosen, reason))


def _raise(lead_id: str, response_id: str | None, reason: str) -> str:
    if response_id is None:
        return "Choose an answer first."
    raise_dispute(bench(), lead_id, response_id, reason)
    empty_form(_AGAIN)
    return f"Answer {response_id} is open again."


def _in_words(item: str, gave: str) -> str:
    rubric = bench().material().rubrics.get(item)
    titles = {code.id: code.title for code in rubric.condition_codes} if rubric else {}
    return titles.get(gave, gave)
