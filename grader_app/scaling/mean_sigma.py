"""Scaling by mean and standard deviation: written scores take on the MBE's mean and SD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from grader_app.errors import ScalingProblem

_SMALLEST, _LARGEST = 1e-100, 1e100
"""Outside of these the squares of an SD lose digits, or are no numbers."""


@dataclass(frozen=True)
class Moments:
    """Mean and population SD of n scores, in the scores' own points."""

    n: int
    mean: float
    sd: float

    @property
    def mean_standard_error(self) -> float | None:
        """SD of the mean over other pools of this size, s/√n with the sample SD; None for one score."""
        return self.sd / sqrt(self.n - 1) if self.n > 1 else None

    @property
    def sd_standard_error(self) -> float | None:
        """SD of the SD over other pools of this size, s/√(2(n-1)) as if normal; None for one score."""
        return self._sample_sd / sqrt(2 * (self.n - 1)) if self.n > 1 else None

    @property
    def _sample_sd(self) -> float:
        return self.sd * sqrt(self.n / (self.n - 1))


def moments(scores: Sequence[float], of: str) -> Moments:
    """Return the mean and population SD of scores that vary.

    Parameters
    ----------
    scores
        In points, in any order: the result does not depend on it.
    of
        What the scores are, for the message.

    Raises
    ------
    ScalingProblem
        There is no score, or all are the same (nothing varies, so nothing can be scaled).

    Notes
    -----
    Sums are correctly rounded (``math.fsum``), so the order of the scores cannot change a bit.
    The SD divides by n. Sample SDs (n - 1) give the same scaled scores whenever both SDs come from
    the same people, since the ratio sd_mbe/sd is unchanged.

    Examples
    --------
    >>> moments([39, 24, 52, 31, 40, 17, 36, 45, 25, 38], "written raw scores")
    Moments(n=10, mean=34.7, sd=10.000499987500625)
    """
    if not scores or min(scores) == max(scores):
        found = f"all {len(scores)} are {scores[0]:g}" if scores else "there are none"
        raise ScalingProblem(
            f"The {of} do not vary ({found}), so there is nothing to scale by. "
            "Scale a pool whose scores differ."
        )
    try:
        mean = fsum(scores) / len(scores)
        sd = sqrt(fsum((score - mean) ** 2 for score in scores) / len(scores))
    except OverflowError:
        sd = float("inf")
    if not _SMALLEST < sd < _LARGEST:
        raise ScalingProblem(f"The {of} are too large or too close together for an SD. Check the numbers.")
    return Moments(len(scores), mean, sd)


def mean_sigma(raw: float, written: Moments, mbe_mean: float, mbe_sd: float) -> float:
    """Return a raw score placed on the MBE scale.

    Parameters
    ----------
    raw
        Written raw score, in weighted points.
    written
        Moments of the written raw scores of the scaling group.
    mbe_mean, mbe_sd
        Mean and SD of the MBE scores of the same people, or an assumed reference.

    Returns
    -------
    float
        (raw - mean)/sd · sd_mbe + mean_mbe, in MBE points, unrounded. The order of candidates is kept.

    References
    ----------
    Utah Code of Judicial Administration, rule 14-711 (the standard-deviation method).

    Examples
    --------
    >>> round(mean_sigma(39, Moments(10, 34.7, 10.0005), 141.3, 13.291351), 4)
    147.015
    """
    return (raw - written.mean) / written.sd * mbe_sd + mbe_mean
