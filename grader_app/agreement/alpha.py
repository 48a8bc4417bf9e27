"""Krippendorff's alpha: the package's own value, and the interval of our fast path."""

from __future__ import annotations

import krippendorff
import numpy as np

from grader_app.agreement.codes import Codes, Floats
from grader_app.agreement.coincidences import LEVELS, Level, counts_by_score, fast_alpha, squared_distances
from grader_app.agreement.distinct import Distinct, distinct_rows
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import estimated, refused
from grader_app.agreement.products import dot, product
from grader_app.agreement.quotients import quotient
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic, interval
from grader_app.agreement.statuses import Reason, panel_reason

MOST_PACKAGE_POINTS = 50
"""The package holds responses by scores by scores numbers at once; above this our own path is reported."""

MOST_PACKAGE_CELLS = 25_000_000
SAME = 1e-12


def krippendorff_alpha(
    ratings: Ratings,
    level: Level | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Krippendorff's alpha over responses with two ratings or more.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    level
        ``nominal``, ``ordinal``, ``interval`` or ``ratio``; by default ordinal for a numeric scale and
        nominal for names.
    confidence, resamples, seed
        For the interval over responses.

    Returns
    -------
    Estimate

    Raises
    ------
    ArithmeticError
        When the package and our fast path differ by more than 1e-12.
    ValueError
        When the level is none of the four.

    Notes
    -----
    1 - observed / expected disagreement. Ties need no care. Where nothing varies alpha is undefined.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Krippendorff (2018), Content
    Analysis, 4th ed.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": list("abcde"), "x": [0, 1, 3, 4, 6], "y": [1, 1, 3, 5, 6]})
    >>> estimate = krippendorff_alpha(Ratings.from_wide(table, scale="0:6"), "interval")
    >>> round(estimate.value, 4), estimate.status
    (0.9591, 'ok')
    """
    settings = Settings(confidence, resamples, seed).checked()
    chosen = chosen_level(ratings, level)
    reason = panel_reason(ratings) or level_reason(ratings, chosen)
    if reason is not None:
        return refused("krippendorff_alpha", reason, ratings.n_paired, settings, level=chosen)
    value, note = reported_alpha(ratings, chosen)
    kinds, points = paired_kinds(ratings)
    found = interval(kinds, alpha_statistic(kinds, chosen, points), settings)
    return estimated("krippendorff_alpha", value, found, ratings.n_paired, settings, level=chosen, note=note)


def chosen_level(ratings: Ratings, level: str | None) -> Level:
    """Return the level asked for, or the one that fits the scale."""
    if level is None:
        return "ordinal" if ratings.scale.is_numeric else "nominal"
    for known in LEVELS:
        if level == known:
            return known
    raise ValueError(f"level is {level!r}; choose {', '.join(LEVELS)}")


def level_reason(ratings: Ratings, level: Level) -> Reason | None:
    """Return why a level does not fit the scale."""
    if level in {"nominal", "ordinal"}:
        return None
    if not ratings.scale.is_numeric:
        return Reason(
            "not_applicable",
            f"The scores are names, and the {level} level needs numbers. Choose nominal or ordinal.",
        )
    if level == "ratio" and ratings.scale.numbers[0] < 0:
        return Reason(
            "not_applicable",
            f"The scale {ratings.scale.text} has scores below zero, and the ratio level needs a true zero. "
            "Choose interval.",
        )
    return None


def used_points(ratings: Ratings) -> tuple[Codes, Floats]:
    """Return the paired rows recoded to the scores that occur in them, and those scores.

    Unused score points change nothing in alpha, and large scales have many.
    """
    paired = ratings.paired
    used = np.unique(paired[paired >= 0])
    recoded = np.full(ratings.scale.n_points + 1, -1, dtype=paired.dtype)
    recoded[used] = np.arange(len(used))
    return np.asfortranarray(recoded[paired]), ratings.scale.numbers[used]


def reported_alpha(ratings: Ratings, level: Level) -> tuple[float, str]:
    """Return the package's value, checked against ours; ours, and a note, where it cannot be used."""
    codes, points = used_points(ratings)
    own = fast_alpha(codes, level, points)
    too_large = len(codes) * len(points) ** 2 > MOST_PACKAGE_CELLS
    if ratings.scale.n_points > MOST_PACKAGE_POINTS or too_large:
        return own, ", by this program's own path since the table is large"
    counts = counts_by_score(codes, len(points)).T.astype(np.int64)
    value = float(krippendorff.alpha(value_counts=counts, value_domain=points, level_of_measurement=level))
    if abs(value - own) > SAME:
        raise ArithmeticError(
            f"Two ways to compute alpha ({level}) differ: krippendorff {value!r}, own path {own!r}. "
            "Please report this with the table."
        )
    return value, ""


def paired_kinds(ratings: Ratings) -> tuple[Distinct, Floats]:
    """Return the paired responses as counts of each score, equal ones merged, and the scores."""
    codes, points = used_points(ratings)
    return distinct_rows(counts_by_score(codes, len(points)).T), points


def alpha_statistic(kinds: Distinct, level: Level, points: Floats) -> Statistic:
    """Return alpha as a function of how often each kind of response occurs.

    Notes
    -----
    For squared differences of scores x the ordered pairs of a response with m ratings add
    2 (m Σ x² - (Σ x)²)/(m - 1); so the ordinal level, whose distances change with every resample,
    needs no table of pairs.
    """
    counts = kinds.rows.astype(np.float64)
    per_response = counts.sum(axis=1)
    if level == "ordinal":
        return lambda weights: _ordinal_alpha(weights, counts, per_response)
    distances = squared_distances(level, points, counts.sum(axis=0))
    disagreement = (product(counts, distances) * counts).sum(axis=1) / (per_response - 1)

    def statistic(weights: Floats) -> Floats:
        frequencies = product(weights, counts)
        expected = (product(frequencies, distances) * frequencies).sum(axis=1)
        return _ratio(dot(weights, disagreement), expected, frequencies.sum(axis=1))

    return statistic


def _ordinal_alpha(weights: Floats, counts: Floats, per_response: Floats) -> Floats:
    frequencies = product(weights, counts)
    total = frequencies.sum(axis=1)
    # Halves keep the ranks exact; centring keeps the squares small.
    middle = np.cumsum(frequencies, axis=1) - frequencies / 2 - total[:, np.newaxis] / 2
    squares = middle**2
    observed = (product(weights * (per_response / (per_response - 1)), counts) * squares).sum(axis=1)
    sums = product(middle, counts.T)
    np.square(sums, out=sums)
    sums *= weights
    observed -= dot(sums, 1 / (per_response - 1))
    expected = total * (frequencies * squares).sum(axis=1) - (frequencies * middle).sum(axis=1) ** 2
    return _ratio(observed, expected, total)


def _ratio(observed: Floats, expected: Floats, total: Floats) -> Floats:
    varied = expected > 1e-18 * np.maximum(total, 1) ** 2
    return 1 - (total - 1) * quotient(observed, expected, varied)
