"""The graders on the board: each one's work, and apprentices beside the reads that count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from grader_app.domain.panel import Account
from grader_app.ui.current import bench
from grader_app.ui.parts.confirmed import draw_confirmed
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_lines, draw_table
from grader_app.ui.parts.spoken import about, counted, duration, waited
from grader_app.workflow.apprentices import apprentice_items, end_apprenticeship
from grader_app.workflow.clock import from_text
from grader_app.workflow.workload import Workload

# A name broken over two lines is hard to find; a narrow screen scrolls the table instead.
_STYLE = "<style>div.scrolls table.plain td { white-space: nowrap; }</style>"


def draw_graders(loads: Sequence[Workload], now: datetime) -> None:
    """Draw a line for each grader: done, left, pace, time left, last seen."""
    if not loads:
        draw_line("There is no grader yet. Add one below.")
        return
    planted = any(one.checks_done or one.checks_left for one in loads)
    st.html(_STYLE)
    checks = ["Checks besides"] if planted else []
    draw_table(
        [
            "Grader",
            "Graded",
            "Left",
            *checks,
            "Sent to you",
            "A paper takes",
            "Time left",
            "Last seen",
            "State",
            "Statement",
        ],
        [_row(one, now, planted=planted) for one in loads],
        "Graders",
    )
    draw_lines(_how_to_read(loads, planted=planted))


def _how_to_read(loads: Sequence[Workload], *, planted: bool) -> Iterator[str]:
    if planted:
        yield (
            "Graded and left leave planted checks out: graders see both as one sum and cannot tell them "
            "apart. Time left counts both."
        )
    if any(one.account.simulated for one in loads):
        yield "Graders marked (simulated) are invented: a program drew their grades for this sample round."
    if any(not one.account.simulated for one in loads):
        yield (
            "A paper takes the median of the active times measured; time left is that, question by question, "
            "times the papers left."
        )


def _row(one: Workload, now: datetime, *, planted: bool) -> list[Cell]:
    left = one.papers_left
    cells: list[Cell] = [one.account.shown_name, one.done, one.left]
    if planted:
        known = one.checks_done or one.checks_left
        cells.append(f"{one.checks_done} graded, {one.checks_left} left" if known else None)
    return [
        *cells,
        one.with_lead,
        None if one.median_seconds is None else duration(one.median_seconds),
        about(one.seconds_left).removesuffix(" left") if left and one.seconds_left else None,
        _last_seen(one, now),
        _state(one),
        None if one.account.simulated else Link("Open", f"/statement/{one.account.account_id}"),
    ]


def _last_seen(one: Workload, now: datetime) -> str | None:
    if one.last_seen_at is None or one.account.simulated:
        return None
    seconds = (now - from_text(one.last_seen_at)).total_seconds()
    return "now" if seconds < 120 else f"{waited(seconds)} ago"


def _state(one: Workload) -> str:
    said = ["disabled"] if one.account.disabled else []
    said += ["apprentice"] if one.account.apprentice else []
    if any(load.standing is not None and load.standing.pause is not None for load in one.items):
        said.append("paused")
    return ", ".join(said) or "active"


def draw_apprentices(lead_id: str, found: Sequence[Account]) -> None:
    """Draw how each apprentice agrees with the reads that count, and the end of the apprenticeship."""
    if not found:
        return
    st.subheader("Apprentices")
    draw_line("They read beside the graders. Their grades count nowhere, also not once they are let in.")
    rows: list[list[Cell]] = []
    for account in found:
        items = apprentice_items(bench(), account.account_id)
        rows += [
            [
                account.shown_name,
                one.title,
                f"{one.done} of {one.dealt}",
                one.beside.n,
                _percent(one.beside.exact),
                _percent(one.beside.exact_or_adjacent),
                None if one.beside.mean_difference is None else f"{one.beside.mean_difference:+.2f}",
            ]
            for one in items
        ]
        if not items:
            rows.append([account.shown_name, None, None, 0, None, None, None])
    draw_table(
        [
            "Apprentice",
            "Question",
            "Read",
            "Answers compared",
            "Same score",
            "Same or next to it",
            "Difference",
        ],
        rows,
    )
    draw_line(
        "Compared with every read that counts of the same answer, and averaged over the answers. Next to it: "
        "one point apart, or one step where steps are larger. Difference: the apprentice's score minus "
        "theirs, on average, in points; above 0 is more lenient."
    )
    _draw_end(lead_id, found)


def _draw_end(lead_id: str, found: Sequence[Account]) -> None:
    names = {account.account_id: account.name for account in found}
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    chosen = left.selectbox(
        "End an apprenticeship", list(names), index=None, format_func=lambda one: names[one], key="apprentice"
    )
    if chosen is None:
        return
    reason = right.text_input("Reason, without a name; every export shows it", key=f"ended:{chosen}")
    draw_confirmed(
        f"end:{chosen}",
        "End it",
        f"{names[chosen]} gets answers that count at the next deal. What waits for them now leaves the "
        "queue. What they graded before never counts.",
        "End the apprenticeship",
        partial(_end, lead_id, chosen, names[chosen], reason),
    )


def _end(lead_id: str, grader_id: str, name: str, reason: str) -> str:
    taken = end_apprenticeship(bench(), lead_id, grader_id, reason)
    left = f"{counted(taken, 'answer')} left the queue unread. " if taken else ""
    return f"{name} is no apprentice any more. {left}Deal answers to give them some that count."


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share * 100:.0f} %"
