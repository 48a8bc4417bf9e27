"""How long a grader takes over a live paper, and whether that changes along the queue."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST_FOR_THIRDS = 6
"""Timed papers from which the first third is compared with the last."""


@dataclass(frozen=True)
class Pace:
    """Median active seconds a paper.

    Parameters
    ----------
    n
        Papers whose time was measured.
    seconds
        Median over all of them; None without one.
    first_third, last_third
        Medians of the first and the last third in reading order; None below six papers.
    """

    n: int
    seconds: float | None
    first_third: float | None
    last_third: float | None

    def as_dict(self) -> dict[str, float | int | None]:
        """Return the figures as plain Python, ready for JSON."""
        return {
            "n": self.n,
            "median_seconds": self.seconds,
            "first_third_seconds": self.first_third,
            "last_third_seconds": self.last_third,
        }


def pace(seconds: Sequence[float | None]) -> Pace:
    """Summarise active times.

    Parameters
    ----------
    seconds
        Active seconds of each paper in reading order, idle time left out; None where not measured.

    Examples
    --------
    >>> pace([100, 90, None, 80, 70, 60, 50])
    Pace(n=6, seconds=75.0, first_third=95.0, last_third=55.0)
    """
    timed = [one for one in seconds if one is not None]
    if not timed:
        return Pace(0, None, None, None)
    middle = float(statistics.median(timed))
    third = len(timed) // 3
    if len(timed) < FEWEST_FOR_THIRDS:
        return Pace(len(timed), middle, None, None)
    return Pace(
        len(timed),
        middle,
        float(statistics.median(timed[:third])),
        float(statistics.median(timed[-third:])),
    )
