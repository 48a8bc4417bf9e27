"""Coded answers of which the rubric leaves it to the lead how they count."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.lead_pages.queue_referrals import MOST_AT_ONCE
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted, moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.coded_answers import SCORE_IT, CodedAnswer, coded_answers, decide_code

_WAYS = {
    "zero": "Counts as zero",
    "lowest": "Counts as the lowest score",
    "excluded": "Left out of the composite",
    SCORE_IT: "Have it scored, by a grader who has not read it",
}


def draw_coded(lead_id: str, waiting: list[CodedAnswer]) -> None:
    """Draw what waits for a decision, and fold away what was decided."""
    decided = coded_answers(bench(), decided=True)
    if not waiting and not decided:
        return
    st.subheader("Coded answers", anchor="coded-answers")
    if waiting:
        draw_line("Every reader gave these the same code, and the rubric leaves it to you how it counts.")
    for place, answer in enumerate(waiting[:MOST_AT_ONCE]):
        _draw(lead_id, answer, f"code:{place}:{answer.shown_id}")
    if len(waiting) > MOST_AT_ONCE:
        more = counted(len(waiting) - MOST_AT_ONCE, "more follows", "more follow")
        draw_line(f"{more} as you decide these.")
    if decided:
        with st.expander(f"Decided: {counted(len(decided), 'coded answer')}"):
            for place, answer in enumerate(decided):
                _draw(lead_id, answer, f"decided:{place}:{answer.shown_id}")


def _draw(lead_id: str, answer: CodedAnswer, key: str) -> None:
    titles = {item.id: item.title for item in bench().material().items.values()}
    with st.container(border=True):
        with st.container(gap=None):
            draw_line(answer.title, "headline")
            reads = counted(answer.reads, "read") if answer.reads else "the panel's consensus"
            st.text(f"Answer {answer.shown_id} · {titles.get(answer.item, answer.item)} · {reads}")
        if answer.decided:
            draw_line(f"{_WAYS[answer.decided]}, decided {moment(answer.decided_at)}.")
        if answer.said:
            draw_written(f"Reason: {answer.said}")
        for note in answer.notes:
            draw_written(f"A reader writes: {note}")
        # Expanders do not stand within each other.
        with st.container() if answer.decided else st.expander("Read the answer"):
            draw_cut_off(answer.cut_off)
            draw_written(answer.answer)
        _draw_decision(lead_id, answer, key)


def _draw_decision(lead_id: str, answer: CodedAnswer, key: str) -> None:
    ways = dict(_WAYS)
    if answer.lowest == 0:
        del ways["lowest"]
        ways["zero"] = "Counts as zero, the lowest score"
    if not answer.can_be_read:
        del ways[SCORE_IT]
        draw_line("It cannot be read anew: every grader has read it, or may not.")
    with st.form(key, border=False):
        way = st.radio("How it counts", list(ways), index=None, format_func=lambda one: ways[one])
        said = st.text_area("Reason, for the record", height=80)
        if not st.form_submit_button("Decide again" if answer.decided else "Decide"):
            return
    if way is None:
        st.text("Choose how it counts first.")
    else:
        act_as_lead(partial(_decide, lead_id, answer, way, said))


def _decide(lead_id: str, answer: CodedAnswer, way: str, said: str) -> str:
    dealt = decide_code(bench(), lead_id, answer.response_id, way, said)
    if way == SCORE_IT:
        return f"It is dealt anew: {counted(dealt, 'read')} in place of the coded one."
    return f"Decided. {answer.title}: {_WAYS[way][0].lower()}{_WAYS[way][1:]}."
