"""The main pictures of a report: figures with intervals, severity, pairs, and how many graders are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader_app.agreement.report_text import figure_title
from grader_app.errors import RatingsProblem

if TYPE_CHECKING:
    import altair as alt

Entry = Mapping[str, Any]

INK = "#1b4965"
WIDTH = 480


def save_chart(report: Entry, path: Path) -> None:
    """Write the main pictures of a report to one SVG or PNG file.

    Parameters
    ----------
    report
        What `report` or `report_of` returned.
    path
        Ends in ``.svg`` or ``.png``.

    Raises
    ------
    RatingsProblem
        When the name ends otherwise, or the file cannot be written.
    """
    import vl_convert

    specification = report_chart(report).to_dict()
    kind = path.suffix.lower()
    if kind == ".svg":
        content = vl_convert.vegalite_to_svg(specification).encode()
    elif kind == ".png":
        content = vl_convert.vegalite_to_png(specification, scale=2)
    else:
        raise RatingsProblem(f"{path}: a picture ends in .svg or .png. Choose one of them.")
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise RatingsProblem(f"{path} cannot be written: {problem.strerror}. Choose another place.") from None


def report_chart(report: Entry) -> alt.VConcatChart:
    """Return the pictures of all facets, one below the other."""
    import altair as alt

    charts = [chart for facet in report["facets"] for chart in _facet_charts(facet)]
    return alt.VConcatChart(
        vconcat=charts,
        resolve={"scale": {"color": "independent"}},
        config={"view": {"stroke": None}, "font": "Helvetica, Arial, sans-serif", "background": "white"},
    )


def _facet_charts(facet: Entry) -> list[alt.LayerChart]:
    title = " · ".join(part for part in (facet["item"], facet["facet"]) if part)
    charts = [figures_chart(facet["figures"], f"{title}: agreement with intervals")]
    if any(grader["severity"] is not None for grader in facet["graders"]):
        charts.append(severity_chart(facet["graders"]))
    if any(pair["n_responses"] for pair in facet["pairs"]):
        charts.append(pairs_chart(facet["pairs"]))
    if any(row["phi"]["value"] is not None for row in facet["d_study"]):
        charts.append(d_study_chart(facet["d_study"]))
    return charts


def figures_chart(figures: Sequence[Entry], title: str) -> alt.LayerChart:
    """Return each figure as a dot on its interval; figures without a value are named with their status."""
    rows = [
        {
            "figure": figure_title(figure),
            "value": figure["value"],
            "low": figure["low"],
            "high": figure["high"],
            "label": _label(figure),
        }
        for figure in figures
    ]
    return _dots(rows, "figure", title, "0 is chance or none, 1 is full agreement")


def severity_chart(graders: Sequence[Entry]) -> alt.LayerChart:
    """Return each grader's severity as a dot on its interval; to the right is harsh."""
    rows = [
        {
            "grader": grader["grader"],
            "value": grader["severity"],
            "low": grader["low"],
            "high": grader["high"],
            "label": "" if grader["severity"] is not None else grader["status"].replace("_", " "),
        }
        for grader in graders
    ]
    return _dots(
        rows,
        "grader",
        "Severity against the other graders",
        "lenient: above the others | points | below the others: harsh",
    )


def pairs_chart(pairs: Sequence[Entry]) -> alt.LayerChart:
    """Return a heat map of the quadratic weighted kappa of each pair, with the number of shared answers."""
    import altair as alt

    rows = []
    for pair in pairs:
        by_name = {figure["name"]: figure["value"] for figure in pair["figures"]}
        kappa = by_name["quadratic_weighted_kappa"]
        text = "none" if kappa is None else f"{kappa:.2f}"
        first, second = pair["graders"]
        rows.append({"a": first, "b": second, "kappa": kappa, "text": f"{text} · n {pair['n_responses']}"})
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("a:N", title=None, axis=alt.Axis(labelAngle=-20, labelLimit=130)), y=alt.Y("b:N", title=None)
    )
    colour = alt.Color(
        "kappa:Q", scale=alt.Scale(scheme="cividis", domain=[0, 1], clamp=True), title="weighted kappa"
    )
    boxes = base.mark_rect(stroke="#999999", strokeWidth=0.5).encode(
        color=alt.condition("datum.kappa !== null", colour, alt.value("#ffffff"))
    )
    # White on the dark half of the palette and black on the light half stay legible in print.
    words = base.mark_text(fontSize=10).encode(
        text="text:N",
        color=alt.condition(
            "datum.kappa === null || datum.kappa > 0.45", alt.value("black"), alt.value("white")
        ),
    )
    return alt.LayerChart(
        layer=[boxes, words],
        width=max(WIDTH, 120 * (len({row["a"] for row in rows}))),
        title="Pairs of graders",
    )


def d_study_chart(rows: Sequence[Entry]) -> alt.LayerChart:
    """Return the dependability of the mean of 1, 2, … graders with its interval."""
    import altair as alt

    values = [
        {
            "n": row["n_graders"],
            "value": row["phi"]["value"],
            "low": row["phi"]["low"],
            "high": row["phi"]["high"],
            "label": f"{row['phi']['value']:.2f}" if row["phi"]["value"] is not None else "",
        }
        for row in rows
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("n:O", title="graders reading each answer", axis=alt.Axis(labelAngle=0))
    )
    scale = alt.Scale(domain=[0, 1])
    reach = base.mark_rule(color=INK, opacity=0.5).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    line = base.mark_line(color=INK, point=True).encode(
        y=alt.Y("value:Q", scale=scale, title="dependability (Phi)")
    )
    words = base.mark_text(dy=-12, dx=14).encode(y="value:Q", text="label:N")
    return alt.LayerChart(
        layer=[reach, line, words], width=WIDTH, height=220, title="How many graders are needed"
    )


def _label(figure: Entry) -> str:
    if figure["value"] is None:
        return str(figure["status"]).replace("_", " ")
    return f"{figure['value']:.2f}"


def _dots(rows: list[dict[str, Any]], name: str, title: str, axis: str) -> alt.LayerChart:
    import altair as alt

    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y(f"{name}:N", sort=None, title=None))
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(strokeDash=[3, 3]).encode(x="zero:Q")
    reach = base.mark_rule(color=INK, strokeWidth=2).encode(x=alt.X("low:Q", title=axis), x2="high:Q")
    dots = base.mark_point(filled=True, size=70, color=INK).encode(x=alt.X("value:Q", title=axis))
    words = base.mark_text(align="left", dx=8, fontSize=10).encode(x=alt.value(WIDTH), text="label:N")
    layer = [zero, reach, dots, words] if any(row["label"] for row in rows) else [zero, reach, dots]
    return alt.LayerChart(layer=layer, width=WIDTH, title=title)
