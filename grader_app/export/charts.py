"""Charts of a report as inline SVG: no script, no request, the same bytes for the same numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, isfinite
from typing import Any

from grader_app.domain.round import Cut
from grader_app.export.table import plain_number

_WIDTH, _LEFT, _RIGHT = 640.0, 48.0, 16.0
_HEIGHT, _TOP, _BOTTOM = 200.0, 30.0, 44.0
_ROW, _NAMES = 34.0, 210.0
_BIN_WIDTHS = (1, 2, 5, 10, 20, 50, 100)
_MOST_BINS = 40


@dataclass(frozen=True)
class Bins:
    """How many totals lie in each bin.

    Parameters
    ----------
    low, width
        Lower end of the first bin, and the width of each, in points.
    counts
        From the lowest bin; a total on a border counts in the upper bin.
    """

    low: float
    width: float
    counts: tuple[int, ...]


def bins_of(totals: Sequence[float]) -> Bins:
    """Count totals in bins of a round width, at most forty.

    Parameters
    ----------
    totals
        At least one.

    Examples
    --------
    >>> bins_of([261, 266, 266, 270, 284])
    Bins(low=261, width=1, counts=(1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    >>> bins_of([200, 299.5]).width
    5
    """
    low, high = min(totals), max(totals)
    width: float = next((w for w in _BIN_WIDTHS if floor(high / w) - floor(low / w) < _MOST_BINS), 0)
    if not width:
        width = (high - low) / (_MOST_BINS - 1)
    first = floor(low / width)
    counted = Counter(floor(total / width) - first for total in totals)
    return Bins(first * width, width, tuple(counted[at] for at in range(max(counted) + 1)))


def totals_chart(totals: Sequence[float], cut: Cut | None) -> str:
    """Draw the distribution of totals, with the line that passes and the band that is read again.

    Parameters
    ----------
    totals
        At least one.
    cut
        The round's, or None.
    """
    bins = bins_of(totals)
    ends = [bins.low, bins.low + bins.width * len(bins.counts)]
    marks = [] if cut is None else [cut.total, cut.reread_from, cut.reread_to]
    places = [*ends, *(float(one) for one in marks if one is not None)]
    low, high = min(places), max(places)
    across = (_WIDTH - _LEFT - _RIGHT) / (high - low or 1)
    most = max(bins.counts)
    base = _HEIGHT - _BOTTOM

    def x(total: float) -> float:
        return _LEFT + (total - low) * across

    drawn = []
    if cut is not None and cut.reread_from is not None and cut.reread_to is not None:
        # A band of whole totals reaches half a point beyond its ends.
        start, end = x(cut.reread_from), x(cut.reread_to) + across
        drawn.append(_rect(start, _TOP, end - start, base - _TOP, "#e8d9a8"))
    for place, count in enumerate(bins.counts):
        height = (base - _TOP) * count / most
        if count:
            left, wide = x(bins.low + place * bins.width), bins.width * across
            drawn.append(_rect(left, base - height, max(wide - 1, 0.5), height, "#5b7c99"))
    drawn.append(_line(_LEFT, base, _WIDTH - _RIGHT, base))
    drawn += [_text(x(one), base + 16, plain_number(round(one, 2)), "middle") for one in _ticks(low, high)]
    drawn.append(_text(_LEFT - 6, _TOP + 4, str(most), "end"))
    drawn.append(_text(_LEFT - 6, base, "0", "end"))
    below = f"candidates by total, in bins of {plain_number(bins.width)}"
    drawn.append(_text(_WIDTH / 2, _HEIGHT - 6, below, "middle"))
    if cut is not None:
        at = x(cut.total)
        drawn.append(_line(at, _TOP - 8, at, base, "#a4262c", 2))
        beside, anchor = (at - 4, "end") if at > _WIDTH / 2 else (at + 4, "start")
        drawn.append(_text(beside, _TOP - 12, _cut_words(cut), anchor))
    ends_said = f"{plain_number(min(totals))} to {plain_number(max(totals))}"
    says = f"Distribution of {len(totals)} totals from {ends_said}."
    if len(totals) == 1:
        says = f"One total: {plain_number(totals[0])}."
    return _svg(says, _HEIGHT, drawn)


def agreement_chart(facets: Sequence[Mapping[str, Any]]) -> str:
    """Draw alpha with its interval, and the share of equal pairs, for each item.

    Parameters
    ----------
    facets
        Entries of the agreement report for the overall score, one an item.
    """
    found = [({f["name"]: f for f in one["figures"]}, str(one["item"])) for one in facets]
    alphas = [figures["krippendorff_alpha"] for figures, _ in found]
    below = [one[end] for one in alphas for end in ("low", "value") if one[end] is not None]
    low: float = min(0.0, *(floor(one * 10) / 10 for one in [*below, 0.0]))
    across = (_WIDTH - _NAMES - _RIGHT) / (1 - low)
    height = _TOP + _ROW * len(found) + _BOTTOM

    def x(figure: float) -> float:
        return _NAMES + (figure - low) * across

    drawn, base = [], height - _BOTTOM
    for one in (low, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        drawn.append(_line(x(one), _TOP - 6, x(one), base, "#ddd"))
        drawn.append(_text(x(one), base + 16, f"{one:g}", "middle"))
    for at, (figures, item) in enumerate(found):
        drawn += _agreement_row(figures, item, _TOP + _ROW * at + _ROW / 2 - 4, x)
    says = "filled: Krippendorff's alpha with its interval; open: share of equal pairs of reads"
    drawn.append(_text(_NAMES, height - 6, says, "start"))
    return _svg(f"Agreement on {len(found)} questions; {says}.", height, drawn)


def _agreement_row(figures: Mapping[str, Any], item: str, y: float, x: Any) -> list[str]:  # noqa: ANN401 - a function
    alpha, exact = figures["krippendorff_alpha"], figures["exact"]
    drawn = [_text(_NAMES - 10, y + 4, item if len(item) <= 34 else f"{item[:33]}…", "end")]
    if alpha["value"] is None:
        return [*drawn, _text(x(0.0) + 6, y + 4, alpha["status"].replace("_", " "), "start")]
    if alpha["low"] is not None and alpha["high"] is not None:
        drawn.append(_line(x(alpha["low"]), y, x(min(alpha["high"], 1.0)), y, "#1c1c1c", 2))
    drawn.append(f'<circle cx="{x(alpha["value"]):.1f}" cy="{y:.1f}" r="5" fill="#1c1c1c"/>')
    if exact["value"] is not None:
        where = x(exact["value"]) - 4.5
        drawn.append(
            f'<rect x="{where:.1f}" y="{y - 4.5:.1f}" width="9" height="9" fill="#fff" stroke="#5b7c99" '
            'stroke-width="2"/>'
        )
    return drawn


def _cut_words(cut: Cut) -> str:
    words = f"passes: {plain_number(cut.total)}"
    if cut.reread_from is None or cut.reread_to is None:
        return words
    return f"{words}; read again: {plain_number(cut.reread_from)} to {plain_number(cut.reread_to)}"


def _ticks(low: float, high: float) -> list[float]:
    """Give up to ten round numbers on an axis."""
    width = high - low
    if not isfinite(width) or width <= 0:
        return [low]
    step = next((w for w in (1, 2, 5, 10, 20, 50, 100) if width / w <= 10), width / 8)
    return [at * step for at in range(floor(low / step), floor(high / step) + 1) if at * step >= low]


def _svg(says: str, height: float, drawn: Sequence[str]) -> str:
    return (
        f'<svg class="chart" role="img" aria-label="{escape(says)}" viewBox="0 0 {_WIDTH:g} {height:g}" '
        f'width="{_WIDTH:g}" height="{height:g}">'
        f"<title>{escape(says)}</title>{''.join(drawn)}</svg>"
    )


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str = "#1c1c1c", width: float = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
        f'stroke-width="{width:g}"/>'
    )


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
