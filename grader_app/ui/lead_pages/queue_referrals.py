"""Incidents, and answers that could not be graded: what each grader sent, and the ways out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.links import draw_back, draw_link
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted, moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.recusals import lift_recusal
from grader_app.workflow.referrals import (
    OpenReferral,
    deal_to_another,
    exclude,
    open_referrals,
    other_graders,
    return_to_grader,
    take_out,
)

MOST_AT_ONCE = 20
"""Entries of a queue drawn on one page; the next come up as these are settled."""

WayOut = Literal["back", "another", "take_out", "exclude", "lift"]


def draw_incidents(lead_id: str, incidents: list[OpenReferral]) -> None:
    """Draw the incidents; one is opened at a time, and only its words and text are on the page."""
    if not incidents:
        return
    st.subheader("Incidents", anchor="incidents")
    draw_line(
        "These answers are in nobody's queue until you close the incident. What was written stays folded "
        "away until you open it."
    )
    first = incidents[0].assignment_id
    for incident in incidents[:MOST_AT_ONCE]:
        with st.container(border=True):
            _draw_head(incident)
            if not incident.answer:
                address = f"/queues?open={incident.assignment_id}#incidents"
                draw_link("Open the incident", address, next_step=incident.assignment_id == first)
                continue
            draw_back("Fold it away", "/queues")
            _draw_words(incident)
            draw_cut_off(incident.cut_off)
            draw_written(incident.answer)
            _draw_ways_out(lead_id, incident)
    _draw_rest(len(incidents))


def draw_referrals(lead_id: str, referrals: list[OpenReferral]) -> None:
    """Draw what could not be graded for any other reason."""
    if not referrals:
        return
    st.subheader("Could not be graded", anchor="could-not-be-graded")
    draw_line("Each of these left its grader's queue without a score.")
    for referral in referrals[:MOST_AT_ONCE]:
        with st.container(border=True):
            _draw_head(referral)
            _draw_words(referral)
            with st.expander("Read the answer"):
                draw_cut_off(referral.cut_off)
                draw_written(referral.answer)
            _draw_ways_out(lead_id, referral)
    _draw_rest(len(referrals))


def _draw_rest(number: int) -> None:
    if number > MOST_AT_ONCE:
        draw_line(counted(number - MOST_AT_ONCE, "more follows", "more follow") + " as you settle these.")


def _draw_head(referral: OpenReferral) -> None:
    titles = {item.id: item.title for item in bench().material().items.values()}
    names = {account.account_id: account.shown_name for account in all_accounts(bench())}
    with st.container(gap=None):
        draw_line(referral.reason, "headline")
        st.text(
            f"Answer {referral.assignment_id} · {titles.get(referral.item, referral.item)} · sent by "
            f"{names.get(referral.grader_id, referral.grader_id)}, {moment(referral.at)}"
        )


def _draw_words(referral: OpenReferral) -> None:
    if referral.note:
        draw_written(f"The grader writes: {referral.note}")
    if referral.came_along:
        draw_line("It is by the same writer as an answer that this grader stepped aside from.")
    if referral.is_check:
        draw_line(
            "This is a planted check or an apprentice's read: its grade never counts, so nobody else needs "
            "to read it."
        )


def _draw_ways_out(lead_id: str, referral: OpenReferral) -> None:
    """Draw the decision, the words that go with it, and the one button that records it."""
    key = referral.assignment_id
    others = {account.name: account.account_id for account in other_graders(bench(), key)}
    if not (referral.is_check or others):
        draw_line(
            "No other grader can take it over: each has read it, stepped aside, or may not grade this "
            "question. Add a grader on the panel page, or choose another way out."
        )
    ways = _ways(referral, bool(others))
    with st.form(f"way-out:{key}", border=False):
        way = st.radio("What happens to it", list(ways), index=None, format_func=lambda one: ways[one])
        to = (
            st.selectbox("The other grader, if it goes to one", list(others), index=None)
            if "another" in ways
            else None
        )
        asked = "What was done" if referral.is_incident else "Reason, for the record"
        said = st.text_area(asked, height=80)
        if not st.form_submit_button("Close the incident" if referral.is_incident else "Decide"):
            return
    if way is None:
        st.text("Choose what happens to it first.")
    elif way == "another" and to is None:
        st.text("Choose the other grader first.")
    else:
        act_as_lead(partial(_act, lead_id, key, way, others.get(to or ""), said))


def _ways(referral: OpenReferral, others: bool) -> dict[WayOut, str]:
    ways: dict[WayOut, str] = {}
    if referral.is_recusal:
        ways["lift"] = "Back to the same grader: take the recusal back"
    else:
        ways["back"] = "Back to the same grader"
    if others and not referral.is_check:
        ways["another"] = "To another grader"
    if referral.is_check:
        ways["take_out"] = "Take it out of that grader's queue"
    if referral.has_writer:
        ways["exclude"] = "Out of the round: nobody reads it, and it has no score"
    return ways


def _act(lead_id: str, assignment_id: str, way: WayOut, to: str | None, said: str) -> str:
    acts: dict[WayOut, Callable[[], None]] = {
        "back": partial(return_to_grader, bench(), lead_id, assignment_id, reason=said),
        "another": partial(deal_to_another, bench(), lead_id, assignment_id, to or "", reason=said),
        "take_out": partial(take_out, bench(), lead_id, assignment_id, reason=said),
        "exclude": partial(exclude, bench(), lead_id, assignment_id, said),
        "lift": partial(lift_recusal, bench(), lead_id, assignment_id, said),
    }
    acts[way]()
    if st.query_params.get("open") == assignment_id:
        st.query_params.clear()
    left = len(open_referrals(bench()))
    still = counted(left, "more waits", "more wait") if left else "nothing else of this kind waits"
    return f"{_DONE[way]} {still[0].upper()}{still[1:]}."


_DONE: dict[WayOut, str] = {
    "back": "It is back in its grader's queue.",
    "another": "It is dealt to the other grader.",
    "take_out": "It is out of that grader's queue.",
    "exclude": "It is out of the round. It can be brought back below.",
    "lift": "The recusal is taken back, and the answer is back in its grader's queue.",
}
