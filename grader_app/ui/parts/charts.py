"""Charts of the lead's pages: Altair, legible in print and to the colour-blind, with names for ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from grader_app.agreement.charts import pairs_chart, severity_chart

if TYPE_CHECKING:
    import altair as alt

Entry = Mapping[str, Any]

# The page adds to each side of the padding, which a single number would not let it.
_PADDING = {"left": 8, "top": 8, "right": 8, "bottom": 8}


def draw_chart(chart: alt.LayerChart | None) -> None:
    """Draw a chart as it is designed, without the page's own theme."""
    if chart is not None:
        st.altair_chart(chart, theme=None, width="content")


def grader_severities(graders: Sequence[Entry], names: Mapping[str, str]) -> alt.LayerChart | None:
    """Give each grader's severity with its interval; None where nobody shares an answer."""
    named = [{**grader, "grader": names.get(grader["grader"], grader["grader"])} for grader in graders]
    if not any(one["severity"] is not None for one in named):
        return None
    return _sized(severity_chart(named), rows=len(named))


def pair_kappas(pairs: Sequence[Entry], names: Mapping[str, str]) -> alt.LayerChart:
    """Give the heat map of the pairs that share answers."""
    named = [
        {**pair, "graders": [names.get(grader, grader) for grader in pair["graders"]]}
        for pair in pairs
        if pair["n_responses"]
    ]
    return _sized(pairs_chart(named), rows=len({pair["graders"][1] for pair in named}))


def _sized(chart: alt.LayerChart, *, rows: int) -> alt.LayerChart:
    """Give each row a finger's height; the heading above the chart says what its own title would."""
    sized: alt.LayerChart = chart.properties(
        height=max(90, 38 * rows), title="", background="#ffffff", padding=_PADDING
    )
    return sized
