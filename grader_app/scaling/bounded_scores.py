"""How much scores can vary near the ends of their scale, where they cannot leave it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

Floats = NDArray[np.float64]

_GRID = 401
_NODES, _SHARES = np.polynomial.hermite_e.hermegauss(7)
_SHARES = _SHARES / _SHARES.sum()
_REACH = 5.0
"""How many SDs of the latent score the grid goes beyond each end of the scale."""


def variance_on_scale(
    levels: Floats,
    average: float,
    ends: tuple[float, float],
    level_sd: float = 0.0,
    over: NDArray[np.intp] | None = None,
) -> Floats:
    """Return the error variance of a score at each level, so that it averages to what was found.

    Parameters
    ----------
    levels
        Expected scores, one a candidate, in points.
    average
        The error variance found over these candidates together, in squared points.
    ends
        Lowest and highest point of the scale.
    level_sd
        How far the true level of a candidate lies from the one given, as an SD; the variance is averaged
        over it.
    over
        Places of the candidates over whom the average was found; None for all.

    Returns
    -------
    array
        In squared points: less near the ends, a little more in the middle. The average itself where no
        normal error on this scale averages to it.

    Notes
    -----
    A latent score with normal error of one SD for all is cut off at the ends of the scale. For each level
    the latent score is taken whose cut-off mean is the level, and the SD for which the variances average
    to `average`.

    Examples
    --------
    >>> found = variance_on_scale(np.array([0.1, 3.0, 5.9]), 0.3, (0, 6))
    >>> bool(found[0] < found[1]), round(float(found.mean()), 6)
    (True, 0.3)
    """
    lowest, highest = ends
    # In order, since they are looked up in a table again and again.
    averaged = np.sort(levels if over is None else levels[over])
    if average <= 0 or highest <= lowest:
        return np.full(len(levels), max(average, 0.0))

    def excess(sd: float) -> float:
        return float(_variances(averaged, level_sd, sd, ends).mean()) - average

    smallest, largest = math.sqrt(average) / 2, 20 * (highest - lowest)
    if excess(smallest) > 0 or excess(largest) < 0:
        return np.full(len(levels), average)
    sd = float(brentq(excess, smallest, largest, xtol=1e-9))
    return _variances(levels, level_sd, sd, ends)


def _variances(levels: Floats, level_sd: float, sd: float, ends: tuple[float, float]) -> Floats:
    lowest, highest = ends
    latent = np.linspace(lowest - _REACH * sd, highest + _REACH * sd, _GRID)
    mean, variance = _cut_off(latent, sd, lowest, highest)
    found = np.zeros(len(levels))
    for place, share in zip(_NODES, _SHARES, strict=True) if level_sd > 0 else ((0.0, 1.0),):
        found += share * np.interp(np.clip(levels + place * level_sd, lowest, highest), mean, variance)
    return found


def _cut_off(latent: Floats, sd: float, lowest: float, highest: float) -> tuple[Floats, Floats]:
    """Give mean and variance of a normal score that is cut off at both ends."""
    a, b = (lowest - latent) / sd, (highest - latent) / sd
    below, above = ndtr(a), ndtr(-b)
    inside = 1 - below - above
    density_a, density_b = (np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) for z in (a, b))
    first = latent * inside + sd * (density_a - density_b)
    second = (
        (latent**2 + sd**2) * inside
        + 2 * latent * sd * (density_a - density_b)
        + sd**2 * (a * density_a - b * density_b)
    )
    mean = lowest * below + highest * above + first
    square = lowest**2 * below + highest**2 * above + second
    return mean, np.maximum(square - mean**2, 0.0)
