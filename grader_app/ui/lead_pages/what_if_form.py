"""The question of the page What if: what would be otherwise, each field beginning with what stands."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.domain.published_schemes import SCHEMES
from grader_app.domain.round import Round
from grader_app.domain.scaling_rules import (
    METHODS,
    METHODS_SAY,
    READS_RULES,
    READS_SAY,
    ROUNDINGS,
    ROUNDINGS_SAY,
    SetRules,
)
from grader_app.scaling.what_if import Question
from grader_app.ui.current import bench
from grader_app.workflow.progress import all_accounts

_NONE = ""


def draw_form() -> Question | None:
    """Draw the form; give the question once it was asked in this run, else None."""
    with bench().record() as record:
        the_round = record.round
    if the_round is None:
        return None
    with st.form("what-if-question"):
        first, second, third = st.columns(3)
        with first:
            weights = _draw_weights(the_round)
        with second:
            cut = st.number_input(
                "Passing total", value=the_round.cut.total if the_round.cut else None, step=1.0, format="%g"
            )
            combined = _reads_rule(the_round)
            reads = _draw_choice("Of several reads of an answer", READS_RULES, READS_SAY, combined)
            without = _draw_grader()
        with third:
            preset = _draw_preset()
            method = _draw_choice("Method", METHODS, METHODS_SAY, the_round.scaling.method)
            rounding = _draw_choice("Rounding", ROUNDINGS, ROUNDINGS_SAY, the_round.scaling.rounding)
        if not st.form_submit_button("Show what would change", type="primary"):
            return None
    said = {"preset": preset, "method": method, "rounding": rounding, "reads_rule": reads}
    line = None if the_round.cut and the_round.cut.total == cut else cut
    rules = {"weights": weights, "cut": line, **{key: value or None for key, value in said.items()}}
    return Question(SetRules.model_validate(rules), without or None)


def spoken_rules(rules: SetRules) -> tuple[str, ...]:
    """Say each change in the page's own words."""
    return rules.in_words({item.id: item.title for item in bench().material().items.values()})


def _draw_weights(the_round: Round) -> dict[str, float]:
    """Draw a weight for each question that has one; give those that were changed."""
    titles = {item.id: item.title for item in bench().material().items.values()}
    given = {
        item: st.number_input(
            f"Weight of {titles.get(item, item)}",
            min_value=0.01,
            value=float(weight),
            step=0.5,
            format="%g",
            key=f"weight:{item}",
        )
        for item, weight in the_round.weights.items()
    }
    return {item: value for item, value in given.items() if value != the_round.weights[item]}


def _draw_choice(label: str, choices: tuple[str, ...], words: Mapping[str, str], now: str) -> str:
    """Draw a choice that begins with what stands; give what was chosen instead, or nothing."""
    chosen: str = st.selectbox(
        label,
        choices,
        index=choices.index(now),
        format_func=lambda one: words[one] + (" (as now)" if one == now else ""),
    )
    return _NONE if chosen == now else chosen


def _draw_preset() -> str:
    chosen: str = st.selectbox(
        "Published scheme",
        [_NONE, *SCHEMES],
        format_func=lambda one: SCHEMES[one].title if one else "none",
        help="Takes the place of weights, method and rounding, but for those you change here as well.",
    )
    return chosen


def _draw_grader() -> str:
    graders = {a.account_id: a.shown_name for a in all_accounts(bench()) if a.role is Role.GRADER}
    chosen: str = st.selectbox(
        "Without the reads of",
        [_NONE, *graders],
        format_func=lambda one: graders[one] if one else "nobody: all reads count",
    )
    return chosen


def _reads_rule(the_round: Round) -> str:
    reading = the_round.reading
    return reading.combine if reading.reads > 1 else reading.overlap_counts
