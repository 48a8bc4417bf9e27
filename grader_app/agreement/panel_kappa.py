"""Chance-corrected agreement of a whole panel: Fleiss, Conger, Brennan and Prediger, Gwet."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from grader_app.agreement.codes import Floats
from grader_app.agreement.coincidences import counts_by_score
from grader_app.agreement.distinct import Distinct, distinct_rows
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.exact_adjacent import agreeing_share
from grader_app.agreement.figure import estimated, refused, value_of
from grader_app.agreement.products import dot, product
from grader_app.agreement.quotients import quotient
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic, interval
from grader_app.agreement.statuses import numbers_reason, panel_reason

Weights = Literal["linear", "quadratic", "ordinal"]
WEIGHTS: tuple[Weights, ...] = ("linear", "quadratic", "ordinal")

Chance = Callable[[Floats], Floats]
"""From category shares (resamples by scores) to the agreement chance would give."""


def fleiss_kappa(
    ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> Estimate:
    """Return Fleiss' kappa, with missing ratings allowed.

    Parameters
    ----------
    ratings
        The table.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate
        Undefined where nothing varies.

    Notes
    -----
    Observed agreement over responses with two ratings or more; chance agreement is the sum of the
    squared shares of each score, the mean over all rated responses of its share there.

    References
    ----------
    Fleiss (1971), Psychological Bulletin 76:378; Gwet (2014), ch. 2, for missing ratings.
    """
    agree = np.eye(ratings.scale.n_points)
    return _by_shares(
        "fleiss_kappa", ratings, agree, _fleiss_chance(agree), Settings(confidence, resamples, seed)
    )


def brennan_prediger(
    ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> Estimate:
    """Return agreement beyond guessing evenly among all declared scores.

    See `fleiss_kappa` for the parameters.

    References
    ----------
    Brennan & Prediger (1981), Educational and Psychological Measurement 41:687.
    """
    q = ratings.scale.n_points

    def chance(shares: Floats) -> Floats:
        return np.full(shares.shape[:-1], 1 / q)

    return _by_shares("brennan_prediger", ratings, np.eye(q), chance, Settings(confidence, resamples, seed))


def gwet_ac1(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0) -> Estimate:
    """Return Gwet's AC1, which stays steady when nearly everyone uses one score.

    See `fleiss_kappa` for the parameters.

    Notes
    -----
    Chance agreement is Σ π(1 - π)/(q - 1) over the q declared scores.

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61:29.
    """
    agree = np.eye(ratings.scale.n_points)
    return _by_shares("gwet_ac1", ratings, agree, _gwet_chance(agree), Settings(confidence, resamples, seed))


def gwet_ac2(
    ratings: Ratings,
    weights: Weights = "quadratic",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Gwet's AC2, where near misses count in part.

    Parameters
    ----------
    ratings
        The table.
    weights
        ``linear`` or ``quadratic`` in the values of the scores, or Gwet's ``ordinal`` in their places.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        When the weights are none of the three.

    References
    ----------
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., ch. 3.
    """
    if weights not in WEIGHTS:
        raise ValueError(f"weights is {weights!r}; choose {', '.join(WEIGHTS)}")
    agree = partial_agreement(ratings.scale.numbers, weights)
    settings = Settings(confidence, resamples, seed)
    return _by_shares("gwet_ac2", ratings, agree, _gwet_chance(agree), settings, weights)


def conger_kappa(
    ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> Estimate:
    """Return Conger's kappa, where chance is what each grader's own habits would give.

    See `fleiss_kappa` for the parameters. With two graders and no missing rating it is Cohen's kappa.

    References
    ----------
    Conger (1980), Psychological Bulletin 88:322.
    """
    settings = Settings(confidence, resamples, seed).checked()
    reason = panel_reason(ratings)
    if reason is not None:
        return refused("conger_kappa", reason, ratings.n_paired, settings)
    kinds = distinct_rows(ratings.codes[ratings.ratings_per_response >= 1])
    statistic = _conger_statistic(kinds, ratings.scale.n_points)
    value = value_of(kinds, statistic)
    found = interval(kinds, statistic, settings, n_counted=ratings.n_paired)
    return estimated("conger_kappa", value, found, ratings.n_paired, settings)


def partial_agreement(points: Floats, weights: Weights) -> Floats:
    """Return how far each pair of scores agrees, from 1 (the same) down to 0.

    Notes
    -----
    Linear 1 - |c - k|/range and quadratic 1 - (c - k)²/range² in values; ordinal
    1 - C(|i - j| + 1, 2)/C(q, 2) in places.
    """
    if weights == "ordinal":
        q = len(points)
        gaps = np.abs(np.subtract.outer(np.arange(q), np.arange(q)))
        ordinal: Floats = 1 - gaps * (gaps + 1) / (q * (q - 1))
        return ordinal
    shares: Floats = np.abs(np.subtract.outer(points, points)) / float(points[-1] - points[0])
    return 1 - (shares if weights == "linear" else shares**2)


def _fleiss_chance(agree: Floats) -> Chance:
    def chance(shares: Floats) -> Floats:
        expected: Floats = (product(np.atleast_2d(shares), agree) * shares).sum(axis=-1)
        return expected

    return chance


def _gwet_chance(agree: Floats) -> Chance:
    q = len(agree)

    def chance(shares: Floats) -> Floats:
        expected: Floats = agree.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=-1)
        return expected

    return chance


def _by_shares(
    name: str, ratings: Ratings, agree: Floats, chance: Chance, settings: Settings, weights: str | None = None
) -> Estimate:
    settings.checked()
    reason = panel_reason(ratings) or (numbers_reason(ratings.scale) if weights else None)
    if reason is not None:
        return refused(name, reason, ratings.n_paired, settings, weights=weights)
    kinds = distinct_rows(
        counts_by_score(ratings.codes[ratings.ratings_per_response >= 1], ratings.scale.n_points).T
    )
    shares, agreeing, paired = _kind_shares(kinds, agree)

    def statistic(times: Floats) -> Floats:
        expected = chance(product(times, shares) / times.sum(axis=1, keepdims=True))
        return _beyond_chance(dot(times, agreeing), dot(times, paired), expected)

    value = value_of(kinds, statistic)
    error = _standard_error(kinds, shares, agreeing, paired, chance, value)
    return estimated(
        name,
        value,
        interval(kinds, statistic, settings, n_counted=ratings.n_paired),
        ratings.n_paired,
        settings,
        weights=weights,
        details={"standard_error": error} if math.isfinite(error) else {},
    )


def _kind_shares(kinds: Distinct, agree: Floats) -> tuple[Floats, Floats, Floats]:
    """Return, for each kind of response, its shares of scores, its agreement, and whether it is paired."""
    counts = kinds.rows.astype(np.float64)
    m = counts.sum(axis=1, keepdims=True)
    paired = (m[:, 0] >= 2).astype(np.float64)
    agreeing = np.zeros(len(counts))
    agreeing[paired > 0] = agreeing_share(counts[paired > 0], agree)
    return counts / m, agreeing, paired


def _beyond_chance(agreeing: Floats, paired: Floats, expected: Floats) -> Floats:
    observed = quotient(agreeing, paired, paired > 0)
    room = 1 - expected
    return quotient(observed - expected, room, room > 1e-12)


def _standard_error(
    kinds: Distinct, shares: Floats, agreeing: Floats, paired: Floats, chance: Chance, value: float
) -> float:
    """Return the large-sample standard error by linearisation (Gwet 2014, ch. 5), n - 1 in the variance."""
    n, times = kinds.n, kinds.times
    if n < 3:
        return math.nan
    mean = times @ shares / n
    expected = float(chance(mean[np.newaxis])[0])
    # The chance term of one response: half the slope of chance in its direction, plus the rest.
    step = 1e-6
    slope = (chance(mean + step * (shares - mean)) - chance(mean - step * (shares - mean))) / (2 * step)
    observed = (agreeing - expected * paired) * n / float(times @ paired) / (1 - expected)
    linear = observed - (1 - value) * slope / (1 - expected)
    return math.sqrt(float(times @ (linear - value) ** 2) / (n * (n - 1)))


def _conger_statistic(kinds: Distinct, q: int) -> Statistic:
    rows, columns = np.nonzero(kinds.rows >= 0)
    n_kinds, n_graders = kinds.rows.shape
    cells = columns * q + kinds.rows[rows, columns]
    given = csr_array((np.ones(len(rows)), (cells, rows)), shape=(n_graders * q, n_kinds))
    counts = np.zeros((n_kinds, q))
    np.add.at(counts, (rows, kinds.rows[rows, columns]), 1.0)
    _, agreeing, paired = _kind_shares(Distinct(counts.astype(np.int64), kinds.times), np.eye(q))

    def statistic(times: Floats) -> Floats:
        used = np.asarray(given @ times.T).T.reshape(len(times), n_graders, q)
        totals = used.sum(axis=2, keepdims=True)
        habits = np.divide(used, totals, out=np.zeros_like(used), where=totals > 0)
        active = (totals[:, :, 0] > 0).sum(axis=1)
        together = (habits.sum(axis=1) ** 2).sum(axis=1) - (habits**2).sum(axis=(1, 2))
        expected = together / np.maximum(active * (active - 1), 1)
        return _beyond_chance(dot(times, agreeing), dot(times, paired), expected)

    return statistic
