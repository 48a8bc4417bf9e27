"""A group of which only single points of a percentile chart are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader_app.domain.reference_population import ChartPoint
from grader_app.scaling.standing import NoNumber


@dataclass(frozen=True)
class ChartPoints:
    """Points of a chart, ascending: exact where one stands, a straight line between two, else nothing."""

    points: Sequence[ChartPoint]

    def why_none(self, score: float) -> NoNumber | None:
        """See `Standing`."""
        lowest, highest = self.points[0].score, self.points[-1].score
        if lowest <= score <= highest:
            return None
        reach = f"at {lowest:g}" if lowest == highest else f"from {lowest:g} to {highest:g}"
        return NoNumber(
            "not_published", f"The points known of this chart stand {reach}; {score:g} lies outside."
        )

    def percent_below(self, score: float) -> float:
        """See `Standing`; a score beyond the points is held at the nearest."""
        lower, upper = self._around(score)
        if lower.score == upper.score:
            return lower.percentile
        share = (score - lower.score) / (upper.score - lower.score)
        return lower.percentile + share * (upper.percentile - lower.percentile)

    def percent_level(self, score: float) -> float:
        """See `Standing`; the charts do not say how many are level."""
        return 0.0

    def notes(self, score: float) -> tuple[str, ...]:
        """See `Standing`."""
        if self.why_none(score):
            return ()
        lower, upper = self._around(score)
        if lower.score == upper.score:
            return (_about(lower),)
        line = (
            f"The chart is not known at {score:g}. The number lies on a straight line between "
            f"{lower.score:g} and {upper.score:g}."
        )
        return (line, _about(lower), _about(upper))

    def _around(self, score: float) -> tuple[ChartPoint, ChartPoint]:
        for point in self.points:
            if point.score == score:
                return point, point
        for lower, upper in pairwise(self.points):
            if lower.score < score < upper.score:
                return lower, upper
        end = self.points[0] if score < self.points[0].score else self.points[-1]
        return end, end


def _about(point: ChartPoint) -> str:
    roughly = ", approximately" if point.approximate else ""
    return f"At {point.score:g} the chart has {point.percentile:g}{roughly}: {point.source}."
