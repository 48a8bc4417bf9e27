"""A report of agreement as tables a person can read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader_app.agreement.verdict import verdict

Entry = Mapping[str, Any]

MOST_LISTED = 5
"""So many answers and pairs of scores are named by their share of the disagreement."""

_TITLES = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "fleiss_kappa": "Fleiss' kappa",
    "conger_kappa": "Conger's kappa",
    "brennan_prediger": "Brennan-Prediger",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "kendall_w": "Kendall's W",
    "cohen_kappa": "Cohen's kappa",
    "kendall_tau_b": "Kendall's tau-b",
    "spearman_rho": "Spearman's rho",
    "pearson_r": "Pearson's r",
    "smd": "Standardised mean difference",
    **{f"icc_{form}_{unit}": f"ICC({form},{unit})" for form in "123" for unit in "1k"},
}

MOST_PAIRS = 45
"""More pairs of graders than this are summed up instead of listed."""


def readable(report: Entry) -> str:
    """Return the report as text: for each facet its design, figures, sentences, pairs and graders.

    Parameters
    ----------
    report
        What `report` or `report_of` returned.
    """
    parts = ["\n".join(_facet_lines(facet)) for facet in report["facets"]]
    if report.get("effects"):
        parts.append("\n".join(_effect_lines(report["effects"])))
    return "\n\n".join(parts)


def _facet_lines(facet: Entry) -> Iterator[str]:
    title = " · ".join(part for part in (facet["item"], facet["facet"]) if part)
    yield title
    yield "=" * len(title)
    yield verdict(facet)
    yield _design_line(facet["design"])
    yield ""
    yield from _table(
        ["figure", "value", "interval", "answers", "status"],
        [_figure_row(figure) for figure in facet["figures"]],
    )
    yield ""
    yield from _sentences(facet["figures"])
    yield from (f"- {note}" for note in facet["notes"])
    if facet["pairs"]:
        yield ""
        yield from _pair_lines(facet["pairs"])
    if facet["graders"]:
        yield ""
        yield from _grader_lines(facet["graders"])
    if facet["variance_components"]["status"] == "ok":
        yield ""
        yield from _d_study_lines(facet)
    if facet["disagreement"]["responses"]:
        yield ""
        yield from _disagreement_lines(facet["disagreement"])


def _design_line(design: Entry) -> str:
    text = (
        f"{_counted(design['n_responses'], 'answer')}, {_counted(design['n_graders'], 'grader')}, "
        f"{_counted(design['n_ratings'], 'rating')}; "
        f"{_counted(design['n_paired_responses'], 'answer')} rated by two or more."
    )
    for left in design["left_out"]:
        text += f" {left['n']} {left['why']}."
    return text


def figure_title(figure: Entry) -> str:
    """Return the name of a figure with its level, weights or reach."""
    extra = figure.get("level") or figure.get("weights")
    if "within" in figure:
        extra = f"within {figure['within']:g}"
    name = _TITLES.get(figure["name"]) or str(figure["name"]).replace("_", " ").capitalize()
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
    for figure in figures:
        if "guidance" in figure:
            yield f"  {figure_title(figure)}: {figure['guidance']}"


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


def _d_study_lines(facet: Entry) -> Iterator[str]:
    yield f"How many graders are needed. {facet['variance_components']['says']}"
    rows = [
        [
            str(row["n_graders"]),
            _number(row["g"]["value"]),
            _range(row["g"]),
            _number(row["phi"]["value"]),
            _range(row["phi"]),
        ]
        for row in facet["d_study"]
    ]
    yield from _table(["graders an answer", "G", "interval", "Phi", "interval"], rows)
    yield "G leaves harshness aside, as when all answers have the same graders; Phi counts it as error."


def _disagreement_lines(disagreement: Entry) -> Iterator[str]:
    yield "Where the disagreement lies:"
    for part in disagreement["responses"][:MOST_LISTED]:
        given = ", ".join(f"{rating['grader']} {rating['score']}" for rating in part["ratings"])
        yield f"  {100 * part['share']:5.1f} %  answer {part['response']}: {given}"
    for part in disagreement["scores"][:MOST_LISTED]:
        yield f"  {100 * part['share']:5.1f} %  {part['scores'][0]} against {part['scores'][1]}"


def _effect_lines(effects: Sequence[Entry]) -> Iterator[str]:
    yield "Effects of order and length"
    for sentence in dict.fromkeys(effect["says"] for effect in effects):
        yield f"- {sentence}"


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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
