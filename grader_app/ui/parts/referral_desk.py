"""Answers that graders could not grade, and what the lead can do with each."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted, moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.referrals import (
    OpenReferral,
    deal_to_another,
    open_referrals,
    other_graders,
    return_to_grader,
    take_out,
)


def draw_referrals(lead_id: str) -> None:
    """Draw each open referral with its two ways out."""
    found = open_referrals(bench())
    if not found:
        return
    st.subheader("Could not be graded")
    draw_line(counted(len(found), "answer", "answers") + " left a grader's queue for your decision.")
    for referral in found:
        _draw(lead_id, referral)


def _draw(lead_id: str, referral: OpenReferral) -> None:
    with st.container(border=True):
        st.text(f"{referral.assignment_id} · {referral.reason} · {moment(referral.at)}")
        if referral.note:
            draw_written(f"The grader writes: {referral.note}")
        with st.expander("Read the answer"):
            draw_cut_off(referral.cut_off)
            draw_written(referral.answer)
        others = {
            account.name: account.account_id for account in other_graders(bench(), referral.assignment_id)
        }
        left, middle, right = st.columns([2, 2, 2], vertical_alignment="bottom")
        if left.button("Back to the same grader", key=f"back:{referral.assignment_id}"):
            act_as_lead(partial(_back, lead_id, referral.assignment_id))
        if referral.is_check:
            draw_line(
                "This read never counts (a planted check, or an apprentice's), so nobody else takes it over."
            )
            if middle.button("Take it out", key=f"out:{referral.assignment_id}"):
                act_as_lead(partial(_take_out, lead_id, referral.assignment_id))
            return
        chosen = middle.selectbox(
            "Another grader", list(others), index=None, key=f"to:{referral.assignment_id}"
        )
        if right.button("Deal to them", key=f"deal:{referral.assignment_id}", disabled=not others):
            act_as_lead(partial(_deal, lead_id, referral.assignment_id, others, chosen))


def _back(lead_id: str, assignment_id: str) -> str:
    return_to_grader(bench(), lead_id, assignment_id)
    return "It is back in its grader's queue."


def _take_out(lead_id: str, assignment_id: str) -> str:
    take_out(bench(), lead_id, assignment_id)
    return "The check is out of its grader's queue."


def _deal(lead_id: str, assignment_id: str, others: dict[str, str], chosen: str | None) -> str:
    if chosen is None:
        return "Choose the other grader first."
    deal_to_another(bench(), lead_id, assignment_id, others[chosen])
    return f"Dealt to {chosen}."
