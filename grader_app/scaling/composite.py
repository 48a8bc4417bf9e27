"""The written raw score: the weighted sum of a candidate's item scores."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import isfinite

from grader_app.errors import ScalingProblem

# Digits enough for the exact sum of products of any two doubles, so that nothing is ever rounded here.
_EXACT = Context(prec=1400)


Score = float | Fraction
"""Points of an item; a fraction where it is the mean of parts, which may have no end as a decimal."""


def written_raw(scores: Mapping[str, Score | None], weights: Mapping[str, float]) -> float | None:
    """Return the composite Σ weight·score, or None if any weighted item is ungraded.

    Parameters
    ----------
    scores
        Item id -> score in points; None is ungraded. Items without a weight play no part.
    weights
        Item id -> weight, each a finite number above 0.

    Returns
    -------
    float or None
        In weighted points. None is *not computable*, never a partial sum: ungraded is not zero.

    Raises
    ------
    ScalingProblem
        A weighted item is missing from `scores` altogether, or the sum is beyond any number.

    Notes
    -----
    The sum is exact over the decimals as they are written, and rounded once. Two candidates whose
    composites are equal on paper are therefore equal here (0.1·3 and 0.3·1 tie), whatever the
    order of the items.

    References
    ----------
    The scores of GPT-4 on the written part of the Uniform Bar Examination, six MEE items at weight 1
    and two MPT items at weight 2, from the marks in Katz et al. (2024), Phil. Trans. R. Soc. A 382.

    Examples
    --------
    >>> mee = {"q1": 5.0, "q2": 4.2, "q3": 4.4, "q4": 3.875, "q5": 3.5, "q6": 4.15}
    >>> weights = dict.fromkeys(mee, 1.0) | {"mpt1": 2.0, "mpt2": 2.0}
    >>> round(written_raw(mee | {"mpt1": 4.25, "mpt2": 25 / 6}, weights), 6)
    41.958333
    >>> written_raw(mee | {"mpt1": 4.25, "mpt2": None}, weights) is None
    True
    """
    absent = [item for item in weights if item not in scores]
    if absent:
        raise ScalingProblem(f"No score and no empty cell for {', '.join(absent)}. Add the item to the pool.")
    total = Decimal(0)
    means = Fraction(0)
    with localcontext(_EXACT):
        for item, weight in weights.items():
            score = scores[item]
            if score is None:
                return None
            if isinstance(score, Fraction):
                means += Fraction(_decimal(weight)) * score
            else:
                total += _decimal(weight) * _decimal(score)
    raw = _rounded(Fraction(total) + means) if means else float(total)
    if not isfinite(raw):
        raise ScalingProblem(
            "A weighted sum of scores is too large to be a number. Check scores and weights."
        )
    return raw


def ungraded_items(scores: Mapping[str, Score | None], weights: Mapping[str, float]) -> list[str]:
    """Return the weighted items that have no score yet, in the order of the weights."""
    return [item for item in weights if scores[item] is None]


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise ScalingProblem unless there is an item, and every weight is a finite number above 0."""
    if not weights:
        raise ScalingProblem(
            "No item has a weight, so there is no composite. Add an MEE or MPT item to the round."
        )
    for item, weight in weights.items():
        if isinstance(weight, bool) or not isfinite(weight) or weight <= 0:
            raise ScalingProblem(f"Item {item} has weight {weight!r}. Give a finite number above 0.")


def _rounded(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return float("inf")


def _decimal(number: float) -> Decimal:
    return Decimal(repr(float(number)))
