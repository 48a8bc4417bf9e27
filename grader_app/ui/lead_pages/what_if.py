"""What if: who would cross the line under other rules or without one grader, beside what stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.domain.panel import Role
from grader_app.errors import ScalingProblem
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.what_if import Move, Question, WhatIf
from grader_app.scaling.what_if_says import (
    NOTHING_STORED,
    crossing_sentence,
    left_out_sentence,
    moving_sentence,
    noise_sentence,
)
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages.item_sets import account_names
from grader_app.ui.lead_pages.reconciled import draw_reconciled
from grader_app.ui.lead_pages.what_if_form import draw_form, spoken_rules
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.scaling_rules import (
    NOT_TO_BE_SET,
    ask,
    rules_set,
    set_own_rules,
    set_rules,
    why_closed,
)

_QUESTION = "what-if"
_MOST_OPEN = 25
"""Moves listed without a click."""
_NOISE = {None: "", True: "smaller", False: "larger"}
_SIDES = {"up": "would pass", "down": "would no longer pass", None: ""}


def page() -> None:
    """Draw what stands, the form of the question, the answer, and how to let it stand."""
    lead = me(Role.LEAD).account
    st.header("What if")
    draw_notice()
    draw_line("Try other rules of scaling, or one grader less, beside what stands. Asking stores nothing.")
    if not draw_reconciled(only_faults=True):
        return
    if not _draw_whether_scaled():
        return
    _draw_standing(lead.account_id)
    asked = draw_form()
    if asked is not None:
        st.session_state[_QUESTION] = asked
    question: Question | None = st.session_state.get(_QUESTION)
    if question is None:
        return
    if question.asks_nothing:
        draw_line("Nothing differs from what stands. Change something above, then look again.", "headline")
        return
    _draw_answer(lead.account_id, question)


def _draw_whether_scaled() -> bool:
    """Say what is missing while nothing can be scaled as it is; give whether something can."""
    with bench().record() as record:
        try:
            found = scaled_of_record(record)
        except ScalingProblem as problem:
            draw_line(f"No scaled scores yet, so there is nothing to compare. {problem}", "headline")
            return False
    if not found.candidates:
        draw_line(
            "No candidate has a final score for every question yet, so there is nothing to compare.",
            "headline",
        )
        draw_link("See what is still to be read", "/panel")
    return bool(found.candidates)


def _draw_answer(lead_id: str, question: Question) -> None:
    st.subheader("What would change")
    names = account_names()
    asked = list(spoken_rules(question.rules))
    if question.without is not None:
        asked.append(f"without the reads of {names.get(question.without, question.without)}")
    draw_line(f"Asked: {'; '.join(asked)}.")
    try:
        found = ask(bench(), question)
    except ScalingProblem as problem:
        draw_line(str(problem), "headline")
        return
    first, second = crossing_sentence(found), moving_sentence(found)
    if found.line_after is None:
        first, second = second, first
    draw_line(first, "headline")
    draw_lines([second, noise_sentence(found), *found.warnings])
    _draw_moves(found)
    _draw_left_out(found)
    _draw_apply(lead_id, question)


def _draw_moves(found: WhatIf) -> None:
    crossing = sorted((m for m in found.moves if m.crosses), key=lambda m: (m.crosses != "up", m.before))
    _draw_rows("Who crosses the line", crossing)
    others = [move for move in found.moved if not move.crosses]
    title = "Who else moves, furthest first" if crossing else "Who moves, furthest first"
    _draw_rows(title, others[:_MOST_OPEN])
    if len(others) > _MOST_OPEN:
        with st.expander(f"{len(others) - _MOST_OPEN} more"):
            _draw_rows("Further moves", others[_MOST_OPEN:])


def _draw_rows(title: str, moves: Sequence[Move]) -> None:
    """Draw moves as a table; nothing without any. A column that would be empty is left out."""
    columns: dict[str, list[Cell]] = {
        "Candidate": [move.candidate_id for move in moves],
        "Now": [f"{move.before:.5g}" for move in moves],
        "Then": [f"{move.after:.5g}" for move in moves],
        "Move": [f"{move.move:+.4g}" if move.moves else "0" for move in moves],
        "Line": [_SIDES[move.crosses] for move in moves],
        "Beside the readers' error": [_NOISE[move.within_error if move.moves else None] for move in moves],
        "Which score": ["" if move.of == "total" else "written, scaled (no MBE)" for move in moves],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    if moves:
        draw_table(list(shown), [list(row) for row in zip(*shown.values(), strict=True)], title)


def _draw_left_out(found: WhatIf) -> None:
    if said := left_out_sentence(found):
        draw_line(said)
    if found.left_out:
        with st.expander(f"{counted(len(found.left_out), 'candidate')} left without a score"):
            draw_table(["Candidate", "Why"], [[one.candidate_id, one.why] for one in found.left_out])


def _draw_apply(lead_id: str, question: Question) -> None:
    st.subheader("Let these rules stand")
    if question.without is not None:
        draw_line(NOT_TO_BE_SET)
        draw_link("Deal the grader's answers to others", "/panel")
        return
    with bench().record() as record:
        closed = why_closed(record)
    if closed:
        draw_line(closed)
        return
    with st.form("what-if-apply"):
        reason = st.text_input("Reason", max_chars=500)
        draw_line(
            f"From then on: {'; '.join(spoken_rules(question.rules))}. All later scaling and every export "
            "follow, and print that you decided it, when, and this reason. You can go back, with a reason, "
            "until sources are revealed."
        )
        if st.form_submit_button("Let these rules stand"):
            act_as_lead(partial(_apply, lead_id, question, reason))
    draw_line(NOTHING_STORED)


def _apply(lead_id: str, question: Question, reason: str) -> str:
    event = set_rules(bench(), lead_id, question, reason)
    st.session_state.pop(_QUESTION, None)
    return f"These rules stand now: {'; '.join(spoken_rules(question.rules))}. Recorded as event {event}."


def _draw_standing(lead_id: str) -> None:
    """Draw by which rules the round is scaled now, who set them, and the way back."""
    decisions = rules_set(bench())
    if not decisions:
        draw_line("The round is scaled by the rules of its own file.")
        return
    last, names = decisions[-1], account_names()
    if last.rules.are_the_rounds_own:
        draw_line("The round is scaled by the rules of its own file again.", "headline")
    else:
        draw_line(
            f"Set in place of the round's own rules: {'; '.join(spoken_rules(last.rules))}.", "headline"
        )
    with st.expander("Who decided, when and why"):
        draw_table(
            ["Decided", "By", "Rules", "Reason"],
            [
                [
                    moment(one.at),
                    names.get(one.actor, "the command line"),
                    "; ".join(spoken_rules(one.rules)) or "the round's own",
                    with_controls_shown(one.reason),
                ]
                for one in decisions
            ],
        )
        with bench().record() as record:
            closed = why_closed(record)
        if not last.rules.are_the_rounds_own and not closed:
            with st.form("what-if-back"):
                reason = st.text_input("Reason to go back", max_chars=500)
                if st.form_submit_button("Go back to the round's own rules"):
                    act_as_lead(partial(_back, lead_id, reason))


def _back(lead_id: str, reason: str) -> str:
    event = set_own_rules(bench(), lead_id, reason)
    return f"The rules of the round's own file stand again. Recorded as event {event}."
