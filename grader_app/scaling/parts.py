"""The score of an item whose parts are scored apart: their weighted mean."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction


def item_score(parts: Mapping[str, float | None], weights: Mapping[str, float]) -> Fraction | None:
    """Return the weighted mean Σ weight·score / Σ weight of an item's parts, or None if one is ungraded.

    Parameters
    ----------
    parts
        Part id -> score in points; None is ungraded.
    weights
        Part id -> weight, finite and above 0. They need not add up to 1: they are divided by their sum.

    Returns
    -------
    Fraction or None
        In the item's points, exact over the decimals as they are written and not rounded, so that two
        candidates who are equal on paper are equal here. None is *not computable*: ungraded is not zero.

    Notes
    -----
    A weighted mean stays on the scale of its parts; dividing it by the top of the scale gives a percentage,
    which is not a scaled score (see ``rubrics/README.md``).

    Examples
    --------
    >>> float(item_score({"a": 4.5, "b": 5, "c": 3}, {"a": 0.4, "b": 0.3, "c": 0.3}))
    4.2
    >>> round(float(item_score({"a": 4.5, "b": 4, "c": 4}, dict.fromkeys("abc", 1))), 6)
    4.166667
    >>> item_score({"a": 4.5, "b": None}, {"a": 1, "b": 1}) is None
    True
    """
    total = Fraction(0)
    for part, weight in weights.items():
        score = parts[part]
        if score is None:
            return None
        total += _exact(weight) * _exact(score)
    return total / sum((_exact(weight) for weight in weights.values()), Fraction(0))


def _exact(number: float) -> Fraction:
    return Fraction(repr(float(number)))
