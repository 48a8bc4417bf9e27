"""Calibration, validity papers: how many are left for each grader, and answers that can become one."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import ReadKind
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.item_sets import READING_WIDTH, sets_of
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.paper_text import draw_paper
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.monitoring import ValidityLeft, validity_left
from grader_app.workflow.promotion import FEWEST_ALIKE, Promotable, promotable, promote

FEWEST_LEFT = 3
"""Below this many unused papers a grader's supply is called low."""


def draw(lead_id: str, item: str) -> None:
    """Draw the supply of validity papers and what can add to it."""
    left, right = st.columns(2, gap="large")
    with left:
        _draw_supply(item)
    with right:
        _draw_promotion(lead_id, item)


def _draw_supply(item: str) -> None:
    st.subheader("How many are left")
    every = bench().material().round.checks.validity_paper_every
    if every is None:
        draw_line(
            "This round plants no validity papers. To plant some, write `validity_paper_every` under "
            "`checks` in a new version of round.yaml."
        )
        return
    draw_line(f"One is planted about every {every} live answers, and nobody gets the same one twice.")
    found = validity_left(bench(), item)
    if not found:
        has_set = any(packet.set.purpose == "validity" for packet in sets_of(item))
        draw_line(
            "There is no grader to plant them for yet."
            if has_set
            else "No set of validity papers belongs to this question, and no answer serves as one."
        )
        return
    planted = _planted(item)
    rows: list[list[Cell]] = [
        [one.account.shown_name, *planted.get(one.account.account_id, (0, 0)), one.unused, one.needed]
        for one in found
    ]
    columns = ["Grader", "Read", "In the queue", "Left", "Still needed"]
    draw_table(columns, rows)
    draw_lines([said for one in found if (said := warning_of(one))])


def warning_of(one: ValidityLeft) -> str:
    """Say that a grader's validity papers run short; empty where they do not."""
    if one.warning:
        return one.warning
    if one.unused < FEWEST_LEFT:
        return (
            f"{one.account.shown_name} has {counted(one.unused, 'unused validity paper')} left: enough for "
            "what has been taken in, and few for anything that comes later."
        )
    return ""


def _planted(item: str) -> dict[str, tuple[int, int]]:
    """Count the validity papers each grader has read, and those that wait in the queue."""
    found: dict[str, tuple[int, int]] = {}
    with bench().record() as record:
        for dealt in record.assignments.values():
            if (dealt.item, dealt.kind) == (item, ReadKind.VALIDITY):
                read, waiting = found.get(dealt.grader_id, (0, 0))
                done = dealt.assignment_id in record.check_grades
                found[dealt.grader_id] = (read + done, waiting + (not done))
    return found


def _draw_promotion(lead_id: str, item: str) -> None:
    st.subheader("Answers that can become one")
    with bench().record() as record:
        before = sum(body["item"] == item for body in record.calibration.promoted.values())
    if before:
        have = counted(before, "answer serves as a validity paper", "answers serve as validity papers")
        draw_line(f"{have} already.")
    found = promotable(bench(), item)
    if not found:
        draw_line(
            f"None yet. It takes {FEWEST_ALIKE} readers of one answer who all gave it the same score. Nobody "
            "may still have to read it, or be asked to grade it again."
        )
        return
    draw_table(
        ["Answer", "Score", "Readers", "Words"],
        [[one.response_id, one.score, one.readers, len(one.text.split())] for one in found],
    )
    chosen = st.selectbox("Answer to look at", [one.response_id for one in found], key=f"promote:{item}")
    _draw_candidate(lead_id, next(one for one in found if one.response_id == chosen))


def _draw_candidate(lead_id: str, one: Promotable) -> None:
    with st.expander(f"Read {one.response_id}"), st.container(width=READING_WIDTH):
        draw_paper(one.text)
    with st.form(f"promote-form:{one.response_id}"):
        reason = st.text_input("Why it makes a good check")
        draw_line("Its own score stays as it is. Only graders who have never read it will get it.")
        if st.form_submit_button(f"Make it a validity paper with reference {one.score:g}"):
            act_as_lead(partial(_promote, lead_id, one.response_id, reason))


def _promote(lead_id: str, response_id: str, reason: str) -> str:
    promote(bench(), lead_id, response_id, reason)
    return f"{response_id} is a validity paper now, planted from the next deal on."
