"""From MBE and written scaled score to the reported total, by a named policy."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite
from typing import Literal, NamedTuple, get_args

from grader_app.errors import ScalingProblem

Rounding = Literal["total_half_up", "total_to_tenths", "total_to_hundredths", "tenths_then_total", "none"]
ROUNDINGS: tuple[str, ...] = get_args(Rounding)
_PLACES = {"total_half_up": 0, "total_to_tenths": 1, "total_to_hundredths": 2}


class Factors(NamedTuple):
    """What MBE and written scaled score are multiplied by before they are added."""

    mbe: float = 1
    written: float = 1


ADDED = Factors()
"""MBE and written scaled score count the same, as in the Uniform Bar Examination."""


def reported_total(mbe: float, written_scaled: float, rounding: Rounding, factors: Factors = ADDED) -> float:
    """Return the total that is reported, and on which cuts and bands are judged.

    Parameters
    ----------
    mbe, written_scaled
        In MBE points, at full precision.
    rounding
        ``total_half_up``: add at full precision, round the sum half up to a whole number, once.
        ``total_to_tenths``, ``total_to_hundredths``: the same, to one or two decimals.
        ``tenths_then_total``: round each half up to tenths, add, round the sum half up.
        ``none``: add.
    factors
        What each is multiplied by before adding (after tenths are rounded).

    Returns
    -------
    float
        In points of the total; a whole number (an int) where the sum is rounded to one.

    Raises
    ------
    ScalingProblem
        The policy has no such name, or the total is beyond any number.

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
    >>> reported_total(135.13, 148.33, "total_to_hundredths", Factors(mbe=0.4, written=0.6))
    143.05
    """
    total = factors.mbe * mbe + factors.written * written_scaled
    if not isfinite(total):
        raise ScalingProblem("A total is too large to be a number. Check MBE scores, reference and factors.")
    if rounding == "none":
        return total
    if rounding in _PLACES:
        rounded = _half_up(_to_billionths(total), _PLACES[rounding])
        return float(rounded) if _PLACES[rounding] else int(rounded)
    if rounding == "tenths_then_total":
        tenths = [_half_up(_to_billionths(part), places=1) for part in (mbe, written_scaled)]
        weighted = [Decimal(repr(float(factor))) * part for factor, part in zip(factors, tenths, strict=True)]
        return int(_half_up(sum(weighted, Decimal(0)), places=0))
    raise ScalingProblem(f"There is no rounding called {rounding!r}. Choose from {', '.join(ROUNDINGS)}.")


def lowest_full_total(line: float, rounding: Rounding) -> float:
    """Return the lowest total at full precision whose reported total reaches a line.

    Parameters
    ----------
    line
        In points of the total.
    rounding
        The policy; ``tenths_then_total`` is taken as if only the total were rounded.

    Examples
    --------
    >>> lowest_full_total(266, "total_half_up"), lowest_full_total(266, "none")
    (265.5, 266)
    >>> lowest_full_total(143.05, "total_to_tenths")
    143.05
    """
    if rounding == "none":
        return line
    step = Decimal(1).scaleb(-_PLACES.get(rounding, 0))
    reported = (_to_billionths(line) / step).to_integral_value(ROUND_CEILING) * step
    return float(reported - step / 2)


def _to_billionths(number: float) -> Decimal:
    return Decimal(repr(round(number, 9)))


def _half_up(number: Decimal, places: int) -> Decimal:
    step = Decimal(1).scaleb(-places)
    return (number / step + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * step
