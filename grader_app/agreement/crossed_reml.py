"""Variances of any crossed random effects by restricted maximum likelihood, for tables of modest size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Floats
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
            jac=True,
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
        self.rest = 0.0
        self.starts = starts = np.cumsum([0, *sizes[:-1]])
        columns = np.column_stack([codes + start for codes, start in zip(levels, starts, strict=True)])
        design = np.zeros((self.n, sum(sizes)))
        np.put_along_axis(design, columns, 1.0, axis=1)
        self.cross = design.T @ design
        self.scores = design.T @ scores
        self.ones = design.sum(axis=0)
        self.square = float(scores @ scores)
        self.sum = float(scores.sum())

    def deviance(self, roots: Floats) -> tuple[float, Floats]:
        """Return the deviance and its slope in each standard deviation."""
        scale = np.repeat(roots, self.sizes)
        system = scale[:, np.newaxis] * self.cross * scale + np.eye(len(scale))
        inverse = np.linalg.inv(system)
        # What the inverse of the covariance of the scores does to sums over levels.
        shrink = np.eye(len(scale)) - self.cross @ (scale[:, np.newaxis] * inverse * scale)
        of_ones, of_scores = shrink @ self.ones, shrink @ self.scores
        ones = self.n - float((self.ones * scale) @ inverse @ (scale * self.ones))
        mixed = self.sum - float((self.ones * scale) @ inverse @ (scale * self.scores))
        square = self.square - float((self.scores * scale) @ inverse @ (scale * self.scores))
        rest = max(square - mixed**2 / ones, 1e-300)
        trace = (shrink * self.cross.T).sum(axis=1) - of_ones**2 / ones
        left = of_scores - of_ones * (mixed / ones)
        by_level = trace - (self.n - 1) / rest * left**2
        slope = 2 * roots * np.add.reduceat(by_level, self.starts)
        determinant = float(np.linalg.slogdet(system)[1]) + math.log(ones)
        self.rest = rest
        return determinant + (self.n - 1) * math.log(rest), slope

    def residual(self, roots: Floats) -> float:
        self.deviance(roots)
        return self.rest / (self.n - 1)
