"""Scaling by percentile rank: a written score becomes the MBE score that stands as high."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def equipercentile(raw: float, ordered_raws: Sequence[float], ordered_mbes: Sequence[float]) -> float:
    """Return the MBE score with the same percentile rank in the scaling group as a raw score.

    Parameters
    ----------
    raw
        Written raw score, of a member of the scaling group or of anyone else.
    ordered_raws
        Written raw scores of the n members, ascending.
    ordered_mbes
        MBE scores of the same n members, ascending, ties kept.

    Returns
    -------
    float
        In MBE points, unrounded, never outside the members' MBE scores.

    Notes
    -----
    The rank is p = (below + half of ties)/n. The i-th MBE score stands at (i - 0.5)/n, and between
    two neighbours the line is straight. Since p·n is a whole or a half number, the score is
    either one MBE score or the middle of two neighbours, and no division by n is needed.
    Without variation the function still answers; `scale_pool` refuses such a pool first.

    Examples
    --------
    >>> raws, mbes = [17, 24, 25, 31], [118.2, 128.7, 131.5, 134.9]
    >>> equipercentile(24, raws, mbes)
    128.7
    >>> round(equipercentile(24.5, raws, mbes), 6), equipercentile(60, raws, mbes)
    (130.1, 134.9)
    """
    below = bisect_left(ordered_raws, raw)
    ties = bisect_right(ordered_raws, raw) - below
    halves = 2 * below + ties - 1  # twice the place counted from 0: p·n - 0.5
    last = len(ordered_mbes) - 1
    lower = min(max(halves // 2, 0), last)
    upper = min(max((halves + 1) // 2, 0), last)
    return ordered_mbes[lower] if lower == upper else (ordered_mbes[lower] + ordered_mbes[upper]) / 2
