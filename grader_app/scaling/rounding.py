"""From MBE and written scaled score to the reported total, by a named policy."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal
from typing import Literal, get_args

from grader_app.errors import ScalingProblem

Rounding = Literal["total_half_up", "tenths_then_total", "none"]
ROUNDINGS: tuple[str, ...] = get_args(Rounding)


def reported_total(mbe: float, written_scaled: float, rounding: Rounding) -> float:
    """Return the total that is reported, and on which cuts and bands are judged.

    Parameters
    ----------
    mbe, written_scaled
        In MBE points, at full precision.
    rounding
        ``total_half_up``: add at full precision, round the sum half up to a whole number, once.
        ``tenths_then_total``: round each half up to tenths, add, round the sum half up.
        ``none``: add.

    Returns
    -------
    float
        In points of the total; a whole number (an int) unless `rounding` is ``none``.

    Raises
    ------
    ScalingProblem
        The policy has no such name.

    Notes
    -----
    Half up means towards the higher score, for negative numbers too. Before any rounding a
    number is rounded to 1e-9, so that 265.4999999999 is 265.5: binary fractions must not cost a point.

    Examples
    --------
    >>> reported_total(142.3, 147.015, "total_half_up")
    289
    >>> reported_total(132.74, 132.75, "total_half_up"), reported_total(132.74, 132.75, "tenths_then_total")
    (265, 266)
    """
    if rounding == "none":
        return mbe + written_scaled
    if rounding == "total_half_up":
        return int(_half_up(_to_billionths(mbe + written_scaled), places=0))
    if rounding == "tenths_then_total":
        tenths = [_half_up(_to_billionths(part), places=1) for part in (mbe, written_scaled)]
        return int(_half_up(sum(tenths, Decimal(0)), places=0))
    raise ScalingProblem(f"There is no rounding called {rounding!r}. Choose from {', '.join(ROUNDINGS)}.")


def _to_billionths(number: float) -> Decimal:
    return Decimal(repr(round(number, 9)))


def _half_up(number: Decimal, places: int) -> Decimal:
    step = Decimal(1).scaleb(-places)
    return (number / step + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * step
