"""Can these grades be trusted: one honest line, then the figures behind it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import streamlit as st

from grader_app.agreement.of_round import report_of_record
from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.parts.agreement_words import alpha_of, graders_sentence, headline, interval_of
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.spoken import counted, points
from grader_app.workflow.progress import all_accounts

_IN_SENTENCES = ("exact", "exact_or_adjacent", "krippendorff_alpha")


def page() -> None:
    """Draw the agreement figures of each item and facet."""
    me(Role.LEAD)
    st.header("Agreement")
    report = agreement_report()
    draw_lines(report["notes"])
    facets = [facet for facet in report["facets"] if facet["item"]]
    if not facets:
        draw_line("Nothing has been graded yet, so there is nothing to compare.", "headline")
        return
    titles = {item.id: item.title for item in bench().material().items.values()}
    items = list(dict.fromkeys(facet["item"] for facet in facets))
    # The address keeps the question, so that a reload or a bookmark shows the same one.
    chosen = st.radio(
        "Question",
        items,
        format_func=lambda item: titles.get(item, item),
        horizontal=True,
        key="item",
        bind="query-params",
    )
    for facet in (one for one in facets if one["item"] == chosen):
        _draw_facet(facet)


def agreement_report() -> dict[str, Any]:
    """Give the agreement report of the round, computed anew only after a new act."""
    with bench().record() as record:
        last = record.last_seq
    with st.spinner("Comparing the graders …"):
        return _report(bench().store.workspace_id, last)


@lru_cache(maxsize=4)
def _report(workspace_id: str, last_seq: int) -> dict[str, Any]:
    with bench().record() as record:
        return report_of_record(record)


def _draw_facet(facet: dict[str, Any]) -> None:
    name = "Score" if facet["facet"] == "score" else facet["facet"].replace("-", " ").capitalize()
    st.subheader(name)
    draw_line(headline(facet), "headline")
    design = facet["design"]
    said = [figure["says"] for figure in facet["figures"] if figure["name"] in _IN_SENTENCES]
    overview = (
        f"{counted(design['n_responses'], 'answer')} graded by {counted(design['n_graders'], 'grader')}; "
        f"{counted(design['n_paired_responses'], 'answer')} read by two or more."
    )
    draw_lines([overview, *said])
    _draw_graders(facet)
    _draw_pairs(facet)
    with st.expander("How computed"):
        _draw_figures(facet)


def _draw_graders(facet: dict[str, Any]) -> None:
    if not facet["graders"]:
        return
    names = _names()
    rows: list[list[Cell]] = [
        [
            names.get(g["grader"], g["grader"]),
            g["n"],
            _rounded(g["mean"]),
            _rounded(g["sd"]),
            graders_sentence(g, points),
        ]
        for g in facet["graders"]
    ]
    draw_table(
        ["Grader", "Answers", "Mean", "Spread (SD)", "Against the others, on the same answers"],
        rows,
        "Graders",
    )


def _draw_pairs(facet: dict[str, Any]) -> None:
    names = _names()
    rows: list[list[Cell]] = []
    for pair in facet["pairs"]:
        found = {figure["name"]: figure for figure in pair["figures"]}
        if pair["n_responses"]:
            rows.append(
                [
                    " and ".join(names.get(grader, grader) for grader in pair["graders"]),
                    pair["n_responses"],
                    _percent(found.get("exact")),
                    _percent(found.get("exact_or_adjacent")),
                    _figure(found.get("quadratic_weighted_kappa")),
                ]
            )
    if rows:
        draw_table(["Pair", "Shared answers", "Same score", "Within one", "QWK"], rows, "Pairs")


def _draw_figures(facet: dict[str, Any]) -> None:
    rows: list[list[Cell]] = [
        [
            figure["name"].replace("_", " ") + (f" ({figure['level']})" if figure.get("level") else ""),
            _rounded(figure["value"], 3),
            interval_of(figure),
            figure["n_responses"],
            figure["status"].replace("_", " "),
        ]
        for figure in facet["figures"]
    ]
    draw_table(["Figure", "Value", "95 % interval", "Answers", "Status"], rows)
    alpha = alpha_of(facet)
    if alpha and alpha["interval_method"]:
        draw_line(f"Interval: {alpha['interval_method']}.")
    draw_line(
        "Krippendorff (2018) relies on alpha from 0.800 and draws tentative conclusions from 0.667; "
        "judge by the lower end of the interval."
    )


def _names() -> dict[str, str]:
    return {account.account_id: account.shown_name for account in all_accounts(bench())}


def _rounded(value: float | None, digits: int = 2) -> str | None:
    return None if value is None else f"{value:.{digits}f}"


def _figure(figure: dict[str, Any] | None) -> str | None:
    if figure is None:
        return None
    return _rounded(figure["value"]) or str(figure["status"]).replace("_", " ")


def _percent(figure: dict[str, Any] | None) -> str | None:
    return None if figure is None or figure["value"] is None else f"{100 * figure['value']:.0f} %"
