"""Intraclass correlations: what share of the variance of the scores reflects the responses."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from grader_app.agreement.connections import disconnected_reason
from grader_app.agreement.estimate import Estimate, Interval
from grader_app.agreement.figure import estimated, refused
from grader_app.agreement.mean_squares import FORMS, mean_squares, values_and_intervals
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.reml import Fit, fit_of
from grader_app.agreement.resampling import COVERS, Settings
from grader_app.agreement.statuses import (
    FEWEST_FOR_INTERVAL,
    Reason,
    no_interval_remark,
    numbers_reason,
    panel_reason,
)

FEWEST_GRADERS = 5
"""Below this many graders no claim is made about graders outside the panel."""

FEW_GRADERS = "With fewer than five graders it says little about graders outside this panel."


def iccs(ratings: Ratings, *, confidence: float = 0.95) -> tuple[Estimate, ...]:
    """Return the six intraclass correlations.

    Parameters
    ----------
    ratings
        The table.
    confidence
        Nominal coverage of the intervals.

    Returns
    -------
    tuple of Estimate
        ``icc_1_1``, ``icc_2_1``, ``icc_3_1`` for one score, ``icc_1_k``, ``icc_2_k``, ``icc_3_k`` for
        the mean of as many scores as there are graders.

    Notes
    -----
    A complete table: mean squares, with intervals by F. With empty cells: variance components by REML
    from all ratings, with intervals from the curvature of the likelihood on the logit scale; the
    method says which. ICC(2,1) is also called ICC(A,1), ICC(3,1) ICC(C,1).

    References
    ----------
    Shrout & Fleiss (1979); McGraw & Wong (1996); for empty cells ten Hove et al. (2022), Psychological
    Methods.
    """
    settings = Settings(confidence, 0, 0).checked()
    n = int(np.count_nonzero(ratings.ratings_per_response))
    reason = panel_reason(ratings) or numbers_reason(ratings.scale)
    if reason is not None:
        return tuple(refused(name, reason, n, settings) for name in FORMS)
    if ratings.is_complete:
        return _from_mean_squares(ratings, settings)
    return _from_components(ratings, n, settings)


def icc_1_1(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(1,1), one score by graders who differ from response to response; see `iccs`."""
    return iccs(ratings, confidence=confidence)[0]


def icc_2_1(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(2,1) = ICC(A,1), absolute agreement of one grader's score; see `iccs`."""
    return iccs(ratings, confidence=confidence)[1]


def icc_3_1(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(3,1) = ICC(C,1), consistency of one grader's score; see `iccs`."""
    return iccs(ratings, confidence=confidence)[2]


def icc_1_k(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(1,k), the mean of k scores by graders who differ from response to response; see `iccs`."""
    return iccs(ratings, confidence=confidence)[3]


def icc_2_k(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(2,k) = ICC(A,k), absolute agreement of the mean of k graders; see `iccs`."""
    return iccs(ratings, confidence=confidence)[4]


def icc_3_k(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 0, seed: int = 0) -> Estimate:
    """Return ICC(3,k) = ICC(C,k), consistency of the mean of k graders; see `iccs`."""
    return iccs(ratings, confidence=confidence)[5]


def _from_mean_squares(ratings: Ratings, settings: Settings) -> tuple[Estimate, ...]:
    n = len(ratings.codes)
    squares = mean_squares(ratings.codes, ratings.scale.numbers)
    found = values_and_intervals(squares, settings.confidence)
    return tuple(
        _estimate(name, value, _f_interval(name, low, high, ratings), n, ratings.n_graders, settings)
        for name, (value, low, high) in found.items()
    )


def _f_interval(name: str, low: float | None, high: float | None, ratings: Ratings) -> Interval:
    n = len(ratings.codes)
    if n < FEWEST_FOR_INTERVAL:
        return Interval(remark=no_interval_remark(n))
    if low is None or high is None:
        return Interval(remark="No interval is shown, since its formula does not hold here.")
    harshness = name.startswith("icc_2")
    remark = FEW_GRADERS if harshness and ratings.n_graders < FEWEST_GRADERS else ""
    return Interval(low, high, f"F distribution from mean squares ({_covers(harshness)})", remark)


def _covers(harshness: bool) -> str:
    return "for other answers and graders like these" if harshness else COVERS


def _estimate(
    name: str, value: float | None, interval: Interval, n: int, k: int, settings: Settings
) -> Estimate:
    if value is None:
        says = "The answers do not differ beyond the graders' differences, so this share is undefined."
        return refused(name, Reason("no_variation", says), n, settings)
    return estimated(name, value, interval, n, settings, details={"k": float(k)})


def _from_components(ratings: Ratings, n: int, settings: Settings) -> tuple[Estimate, ...]:
    one_way, two_way = fit_of(ratings, graders=False), fit_of(ratings)
    apart = disconnected_reason(ratings)
    k = ratings.n_graders
    estimates = []
    for name in FORMS:
        one = name.startswith("icc_1")
        if apart is not None and not one:
            estimates.append(refused(name, apart, n, settings))
            continue
        averaged = k if name.endswith("k") else 1
        value, found = share_of_responses(
            one_way if one else two_way, averaged, settings.confidence, harshness=name.startswith("icc_2")
        )
        estimates.append(_estimate(name, value, _reml_interval(name, found, ratings, n), n, k, settings))
    return tuple(estimates)


def _reml_interval(name: str, found: Interval, ratings: Ratings, n: int) -> Interval:
    if ratings.n_paired < FEWEST_FOR_INTERVAL:
        found = Interval(remark=no_interval_remark(ratings.n_paired))
    remark = (
        f"{found.remark} It uses all {ratings.n_ratings} ratings, though not everyone rated every answer."
    )
    if name.startswith("icc_2") and ratings.n_graders < FEWEST_GRADERS:
        remark += f" {FEW_GRADERS}"
    return Interval(found.low, found.high, found.method or METHOD, remark.strip())


METHOD = "variance components by REML; no interval"


def share_of_responses(
    fit: Fit, k: int, confidence: float, *, harshness: bool
) -> tuple[float | None, Interval]:
    """Return the share of the variance of the mean of k scores that reflects the responses.

    Parameters
    ----------
    fit
        Variance components.
    k
        How many scores are averaged.
    confidence
        Nominal coverage of the interval.
    harshness
        Whether differences between graders count as error.
    """
    grader = fit.grader if harshness else 0.0
    error = (grader + fit.residual) / k
    if fit.response + error <= 0:
        return None, Interval()
    value = fit.response / (fit.response + error)
    slope = np.array([1.0, -grader / (error * k), -fit.residual / (error * k)]) if error > 0 else np.zeros(3)
    variance = float(slope @ fit.covariance @ slope)
    if not 0 < value < 1 or not 0 < variance < 1e4:
        return value, Interval(remark="No interval is shown, since a variance is estimated as zero.")
    logit = math.log(value / (1 - value))
    reach = float(ndtri((1 + confidence) / 2)) * math.sqrt(variance)
    low, high = (1 / (1 + math.exp(-end)) for end in (logit - reach, logit + reach))
    covers = (
        "for other answers and graders like these" if harshness else "for these graders, over other answers"
    )
    return value, Interval(low, high, f"variance components by REML, delta method on the logit ({covers})")
