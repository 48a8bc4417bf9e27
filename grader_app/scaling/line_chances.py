"""Two different chances that a candidate reaches the line: with another panel, and in truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grader_app.scaling.rounding import ADDED, Factors, Rounding, lowest_full_total
from grader_app.scaling.total_reliability import chance_of_reaching

Floats = NDArray[np.float64]

MBE_RELIABILITY = 0.92
"""Of the MBE, February 2018 (National Conference of Bar Examiners, The Bar Examiner, Spring 2018)."""

RESCORE_SAYS = (
    "Re-score: the chance that the total reaches the line if another panel of this kind reads the same "
    "answers to the same questions, with the same MBE score."
)
TRUE_SCORE_SAYS = (
    "True score: the chance that the candidate's true total, over all readers, questions and sittings of "
    "the MBE of this kind, reaches the line, when candidates with the same scores are taken together."
)
RESCORE_HEAD, TRUE_SCORE_HEAD = "another panel passes", "true total passes"
"""What the columns with these chances are called."""


def chances_say() -> tuple[str, str]:
    """Say what the two chances mean, each by the head of its column, and what they take for granted."""
    return (
        f"{RESCORE_HEAD.capitalize()}. {RESCORE_SAYS}",
        f"{TRUE_SCORE_HEAD.capitalize()}. {TRUE_SCORE_SAYS} MBE reliability taken as {MBE_RELIABILITY}.",
    )


def spoken_chance(chance: float | None) -> str | None:
    """Say a chance in whole percent, but neither 0 nor 100: those would be certainties.

    Examples
    --------
    >>> [spoken_chance(one) for one in (0.0004, 0.01, 0.726, 0.9996, None)]
    ['under 1 %', '1 %', '73 %', 'over 99 %', None]
    """
    if chance is None:
        return None
    if chance < 0.01:
        return "under 1 %"
    return "over 99 %" if chance > 0.99 else f"{100 * chance:.0f} %"


@dataclass(frozen=True)
class LineChances:
    """The two chances, each from 0 to 1; None where its error is not known."""

    rescore: float | None
    true_score: float | None


@dataclass(frozen=True)
class PoolSpread:
    """How written scaled scores and MBE scores vary in the scaling group, in MBE points.

    Parameters
    ----------
    written_mean, written_sd, mbe_mean, mbe_sd
        Means and population SDs.
    correlation
        Between the two.
    reader_variance, error_variance
        Mean error variance of a written scaled score: of readers, and of readers and questions together.
    mbe_reliability
        Of the MBE scores.
    """

    written_mean: float
    written_sd: float
    mbe_mean: float
    mbe_sd: float
    correlation: float
    reader_variance: float | None
    error_variance: float | None
    mbe_reliability: float = MBE_RELIABILITY

    @property
    def written_reliability(self) -> float | None:
        """Of the written scores over readers and questions; None where their error is not known."""
        if self.error_variance is None:
            return None
        return max(0.0, 1 - self.error_variance / self.written_sd**2)


def spread_of(
    written: Sequence[float],
    mbes: Sequence[float],
    reader_variance: float | None,
    error_variance: float | None,
    mbe_reliability: float = MBE_RELIABILITY,
) -> PoolSpread:
    """Return how the members' scores vary; both sequences in the same order, at least two members."""
    first, second = np.array(written), np.array(mbes)
    correlation = float(np.corrcoef(first, second)[0, 1])
    return PoolSpread(
        float(first.mean()),
        float(first.std()),
        float(second.mean()),
        float(second.std()),
        correlation,
        reader_variance,
        error_variance,
        mbe_reliability,
    )


def line_chances(
    written_scaled: float,
    mbe: float,
    line: float,
    rounding: Rounding,
    spread: PoolSpread,
    own_reader_variance: float | None,
    own_error_variance: float | None,
    factors: Factors = ADDED,
) -> LineChances:
    """Return the two chances of one candidate.

    Parameters
    ----------
    written_scaled, mbe
        The candidate's scores.
    line
        The total that passes.
    rounding
        The policy by which a total is reported: a re-score of 265.5 reaches 266 where halves go up.
    spread
        Of the scaling group.
    own_reader_variance, own_error_variance
        Error variances of this candidate's written scaled score, as in `PoolSpread`.
    factors
        What MBE and written scaled score are multiplied by in the total.

    Returns
    -------
    LineChances

    Notes
    -----
    Both regress to the pool. Given written score and MBE, the score that a panel would give on average
    (or the true total) is normal with the mean and variance of a linear regression on the two; a re-score
    adds the error of one more panel. A chance near one half is no verdict. Where scores go together more
    closely than their reliabilities allow (a correlation corrected for attenuation above 1), they are taken
    to go together as closely as these allow: otherwise a higher score would lower the chance.

    References
    ----------
    Kelley (1947), Fundamentals of Statistics; Brennan (2001), Generalizability Theory, ch. 5.

    Examples
    --------
    >>> pool = spread_of([120, 130, 140, 150, 160], [135, 122, 149, 134, 160], 9.0, 30.0)
    >>> chances = line_chances(132.0, 131.0, 266, "total_half_up", pool, 9.0, 30.0)
    >>> round(chances.rescore, 3), round(chances.true_score, 3)
    (0.284, 0.375)
    """
    off = np.array([written_scaled - spread.written_mean, mbe - spread.mbe_mean])
    a, b = factors
    rescore = true_score = None
    if spread.reader_variance is not None and own_reader_variance is not None:
        answer = max(0.0, spread.written_sd**2 - spread.reader_variance)
        both = _together(spread, answer, spread.mbe_sd**2)
        expected, left = _regressed(_seen(spread, both), np.array([answer, both]), answer, off)
        panel = b * (spread.written_mean + expected) + a * mbe
        sd = b * math.sqrt(left + own_reader_variance)
        rescore = chance_of_reaching(panel, lowest_full_total(line, rounding), sd)
    if spread.error_variance is not None and own_error_variance is not None:
        written = max(0.0, spread.written_sd**2 - spread.error_variance)
        other = spread.mbe_reliability * spread.mbe_sd**2
        both = _together(spread, written, other)
        whole = b**2 * written + a**2 * other + 2 * a * b * both
        shared = np.array([b * written + a * both, b * both + a * other])
        expected, left = _regressed(_seen(spread, both), shared, whole, off)
        middle = b * spread.written_mean + a * spread.mbe_mean
        true_score = chance_of_reaching(middle + expected, line, math.sqrt(left))
    return LineChances(rescore, true_score)


def _together(spread: PoolSpread, written: float, mbe: float) -> float:
    """Give the covariance of the scores, no larger than the variances of what they measure allow."""
    most = math.sqrt(written * mbe)
    return max(-most, min(most, spread.correlation * spread.written_sd * spread.mbe_sd))


def _seen(spread: PoolSpread, both: float) -> Floats:
    return np.array([[spread.written_sd**2, both], [both, spread.mbe_sd**2]])


def _regressed(seen: Floats, shared: Floats, whole: float, off: Floats) -> tuple[float, float]:
    """Give expected deviation and remaining variance of what is sought, given what is seen."""
    slopes = np.array(_slopes(tuple(seen.ravel().tolist()), tuple(shared.tolist())))
    return float(slopes @ off), max(1e-12, whole - float(slopes @ shared))


@lru_cache(maxsize=256)
def _slopes(seen: tuple[float, ...], shared: tuple[float, ...]) -> tuple[float, ...]:
    # The same for all candidates of a pool.
    found, *_ = np.linalg.lstsq(np.reshape(seen, (2, 2)), np.array(shared), rcond=None)
    return tuple(found.tolist())
