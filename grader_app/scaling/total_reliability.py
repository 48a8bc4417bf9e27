"""Textbook reliability of scores and totals: Spearman and Brown, standard error, totals of two parts."""

from __future__ import annotations

import math

from scipy.special import ndtr

from grader_app.errors import ScalingProblem


def spearman_brown(reliability: float, times: float) -> float:
    """Return the reliability of a measure made so many times as long.

    Parameters
    ----------
    reliability
        Of the measure as it is, from 0 to 1.
    times
        For example 2 for two reads instead of one.

    Examples
    --------
    >>> round(spearman_brown(0.5, 2), 6), round(spearman_brown(0.3, 8), 6)
    (0.666667, 0.774194)
    """
    return times * _share(reliability) / (1 + (times - 1) * reliability)


def standard_error_of_measurement(sd: float, reliability: float) -> float:
    """Return SD·√(1 - reliability), in the points of the SD.

    Examples
    --------
    >>> round(standard_error_of_measurement(15, 0.80), 6)
    6.708204
    """
    return sd * math.sqrt(1 - _share(reliability))


def reliability_of_total(
    sds: tuple[float, float], reliabilities: tuple[float, float], correlation: float
) -> float:
    """Return the reliability of the sum of two scores.

    Parameters
    ----------
    sds, reliabilities
        Of the two scores.
    correlation
        Between them, from -1 to 1.

    Raises
    ------
    ScalingProblem
        A reliability is no share, or the sum does not vary.

    Notes
    -----
    1 - [s1²(1-r1) + s2²(1-r2)] / [s1² + s2² + 2·r12·s1·s2].

    Examples
    --------
    >>> round(reliability_of_total((16, 16), (0.92, 0.75), 0.65), 6)
    0.9
    """
    error = sum(sd**2 * (1 - _share(r)) for sd, r in zip(sds, reliabilities, strict=True))
    whole = sd_of_total(sds, correlation) ** 2
    if whole <= 0:
        raise ScalingProblem("The total does not vary, so it has no reliability. Check SDs and correlation.")
    return 1 - error / whole


def sd_of_total(sds: tuple[float, float], correlation: float) -> float:
    """Return the SD of the sum of two scores.

    Examples
    --------
    >>> round(sd_of_total((16, 16), 0.65), 6)
    29.065443
    """
    return math.sqrt(sds[0] ** 2 + sds[1] ** 2 + 2 * correlation * sds[0] * sds[1])


def chance_of_reaching(score: float, line: float, sd: float) -> float:
    """Return the chance that a score expected at `score` with normal error comes out at `line` or above.

    Parameters
    ----------
    score, line
        In the same points.
    sd
        SD of the error, above 0.

    Examples
    --------
    >>> round(chance_of_reaching(262, 266, 9.1913), 6)
    0.331711
    """
    return float(ndtr((score - line) / sd))


def _share(reliability: float) -> float:
    if not 0 <= reliability <= 1:
        raise ScalingProblem(f"A reliability of {reliability!r} cannot be used. Give a number from 0 to 1.")
    return reliability
