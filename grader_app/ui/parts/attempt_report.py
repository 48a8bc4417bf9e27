"""The figures of one calibration attempt: order, scores, what the distance is made of, tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import streamlit as st

from grader_app.agreement.against_reference import AgainstReference
from grader_app.agreement.error_parts import ErrorParts
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.of_attempt import AttemptReport
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table, scrolling_html
from grader_app.ui.parts.spoken import counted

_STYLE = """
<style>
table.plain td.number { white-space: nowrap; }
table.crossing { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .95rem;
  margin: .25rem 0 .6rem; }
table.crossing caption { text-align: left; font-weight: 600; padding-bottom: .35rem; }
table.crossing th, table.crossing td { min-width: 2.1rem; height: 1.9rem; padding: .1rem .35rem;
  text-align: center; border: 1px solid rgb(128 128 128 / 30%); }
table.crossing th { font-weight: 600; }
table.crossing th.side { text-align: left; font-weight: 400; border: 0; }
table.crossing td.same { border: 2px solid currentColor; font-weight: 700; }
div.parts { display: flex; height: 1.7rem; border: 1px solid currentColor; max-width: 34rem; }
div.parts > span { min-width: 0; }
.part-level { background: #1f4e79; }
.part-spread { background: repeating-linear-gradient(45deg, currentColor 0 2px, transparent 2px 6px); }
.part-order { background: repeating-linear-gradient(0deg, currentColor 0 1px, transparent 1px 5px); }
ul.parts { list-style: none; margin: .5rem 0 .8rem; padding: 0; }
ul.parts li { margin: 0 0 .2rem; }
ul.parts i { display: inline-block; width: 1.1rem; height: .8rem; border: 1px solid currentColor;
  margin-right: .5rem; vertical-align: -.05rem; }
</style>
"""
_PARTS = {
    "level": ("Level", "scoring too low or too high throughout"),
    "spread": ("Spread", "using the scale more narrowly or more widely"),
    "order": ("Order", "seeing other differences between papers than the reference does"),
}
_TOO_FEW = "too few papers for an interval"
_WIDEST_SEVERITY = 2.0
"""Points between the ends of an interval that, with few papers, says nothing of severity."""
_FEW_PAPERS = 10
_EDGE = 0.005
"""An end this near the edge of what a figure can be is shown as the edge."""
_RANGES = {
    "pairs_in_order": (0.0, 1.0),
    "exact": (0.0, 1.0),
    "exact_or_adjacent": (0.0, 1.0),
    "kendall_tau_b": (-1.0, 1.0),
    "spearman_rho": (-1.0, 1.0),
    "quadratic_weighted_kappa": (-1.0, 1.0),
}
"""The least and the most that a figure can be, by its name."""
_COLUMNS = ["You", "95 % interval", "Based on"]


def whole_percents(shares: Sequence[float]) -> list[int]:
    """Round shares that make up a whole to percents that still add up to 100.

    Parameters
    ----------
    shares
        Adding up to 1.

    Notes
    -----
    Each is rounded down; what is missing goes, one by one, to those that lost most.

    Examples
    --------
    >>> whole_percents([1 / 3, 1 / 3, 1 / 3]), whole_percents([0.445, 0.026, 0.529])
    ([34, 33, 33], [44, 3, 53])
    """
    down = [int(100 * share + 1e-9) for share in shares]
    lost = sorted(range(len(shares)), key=lambda at: down[at] - 100 * shares[at])
    for at in lost[: 100 - sum(down)]:
        down[at] += 1
    return down


def draw_style() -> None:
    """Add the styles of this part, once a page."""
    st.html(_STYLE)


def draw_order(report: AttemptReport) -> None:
    """Draw the figures of step one."""
    st.subheader("Step one: the order")
    rank = report.rank
    if rank is None:
        draw_line("There was no order to judge.")
        return
    pairs = f"{rank.right} of {counted(rank.n_pairs, 'pair')}"
    papers = counted(rank.n_papers, "paper")
    rows = [
        ["Pairs in the right order", *_shares(rank.share), pairs],
        ["The whole order, pair by pair (1 is the same order)", *_numbers(rank.tau_b), papers],
        ["The whole order, place by place (1 is the same order)", *_numbers(rank.rho), papers],
    ]
    draw_table(["Figure", *_COLUMNS], rows)
    if rank.tied:
        draw_line(
            f"{counted(rank.tied, 'pair')} ranked equal, {rank.wrong} the other way round. "
            "Only pairs that the reference sets apart are judged."
        )
    draw_lines(_refusals([rank.share, rank.tau_b, rank.rho]))


def draw_scores(report: AttemptReport) -> None:
    """Draw the figures of step two."""
    st.subheader("Step two: the scores")
    scores = report.scores
    if scores is None:
        draw_line("Fewer than two papers have both a score of yours and a reference score.")
        return
    papers = counted(scores.n, "paper")
    harsh = (scores.severity.value or 0.0) >= 0
    rows = [
        ["The same score as the reference", *_shares(scores.exact), papers],
        ["The same score or next to it", *_shares(scores.exact_or_adjacent), papers],
        ["Agreement beyond chance (1 is full)", *_numbers(scores.qwk), papers],
        [
            f"Points {'below' if harsh else 'above'} the reference, on average",
            *_numbers(scores.severity, 1 if harsh else -1),
            papers,
        ],
        ["Points you go up where the reference goes up 1", *_numbers(scores.slope), papers],
    ]
    draw_table(["Figure", *_COLUMNS], rows)
    if report.coded:
        draw_line(
            f"You gave a code instead of a score to {', '.join(report.coded)}: counted as neither the same "
            "nor next to it, and left out of every other figure."
        )
    draw_lines(_refusals(scores.figures))


def draw_parts(parts: ErrorParts | None) -> None:
    """Draw what the distance from the reference is made of, as a bar with its three parts named."""
    st.subheader("What your distance from the reference is made of")
    if parts is None or parts.level_share is None or parts.spread_share is None or parts.order_share is None:
        draw_line("Nothing: every score is the reference score.")
        return
    st.html(parts_html(parts.level_share, parts.spread_share, parts.order_share))


def parts_html(level: float, spread: float, order: float) -> str:
    """Write the bar of three shares with its key; the shares shown add up to 100 %.

    Examples
    --------
    >>> 'aria-label="Level 44 %, spread 3 %, order 53 %"' in parts_html(0.44, 0.026, 0.534)
    True
    """
    shares = dict(zip(_PARTS, whole_percents([level, spread, order]), strict=True))
    spoken = ", ".join(f"{_PARTS[name][0]} {share} %" for name, share in shares.items()).capitalize()
    bar = "".join(
        f'<span class="part-{name}" style="flex: {share} 0 0"></span>' for name, share in shares.items()
    )
    key = "".join(
        f'<li><i class="part-{name}"></i><strong>{_PARTS[name][0]} {share} %</strong>: {_PARTS[name][1]}</li>'
        for name, share in shares.items()
    )
    return f'<div class="parts" role="img" aria-label="{spoken}">{bar}</div><ul class="parts">{key}</ul>'


def draw_crossing(scores: AgainstReference) -> None:
    """Draw how often each of one's scores met each reference score."""
    values = [f"{value:g}" for value in scores.scale.values()]
    st.html(scrolling_html(crossing_html(values, scores.table)))
    draw_line("In heavy boxes: the same score as the reference.")


def crossing_html(values: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """Write the table of counts: reference scores in rows, one's own in columns, the diagonal boxed.

    Examples
    --------
    >>> crossing_html(["0", "1"], [[2, 0], [1, 3]]).count('class="same"')
    2
    """
    head = "".join(f'<th scope="col">{escape(value)}</th>' for value in values)
    body = ""
    for at, (value, row) in enumerate(zip(values, counts, strict=True)):
        cells = "".join(_count(count, same=at == column) for column, count in enumerate(row))
        body += f'<tr><th scope="row">{escape(value)}</th>{cells}</tr>'
    right, down = "\N{RIGHTWARDS ARROW}", "\N{DOWNWARDS ARROW}"
    above = f'<tr><td></td><th class="side" colspan="{len(values)}">Your score {right}</th></tr>'
    return (
        '<table class="crossing"><caption>Your scores and the reference, in papers</caption>'
        f'<thead>{above}<tr><th scope="col">Reference {down}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def draw_use_of_scores(scores: AgainstReference) -> None:
    """Draw how many papers stand at each score point, one's own and the reference's."""
    rows: list[list[Cell]] = [
        [f"{use.score:g}", round(use.grader * scores.n), round(use.reference * scores.n)]
        for use in scores.bucket_use
    ]
    draw_table(["Score", "You", "Reference"], rows, "Papers at each score")


def draw_consistency(report: AttemptReport) -> None:
    """Draw whether scores and own order are in step, and like papers scored alike."""
    said = []
    if report.inversions is not None:
        said.append(report.inversions.says)
    if report.like_papers is not None:
        said += [
            "Some papers come in pairs that make the same points in a fuller and a plainer style. "
            f"{report.like_papers.says}",
            report.like_papers.effect.says,
        ]
    if said:
        st.subheader("Are you in step with yourself?")
        draw_lines(said)


def draw_how_computed(report: AttemptReport) -> None:
    """Draw each figure by its statistician's name, with how its interval was found."""
    figures: list[Estimate] = []
    if report.rank is not None:
        figures += [report.rank.share, report.rank.tau_b, report.rank.rho]
    if report.scores is not None:
        figures += report.scores.figures
    if report.like_papers is not None:
        figures.append(report.like_papers.effect)
    rows: list[list[Cell]] = [
        [
            figure.name.replace("_", " "),
            None if figure.value is None else f"{figure.value:.3f}",
            _interval(figure.low, figure.high, "{:.3f}"),
            figure.n_responses,
            figure.interval_method,
        ]
        for figure in figures
    ]
    with st.expander("How computed"):
        draw_table(["Figure", "Value", "95 % interval", "Papers", "Interval by"], rows)
        draw_lines(_methods(report))


def _methods(report: AttemptReport) -> list[str]:
    said = ["Severity is reference mean minus your mean: positive is harsh."]
    parts = report.scores.parts if report.scores is not None else None
    if parts is not None:
        said.append(
            f"Mean squared difference {parts.mean_squared_difference:.3f} = level {parts.level:.3f} + spread "
            f"{parts.spread:.3f} + order {parts.order:.3f} (Kobayashi & Salam 2000)."
        )
    return said


def _shares(figure: Estimate) -> list[Cell]:
    value = None if figure.value is None else f"{100 * figure.value:.0f} %"
    if says_nothing(figure):
        return [value, _TOO_FEW]
    ends = (figure.low, figure.high)
    low, high = (None if end is None else 100 * end for end in ends)
    return [value, _interval(low, high, "{:.0f} %")]


def says_nothing(figure: Estimate) -> bool:
    """Say whether an interval leaves open whatever the figure could be.

    Parameters
    ----------
    figure
        With its interval: all that is possible, or for severity more than a point to either side where
        there are fewer than ten papers.
    """
    if figure.low is None or figure.high is None:
        return False
    if figure.name == "severity":
        return (figure.n_responses or 0) < _FEW_PAPERS and figure.high - figure.low > _WIDEST_SEVERITY
    least, most = _RANGES.get(figure.name, (-math.inf, math.inf))
    return figure.low <= least + _EDGE and figure.high >= most - _EDGE


def _numbers(figure: Estimate, sign: int = 1) -> list[Cell]:
    value = None if figure.value is None else f"{sign * figure.value:.2f}"
    if says_nothing(figure):
        return [value, _TOO_FEW]
    low, high = figure.low, figure.high
    if sign < 0 and low is not None and high is not None:
        low, high = -high, -low
    return [value, _interval(low, high, "{:.2f}")]


def _interval(low: float | None, high: float | None, form: str) -> str | None:
    return None if low is None or high is None else f"{form.format(low)} to {form.format(high)}"


def _count(count: int, *, same: bool) -> str:
    shown = str(count) if count else ("0" if same else "")
    return f'<td class="same">{shown}</td>' if same else f"<td>{shown}</td>"


def _refusals(figures: Sequence[Estimate]) -> list[str]:
    """Say why a figure is missing, each reason once."""
    return list(dict.fromkeys(figure.says for figure in figures if figure.value is None))
