"""Do graders put the responses in the same order, and how far apart do two of them lie."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from grader_app.agreement.codes import Floats, Integers
from grader_app.agreement.distinct import distinct_rows
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import estimated, refused, value_of
from grader_app.agreement.grouped_sums import summer
from grader_app.agreement.pairs import Pair, pair_estimate, pair_of
from grader_app.agreement.products import dot
from grader_app.agreement.quotients import quotient
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic, Transform, interval
from grader_app.agreement.statuses import Reason, complete_reason, numbers_reason, panel_reason

LARGEST_TABLES = 2_000_000
"""Cells of joint tables held at once while resampling."""

PAIR_NAMES = ("kendall_tau_b", "spearman_rho", "pearson_r", "smd")


def kendall_w(
    ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> Estimate:
    """Return Kendall's coefficient of concordance, corrected for ties.

    Parameters
    ----------
    ratings
        The table; only responses that every grader scored are used.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate
        With ``chi2`` and its ``p`` in the details.

    Notes
    -----
    W = 12 S / (m²(n³ - n) - m Σ(t³ - t)), S the sum of squares of the rank sums about their mean,
    tied scores sharing the mean of their ranks.

    References
    ----------
    Kendall & Gibbons (1990), Rank Correlation Methods, 5th ed., ch. 6.
    """
    settings = Settings(confidence, resamples, seed).checked()
    reason = panel_reason(ratings) or numbers_reason(ratings.scale) or complete_reason(ratings)
    n, m = len(ratings.complete), ratings.n_graders
    if reason is None and (ratings.complete == ratings.complete[0]).all():
        reason = Reason(
            "no_variation",
            f"Each grader gave one score to all {n} answers that everyone scored, so there is no order.",
        )
    if reason is not None:
        return refused("kendall_w", reason, n, settings)
    kinds = distinct_rows(ratings.complete)
    statistic = _concordance(kinds.rows, ratings.scale.n_points)
    value = value_of(kinds, statistic)
    chi2 = m * (n - 1) * value
    details = {"chi2": chi2, "p": float(chdtrc(n - 1, chi2))}
    found = interval(kinds, statistic, settings, lowest=0.0)
    return estimated("kendall_w", value, found, n, settings, details=details)


def kendall_tau_b(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Kendall's tau-b of two graders, corrected for ties.

    Parameters
    ----------
    ratings
        The table.
    graders
        Which two; may be left out when there are only two.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate
        Undefined when either grader gave one score throughout.

    References
    ----------
    Kendall & Gibbons (1990), Rank Correlation Methods, 5th ed., ch. 3.
    """
    return _of_two("kendall_tau_b", ratings, graders, Settings(confidence, resamples, seed))


def spearman_rho(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Spearman's rank correlation of two graders, ties sharing the mean of their ranks.

    See `kendall_tau_b` for the parameters.
    """
    return _of_two("spearman_rho", ratings, graders, Settings(confidence, resamples, seed))


def pearson_r(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Pearson's correlation of two graders' scores; it does not see harshness.

    See `kendall_tau_b` for the parameters.
    """
    return _of_two("pearson_r", ratings, graders, Settings(confidence, resamples, seed))


def smd(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return the standardised difference of two graders' means: positive when the first gives more.

    See `kendall_tau_b` for the parameters.

    Notes
    -----
    (mean_a - mean_b) / sqrt((s_a² + s_b²)/2), variances with n - 1.

    References
    ----------
    Williamson, Xi & Breyer (2012), Educational Measurement: Issues and Practice 31(1):2.
    """
    return _of_two("smd", ratings, graders, Settings(confidence, resamples, seed))


def rank_figure_of(pair: Pair, name: str, settings: Settings) -> Estimate:
    """Return one of the four figures of a pair whose joint table is known."""
    one_score_is_enough = name == "smd" and pair.table.sum(axis=0).max() < pair.n
    one_score_is_enough |= name == "smd" and pair.table.sum(axis=1).max() < pair.n
    reason = None if one_score_is_enough else pair.constant()
    transform: Transform = "none" if name == "smd" else "fisher"
    statistic = _STATISTICS[name](pair.kinds.rows, pair.scale.numbers)
    return pair_estimate(name, pair, statistic, settings, reason or numbers_reason(pair.scale), transform)


def _of_two(name: str, ratings: Ratings, graders: tuple[str, str] | None, settings: Settings) -> Estimate:
    pair = pair_of(ratings, graders)
    if isinstance(pair, Reason):
        return refused(name, pair, ratings.n_paired, settings.checked())
    return rank_figure_of(pair, name, settings.checked())


def _concordance(rows: Integers, q: int) -> Statistic:
    n_graders = rows.shape[1]
    counters = [summer(codes, q) for codes in rows.T]

    def statistic(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        ties = np.zeros_like(n)
        sums = np.zeros_like(weights)
        for codes, count in zip(rows.T, counters, strict=True):
            used = count(weights)
            sums += _middle_ranks(used)[:, codes]
            ties += (used**3 - used).sum(axis=1)
        sums -= (n_graders * (n + 1) / 2)[:, np.newaxis]
        spread = (weights * sums**2).sum(axis=1)
        most = n_graders**2 * (n**3 - n) - n_graders * ties
        return 12 * quotient(spread, most, most > 0)

    return statistic


def _middle_ranks(used: Floats) -> Floats:
    """Return the mean rank of each score from how often each is used, one row a resample."""
    ranks: Floats = np.cumsum(used, axis=1) - used / 2 + 0.5
    return ranks


def _correlation(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Return weighted correlations; `x` and `y` hold one value a cell, or one a resample and cell."""
    n = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / n
    dy = y - (weights * y).sum(axis=1, keepdims=True) / n
    both = (weights * dx * dy).sum(axis=1)
    sizes = (weights * dx**2).sum(axis=1) * (weights * dy**2).sum(axis=1)
    # What is left of a constant after subtracting its mean is rounding, not variation.
    scale = np.max(np.abs(x), initial=1.0) * np.max(np.abs(y), initial=1.0) * n[:, 0]
    varied = sizes > (1e-12 * scale) ** 2
    return quotient(both, np.sqrt(sizes), varied).clip(-1.0, 1.0)


def _pearson(cells: Integers, points: Floats) -> Statistic:
    x, y = points[cells[:, 0]][np.newaxis], points[cells[:, 1]][np.newaxis]
    return lambda weights: _correlation(weights, x, y)


def _spearman(cells: Integers, points: Floats) -> Statistic:
    first, second = (summer(cells[:, place], len(points)) for place in (0, 1))

    def statistic(weights: Floats) -> Floats:
        x = _middle_ranks(first(weights))[:, cells[:, 0]]
        y = _middle_ranks(second(weights))[:, cells[:, 1]]
        return _correlation(weights, x, y)

    return statistic


def _tau_b(cells: Integers, points: Floats) -> Statistic:
    first_used, first = np.unique(cells[:, 0], return_inverse=True)
    second_used, second = np.unique(cells[:, 1], return_inverse=True)
    shape = (len(first_used), len(second_used))
    at_once = max(1, LARGEST_TABLES // max(1, shape[0] * shape[1]))

    def statistic(weights: Floats) -> Floats:
        pieces = [weights[start : start + at_once] for start in range(0, len(weights), at_once)]
        return np.concatenate([_tau_b_of(_spread(piece, first, second, shape)) for piece in pieces])

    return statistic


def _spread(weights: Floats, first: Integers, second: Integers, shape: tuple[int, int]) -> Floats:
    """Return one joint table a resample."""
    tables = np.zeros((len(weights), *shape))
    tables[:, first, second] = weights
    return tables


def _tau_b_of(tables: Floats) -> Floats:
    """Return tau-b of each joint table, from counts of cells above and to either side."""
    n = tables.sum(axis=(1, 2))
    above = np.cumsum(tables, axis=1) - tables
    left = np.cumsum(above, axis=2) - above
    right = above.sum(axis=2, keepdims=True) - left - above
    balance = 2 * (tables * (left - right)).sum(axis=(1, 2))
    untied_first = n**2 - (tables.sum(axis=2) ** 2).sum(axis=1)
    untied_second = n**2 - (tables.sum(axis=1) ** 2).sum(axis=1)
    size = np.sqrt(untied_first * untied_second)
    return quotient(balance, size, size > 0)


def _smd(cells: Integers, points: Floats) -> Statistic:
    x, y = points[cells[:, 0]], points[cells[:, 1]]

    def statistic(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        mean_x, mean_y = dot(weights, x) / n, dot(weights, y) / n
        squares = (weights * (x - mean_x[:, np.newaxis]) ** 2).sum(axis=1)
        squares += (weights * (y - mean_y[:, np.newaxis]) ** 2).sum(axis=1)
        pooled = np.sqrt(squares / (n - 1) / 2)
        varied = pooled > 1e-12 * np.max(np.abs(points), initial=1.0)
        return quotient(mean_x - mean_y, pooled, varied)

    return statistic


_STATISTICS = {"kendall_tau_b": _tau_b, "spearman_rho": _spearman, "pearson_r": _pearson, "smd": _smd}
