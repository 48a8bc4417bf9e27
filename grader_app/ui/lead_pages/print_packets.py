"""Paper: packets printed for graders who read on paper, and calling them back."""

from __future__ import annotations

import secrets
from functools import partial

import streamlit as st

from grader_app.domain.panel import Account, Role
from grader_app.ui.current import bench, me
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_lines, draw_table
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.printed_packets import (
    LONGEST_REASON,
    MOST_PAPERS,
    PacketProgress,
    graders_on_paper,
    packets,
    papers_to_print,
    print_packet,
    recall_packet,
)

_USUAL = 20
_RECALLING = "recall"
_TOKEN = "token_of_next_packet"


def page() -> None:
    """Draw what can be printed, what is out, and the way to call it back."""
    lead = me(Role.LEAD).account
    st.header("Print packets")
    draw_notice()
    made = packets(bench())
    _draw_last(made)
    _draw_choice(lead)
    _draw_packets(made)
    _draw_recall(lead, [one for one in made if one.is_out])


def _draw_last(made: list[PacketProgress]) -> None:
    """Offer the packet made a moment ago: printing it is what comes next."""
    packet_id = st.session_state.get("last_packet")
    if packet_id and any(one.packet.packet_id == packet_id and one.is_out for one in made):
        draw_link(f"Open packet {packet_id} to print it", f"/packet/{packet_id}", next_step=True)


def _draw_choice(lead: Account) -> None:
    draw_line(
        "A packet holds the next papers of one grader's queue with the question, the point sheet, the scale "
        "and a blank score sheet. Papers begun on the screen stay there. What is on paper is not served on "
        "the screen and goes to nobody else, until its score is keyed or the packet is called back."
    )
    graders = graders_on_paper(bench())
    if not graders:
        draw_line("There is no grader to print for. Add one on the panel page.", "headline")
        draw_link("Go to the panel", "/panel")
        return
    items = list(bench().material().items.values())
    left, right = st.columns(2)
    with left:
        grader = st.selectbox("Grader", graders, format_func=lambda one: one.name)
    with right:
        item = st.selectbox("Question", items, format_func=lambda one: one.title)
    waiting = len(papers_to_print(bench(), grader.account_id, item.id))
    if not waiting:
        draw_line(f"Nothing waits for {grader.name} in this question that could be printed.", "headline")
        return
    draw_line(counted(waiting, "paper waits", "papers wait") + f" for {grader.name}.", "headline")
    most = min(waiting, MOST_PAPERS)
    with st.form("print"):
        count = st.number_input("Papers in the packet", 1, most, min(_USUAL, most))
        named = st.checkbox("Print the grader's name on the cover (otherwise there is a line to write on)")
        if st.form_submit_button("Make the packet", type="primary"):
            act_as_lead(partial(_print, lead, grader, item.id, int(count), named))


def _print(lead: Account, grader: Account, item: str, count: int, named: bool) -> str:
    token = st.session_state.setdefault(_TOKEN, secrets.token_urlsafe(24))
    packet_id = print_packet(
        bench(), lead.account_id, grader.account_id, item, count, token=token, named=named
    )
    del st.session_state[_TOKEN]
    st.session_state["last_packet"] = packet_id
    return f"Packet {packet_id} for {grader.name} is ready to print."


def _draw_packets(made: list[PacketProgress]) -> None:
    st.subheader("Printed so far")
    if not made:
        draw_line("No packet has been printed yet.")
        return
    rows: list[list[Cell]] = [
        [
            one.packet.packet_id,
            one.grader.shown_name,
            one.title,
            one.papers,
            moment(one.packet.printed_at),
            _state(one),
            "" if one.packet.recalled_at else Link("Open to print", f"/packet/{one.packet.packet_id}"),
            Link("Key the scores", f"/keying?packet={one.packet.packet_id}") if one.is_out else "",
        ]
        for one in made
    ]
    draw_table(["Packet", "Grader", "Question", "Papers", "Printed", "State", "Print", "Scores"], rows)
    draw_lines(["Opening a packet again gives the same pages, for a copy that was spoilt."])


def _state(one: PacketProgress) -> str:
    graded = f"{one.graded} of {one.papers} graded"
    if one.packet.recalled_at is not None:
        return f"called back; {graded}"
    if one.is_out:
        return f"out; {graded}"
    return "all graded" if one.graded == one.papers else f"done; {graded}"


def _draw_recall(lead: Account, out: list[PacketProgress]) -> None:
    if not out:
        return
    st.subheader("Call a packet back")
    draw_line(
        "When a packet is lost, or comes back with rows left empty: its papers without a grade go back to "
        "the grader's screen, and its score sheet no longer counts. Grades already recorded stay."
    )
    with st.form(form_key(_RECALLING)):
        chosen = st.selectbox("Packet", out, index=None, format_func=_called)
        reason = st.text_input("Why", max_chars=LONGEST_REASON)
        if st.form_submit_button("Call it back"):
            if chosen is None:
                st.text("Choose a packet first.")
            else:
                act_as_lead(partial(_recall, lead, chosen.packet.packet_id, reason))


def _called(one: PacketProgress) -> str:
    left = one.papers - one.graded - one.takes_no_grade
    return f"{one.packet.packet_id}, {one.grader.name}: {counted(left, 'paper')} on paper"


def _recall(lead: Account, packet_id: str, reason: str) -> str:
    count = recall_packet(bench(), lead.account_id, packet_id, reason)
    empty_form(_RECALLING)
    back = counted(count, "paper is", "papers are")
    return f"Packet {packet_id} is called back; {back} on the grader's screen again."
