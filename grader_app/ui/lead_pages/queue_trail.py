"""Who stepped aside, and what was decided about answers that could not be graded: a trail that prints."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.domain.referral import DECISIONS
from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_line, draw_table
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.recusals import Recusal, lift_recusal, recusals
from grader_app.workflow.referrals import Closed, bring_back, closed_referrals


def draw_trail(lead_id: str) -> None:
    """Draw the recusals that hold, and every decision with who made it and when."""
    names = {account.account_id: account.shown_name for account in all_accounts(bench())}
    titles = {item.id: item.title for item in bench().material().items.values()}
    _draw_recusals(lead_id, [one for one in recusals(bench()) if not one.waits], names, titles)
    closed = closed_referrals(bench())
    if not closed:
        return
    st.subheader("Decided so far", anchor="decided")
    draw_line("Latest first. Exports carry the same trail, with random ids for names and without the words.")
    draw_table(
        ["Decided", "By", "Answer", "Question", "Why it was sent", "Sent by", "Decision", "What was said"],
        [
            [
                moment(one.closed_at),
                names.get(one.closed_by, "the command line"),
                one.assignment_id,
                titles.get(one.item, one.item),
                one.reason,
                names.get(one.grader_id, one.grader_id),
                "went on to another grader" if one.closed_by == one.grader_id else DECISIONS[one.decision],
                with_controls_shown(one.said) or None,
            ]
            for one in closed
        ],
    )
    for one in closed:
        if one.can_come_back:
            _draw_bring_back(lead_id, one)


def _draw_recusals(lead_id: str, held: list[Recusal], names: dict[str, str], titles: dict[str, str]) -> None:
    if not held:
        return
    st.subheader("Stepped aside", anchor="stepped-aside")
    draw_line(
        "These graders know, or may know, a writer. Everything that writer wrote goes to others, now and "
        "later, without your doing anything."
    )
    for one in held:
        with st.container(border=True, width=900):
            name = names.get(one.grader_id, one.grader_id)
            st.text(f"{name} · {titles.get(one.item, one.item)} · {moment(one.at)}")
            if one.note:
                draw_written(f"The grader writes: {one.note}")
            with st.form(f"lift:{one.assignment_id}", border=False):
                said = st.text_input("Why the recusal is taken back")
                if st.form_submit_button("Take it back"):
                    act_as_lead(partial(_lift, lead_id, one.assignment_id, said))


def _draw_bring_back(lead_id: str, one: Closed) -> None:
    with st.form(f"bring-back:{one.assignment_id}", width=900):
        said = st.text_input(f"Why answer {one.assignment_id} comes back into the round")
        if st.form_submit_button("Bring it back"):
            act_as_lead(partial(_bring_back, lead_id, one.assignment_id, said))


def _lift(lead_id: str, assignment_id: str, said: str) -> str:
    lift_recusal(bench(), lead_id, assignment_id, said)
    return "The recusal is taken back. What other graders took over stays with them."


def _bring_back(lead_id: str, assignment_id: str, said: str) -> str:
    bring_back(bench(), lead_id, assignment_id, said)
    return "It is back in the round, in the queue it was sent from."
