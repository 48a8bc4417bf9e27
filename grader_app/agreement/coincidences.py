"""Krippendorff's coincidences straight from codes, and the alpha that follows from them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Codes, Floats
from grader_app.agreement.products import product

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")

BLOCK = 10_000
"""Responses handled at a time, so that the counts stay in the processor's cache."""


def counts_by_score(codes: Codes, n_points: int) -> NDArray[np.integer]:
    """Return how many graders gave each score to each response: scores by responses."""
    kind = np.int8 if codes.shape[1] < 128 else np.int32
    columns = codes.T
    counts = np.empty((n_points, len(codes)), dtype=kind)
    for score in range(n_points):
        np.add.reduce((columns == score).view(np.int8), axis=0, dtype=kind, out=counts[score])
    return counts


def coincidences(codes: Codes, n_points: int) -> Floats:
    """Count how often each score met each other score on the same response.

    Parameters
    ----------
    codes
        Responses by graders, -1 for missing.
    n_points
        How many scores the scale has.

    Returns
    -------
    Floats
        Scores by scores; a response with m ratings adds its ordered pairs divided by m - 1, and one
        with a single rating adds nothing.
    """
    total = np.zeros((n_points, n_points))
    share = np.zeros(codes.shape[1] + 2)
    share[2:] = 1 / np.arange(1, codes.shape[1] + 1)
    for start in range(0, len(codes), BLOCK):
        counts = counts_by_score(codes[start : start + BLOCK], n_points)
        per_response = np.add.reduce(counts, axis=0, dtype=counts.dtype)
        weighted = counts * share.take(per_response)
        total += product(weighted, counts.T.astype(np.float64))
        total[np.diag_indices(n_points)] -= weighted.sum(axis=1)
    return total


def squared_distances(level: Level, points: Floats, frequencies: Floats) -> Floats:
    """Return Krippendorff's difference function for each pair of scores.

    Parameters
    ----------
    level
        The level of measurement.
    points
        The score points as numbers.
    frequencies
        How often each score occurs among paired ratings; only the ordinal level uses it.

    Notes
    -----
    Nominal: 0 or 1. Ordinal: the squared number of ratings between two scores, half of either end.
    Interval: (c - k)². Ratio: ((c - k)/(c + k))².

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
    """
    if level == "nominal":
        return 1.0 - np.eye(len(points))
    if level == "ordinal":
        middle = np.cumsum(frequencies) - frequencies / 2
        return np.subtract.outer(middle, middle) ** 2
    differences = np.subtract.outer(points, points)
    if level == "interval":
        return differences**2
    sums = np.add.outer(points, points)
    return np.divide(differences, sums, out=np.zeros_like(differences), where=sums != 0) ** 2


def alpha_of(observed: Floats, level: Level, points: Floats) -> float:
    """Return alpha from a table of coincidences; nan where nothing varies.

    Notes
    -----
    1 - (N - 1) Σ o d / Σ n_c n_k d over pairs of scores c, k.
    """
    frequencies = observed.sum(axis=1)
    distances = squared_distances(level, points, frequencies)
    expected = float((np.outer(frequencies, frequencies) * distances).sum())
    if expected == 0:
        return float("nan")
    return 1 - (float(frequencies.sum()) - 1) * float((observed * distances).sum()) / expected


def fast_alpha(codes: Codes, level: Level, points: Floats) -> float:
    """Return alpha from codes in one pass; nan where nothing varies.

    Examples
    --------
    >>> codes = np.array([[0, 0], [1, 1], [2, 1]], dtype=np.int8)
    >>> round(fast_alpha(codes, "nominal", np.array([0.0, 1.0, 2.0])), 4)
    0.5455
    """
    return alpha_of(coincidences(codes, len(points)), level, points)
