"""How a grader's scores spread over the scale beside the panel's, small enough to stand side by side."""

from __future__ import annotations

from html import escape

from grader_app.agreement.score_shares import ScoreShares

_STEP, _BARS, _TOP, _BOTTOM = 26, 64, 16, 18

SHARES_STYLE = """
div.multiples { display: flex; flex-wrap: wrap; gap: .6rem 1.6rem; }
figure.shares { margin: 0; }
figure.shares figcaption { font-size: .9rem; margin: 0 0 .1rem; }
figure.shares svg { color: inherit; font: 12px system-ui, "DejaVu Sans", sans-serif; }
figure.shares text { fill: currentColor; }
figure.shares rect.bar { fill: currentColor; opacity: .5; }
figure.shares path { stroke: currentColor; stroke-width: 1; fill: none; }
figure.shares path.panel { stroke-width: 2.6; }
"""


def shares_svg(shares: ScoreShares, name: str, top: float) -> str:
    """Draw a bar for the grader's share of each score and a mark for the panel's.

    Parameters
    ----------
    shares
        From `score_shares`.
    name
        Of the grader.
    top
        The share that a full bar stands for; the same for every figure on a page.

    Returns
    -------
    str
        A figure whose heights compare with those of the other graders.
    """
    rows = list(zip(shares.points, shares.grader, shares.panel, strict=True))
    width = _STEP * len(rows) + 8
    parts = []
    for at, (point, mine, panel) in enumerate(rows):
        x = 4 + at * _STEP
        bar, mark = (_TOP + _BARS * (1 - share / top) for share in (mine, panel))
        parts.append(
            f'<rect class="bar" x="{x + 4}" y="{bar:.1f}" width="14" height="{_TOP + _BARS - bar:.1f}"/>'
        )
        parts.append(f'<path class="panel" d="M{x},{mark:.1f}H{x + 22}"/>')
        middle = x + 11
        parts.append(
            f'<text x="{middle}" y="{_TOP + _BARS + 14}" text-anchor="middle">{escape(f"{point:g}")}</text>'
        )
        if mine:
            words = f"{100 * mine:.0f}"
            parts.append(
                f'<text x="{middle}" y="{min(bar, mark) - 4:.1f}" text-anchor="middle">{words}</text>'
            )
    parts.append(f'<path class="axis" d="M4,{_TOP + _BARS}H{width - 4}"/>')
    height = _TOP + _BARS + _BOTTOM
    said = "; ".join(
        f"{point:g}: {100 * mine:.0f} %, panel {100 * panel:.0f} %" for point, mine, panel in rows
    )
    return (
        f'<figure class="shares"><figcaption>{escape(name)} · {shares.n} scored</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{escape(said)}">'
        f"{''.join(parts)}</svg></figure>"
    )
