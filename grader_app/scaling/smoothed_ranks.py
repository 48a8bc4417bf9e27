"""Equipercentile scaling with smoothed distributions: a normal kernel around every score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

Floats = NDArray[np.float64]
DECIMALS = 6
"""Places to which a smoothed score is kept, so that every machine gives the same digits."""
_REACH = 12.0
_GRID = 241


@dataclass(frozen=True)
class Smoothed:
    """A distribution of scores, each spread out by a normal kernel; mean and SD stay those of the scores.

    Parameters
    ----------
    points, shares
        The distinct scores, ascending, and the share of people at each.
    mean, sd
        Of the scores; the SD is the population's.
    bandwidth
        SD of the kernel in SDs of the scores, above 0.
    """

    points: Floats
    shares: Floats
    mean: float
    sd: float
    bandwidth: float

    @classmethod
    def of(cls, scores: Sequence[float] | Floats, bandwidth: float) -> Smoothed:
        """Smooth scores that vary."""
        points, counts = np.unique(np.asarray(scores, np.float64), return_counts=True)
        shares = counts / counts.sum()
        mean = float(shares @ points)
        return cls(points, shares, mean, math.sqrt(float(shares @ (points - mean) ** 2)), bandwidth)

    @property
    def _shrink(self) -> float:
        return 1 / math.sqrt(1 + self.bandwidth**2)

    def below(self, score: float) -> float:
        """Return the share of the smoothed distribution below a score."""
        return float(self.shares @ ndtr(self._places(np.array([score]))[0]))

    def below_all(self, scores: Floats) -> Floats:
        """Return the same for many scores."""
        found: Floats = ndtr(self._places(scores)) @ self.shares
        return found

    def _places(self, scores: Floats) -> Floats:
        kernel = self._shrink * self.bandwidth * self.sd
        centres = self._shrink * self.points + (1 - self._shrink) * self.mean
        with np.errstate(over="ignore"):  # beside a kernel next to nothing all else is infinitely far
            found: Floats = (scores[:, None] - centres) / kernel
        return found

    def score_at(self, share: float) -> float:
        """Return the score below which a share lies; shares out of reach give the ends."""
        low, high = self.mean - _REACH * self.sd, self.mean + _REACH * self.sd
        if share <= self.below(low):
            return low
        if share >= self.below(high):
            return high
        return float(brentq(lambda score: self.below(score) - share, low, high, xtol=1e-10))

    def grid(self) -> tuple[Floats, Floats]:
        """Return scores and the shares below them, close together, for interpolation."""
        reach = 5 * self.sd
        scores = np.linspace(self.mean - reach, self.mean + reach, _GRID)
        return scores, self.below_all(scores)


@dataclass(frozen=True)
class SmoothedRanks:
    """Equipercentile scaling between two smoothed distributions.

    Parameters
    ----------
    raws, mbes
        Written raw scores and MBE scores of the same members.
    bandwidth
        SD of the kernel in SDs of the scores. Small keeps every step of the ranks; large comes to the
        scaling by mean and SD.

    References
    ----------
    Von Davier, Holland & Thayer (2004), The Kernel Method of Test Equating, ch. 4.

    Examples
    --------
    >>> ranks = SmoothedRanks((1.0, 2.0, 3.0, 4.0), (110.0, 130.0, 150.0, 170.0), 0.5)
    >>> ranks.scaled(2.5), ranks.scaled(4.0)
    (140.0, 170.0)
    """

    raws: tuple[float, ...]
    mbes: tuple[float, ...]
    bandwidth: float
    _kept: dict[float, float] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _from(self) -> Smoothed:
        return Smoothed.of(self.raws, self.bandwidth)

    @cached_property
    def _to(self) -> Smoothed:
        return Smoothed.of(self.mbes, self.bandwidth)

    def scaled(self, raw: float) -> float:
        """Return the MBE score below which the same share lies, to six places."""
        if raw not in self._kept:
            self._kept[raw] = round(self._to.score_at(self._from.below(raw)), DECIMALS)
        return self._kept[raw]


def interpolated(raws: Floats, mbes: Floats, bandwidth: float, asked: Floats) -> Floats:
    """Return `SmoothedRanks.scaled` of many scores at once, by interpolation on a close grid."""
    scores, shares = Smoothed.of(raws, bandwidth).grid()
    to_scores, to_shares = Smoothed.of(mbes, bandwidth).grid()
    found: Floats = np.interp(np.interp(asked, scores, shares), to_shares, to_scores)
    return found
