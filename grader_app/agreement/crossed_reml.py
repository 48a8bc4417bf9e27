"""Variances of any crossed random effects by restricted maximum likelihood, for tables of modest size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.ratings import Floats
from grader_app.errors import RatingsProblem

LARGEST_SYSTEM = 3000
"""More levels of all effects together than this take too long in a dense system."""


def crossed_reml(scores: Floats, effects: Mapping[str, NDArray[np.integer]]) -> dict[str, float]:
    """Estimate the variance of each random effect and of the residual.

    Parameters
    ----------
    scores
        One rating each.
    effects
        For each effect, the level of each rating.

    Returns
    -------
    dict
        The variances by effect, and under ``residual``; none is negative.

    Raises
    ------
    RatingsProblem
        When there are more than 3,000 levels.

    Notes
    -----
    The restricted likelihood is profiled over the mean and the residual and searched over the standard
    deviations of the effects in units of the residual's.

    References
    ----------
    Bates et al. (2015), Journal of Statistical Software 67(1), sec. 3.
    """
    levels = [np.unique(codes, return_inverse=True)[1] for codes in effects.values()]
    sizes = [int(codes.max()) + 1 for codes in levels]
    if sum(sizes) > LARGEST_SYSTEM:
        raise RatingsProblem(
            f"{sum(sizes)} levels are more than the {LARGEST_SYSTEM} this model can hold. "
            "Use the two-way model of each item instead."
        )
    profile = _Profile(scores - scores.mean(), levels, sizes)
    best = _search(profile, len(sizes))
    residual = profile.residual(best)
    variances = {name: float(root) ** 2 * residual for name, root in zip(effects, best, strict=True)}
    return variances | {"residual": residual}


def _search(profile: _Profile, n_effects: int) -> Floats:
    from scipy.optimize import minimize

    def search(start: Floats) -> tuple[Floats, float]:
        found = minimize(
            profile.deviance,
            start,
            method="L-BFGS-B",
            bounds=[(0.0, 1e3)] * n_effects,
            options={"ftol": 1e-14, "gtol": 1e-9},
        )
        return found.x, float(found.fun)

    best, lowest = search(np.full(n_effects, 0.7))
    for _ in range(3):
        # At exactly zero the slope is zero too, so a search that touched zero is begun again beside it.
        again, deviance = search(np.where(best < 1e-2, 0.2, best))
        if deviance >= lowest - 1e-9:
            break
        best, lowest = again, deviance
    roots: Floats = np.where(best < 1e-4, 0.0, best)
    return roots


class _Profile:
    def __init__(self, scores: Floats, levels: Sequence[NDArray[np.integer]], sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self.n = len(scores)
        starts = np.cumsum([0, *sizes[:-1]])
        columns = np.column_stack([codes + start for codes, start in zip(levels, starts, strict=True)])
        design = np.zeros((self.n, sum(sizes)))
        np.put_along_axis(design, columns, 1.0, axis=1)
        self.cross = design.T @ design
        self.scores = design.T @ scores
        self.ones = design.sum(axis=0)
        self.square = float(scores @ scores)
        self.sum = float(scores.sum())

    def deviance(self, roots: Floats) -> float:
        determinant, rest = self._solve(roots)
        return determinant + (self.n - 1) * math.log(max(rest, 1e-300))

    def residual(self, roots: Floats) -> float:
        return self._solve(roots)[1] / (self.n - 1)

    def _solve(self, roots: Floats) -> tuple[float, float]:
        scale = np.repeat(roots, self.sizes)
        factor = np.linalg.cholesky(scale[:, np.newaxis] * self.cross * scale + np.eye(len(scale)))
        right = np.column_stack([scale * self.scores, scale * self.ones])
        solved = np.linalg.solve(factor, right)
        ones = self.n - float(solved[:, 1] @ solved[:, 1])
        mixed = self.sum - float(solved[:, 0] @ solved[:, 1])
        rest = self.square - float(solved[:, 0] @ solved[:, 0]) - mixed**2 / ones
        determinant = 2 * float(np.log(np.diagonal(factor)).sum()) + math.log(ones)
        return determinant, max(rest, 0.0)
