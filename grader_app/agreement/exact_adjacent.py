"""How often two graders of the same response give the same score, or nearly the same."""

from __future__ import annotations

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.coincidences import counts_by_score
from grader_app.agreement.distinct import distinct_rows
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import refused, resampled
from grader_app.agreement.pairs import Pair, pair_estimate
from grader_app.agreement.products import dot, product
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.statuses import numbers_reason, panel_reason


def exact(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0) -> Estimate:
    """Return the mean, over responses with two ratings or more, of the share of agreeing pairs.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate
        1 where nothing varies.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": ["a", "b"], "x": [3, 4], "y": [3, 6], "z": [3, 6]})
    >>> round(exact(Ratings.from_wide(table, scale="0:6")).value, 4)
    0.6667
    """
    settings = Settings(confidence, resamples, seed).checked()
    reason = panel_reason(ratings, needs_variation=False)
    if reason is not None:
        return refused("exact", reason, ratings.n_paired, settings)
    return _shared(ratings, "exact", np.eye(ratings.scale.n_points), settings)


def exact_or_adjacent(
    ratings: Ratings,
    within: float | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return the same as `exact` for pairs of scores at most `within` points apart.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    within
        In points; by default 1, or one step of the scale where a step is larger.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate
        Not applicable to scores that are names.
    """
    settings = Settings(confidence, resamples, seed).checked()
    reach = ratings.scale.within if within is None else within
    reason = panel_reason(ratings, needs_variation=False) or numbers_reason(ratings.scale)
    if reason is not None:
        return refused("exact_or_adjacent", reason, ratings.n_paired, settings, within=reach)
    near = close_enough(ratings.scale.numbers, reach)
    return _shared(ratings, "exact_or_adjacent", near, settings, within=reach)


def close_enough(points: Floats, within: float) -> Floats:
    """Return 1 for each pair of scores at most `within` apart, else 0."""
    slack = TOLERANCE * max(1.0, float(np.abs(points).max()))
    return (np.abs(np.subtract.outer(points, points)) <= within + slack).astype(np.float64)


def _shared(
    ratings: Ratings, name: str, agree: Floats, settings: Settings, within: float | None = None
) -> Estimate:
    kinds = distinct_rows(counts_by_score(ratings.paired, ratings.scale.n_points).T)
    share = agreeing_share(kinds.rows.astype(np.float64), agree)

    def statistic(weights: Floats) -> Floats:
        shares: Floats = dot(weights, share) / weights.sum(axis=1)
        return shares

    return resampled(name, kinds, statistic, ratings.n_paired, settings, within=within, lowest=0.0)


def exact_of(pair: Pair, settings: Settings) -> Estimate:
    """Return `exact` for two graders whose joint table is known."""
    return _of_pair(pair, "exact", np.eye(pair.scale.n_points), settings)


def exact_or_adjacent_of(pair: Pair, settings: Settings) -> Estimate:
    """Return `exact_or_adjacent` for two graders whose joint table is known."""
    within = pair.scale.within
    reason = pair.reason() or numbers_reason(pair.scale)
    if reason is not None:
        return refused("exact_or_adjacent", reason, pair.n, settings, within=within)
    return _of_pair(pair, "exact_or_adjacent", close_enough(pair.scale.numbers, within), settings, within)


def _of_pair(
    pair: Pair, name: str, agree: Floats, settings: Settings, within: float | None = None
) -> Estimate:
    cells = pair.kinds.rows
    agreeing = agree[cells[:, 0], cells[:, 1]]

    def statistic(weights: Floats) -> Floats:
        shares: Floats = dot(weights, agreeing) / weights.sum(axis=1)
        return shares

    return pair_estimate(name, pair, statistic, settings, None, lowest=0.0, within=within)


def agreeing_share(counts: Floats, agree: Floats) -> Floats:
    """Return, for each response, the (weighted) share of its pairs of ratings that agree."""
    m = counts.sum(axis=1)
    share: Floats = (counts * (product(counts, agree) - 1)).sum(axis=1) / (m * (m - 1))
    return share
