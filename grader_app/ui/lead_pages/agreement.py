"""Can these grades be trusted: one honest line, then the graders, papers and scores behind it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import streamlit as st

from grader_app.agreement.confusions import confusions
from grader_app.agreement.effects_of_round import effects_of_record
from grader_app.agreement.of_round import ratings_of_record, report_of_record
from grader_app.agreement.report_text import figure_title
from grader_app.agreement.verdict import verdict
from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages import disagreement
from grader_app.ui.lead_pages.round_notes import draw_notes
from grader_app.ui.parts.agreement_words import interval_of, reliability_sentence
from grader_app.ui.parts.charts import draw_chart, grader_severities, pair_kappas
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.question_choice import choose_question
from grader_app.ui.parts.spoken import counted, points
from grader_app.workflow.papers import paper_lengths
from grader_app.workflow.progress import all_accounts

_IN_SENTENCES = ("exact", "exact_or_adjacent", "krippendorff_alpha")
_MOST_READERS = 6

Facet = dict[str, Any]


def page() -> None:
    """Draw the agreement of one question and facet."""
    me(Role.LEAD)
    st.header("Can these grades be trusted?")
    report = agreement_report()
    facets = [facet for facet in report["facets"] if facet["item"] and facet["design"]["n_ratings"]]
    if not facets:
        draw_line("Nothing has been graded yet, so there is nothing to compare.", "headline")
        draw_notes(report["notes"])
        draw_link("See what is still to be read", "/panel")
        return
    facet = _chosen(facets)
    draw_line(verdict(facet), "headline")
    draw_notes(report["notes"], facet["item"])
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw_sentences(facet)
    with right:
        _draw_readers(facet)
    _draw_graders_and_papers(facet)
    _draw_scores_and_pairs(facet)
    disagreement.draw_points(facet["item"])
    with st.expander("Order and length: does a score depend on them?"):
        _draw_effects([one for one in report["effects"] if one["item"] == facet["item"]])
    with st.expander("How computed"):
        _draw_figures(facet)


def agreement_report() -> dict[str, Any]:
    """Give the agreement report of the round, computed anew only after a new act."""
    with bench().record() as record:
        last = record.last_seq
    with st.spinner("Comparing the graders …"):
        return _report(bench().store.workspace_id, last)


@lru_cache(maxsize=4)
def _report(workspace_id: str, last_seq: int) -> dict[str, Any]:
    with bench().record() as record:
        report = report_of_record(record)
        tables = {(one.item, one.facet): confusions(one.ratings) for one in ratings_of_record(record)}
        report["effects"] = effects_of_record(record, paper_lengths(bench()), account_names())
    for facet in report["facets"]:
        facet["confusions"] = tables[facet["item"], facet["facet"]]
    return report


def _chosen(facets: list[Facet]) -> Facet:
    """Let the lead choose a question, and a facet where it has several; the address keeps the question."""
    titles = {item.id: item.title for item in bench().material().items.values()}
    items = list(dict.fromkeys(facet["item"] for facet in facets))
    left, right = st.columns([3, 2])
    with left:
        item = choose_question({item: titles.get(item, item) for item in items})
    own = {facet["facet"]: facet for facet in facets if facet["item"] == item}
    name = next(iter(own))
    if len(own) > 1:
        name = right.radio("What was judged", list(own), format_func=_facet_title, horizontal=True)
    return own[name]


def _facet_title(facet: str) -> str:
    return facet.replace("-", " ").capitalize()


def _draw_sentences(facet: Facet) -> None:
    design = facet["design"]
    overview = (
        f"{counted(design['n_responses'], 'answer')} graded by {counted(design['n_graders'], 'grader')}; "
        f"{counted(design['n_paired_responses'], 'answer')} read by two or more."
    )
    said = [figure["says"] for figure in facet["figures"] if figure["name"] in _IN_SENTENCES]
    draw_lines([overview, *said])


def _draw_readers(facet: Facet) -> None:
    rows = {row["n_graders"]: row["phi"] for row in facet["d_study"] if row["n_graders"] <= _MOST_READERS}
    if not any(phi["value"] is not None for phi in rows.values()):
        draw_line(next(iter(rows.values()))["says"] if rows else "Reliability cannot be estimated yet.")
        return
    readers = st.slider("Readers for each paper", 1, _MOST_READERS, 2)
    draw_line(reliability_sentence(rows[1], rows[readers], readers))


def _draw_graders_and_papers(facet: Facet) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Graders")
        names = account_names()
        draw_chart(grader_severities(facet["graders"], names))
        rows: list[list[Cell]] = [
            [names.get(g["grader"], g["grader"]), g["n"], _two(g["mean"]), _two(g["sd"]), _against(g)]
            for g in facet["graders"]
        ]
        draw_table(["Grader", "Answers", "Mean", "Spread (SD)", "On the same answers"], rows)
    with right:
        disagreement.draw_papers(facet)


def _against(grader: dict[str, Any]) -> str:
    if grader["severity"] is None:
        return "shares no answer with others"
    side = "below" if grader["severity"] > 0 else "above"
    if abs(grader["severity"]) < 0.005:
        return f"level with the others ({counted(grader['n_shared'], 'answer')})"
    return f"{points(grader['severity'])} {side} the others ({counted(grader['n_shared'], 'answer')})"


def _draw_scores_and_pairs(facet: Facet) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        disagreement.draw_confusions(facet)
    with right:
        st.subheader("Pairs of graders")
        if any(pair["n_responses"] for pair in facet["pairs"]):
            draw_chart(pair_kappas(facet["pairs"], account_names()))
            draw_line("Quadratic weighted kappa, and the number of answers the two share.")
        else:
            draw_line("No two graders share an answer.")


def _draw_effects(effects: list[dict[str, Any]]) -> None:
    said = list(dict.fromkeys(effect["says"] for effect in effects))
    draw_lines(said or ["Nothing has been scored yet."])
    draw_line("Place in the queue, the score given just before, and length in words, for each grader.")


def _draw_figures(facet: Facet) -> None:
    rows: list[list[Cell]] = [
        [
            figure_title(figure),
            None if figure["value"] is None else f"{figure['value']:.3f}",
            interval_of(figure),
            figure["n_responses"],
            figure["status"].replace("_", " "),
        ]
        for figure in facet["figures"]
    ]
    draw_table(["Figure", "Value", "95 % interval", "Answers", "Status"], rows)
    methods = dict.fromkeys(f["interval_method"] for f in facet["figures"] if f["interval_method"])
    draw_lines([f"Interval: {method}." for method in methods])
    draw_lines(facet["notes"])
    draw_line(
        "Krippendorff (2018) relies on alpha from 0.800 and draws tentative conclusions from 0.667; "
        "judge by the lower end of the interval."
    )


def account_names() -> dict[str, str]:
    """Give the name each account is shown by, by account id."""
    return {account.account_id: account.shown_name for account in all_accounts(bench())}


def _two(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"
