"""The report's section on how far each total could be off, and who is near the line."""

from __future__ import annotations

from collections.abc import Mapping

from grader_app.domain.read_again import candidates_read_again
from grader_app.export import html
from grader_app.export.results import Results
from grader_app.export.table import Cell
from grader_app.scaling.cuts import Judgment, judge, spoken_total
from grader_app.scaling.error_bars import COVERS, EVERYTHING, READERS, Bar
from grader_app.scaling.line_chances import (
    RESCORE_HEAD,
    TRUE_SCORE_HEAD,
    LineChances,
    chances_say,
    spoken_chance,
)
from grader_app.scaling.scaled import ScaledCandidate
from grader_app.scaling.score_errors import ScoreErrors

_JUDGED: dict[Judgment, str] = {"pass": "passes", "fail": "fails", "reread": "to be read again"}
MOST_CANDIDATES = 500
"""How many candidates the section lists; intervals.json has all."""


def error_bars_section(results: Results) -> str:
    """Give every candidate's two intervals and two chances; nothing where nothing is scaled."""
    errors, scaled = results.errors, results.scaled
    if errors is None or scaled is None or not scaled.candidates:
        return ""
    percent = f"{100 * errors.bars.settings.confidence:g} %"
    heads = ["candidate_id", "score", f"{percent}: readers, questions, pool", f"{percent}: readers only"]
    heads += [f"against {errors.line:g}", RESCORE_HEAD, TRUE_SCORE_HEAD] if errors.line is not None else []
    shown = scaled.candidates[:MOST_CANDIDATES]
    verdicts = _verdicts(results)
    rows = [_row(row, results, errors, verdicts) for row in shown]
    left = len(scaled.candidates) - len(shown)
    return html.section(
        "How far each score could be off",
        html.in_short(results.notes, results.short_note),
        html.paragraph(f"Readers, questions, pool: {COVERS[EVERYTHING]}{_headline(errors)}"),
        html.paragraph(f"Readers only: {COVERS[READERS]}"),
        html.bullets(errors.notes),
        *(html.paragraph(said) for said in chances_say() if errors.line is not None),
        html.table(
            "Totals, or written scaled scores where there is no MBE score",
            heads,
            rows,
            note=results.short_note,
            numbers=frozenset(heads[1:]),
        ),
        html.paragraph(f"And {left} more, in intervals.json." if left else "", quiet=True),
    )


def _headline(errors: ScoreErrors) -> str:
    """Say which interval a total is held against the line with, where there are both."""
    if errors.line is None or all(bars.everything is None for bars in errors.bars.candidates):
        return ""
    return f" This is the interval to hold against {errors.line:g}."


def _verdicts(results: Results) -> dict[str, str]:
    """Say in a word or two how each total stands to the line, by candidate id."""
    if results.scaled is None or results.round.cut is None:
        return {}
    found = judge(results.scaled, results.round.cut, candidates_read_again(results.record)).by_candidate
    return {one: _JUDGED[verdict] for one, verdict in found.items() if verdict is not None}


def _row(
    row: ScaledCandidate, results: Results, errors: ScoreErrors, verdicts: Mapping[str, str]
) -> list[Cell]:
    assert results.scaled is not None
    bars = errors.shown(row, results.scaled.factors)
    score = f"{row.written_scaled:.1f}" if row.total is None else spoken_total(row.total, results.round.cut)
    cells: list[Cell] = [row.candidate_id, score, _shown(bars.everything), _shown(bars.readers)]
    if errors.line is None:
        return cells
    chances = errors.chances.get(row.candidate_id, LineChances(None, None))
    said = spoken_chance(chances.rescore), spoken_chance(chances.true_score)
    return [*cells, verdicts.get(row.candidate_id), *said]


def _shown(bar: Bar | None) -> str | None:
    return None if bar is None else f"{bar.low:.1f} to {bar.high:.1f}"
