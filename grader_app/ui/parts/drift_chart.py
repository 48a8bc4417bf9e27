"""The watch on drift as a picture: both sums against the limit, paper by paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from grader_app.agreement.validity_watch import ValidityWatch

_WIDTH, _HEIGHT = 380, 236
_LEFT, _RIGHT, _TOP, _BOTTOM = 14, 56, 22, 58
_MOST_NUMBERS = 15
"""Papers up to which each has its number on the axis."""

DRIFT_STYLE = """
svg.drift { display: block; width: 100%; max-width: 470px; margin: .2rem 0 .4rem; color: inherit;
  font: 12px system-ui, "DejaVu Sans", sans-serif; }
svg.drift text { fill: currentColor; stroke: var(--st-background-color, Canvas); stroke-width: 4px;
  stroke-linejoin: round; paint-order: stroke; }
svg.drift text.strong { font-weight: 700; }
svg.drift circle, svg.drift rect { fill: currentColor; }
svg.drift path { fill: none; stroke: currentColor; stroke-width: 1.8; }
svg.drift path.dashed { stroke-dasharray: 5 3; }
svg.drift path.axis { stroke-width: 1; opacity: .55; }
svg.drift path.limit { stroke-width: 1.3; stroke-dasharray: 1.5 3; }
svg.drift circle.ring { fill: none; stroke: currentColor; stroke-width: 2; }
"""


def drift_svg(seen: ValidityWatch) -> str:
    """Draw the sums of one grader: harsher above the middle line, more lenient below it.

    Parameters
    ----------
    seen
        From `validity_watch`; with at least one validity paper planted.

    Returns
    -------
    str
        An SVG element without colours of its own, so that it is legible on light and dark and in print.
        What it shows is also its label.
    """
    if seen.watched is None or seen.limit is None:
        return ""
    watched, limit = seen.watched, seen.limit.limit
    papers = max(seen.planted - seen.restarted, len(watched.harsher), 1)
    reach = 1.1 * max(limit, *watched.harsher, *watched.more_lenient, 1.0)
    plot = _Plot(papers, reach)
    parts = [
        *plot.frame(limit),
        *plot.line(watched.harsher, 1, "sums"),
        *plot.line(watched.more_lenient, -1, "sums dashed"),
        *plot.limit_labels(
            limit, clear_of=len(watched.harsher) if watched.alarm is None else watched.alarm + 1
        ),
        *plot.end(watched.harsher, watched.more_lenient),
        *_alarm(plot, seen),
    ]
    return (
        f'<svg class="drift" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(_label(seen))}">'
        f"{''.join(parts)}</svg>"
    )


class _Plot:
    """Places of papers and sums on the picture."""

    def __init__(self, papers: int, reach: float) -> None:
        self.papers, self.reach = papers, reach
        self.middle = (_TOP + _HEIGHT - _BOTTOM) / 2
        self.half = self.middle - _TOP

    def x(self, paper: int) -> float:
        """Give the place of a paper, counted from 1; 0 is the axis."""
        return round(_LEFT + paper * (_WIDTH - _LEFT - _RIGHT) / self.papers, 1)

    def y(self, value: float) -> float:
        """Give the place of a sum, positive above the middle."""
        return round(self.middle - self.half * value / self.reach, 1)

    def frame(self, limit: float) -> Iterator[str]:
        """Draw the middle line, both limits, and the numbers of the papers."""
        right = self.x(self.papers)
        yield f'<path class="axis" d="M{_LEFT},{self.middle}H{right}"/>'
        for y in (self.y(limit), self.y(-limit)):
            yield f'<path class="limit" d="M{_LEFT},{y}H{right}"/>'
        every = 1 if self.papers <= _MOST_NUMBERS else 5
        for paper in range(every, self.papers + 1, every):
            yield _text(self.x(paper), _HEIGHT - 20, str(paper), "middle")
        yield _text(_LEFT, _HEIGHT - 4, "validity paper, in the order read")

    def limit_labels(self, limit: float, clear_of: int) -> Iterator[str]:
        """Name both limits, at the end away from a paper; drawn after the sums, which may run there."""
        x, anchor = (self.x(self.papers), "end") if clear_of <= 0.4 * self.papers else (_LEFT, "start")
        for sign, words, below in ((1, "harsher", -6), (-1, "more lenient", 15)):
            yield _text(x, self.y(sign * limit) + below, f"{words}: limit {limit:.2f}", anchor)

    def line(self, sums: Sequence[float], sign: int, kind: str) -> Iterator[str]:
        """Draw one sum: dots above, squares below, so that they differ in more than place."""
        if not sums:
            return
        points = [(self.x(at), self.y(sign * value)) for at, value in enumerate(sums, start=1)]
        path = "L".join(f"{x},{y}" for x, y in [(self.x(0), self.middle), *points])
        yield f'<path class="{kind}" d="M{path}"/>'
        for x, y in points:
            if sign > 0:
                yield f'<circle cx="{x}" cy="{y}" r="3"/>'
            else:
                yield f'<rect x="{x - 3}" y="{y - 3}" width="6" height="6"/>'

    def end(self, harsher: Sequence[float], more_lenient: Sequence[float]) -> Iterator[str]:
        """Write where both sums stand now, beside their last points and clear of the middle line."""
        if not harsher:
            return
        x = self.x(len(harsher)) + 12
        above = min(self.y(harsher[-1]) + 4, self.middle - 4)
        below = max(self.y(-more_lenient[-1]) + 4, self.middle + 13)
        yield _text(x, above, f"{harsher[-1]:.2f}")
        yield _text(x, below, f"{more_lenient[-1]:.2f}")


def _alarm(plot: _Plot, seen: ValidityWatch) -> Iterator[str]:
    watched = seen.watched
    if watched is None or watched.alarm is None:
        return
    at = watched.alarm
    up = watched.direction == "harsher"
    x, y = plot.x(at + 1), plot.y(watched.harsher[at] if up else -watched.more_lenient[at])
    yield f'<circle class="ring" cx="{x}" cy="{y}" r="8"/>'
    yield _text(x, y - 12 if up else y + 21, "alarm", "middle", "strong")


def _text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def _label(seen: ValidityWatch) -> str:
    watched = seen.watched
    if watched is None or not watched.harsher:
        return "Both sums stand at 0: no validity paper is in them yet."
    state = "no alarm" if watched.alarm is None else f"alarm at paper {watched.alarm + 1}"
    return (
        f"After {len(watched.harsher)} of {seen.planted - seen.restarted} validity papers the sum for "
        f"harsher is {watched.harsher[-1]:.2f} and the sum for more lenient {watched.more_lenient[-1]:.2f}; "
        f"the limit is {watched.limit:.2f}; {state}."
    )
