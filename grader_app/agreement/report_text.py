"""A report of agreement as tables a person can read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]

MOST_PAIRS = 45
"""More pairs of graders than this are summed up instead of listed."""


def readable(report: Entry) -> str:
    """Return the report as text: for each facet its design, figures, sentences, pairs and graders.

    Parameters
    ----------
    report
        What `report` or `report_of` returned.
    """
    return "\n\n".join("\n".join(_facet_lines(facet)) for facet in report["facets"])


def _facet_lines(facet: Entry) -> Iterator[str]:
    title = " · ".join(part for part in (facet["item"], facet["facet"]) if part)
    yield title
    yield "=" * len(title)
    yield _design_line(facet["design"])
    yield ""
    yield from _table(
        ["figure", "value", "interval", "answers", "status"],
        [_figure_row(figure) for figure in facet["figures"]],
    )
    yield ""
    yield from _sentences(facet["figures"])
    if facet["pairs"]:
        yield ""
        yield from _pair_lines(facet["pairs"])
    if facet["graders"]:
        yield ""
        yield from _grader_lines(facet["graders"])


def _design_line(design: Entry) -> str:
    text = (
        f"{design['n_responses']} answers, {design['n_graders']} graders, {design['n_ratings']} ratings; "
        f"{design['n_paired_responses']} answers rated by two or more."
    )
    for left in design["left_out"]:
        text += f" {left['n']} {left['why']}."
    return text


def figure_title(figure: Entry) -> str:
    """Return the name of a figure with its level, weights or reach."""
    extra = figure.get("level") or figure.get("weights")
    if "within" in figure:
        extra = f"within {figure['within']:g}"
    name = str(figure["name"]).replace("_", " ")
    return f"{name} ({extra})" if extra else name


def _figure_row(figure: Entry) -> list[str]:
    return [
        figure_title(figure),
        _number(figure["value"]),
        _range(figure),
        str(figure["n_responses"]),
        figure["status"].replace("_", " "),
    ]


def _sentences(figures: Sequence[Entry]) -> Iterator[str]:
    said: dict[str, list[str]] = {}
    for figure in figures:
        said.setdefault(figure["says"], []).append(figure_title(figure))
    for sentence, names in said.items():
        yield f"- {sentence}" if len(names) == 1 else f"- {sentence} (Concerns {', '.join(names)}.)"
    methods = dict.fromkeys(figure["interval_method"] for figure in figures if figure["interval_method"])
    for method in methods:
        yield f"  Interval: {method}."


def _pair_lines(pairs: Sequence[Entry]) -> Iterator[str]:
    shared = [pair for pair in pairs if pair["n_responses"]]
    if len(shared) > MOST_PAIRS:
        yield f"{len(shared)} of {len(pairs)} pairs of graders share answers; all of them stand in the JSON."
        return
    if not shared:
        yield "No two graders share an answer."
        return
    names = [figure["name"] for figure in shared[0]["figures"]]
    rows = [
        [" · ".join(pair["graders"]), str(pair["n_responses"])]
        + [_number(figure["value"]) for figure in pair["figures"]]
        for pair in shared
    ]
    yield from _table(["pair", "answers", *(_PAIR_HEADS.get(name, name) for name in names)], rows)


_PAIR_HEADS = {
    "exact_or_adjacent": "adjacent",
    "cohen_kappa": "kappa",
    "linear_weighted_kappa": "linear",
    "quadratic_weighted_kappa": "QWK",
    "kendall_tau_b": "tau-b",
    "spearman_rho": "rho",
    "pearson_r": "r",
    "smd": "SMD",
}


def _grader_lines(graders: Sequence[Entry]) -> Iterator[str]:
    yield from _table(
        ["grader", "graded", "mean", "sd", "severity", "interval", "status"],
        [
            [
                grader["grader"],
                str(grader["n"]),
                _number(grader["mean"]),
                _number(grader["sd"]),
                _number(grader["severity"], signed=True),
                _range(grader),
                grader["status"].replace("_", " "),
            ]
            for grader in graders
        ],
    )
    yield "Severity: the others' mean minus this grader's on the same answers; positive is harsh."


def _number(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if signed else f"{value:.3f}"


def _range(entry: Entry) -> str:
    if entry["low"] is None or entry["high"] is None:
        return "-"
    return f"{entry['low']:.3f} to {entry['high']:.3f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    for row in (heads, *rows):
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()
