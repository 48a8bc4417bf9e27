"""Differences from the reference as graders produce them, simulated for the watch on drift."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtr

from grader_app.agreement.codes import Floats

FARTHEST = 12
BISECTIONS = 60


def simulated_differences(
    n_papers: int,
    steps: float,
    n_calibration: int,
    simulations: int,
    seed: int,
    shift: float = 0.0,
) -> Floats:
    """Return differences in estimated standard deviations, one row a paper, one column a grader.

    Parameters
    ----------
    n_papers
        Validity papers.
    steps
        The scale's step in true standard deviations of the differences; 0 for scores without steps.
    n_calibration
        Papers from which each grader's standard deviation is estimated.
    simulations, seed
        Graders, and the seed of their errors.
    shift
        How much harsher than in calibration the grader is from the first paper on, in true standard
        deviations.

    Notes
    -----
    References lie on score points and no score is kept from leaving the scale.
    """
    noise = noise_before_rounding(steps)
    errors, calibration = _draws(n_papers, n_calibration, simulations, seed)
    known = _rounded(noise * calibration, steps).std(axis=0, ddof=1)
    differences: Floats = _rounded(noise * errors + shift, steps) / np.maximum(known, steps / 2)
    return differences


def highest_sums(differences: Floats, allowance: float) -> Floats:
    """Return the highest of both cumulative sums so far, one row a paper, one column a grader.

    Examples
    --------
    >>> highest_sums(np.array([[1.0], [-2.0], [0.0]]), 0.5).tolist()
    [[0.5], [1.5], [1.5]]
    """
    highest = np.empty_like(differences)
    up = np.zeros(differences.shape[1])
    down, top = np.zeros_like(up), np.zeros_like(up)
    for place, z in enumerate(differences):
        up = np.maximum(0.0, up + (z - allowance))
        down = np.maximum(0.0, down - (z + allowance))
        top = np.maximum(top, np.maximum(up, down))
        highest[place] = top
    return highest


@lru_cache(maxsize=256)
def noise_before_rounding(steps: float) -> float:
    """Return the noise of what a grader sees for which the rounded differences have a variance of 1.

    Parameters
    ----------
    steps
        The scale's step in standard deviations of the rounded differences, at most 2.

    Examples
    --------
    >>> noise_before_rounding(0.0), round(noise_before_rounding(1.0), 3)
    (1.0, 0.957)
    """
    if steps < 0.01:
        return 1.0
    borders = steps * (np.arange(FARTHEST / steps + 1) + 0.5)
    below, above = 0.0, 1.5
    for _ in range(BISECTIONS):
        middle = (below + above) / 2
        # A difference of k steps has probability tail(k) - tail(k + 1) on either side.
        tails = ndtr(-borders / middle)
        variance = 2 * steps**2 * float((tails * (2 * np.arange(len(tails)) + 1)).sum())
        below, above = (middle, above) if variance < 1 else (below, middle)
    return middle


def _rounded(values: Floats, steps: float) -> Floats:
    if steps < 0.01:
        return values
    rounded: Floats = steps * np.round(values / steps)
    return rounded


@lru_cache(maxsize=4)
def _draws(n_papers: int, n_calibration: int, simulations: int, seed: int) -> tuple[Floats, Floats]:
    random = np.random.Generator(np.random.SFC64(seed))
    drawn = random.standard_normal((n_papers + n_calibration, simulations))
    return drawn[:n_papers], drawn[n_papers:]
