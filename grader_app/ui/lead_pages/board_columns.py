"""The three columns of the board: who needs the lead, what is stuck, when the round will be read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape

import streamlit as st

from grader_app.ui.lead_pages.board_steps import step_of
from grader_app.ui.parts.spoken import about, counted, moment, waited
from grader_app.workflow.board import Board
from grader_app.workflow.clock import from_text
from grader_app.workflow.finishing import Finish
from grader_app.workflow.standing_still import QUIET_RULE
from grader_app.workflow.waiting import Waiting, Why

_STYLE = """<style>
div.board { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 2.2rem;
  margin: .2rem 0 1rem; }
div.board section { border-top: 3px solid currentColor; padding-top: .5rem; min-width: 0; }
div.board h2 { font: 600 1.1rem/1.3 Georgia, "DejaVu Serif", serif; margin: 0 0 .5rem; padding: 0; }
div.board ul { list-style: none; margin: 0; padding: 0; }
div.board li { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); gap: 0 .7rem;
  margin: 0; padding: .38rem 0; border-bottom: 1px solid rgb(128 128 128 / 30%); font-size: .95rem;
  line-height: 1.35; }
div.board li b { font-size: 1.35rem; line-height: 1.1; text-align: right;
  font-variant-numeric: tabular-nums; }
div.board li span.quiet { display: block; font-size: .88rem; }
div.board li span.since { opacity: .8; }
div.board p { margin: 0 0 .5rem; font-size: .95rem; line-height: 1.4; }
div.board p.answer { font: 600 1.3rem/1.3 Georgia, "DejaVu Serif", serif; margin: 0 0 .35rem; }
div.board p.quiet, div.board details { opacity: .8; font-size: .88rem; }
div.board details p { margin: .25rem 0; font-size: .88rem; }
div.board summary { cursor: pointer; }
div.board a { color: inherit; text-decoration: underline; }
div.board a.next { background: #1f4e79; color: #fff; text-decoration: none; padding: .05rem .45rem;
  border-radius: 3px; font-weight: 600; }
div.board table.plain { width: 100%; margin: .2rem 0 .6rem; font-size: .9rem; }
div.board table.plain td, div.board table.plain th { padding-top: .2rem; padding-bottom: .2rem; }
@media (max-width: 900px) { div.board { grid-template-columns: minmax(0, 1fr); gap: 1rem; } }
</style>"""


_SINCE = {
    Why.LEFT_BEHIND: "the oldest dealt {} ago",
    Why.PAUSED: "paused {} ago",
    Why.PAUSED_FOR_ALL: "paused {} ago",
    Why.QUIET: "nothing submitted for {}",
    Why.LEASE: "the first opened over {} ago",
    Why.SURPLUS: "the first {} ago",
    Why.EARLIER_VERSION: "the oldest given {} ago",
}
"""How long a line has been so, where it is not the answers that wait for the lead."""


def draw_columns(board: Board, now: datetime) -> None:
    """Draw the three answers beside each other; below each other on a narrow screen.

    Parameters
    ----------
    board
        From `board_of`.
    now
        For how long each thing has waited.
    """
    first = "needs" if board.needs_lead else "stuck"
    sections = (
        _section("Who needs you", _needs(board.needs_lead, now, marks=first == "needs")),
        _section("What is stuck", _stuck(board.stuck, now, marks=first == "stuck")),
        _section("When are we done", _finish(board)),
    )
    st.html(f'{_STYLE}<div class="board">{"".join(sections)}</div>')


def _section(heading: str, body: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{body}</section>"


def _needs(lines: Sequence[Waiting], now: datetime, *, marks: bool) -> str:
    if not lines:
        return _answer("Nobody.") + _quiet("No decision waits for you.")
    return _list(lines, now, marks=marks)


def _stuck(lines: Sequence[Waiting], now: datetime, *, marks: bool) -> str:
    if not lines:
        return _answer("Nothing.") + _quiet("Every answer has somebody to read it.") + _rule()
    return _list(lines, now, marks=marks) + _rule()


def _rule() -> str:
    return f"<details><summary>When is a grader quiet?</summary><p>{escape(QUIET_RULE)}</p></details>"


def _list(lines: Sequence[Waiting], now: datetime, *, marks: bool) -> str:
    rows = "".join(line_html(line, now, marked=marks and at == 0) for at, line in enumerate(lines))
    return f"<ul>{rows}</ul>"


def line_html(line: Waiting, now: datetime, *, marked: bool) -> str:
    """Write what waits, how long it has been so, and its next step."""
    text, address = step_of(line)
    since = ""
    if line.since is not None:
        long = waited((now - from_text(line.since)).total_seconds())
        said = _SINCE.get(line.why, "the oldest waits {}").format(long)
        if line.count == 1:
            said = said.removeprefix("the oldest ").removeprefix("the first ")
        since = f'<span class="since" title="since {escape(moment(line.since))}">{escape(said)}</span> · '
    kind = ' class="next"' if marked else ""
    link = f'<a href="{escape(address)}" target="_self"{kind}>{escape(text)}</a>'
    return (
        f"<li><b>{line.count:,}</b><span>{escape(line.says)}"
        f'<span class="quiet">{since}{link}</span></span></li>'
    )


def _finish(board: Board) -> str:
    finish = board.finish
    if not any(one.answers for one in finish.items):
        return _answer("Nothing to read yet.") + _quiet("No answer has been taken in. Run grader-app intake.")
    if not finish.reads_left:
        return _answer(_done(board)) + _items(finish)
    found = finish.range
    long = {"ok": found.says.partition(" (")[0] + ".", "no_end": found.says}.get(found.status)
    parts = [_answer(long or "Too early to say.")]
    if found.status == "ok":
        parts.append(
            _quiet(f"{found.share:.0f} of 100 simulated courses end then, if {_lowered(found.assumes[0])}")
        )
    elif found.status == "too_few_days":
        parts.append(_quiet(found.says))
    elif found.status == "nothing_left":
        parts.append(_quiet("What is left waits for you or for nobody; see the other columns."))
    parts += [_pace(finish), _items(finish)]
    if len(found.assumes) > 1:
        more = "".join(f"<p>{escape(one)}</p>" for one in found.assumes[1:])
        parts.append(f"<details><summary>What this takes for granted</summary>{more}</details>")
    return "".join(parts)


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _done(board: Board) -> str:
    open_items = [one for one in board.finish.items if one.answers and not one.closed]
    if board.needs_lead:
        return "All read. What is left waits for you."
    if open_items:
        return "All read. Close the questions when you are ready."
    return "Done. Every question is closed."


def _pace(finish: Finish) -> str:
    said = counted(finish.reads_left, "read is", "reads are") + " left"
    if finish.seconds_left:
        said += f", {about(finish.seconds_left).removesuffix(' left')} of reading altogether"
    if finish.longest is not None and finish.longest.seconds_left:
        long = about(finish.longest.seconds_left).removesuffix(" left")
        said += f"; the longest queue is {finish.longest.account.shown_name}'s, {long}"
    text = _quiet(f"{said}.")
    if finish.unmoved:
        text += _quiet(
            f"{', '.join(finish.unmoved)} graded nothing on these days, and is left out of the range."
        )
    return text


def _items(finish: Finish) -> str:
    rows = "".join(
        f"<tr><td>{escape(one.title)}</td><td class='number'>{one.settled:,} of {one.answers:,}</td>"
        f"<td class='number'>{'closed' if one.closed else f'{one.reads_left:,}'}</td></tr>"
        for one in finish.items
        if one.answers
    )
    head = '<th scope="col">Question</th><th scope="col" class="number">Settled</th>'
    head += '<th scope="col" class="number">Reads left</th>'
    return f'<table class="plain"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _answer(sentence: str) -> str:
    return f'<p class="answer">{escape(sentence)}</p>'


def _quiet(sentence: str) -> str:
    return f'<p class="quiet">{escape(sentence)}</p>'
