"""The panel: what is stuck, who needs the lead, when the round will be read; and the acts that move it on."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages.board_acts import ACTS, draw_act
from grader_app.ui.lead_pages.board_columns import draw_columns
from grader_app.ui.lead_pages.board_graders import draw_apprentices, draw_graders
from grader_app.ui.lead_pages.panel_accounts import draw_accounts
from grader_app.ui.parts.html_table import draw_line, draw_lines, draw_table
from grader_app.ui.parts.notice import draw_notice
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.apprentices import apprentices
from grader_app.workflow.board import board_of
from grader_app.workflow.monitoring import validity_left
from grader_app.workflow.progress import ItemProgress, item_progress

# The three answers and the graders are to stand on one screen.
_STYLE = """<style>[data-testid="stHeading"] h2 { font-size: 1.45rem; padding: 0; }
[data-testid="stMainBlockContainer"] > div > [data-testid="stVerticalBlock"] { gap: .6rem; }</style>"""


def page() -> None:
    """Draw the state of the round and the acts that move it on."""
    lead = me(Role.LEAD).account
    board, now = board_of(bench()), bench().clock()
    if st.query_params.get("act"):
        draw_notice()
        if draw_act(lead.account_id, board):
            return
    st.html(_STYLE)
    st.header("Panel")
    draw_notice()
    items = item_progress(bench())
    draw_line(_headline(items), "headline")
    draw_columns(board, now)
    _draw_ways_on()
    draw_lines(_remarks(items))
    draw_graders(board.loads, now)
    draw_apprentices(lead.account_id, apprentices(bench()))
    _draw_items(items)
    draw_accounts(lead)


def _headline(items: list[ItemProgress]) -> str:
    answers, waiting = sum(item.answers for item in items), sum(item.waiting for item in items)
    if not answers:
        return "No answer has been taken in yet."
    final = sum(item.final + item.coded for item in items)
    said = [f"{final:,} of {counted(answers, 'answer')} settled"]
    if waiting:
        said.append(counted(waiting, "answer waits", "answers wait") + " for a grader")
    if undecided := sum(item.undecided for item in items):
        said.append(f"{undecided:,} ended without a final score")
    return "; ".join(said) + "."


def _draw_ways_on() -> None:
    links = " ".join(
        f'<a class="step" href="/panel?act={act}" target="_self">{title}</a>'
        for act, (title, _) in ACTS.items()
    )
    st.html(
        f'<nav aria-label="Acts" style="display:flex;flex-wrap:wrap;gap:.6rem;margin:0 0 1rem">{links}</nav>'
    )


def _remarks(items: list[ItemProgress]) -> Iterator[str]:
    if revealed := sum(item.revealed for item in items):
        said = f"The sources of {counted(revealed, 'answer')} have been revealed, so grading them is over."
        if undecided := sum(item.undecided for item in items):
            ended = counted(undecided, "of them ended", "of them ended")
            said += (
                f" {ended} without a final score: exports say so, and nobody is asked about them any more."
            )
        yield said
    for item in bench().material().items.values():
        short = [left for left in validity_left(bench(), item.id) if left.warning]
        if short:
            names = ", ".join(left.account.shown_name for left in short)
            yield f"{item.title}: validity papers run out for {names}. The monitor page says how many."


_STAGES = ("Answers", "Not dealt", "With graders", "With you", "Final", "Disputed", "Coded")


def _draw_items(items: list[ItemProgress]) -> None:
    ended = any(item.undecided for item in items)
    draw_table(
        ["Question", *_STAGES, *(["Ended undecided"] if ended else []), "State"],
        [
            [i.title, *_stages(i), *([i.undecided] if ended else []), "closed" if i.closed else "open"]
            for i in items
        ],
        "Answers by stage",
    )


def _stages(item: ItemProgress) -> tuple[int, ...]:
    return item.answers, item.undealt, item.waiting, item.with_lead, item.final, item.disputed, item.coded
