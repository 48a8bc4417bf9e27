"""The lead's acts on the round: dealing, dealing again, pausing, closing; each asks before it acts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.confirmed import draw_confirmed
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.ui.parts.links import draw_back
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.apprentices import apprentices
from grader_app.workflow.assignment import deal
from grader_app.workflow.board import Board
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.passing_on import pass_on, possible_takers, waiting_for
from grader_app.workflow.pausing import PAUSED_FOR_ALL, let_everybody_go_on, pause_everybody, paused_for_all
from grader_app.workflow.progress import item_progress
from grader_app.workflow.qualification import enabled_graders
from grader_app.workflow.redealing import deal_left_behind, left_behind
from grader_app.workflow.registration import register_files

_WIDTH = 720  # Pixels: a choice beside lines that can still be read.
_SHORTEST = "whoever has the shortest queue"


def draw_act(lead_id: str, board: Board) -> bool:
    """Draw the act that the address names, with the way back; False when it names none."""
    act = ACTS.get(st.query_params.get("act", ""))
    if act is None:
        return False
    title, draw = act
    draw_back("Board", "/panel")
    st.header(title)
    with st.container(width=_WIDTH):
        draw(lead_id, board)
    return True


def _draw_deal(lead_id: str, _: Board) -> None:
    fresh = sum(item.undealt for item in item_progress(bench()))
    pupils = apprentices(bench())
    if not fresh:
        draw_line("Every answer taken in has been dealt.")
    if fresh or pupils:
        graders = [a for a in enabled_graders(bench()) if not (a.simulated or a.apprentice)]
        asks = (
            f"{counted(fresh, 'answer')} not dealt yet, {counted(len(graders), 'grader')}. Earlier deals "
            "never move; late answers go behind what a grader already has. round.yaml and the rubrics are "
            "read in first."
        )
        if pupils:
            asks += f" {counted(len(pupils), 'apprentice reads', 'apprentices read')} beside them."
        draw_line(asks)
        draw_confirmed("deal", "Deal answers", asks, "Deal them", partial(_deal, lead_id))


def _deal(lead_id: str) -> str:
    read_in = register_files(bench(), lead_id)
    titles = {item.id: item.title for item in bench().material().items.values()}
    done = deal(bench(), lead_id)
    said = [f"{titles.get(d.item, d.item)}: {counted(d.answers, 'answer')} dealt" for d in done]
    dealt = "; ".join(said or ["Nothing new had to be dealt"]) + "."
    if apprentices(bench()):
        dealt += " Apprentices have their share."
    return f"{dealt} Read in: {'; '.join(read_in)}." if read_in else dealt


def _draw_deal_again(lead_id: str, board: Board) -> None:
    behind = left_behind(bench())
    if behind:
        said = counted(len(behind), "answer waits", "answers wait")
        draw_line(f"{said} for a grader who is disabled or did not qualify.", "headline")
        draw_confirmed(
            "left-behind",
            "Deal all of them again",
            f"{counted(len(behind), 'answer')} go, each to the grader with the shortest queue who has never "
            "had it. One that everybody has had stays where it is.",
            "Deal them again",
            partial(_deal_left_behind, lead_id),
        )
    st.subheader("Take answers from one grader")
    holders = {
        one.account.account_id: one.account for one in board.loads if one.left and not one.account.apprentice
    }
    if not holders:
        draw_line("No grader has answers waiting.")
        return
    asked = st.query_params.get("grader")
    ids = list(holders)
    giver = st.selectbox(
        "Whose answers",
        ids,
        index=ids.index(asked) if asked in ids else None,
        format_func=lambda one: holders[one].shown_name,
        key="giver",
    )
    if giver is None:
        return
    takers = {one.account_id: one.name for one in possible_takers(bench(), giver)}
    to = st.selectbox(
        "To whom",
        ["", *takers],
        format_func=lambda one: takers.get(one, _SHORTEST),
        key=f"taker:{giver}",
    )
    waiting = len(waiting_for(bench(), giver))
    name = holders[giver].shown_name
    draw_confirmed(
        f"pass-on:{giver}:{to}",
        "Deal them to others",
        f"{counted(waiting, 'answer')} of {name} go to {takers.get(to, _SHORTEST)}. Nobody gets an answer "
        "they have had before, or of a question they may not grade. What has been graded stays. A grade that "
        f"comes too late is kept as surplus and does not count.{_comes_back(name)}",
        "Deal them",
        partial(_pass_on, lead_id, giver, name, to or None),
    )


def _comes_back(name: str) -> str:
    if bench().material().round.reading.workload != "balanced":
        return ""
    return f" Should {name} come back with nothing left, queues even out again; a pause prevents that."


def _deal_left_behind(lead_id: str) -> str:
    count = deal_left_behind(bench(), lead_id)
    still = len(left_behind(bench()))
    said = f"{counted(count, 'answer')} dealt again."
    return said + (f" {counted(still, 'answer')} could not go to anybody: add a grader." if still else "")


def _pass_on(lead_id: str, giver: str, name: str, to: str | None) -> str:
    done = pass_on(bench(), lead_id, giver, to)
    names = {one.account_id: one.name for one in possible_takers(bench(), giver)}
    got = ", ".join(
        f"{names[taker]} {count}"
        for taker, count in sorted(done.moved.items(), key=lambda one: names[one[0]])
    )
    said = f"{counted(sum(done.moved.values()), 'answer')} of {name} dealt to others" + (
        f": {got}." if got else "."
    )
    return said + (
        f" {counted(done.stayed, 'answer')} stayed: nobody else could take them." if done.stayed else ""
    )


def _draw_pause(lead_id: str, board: Board) -> None:
    titles = {item.id: item.title for item in bench().material().items.values()}
    paused = paused_for_all(bench())
    for item in paused:
        draw_line(f"{titles[item]} is paused for everybody.", "headline")
        draw_confirmed(
            f"go-on:{item}",
            f"Let everybody go on with {titles[item]}",
            "Everybody goes on where they were. Whoever was paused alone stays paused.",
            "Let them go on",
            partial(_go_on, lead_id, item),
        )
    if any(load.standing and load.standing.pause for one in board.loads for load in one.items):
        draw_line("A grader who was paused alone goes on, or is paused, on the monitor page.")
    st.subheader("Pause for everybody")
    open_items = [item.item for item in item_progress(bench()) if item.item in titles and not item.closed]
    choices = [item for item in open_items if item not in paused]
    if not choices:
        draw_line("Every open question is paused.")
        return
    whole = [""] if len(choices) > 1 else []
    item = st.radio(
        "What",
        [*whole, *choices],
        format_func=lambda one: titles.get(one, "The whole round"),
        key="pause-what",
    )
    why = st.text_input("Graders read", value=PAUSED_FOR_ALL, key="pause-why")
    draw_line("It stands in every export: write no name.")
    what = titles.get(item, "The whole round")
    draw_confirmed(
        f"pause:{item}",
        "Pause",
        f"{what}: nobody can submit a grade until you let them go on. Drafts are kept; so is every grade.",
        "Pause it",
        partial(_pause, lead_id, item or None, what, why),
    )


def _pause(lead_id: str, item: str | None, what: str, why: str) -> str:
    pause_everybody(bench(), lead_id, item, why)
    return f"{what} is paused for everybody. Let them go on under Pause."


def _go_on(lead_id: str, item: str) -> str:
    let_everybody_go_on(bench(), lead_id, item)
    return f"Everybody may go on with {bench().material().item(item).title}."


def _draw_close(lead_id: str, _: Board) -> None:
    draw_lines(
        [
            "Closing ends grading and corrections. Answers in dispute or without all their reads get "
            "no final score.",
            "Exports are provisional while any question is open.",
        ]
    )
    for item in item_progress(bench()):
        if item.item not in bench().material().items:
            draw_line(f"{item.title}: no longer in the round")
            continue
        unfinished = item.waiting + item.undealt + item.with_lead
        note = f", {counted(unfinished, 'answer')} without all reads" if unfinished else ""
        note += f", {item.disputed} disputed" if item.disputed else ""
        at = f", with{note[1:]}" if note else ""
        draw_line(f"{item.title}: {'closed' if item.closed else 'open'}{note}", "headline")
        if item.closed:
            reason = st.text_input("Reason to reopen", key=f"reason:{item.item}")
            draw_confirmed(
                f"reopen:{item.item}",
                "Reopen",
                "Graders may grade and correct again; exports are provisional again.",
                "Reopen it",
                partial(_reopen, lead_id, item.item, reason),
            )
        elif item.answers:
            draw_confirmed(
                f"close:{item.item}",
                "Close",
                f"{item.title} is closed to every grader{at}. It can be reopened with a reason.",
                "Close it",
                partial(_close, lead_id, item.item),
            )


def _close(lead_id: str, item: str) -> str:
    close_item(bench(), lead_id, item)
    return f"{bench().material().item(item).title} is closed."


def _reopen(lead_id: str, item: str, reason: str) -> str:
    reopen_item(bench(), lead_id, item, reason)
    return f"{bench().material().item(item).title} is open again."


ACTS: dict[str, tuple[str, Callable[[str, Board], None]]] = {
    "deal": ("Deal answers", _draw_deal),
    "deal-again": ("Deal answers again", _draw_deal_again),
    "pause": ("Pause or go on", _draw_pause),
    "close": ("Close or reopen a question", _draw_close),
}
"""Title and drawing function of each act, by its name in the address."""
