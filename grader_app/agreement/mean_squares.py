"""Mean squares of a complete table, and the six intraclass correlations with their F intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import fdtri

from grader_app.agreement.codes import Codes, Floats

FORMS = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")


@dataclass(frozen=True)
class MeanSquares:
    """The analysis of variance of a complete responses by graders table.

    Parameters
    ----------
    n, k
        Responses and graders.
    between
        Mean square of responses.
    graders
        Mean square of graders.
    residual
        Mean square of what is left.
    within
        Mean square within responses, graders and residual together.
    """

    n: int
    k: int
    between: float
    graders: float
    residual: float
    within: float

    def components(self) -> tuple[float, float, float]:
        """Return the variances of responses, graders and residual by expected mean squares.

        A component may be negative; it is reported as it is.
        """
        return (
            (self.between - self.residual) / self.k,
            (self.graders - self.residual) / self.n,
            self.residual,
        )


def mean_squares(codes: Codes, points: Floats) -> MeanSquares:
    """Return the mean squares of a complete table of codes.

    Examples
    --------
    >>> found = mean_squares(np.array([[0, 1], [2, 2], [1, 3]], dtype=np.int8), np.arange(4.0))
    >>> round(found.between, 3), round(found.graders, 3)
    (1.5, 1.5)
    """
    n, k = codes.shape
    columns, unit = _columns(codes, points)
    by_response, by_grader = columns.sum(axis=0), columns.sum(axis=1)
    correction = float(by_grader.sum()) ** 2 / (n * k)
    total = float(np.einsum("ij,ij->", columns, columns)) - correction
    responses = float(np.einsum("i,i->", by_response, by_response)) / k - correction
    graders = float(by_grader @ by_grader) / n - correction
    residual = total - responses - graders
    total, responses, graders, residual = (unit**2 * part for part in (total, responses, graders, residual))
    responses, graders, residual = (_without_rounding(part, total) for part in (responses, graders, residual))
    return MeanSquares(
        n,
        k,
        responses / (n - 1),
        graders / (k - 1),
        residual / ((n - 1) * (k - 1)),
        (graders + residual) / (n * (k - 1)),
    )


def _columns(codes: Codes, points: Floats) -> tuple[Floats, float]:
    """Return the scores, one row a grader, about the middle of the scale, and the unit they are in."""
    gaps = np.diff(points)
    if np.ptp(gaps) <= 1e-9 * gaps[0]:
        # Where steps are even the codes themselves are the scores in steps; no look-up is needed.
        return codes.T.astype(np.float64) - (len(points) - 1) / 2, float(gaps[0])
    return np.take(points - (points[0] + points[-1]) / 2, codes.T), 1.0


def _without_rounding(part: float, total: float) -> float:
    return 0.0 if abs(part) < 1e-12 * max(total, 1e-300) else part


def values_and_intervals(
    squares: MeanSquares, confidence: float
) -> dict[str, tuple[float | None, float | None, float | None]]:
    """Return value, low and high of the six forms; None where they are undefined.

    References
    ----------
    Shrout & Fleiss (1979), Psychological Bulletin 86:420; McGraw & Wong (1996), Psychological
    Methods 1:30.
    """
    one = _one_way(squares, confidence)
    two = _absolute(squares, confidence)
    three = _consistency(squares, confidence)
    value_2_1, low, high = two
    k = squares.k
    absolute_mean = _ratio(
        squares.between - squares.residual,
        squares.between + (squares.graders - squares.residual) / squares.n,
    )
    # Stepped up to a mean, the interval is nonsense where the single-score value is not positive.
    stepped: tuple[float | None, float | None] = (None, None)
    if value_2_1 is not None and value_2_1 > 0 and low is not None and high is not None:
        stepped = (_step_up(low, k), _step_up(high, k))
    return {
        "icc_1_1": one[0],
        "icc_2_1": two,
        "icc_3_1": three[0],
        "icc_1_k": one[1],
        "icc_2_k": (absolute_mean, *stepped),
        "icc_3_k": three[1],
    }


def _step_up(single: float, k: float) -> float | None:
    """Spearman and Brown's step from one score to the mean of k; None where it has no meaning."""
    bottom = 1 + (k - 1) * single
    return k * single / bottom if bottom > 0 else None


Form = tuple[float | None, float | None, float | None]


def _one_way(squares: MeanSquares, confidence: float) -> tuple[Form, Form]:
    n, k = squares.n, squares.k
    return _by_f(squares.between, squares.within, n - 1, n * (k - 1), k, confidence)


def _consistency(squares: MeanSquares, confidence: float) -> tuple[Form, Form]:
    n, k = squares.n, squares.k
    return _by_f(squares.between, squares.residual, n - 1, (n - 1) * (k - 1), k, confidence)


def _by_f(between: float, error: float, df1: int, df2: int, k: int, confidence: float) -> tuple[Form, Form]:
    """Return the single and the mean form whose interval follows from one F ratio."""
    single = _ratio(between - error, between + (k - 1) * error)
    mean = _ratio(between - error, between)
    if error <= 0 or between <= 0:
        return (single, None, None), (mean, None, None)
    ratio, upper = between / error, (1 + confidence) / 2
    low = ratio / float(fdtri(df1, df2, upper))
    high = ratio * float(fdtri(df2, df1, upper))
    return (
        (single, (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)),
        (mean, 1 - 1 / low, 1 - 1 / high),
    )


def _absolute(squares: MeanSquares, confidence: float) -> Form:
    n, k = squares.n, squares.k
    between, graders, residual = squares.between, squares.graders, squares.residual
    value = _ratio(between - residual, between + (k - 1) * residual + k * (graders - residual) / n)
    if value is None or residual <= 0 or value >= 1:
        return value, None, None
    a = k * value / (n * (1 - value))
    b = 1 + k * value * (n - 1) / (n * (1 - value))
    bottom = (a * graders) ** 2 / (k - 1) + (b * residual) ** 2 / ((n - 1) * (k - 1))
    if bottom <= 0:
        return value, None, None
    df = (a * graders + b * residual) ** 2 / bottom
    upper = (1 + confidence) / 2
    f_low, f_high = float(fdtri(n - 1, df, upper)), float(fdtri(df, n - 1, upper))
    spread = k * graders + (k * n - k - n) * residual
    low = _ratio_or_nan(n * (between - f_low * residual), f_low * spread + n * between)
    high = _ratio_or_nan(n * (f_high * between - residual), spread + n * f_high * between)
    # Far below zero the approximate degrees of freedom vanish, and the formula with them.
    return (value, low, high) if low <= value <= high else (value, None, None)


def _ratio_or_nan(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else math.nan


def _ratio(top: float, bottom: float) -> float | None:
    # A bottom that is only rounding would give a huge number instead of "undefined".
    return top / bottom if bottom > 1e-9 * abs(top) and bottom > 0 else None
