"""Cohen's kappa of two graders, unweighted and weighted by the distance between scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from grader_app.agreement.codes import Floats, Integers
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import refused
from grader_app.agreement.grouped_sums import summer
from grader_app.agreement.pair_moments import pair_moments
from grader_app.agreement.pairs import Pair, pair_estimate, pair_of
from grader_app.agreement.products import dot, product
from grader_app.agreement.quotients import quotient
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic
from grader_app.agreement.statuses import Reason, numbers_reason

Penalty = Literal["none", "linear", "quadratic"]

NAMES: dict[Penalty, str] = {
    "none": "cohen_kappa",
    "linear": "linear_weighted_kappa",
    "quadratic": "quadratic_weighted_kappa",
}


def cohen_kappa(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Cohen's kappa: agreement of two graders on the very same score beyond chance.

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
        0 when one grader gave one score throughout; no value when both gave the same one throughout.

    Notes
    -----
    1 - observed / expected disagreement, expected from each grader's own shares of scores.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.
    """
    return _of_two(ratings, graders, "none", Settings(confidence, resamples, seed).checked())


def linear_weighted_kappa(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return kappa with disagreements weighted by the distance between the scores' values.

    See `cohen_kappa` for the parameters.

    References
    ----------
    Cohen (1968), Weighted kappa.
    """
    return _of_two(ratings, graders, "linear", Settings(confidence, resamples, seed).checked())


def quadratic_weighted_kappa(
    ratings: Ratings,
    graders: tuple[str, str] | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return kappa with disagreements weighted by the squared distance between the scores' values.

    See `cohen_kappa` for the parameters.

    Notes
    -----
    Equals 2 cov / (var_x + var_y + (mean_x - mean_y)²). Values count, not places: of the scores
    1, 2 and 5, the last two are three apart also when nobody gave a 3 or 4.

    References
    ----------
    Cohen (1968), Weighted kappa; Fleiss & Cohen (1973).

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": list("abcd"), "x": [1, 2, 5, 5], "y": [1, 5, 5, 2]})
    >>> round(quadratic_weighted_kappa(Ratings.from_wide(table, scale="1:5")).value, 4)
    0.2941
    """
    return _of_two(ratings, graders, "quadratic", Settings(confidence, resamples, seed).checked())


def quadratic_weighted_kappas(ratings: Ratings) -> Floats:
    """Return the quadratic weighted kappa of every pair at once: graders by graders.

    Returns
    -------
    Floats
        1 for a grader with itself; nan where the pair shares fewer than two responses or nothing varies.
    """
    found = pair_moments(ratings)
    squares = found.own_squares + found.own_squares.T
    observed = found.n * (squares - 2 * found.products)
    expected = found.n * squares - 2 * found.own * found.own.T
    kappas = 1 - quotient(observed, expected, (expected > 1e-9) & (found.n > 1))
    np.fill_diagonal(kappas, 1.0)
    return kappas


def kappa_of(pair: Pair, penalty: Penalty, settings: Settings) -> Estimate:
    """Return one kappa of a pair whose joint table is known."""
    reason = pair.all_the_same()
    if penalty != "none":
        reason = reason or numbers_reason(pair.scale)
    statistic = kappa_statistic(pair.kinds.rows, penalties_of(pair.scale.numbers, penalty))
    estimate = pair_estimate(NAMES[penalty], pair, statistic, settings, reason)
    constant = pair.constant()
    if estimate.value is None or constant is None:
        return estimate
    says = f"{constant.says.removesuffix(', so this figure is undefined.')}; kappa is then 0 by construction."
    return replace(estimate, says=f"{estimate.says} {says}")


def penalties_of(points: Floats, penalty: Penalty) -> Floats:
    """Return how much each combination of two scores counts as disagreement."""
    if penalty == "none":
        return 1.0 - np.eye(len(points))
    distances: Floats = np.abs(np.subtract.outer(points, points))
    return distances if penalty == "linear" else distances**2


def kappa_statistic(cells: Integers, penalties: Floats) -> Statistic:
    """Return kappa as a function of how often each combination of scores occurs.

    Parameters
    ----------
    cells
        One combination a row: the first grader's code and the second's.
    penalties
        How much each combination counts as disagreement.
    """
    first, second = (summer(cells[:, place], len(penalties)) for place in (0, 1))
    penalty = penalties[cells[:, 0], cells[:, 1]]

    def statistic(weights: Floats) -> Floats:
        expected = (product(first(weights), penalties) * second(weights)).sum(axis=1)
        return 1 - quotient(dot(weights, penalty) * weights.sum(axis=1), expected, expected > 0)

    return statistic


def _of_two(
    ratings: Ratings, graders: tuple[str, str] | None, penalty: Penalty, settings: Settings
) -> Estimate:
    pair = pair_of(ratings, graders)
    if isinstance(pair, Reason):
        return refused(NAMES[penalty], pair, ratings.n_paired, settings)
    return kappa_of(pair, penalty, settings)
