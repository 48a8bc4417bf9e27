"""A group as a printed distribution: how many scores lie in each bin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from grader_app.errors import ScalingProblem
from grader_app.scaling.standing import NoNumber

_NEARLY = 1e-9


class Bin(NamedTuple):
    """How much of the group lies between two edges.

    Parameters
    ----------
    lower, upper
        The edges; equal for a bin of a single score.
    size
        A count or a percent; 0 or more.
    """

    lower: float
    upper: float
    size: float

    @property
    def middle(self) -> float:
        """Where the bin's scores lie on average, as far as the table tells."""
        return (self.lower + self.upper) / 2


@dataclass(frozen=True)
class DistributionTable:
    """Bins in the order of their scores; inside a bin scores are taken as spread evenly.

    Parameters
    ----------
    bins
        Ascending and without overlap; at least one is not empty.

    Examples
    --------
    >>> table = DistributionTable((Bin(130, 135, 40), Bin(135, 140, 60)))
    >>> table.percent_below(135), table.percent_below(137.5), table.mean
    (40.0, 70.0, 135.5)
    """

    bins: tuple[Bin, ...]

    def __post_init__(self) -> None:
        if self._total <= 0:
            raise ScalingProblem("The distribution holds nobody. Give at least one bin that is not empty.")

    def why_none(self, score: float) -> NoNumber | None:
        """See `Standing`: below the lowest bin is 0 percent, above the highest 100."""
        return None

    def percent_below(self, score: float) -> float:
        """See `Standing`."""
        return min(100.0, 100 * sum(_below(each, score) for each in self.bins) / self._total)

    def percent_level(self, score: float) -> float:
        """See `Standing`; only a bin of a single score has ties."""
        return 100 * sum(each.size for each in self.bins if each.lower == each.upper == score) / self._total

    def notes(self, score: float) -> tuple[str, ...]:
        """See `Standing`."""
        inside = next((each for each in self.bins if each.lower < score < each.upper), None)
        if inside is None:
            return ()
        return (f"Scores between {inside.lower:g} and {inside.upper:g} are taken as spread evenly.",)

    @property
    def mean(self) -> float:
        """The mean, from the middles of the bins."""
        return sum(each.size * each.middle for each in self.bins) / self._total

    def sd(self, *, sheppard: bool = False) -> float:
        """Return the SD of the whole group, from the middles of the bins.

        Parameters
        ----------
        sheppard
            Take a twelfth of the squared width off the variance, for what grouping adds.

        Raises
        ------
        ScalingProblem
            The correction is asked for and the bins differ in width, or it leaves no variance.
        """
        mean = self.mean
        variance = sum(each.size * (each.middle - mean) ** 2 for each in self.bins) / self._total
        if sheppard:
            variance -= self._common_width() ** 2 / 12
        if variance < 0:
            raise ScalingProblem("The bins are too wide for Sheppard's correction. Leave --sheppard out.")
        return sqrt(variance)

    @cached_property
    def _total(self) -> float:
        return sum(each.size for each in self.bins)

    def _common_width(self) -> float:
        widths = [each.upper - each.lower for each in self.bins]
        if max(widths) - min(widths) > _NEARLY * max(widths):
            raise ScalingProblem(
                "Sheppard's correction is for bins of one width, and these differ. Leave --sheppard out."
            )
        return widths[0]


def _below(each: Bin, score: float) -> float:
    if score <= each.lower:
        return 0.0
    if score >= each.upper:
        return each.size
    return each.size * (score - each.lower) / (each.upper - each.lower)


def with_closed_gaps(bins: Sequence[Bin]) -> tuple[tuple[Bin, ...], float]:
    """Widen bins written as 135-139, 140-144 by half of the gap on both sides.

    Returns
    -------
    tuple of tuple of Bin and float
        The bins, and the gap that was closed; 0 if the bins touch, hold single scores, or lie apart
        unevenly. Then they are returned as they are, and nobody is taken to score in a gap.

    Examples
    --------
    >>> with_closed_gaps([Bin(135, 139, 3), Bin(140, 144, 5)])
    ((Bin(lower=134.5, upper=139.5, size=3), Bin(lower=139.5, upper=144.5, size=5)), 1)
    """
    gaps = [higher.lower - lower.upper for lower, higher in pairwise(bins)]
    even = bool(gaps) and gaps[0] > 0 and max(gaps) - min(gaps) <= _NEARLY * max(1.0, abs(bins[-1].upper))
    if not even or any(each.lower == each.upper for each in bins):
        return tuple(bins), 0
    half = gaps[0] / 2
    return tuple(Bin(each.lower - half, each.upper + half, each.size) for each in bins), gaps[0]


def overlaps(bins: Sequence[Bin]) -> Iterator[tuple[int, int]]:
    """Yield the positions of two bins that hold the same scores, each bin beside the next by score."""
    order = sorted(range(len(bins)), key=lambda at: (bins[at].lower, bins[at].upper))
    for before, after in pairwise(order):
        lower, higher = bins[before], bins[after]
        if higher.lower < lower.upper or (lower.lower, lower.upper) == (higher.lower, higher.upper):
            yield before, after
