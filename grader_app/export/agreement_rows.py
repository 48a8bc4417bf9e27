"""The agreement report as rows, for the page and the workbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.table import Cell, Column, Table, yes_or_no

FIGURES_COLUMNS = (
    Column("item", Kind.ITEM),
    Column("facet", Kind.FACET),
    Column("figure", Kind.STATISTIC),
    Column("variant", Kind.STATISTIC),
    Column("graders", Kind.GRADER_ID),
    Column("value", Kind.STATISTIC),
    Column("low", Kind.STATISTIC),
    Column("high", Kind.STATISTIC),
    Column("confidence", Kind.STATISTIC),
    Column("n_responses", Kind.STATISTIC),
    Column("status", Kind.STATISTIC),
    Column("says", Kind.STATISTIC),
)
GRADERS_COLUMNS = (
    Column("item", Kind.ITEM),
    Column("facet", Kind.FACET),
    Column("grader", Kind.GRADER_ID),
    Column("simulated", Kind.STATISTIC),
    Column("n", Kind.STATISTIC),
    Column("mean", Kind.STATISTIC),
    Column("sd", Kind.STATISTIC),
    Column("severity", Kind.STATISTIC),
    Column("severity_against", Kind.STATISTIC),
    Column("status", Kind.STATISTIC),
)


def figures_table(agreement: Mapping[str, Any]) -> Table:
    """Give every figure of the panel and of each two graders who share an answer."""
    return Table("agreement", FIGURES_COLUMNS, tuple(_figure_rows(agreement)))


def graders_table(agreement: Mapping[str, Any]) -> Table:
    """Give each grader's mean, spread and severity by item and facet."""
    rows = tuple(
        (
            facet["item"],
            facet["facet"],
            grader["grader"],
            yes_or_no(grader.get("simulated", False)),
            grader["n"],
            grader["mean"],
            grader["sd"],
            grader["severity"],
            grader["severity_against"],
            grader["status"],
        )
        for facet in agreement["facets"]
        for grader in facet["graders"]
    )
    return Table("graders", GRADERS_COLUMNS, rows)


def variant(figure: Mapping[str, Any]) -> str:
    """Name a figure's level, weights or reach, so far as it has one."""
    within = f"within {figure['within']:g}" if "within" in figure else None
    return str(figure.get("level") or figure.get("weights") or within or "")


def _figure_rows(agreement: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for facet in agreement["facets"]:
        of = (facet["item"], facet["facet"])
        for figure in facet["figures"]:
            yield (*of, *_figure(figure, "all"))
        for pair in facet["pairs"]:
            if pair["n_responses"]:
                for figure in pair["figures"]:
                    yield (*of, *_figure(figure, " and ".join(pair["graders"])))


def _figure(figure: Mapping[str, Any], graders: str) -> tuple[Cell, ...]:
    values = (figure[key] for key in ("value", "low", "high", "confidence", "n_responses", "status", "says"))
    return (figure["name"], variant(figure) or None, graders, *values)
