"""Keying: scores from the sheets of printed packets, typed twice and compared."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Account, Role
from grader_app.domain.score_sheet import NOTE, ScoreSheet, SheetRow
from grader_app.ui.current import bench, me
from grader_app.ui.keying_form import rows_to_key, state_in_words
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_back, draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.spoken import counted
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.paper_scores import (
    FIRST,
    SECOND,
    PacketPaper,
    papers_of,
    settle,
    settle_as,
    sheet_of_packet,
)
from grader_app.workflow.paper_states import PaperState
from grader_app.workflow.printed_packets import PacketProgress, packets


def page() -> None:
    """Draw the packets, or one of them with what is to be keyed or settled."""
    lead = me(Role.LEAD).account
    made = {one.packet.packet_id: one for one in packets(bench())}
    asked = st.query_params.get("packet", "")
    if asked in made:
        _draw_packet(lead, made[asked])
        return
    st.header("Key paper scores")
    draw_notice()
    if asked:
        draw_written(f"There is no printed packet {asked}. Choose one below.")
    _draw_packets(list(made.values()))


def _draw_packets(made: list[PacketProgress]) -> None:
    if not made:
        draw_line("No packet has been printed yet, so there is nothing to key.", "headline")
        draw_link("Print a packet", "/print", next_step=True)
        return
    draw_line(
        "Each score sheet is typed twice, the second time without seeing the first. Where the two agree, the "
        "grade is recorded as its grader's; where they differ, somebody looks at the sheet a third time."
    )
    rows: list[list[Cell]] = [
        [
            Link(one.packet.packet_id, f"/keying?packet={one.packet.packet_id}"),
            one.grader.shown_name,
            one.title,
            one.papers,
            one.keyed_once,
            one.differ,
            one.graded,
            _state(one),
        ]
        for one in made
    ]
    heads = ("Packet", "Grader", "Question", "Papers", "Keyed once", "Differ", "Graded", "State")
    draw_table(heads, rows, "Printed packets")


def _state(one: PacketProgress) -> str:
    if one.packet.recalled_at:
        return "called back"
    if one.is_out:
        return "out"
    return "all graded" if not one.takes_no_grade else f"done; {one.takes_no_grade} without a grade"


def _draw_packet(lead: Account, one: PacketProgress) -> None:
    packet_id = one.packet.packet_id
    draw_back("All packets", "/keying")
    st.header(f"Packet {packet_id}")
    draw_notice()
    draw_line(f"{one.title}, {one.grader.shown_name}: {counted(one.papers, 'paper')}.")
    papers = papers_of(bench(), packet_id)
    if one.packet.recalled_at is not None:
        draw_line("This packet was called back; its score sheet no longer counts.", "headline")
    else:
        _draw_next(packet_id, papers, closed=one.closed)
        differ = [paper for paper in papers if paper.state is PaperState.DIFFERS]
        if differ and not one.closed:
            _draw_differing(lead, packet_id, sheet_of_packet(bench(), one.packet), differ)
    st.subheader("Papers")
    draw_table(
        ["No.", "Paper", "State"],
        [[str(paper.number), paper.assignment_id, state_in_words(paper.state)] for paper in papers],
    )


def _draw_next(packet_id: str, papers: list[PacketPaper], *, closed: bool) -> None:
    """Say what is to be done, and lead to it."""
    first, second = rows_to_key(papers, FIRST), rows_to_key(papers, SECOND)
    differ = sum(paper.state is PaperState.DIFFERS for paper in papers)
    if not (first or second or differ):
        done = "has its grade, or takes none any more" if _draw_beyond(papers) else "has its grade"
        draw_line(f"Done: every paper of this packet {done}.", "headline")
        return
    if closed:
        draw_line("The question is closed, so nothing more is recorded from this packet.", "headline")
        draw_link("Reopen it on the page Scores", "/scores", next_step=True)
        return
    said = [
        counted(len(first), "row has", "rows have") + " not been keyed" if first else "",
        counted(len(second), "row waits", "rows wait") + " for the second keying" if second else "",
        counted(differ, "paper was", "papers were") + " keyed differently" if differ else "",
    ]
    draw_line("; ".join(filter(None, said)) + ".", "headline")
    if first:
        draw_link("First keying", f"/packet/{packet_id}/keying/first", next_step=not (second or differ))
    if second:
        draw_link("Second keying", f"/packet/{packet_id}/keying/second", next_step=True)
        draw_line(
            "Somebody else does the second keying, if there is anybody. Nothing is a grade before both agree."
        )
    _draw_beyond(papers)
    if first and (second or len(first) < len(papers)):
        draw_line(
            "Rows that the grader left empty stay empty. Call the packet back on the page Print, and those "
            "papers go back to the grader's screen."
        )


def _draw_beyond(papers: list[PacketPaper]) -> bool:
    """Say which papers have no grade and get none from this packet; false where there are none."""
    revealed = [p for p in papers if p.state is PaperState.REVEALED]
    left = [p for p in papers if p.state is PaperState.LEFT_QUEUE]
    if revealed:
        draw_line(
            f"{counted(len(revealed), 'paper')} without a grade when the sources were revealed: grading is "
            "over, so what was keyed stays in the record and becomes no grade."
        )
    if left:
        draw_line(
            f"{counted(len(left), 'paper')} no longer in the grader's queue: leave the row empty. The page "
            "Waiting for you says what becomes of an answer sent to you."
        )
    return bool(revealed or left)


def _draw_differing(lead: Account, packet_id: str, sheet: ScoreSheet, differ: list[PacketPaper]) -> None:
    st.subheader("Look at the sheet a third time")
    draw_lines(["These were typed differently. What you decide here is recorded as the grade."])
    for paper in differ:
        typed = {number: sheet.as_typed(paper.keyings[number].body) for number in (FIRST, SECOND)}
        fields = {name: title for name, title in sheet.fields.items() if name != NOTE}
        with st.container(border=True):
            draw_table(
                ["", "First keying", "Second keying", ""],
                [
                    [title, *(typed[number].get(name) for number in (FIRST, SECOND)), _mark(typed, name)]
                    for name, title in fields.items()
                    if any(name in one for one in typed.values())
                ],
                f"Paper {paper.number}, {paper.assignment_id}",
            )
            with st.container(horizontal=True):
                for number, words in ((FIRST, "first"), (SECOND, "second")):
                    if st.button(f"The {words} is right", key=f"{paper.assignment_id}:{words}"):
                        act_as_lead(partial(_settle_as, lead, packet_id, paper, number))
            with st.expander("Neither is right"):
                _draw_own_values(lead, packet_id, paper, fields)


def _mark(typed: dict[int, dict[str, str]], name: str) -> str:
    return "" if typed[FIRST].get(name) == typed[SECOND].get(name) else "differs"


def _draw_own_values(lead: Account, packet_id: str, paper: PacketPaper, fields: dict[str, str]) -> None:
    with st.form(f"settle:{paper.assignment_id}"):
        columns = st.columns(max(len(fields), 1))
        values = {
            name: column.text_input(title, key=f"{paper.assignment_id}/{name}")
            for column, (name, title) in zip(columns, fields.items(), strict=True)
        }
        if st.form_submit_button("Record what the sheet says"):
            act_as_lead(partial(_settle, lead, packet_id, paper, values))


def _settle_as(lead: Account, packet_id: str, paper: PacketPaper, number: int) -> str:
    settle_as(bench(), lead.account_id, packet_id, paper.assignment_id, number)
    return f"Paper {paper.number} is settled, and its grade is recorded."


def _settle(lead: Account, packet_id: str, paper: PacketPaper, values: dict[str, str]) -> str:
    token = f"settle:{packet_id}"
    settle(bench(), lead.account_id, packet_id, paper.assignment_id, SheetRow(values=values), token=token)
    return f"Paper {paper.number} is settled, and its grade is recorded."
