"""Variances of responses and graders by restricted maximum likelihood, with missing cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.ratings import Ratings

LARGEST_ROOT = 1e3
"""Bound on the square root of a variance ratio: a residual below a millionth counts as none."""


@dataclass(frozen=True, eq=False)
class TwoWay:
    """Sums over responses that the likelihood needs, responses with equally many ratings together.

    Parameters
    ----------
    m
        The different numbers of ratings a response has.
    responses
        How many responses have each number.
    together
        For each number, how often two graders rated the same response.
    per_grader, cross, squares
        For each number: ratings by grader; sum of a response's total over the graders who rated it; sum
        of squared totals.
    by_grader
        Sum of the scores of each grader.
    n
        Number of ratings.
    square
        Sum of squared scores; scores are taken about their mean.
    """

    m: Floats
    responses: Floats
    together: Floats
    per_grader: Floats
    cross: Floats
    squares: Floats
    by_grader: Floats
    n: int
    square: float

    @cached_property
    def totals(self) -> Floats:
        """Sum of all scores of the responses with each number of ratings."""
        sums: Floats = self.cross.sum(axis=1) / self.m
        return sums


@dataclass(frozen=True)
class Fit:
    """Variance components and how well they are known.

    Parameters
    ----------
    response, grader, residual
        The variances.
    covariance
        Of the estimates of their logarithms; rows of components estimated as zero are zero.
    """

    response: float
    grader: float
    residual: float
    covariance: Floats


def sums_of(scores: Floats) -> TwoWay:
    """Collect the sums from a responses by graders table with nan for missing."""
    given = np.isfinite(scores)
    counts = given.sum(axis=1)
    scores, given, counts = scores[counts > 0], given[counts > 0], counts[counts > 0]
    n = int(counts.sum())
    filled = np.where(given, scores, 0.0)
    filled = np.where(given, filled - filled.sum() / n, 0.0)
    totals = filled.sum(axis=1)
    present = given.astype(np.float64)
    m = np.unique(counts)
    rows = [counts == number for number in m]
    return TwoWay(
        m.astype(np.float64),
        np.array([float(row.sum()) for row in rows]),
        np.array([present[row].T @ present[row] for row in rows]),
        np.array([present[row].sum(axis=0) for row in rows]),
        np.array([totals[row] @ present[row] for row in rows]),
        np.array([float(totals[row] @ totals[row]) for row in rows]),
        filled.sum(axis=0),
        n,
        float((filled**2).sum()),
    )


@lru_cache(maxsize=4)
def fit_of(ratings: Ratings, *, graders: bool = True) -> Fit:
    """Return the fit of a table, kept for the next figure that needs it; see `reml`."""
    return reml(sums_of(ratings.scores()), graders=graders)


def reml(sums: TwoWay, *, graders: bool = True) -> Fit:
    """Estimate the variances of responses, graders and residual.

    Parameters
    ----------
    sums
        From `sums_of`.
    graders
        False for the one-way model, where graders are part of the residual.

    Returns
    -------
    Fit

    Notes
    -----
    Score = mean + response + grader + residual, all random. Responses are absorbed, so that each step
    of the search solves one system the size of the panel; components cannot be negative.

    References
    ----------
    Searle, Casella & McCulloch (1992), Variance Components, ch. 6.
    """
    from scipy.optimize import minimize

    def objective(roots: Floats) -> float:
        response, grader = roots[0] ** 2, roots[1] ** 2 if graders else 0.0
        constant, rest = _likelihood(sums, response, grader)
        return constant + (sums.n - 1) * math.log(max(rest, 1e-300))

    bounds = [(0.0, LARGEST_ROOT)] * (2 if graders else 1)
    start = np.array([1.0, 0.5][: len(bounds)])
    rough = minimize(objective, start, method="L-BFGS-B", bounds=bounds)
    fine = minimize(
        objective,
        rough.x,
        method="Nelder-Mead",
        bounds=bounds,
        options={"xatol": 1e-8, "fatol": 1e-10, "initial_simplex": _simplex(rough.x)},
    )
    best = np.where(fine.x < 1e-5, 0.0, fine.x)
    response, grader = float(best[0]) ** 2, float(best[1]) ** 2 if graders else 0.0
    residual = _likelihood(sums, response, grader)[1] / (sums.n - 1)
    variances = (response * residual, grader * residual, residual)
    return Fit(*variances, _covariance(sums, np.array(variances)))


def _simplex(start: Floats) -> Floats:
    corners = np.tile(start, (len(start) + 1, 1))
    for place in range(len(start)):
        corners[place + 1, place] += 0.05 * max(start[place], 0.1)
    return corners


def _likelihood(sums: TwoWay, response: float, grader: float) -> tuple[float, float]:
    """Return, for variances in units of the residual, the constant part and the residual sum of squares."""
    shrink = response / (1 + response * sums.m)
    n_graders = len(sums.by_grader)
    s = np.diag(sums.per_grader.sum(axis=0)) - np.tensordot(shrink, sums.together, axes=1)
    t = sums.per_grader.sum(axis=0) - (shrink * sums.m) @ sums.per_grader
    u = sums.by_grader - shrink @ sums.cross
    ones = sums.n - float((shrink * sums.m**2) @ sums.responses)
    mixed = -float((shrink * sums.m) @ sums.totals)
    square = sums.square - float(shrink @ sums.squares)
    system = np.eye(n_graders) + grader * s
    solved = np.linalg.solve(system, np.column_stack([t, u]))
    ones -= grader * float(t @ solved[:, 0])
    mixed -= grader * float(t @ solved[:, 1])
    square -= grader * float(u @ solved[:, 1])
    determinant = float(sums.responses @ np.log1p(response * sums.m)) + float(np.linalg.slogdet(system)[1])
    return determinant + math.log(max(ones, 1e-300)), max(square - mixed**2 / ones, 0.0)


def _covariance(sums: TwoWay, variances: Floats) -> Floats:
    """Return the covariance of the logarithms of the variances from the curvature of the likelihood."""
    free = np.flatnonzero(variances > 1e-9 * variances.sum())
    covariance = np.zeros((3, 3))

    def deviance(logs: Floats) -> float:
        now = variances.copy()
        now[free] = np.exp(logs)
        constant, rest = _likelihood(sums, now[0] / now[2], now[1] / now[2])
        return constant + (sums.n - 1) * math.log(now[2]) + rest / float(now[2])

    if 2 not in free:
        return covariance
    centre = np.log(variances[free])
    curvature = _curvature(deviance, centre) / 2
    try:
        covariance[np.ix_(free, free)] = np.linalg.inv(curvature)
    except np.linalg.LinAlgError:
        return np.zeros((3, 3))
    return covariance


def _curvature(function: Callable[[Floats], float], centre: Floats, step: float = 1e-3) -> Floats:
    size = len(centre)
    moves = np.eye(size) * step
    second = np.empty((size, size))
    for a in range(size):
        for b in range(size):
            plus, minus = moves[a] + moves[b], moves[a] - moves[b]
            second[a, b] = (
                function(centre + plus)
                - function(centre + minus)
                - function(centre - minus)
                + function(centre - plus)
            ) / (4 * step**2)
    return second
