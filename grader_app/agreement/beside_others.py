"""A grader whose grades do not count, held beside the reads of the same answers that do."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class BesideOthers:
    """How far grades that do not count agree with those that do.

    Parameters
    ----------
    n
        Answers scored by the grader and by at least one read that counts.
    exact, exact_or_adjacent
        Share of the reads that count which have the same score, or one at most a point away (one step, if
        larger): the mean over the answers. None without an answer.
    mean_difference
        The grader's score minus the mean of those that count, in points: positive is more lenient. None
        without an answer.
    """

    n: int
    exact: float | None
    exact_or_adjacent: float | None
    mean_difference: float | None


def beside_others(
    answers: Iterable[tuple[float | None, Sequence[float | None]]], *, step: float
) -> BesideOthers:
    """Hold one grader's scores beside others' scores of the same answers.

    Parameters
    ----------
    answers
        The grader's score of each answer, and the scores of the reads that count; None for a condition code.
    step
        The scale's step.

    Examples
    --------
    >>> beside_others([(4, [4]), (3, [5, 4]), (2, []), (None, [2])], step=1)
    BesideOthers(n=2, exact=0.5, exact_or_adjacent=0.75, mean_difference=-0.75)
    """
    held = [
        (own, others)
        for own, reads in answers
        if own is not None and (others := [one for one in reads if one is not None])
    ]
    if not held:
        return BesideOthers(0, None, None, None)
    near = max(1.0, step) + 1e-9
    return BesideOthers(
        len(held),
        statistics.fmean(_share(own, others, 1e-9) for own, others in held),
        statistics.fmean(_share(own, others, near) for own, others in held),
        statistics.fmean(own - statistics.fmean(others) for own, others in held),
    )


def _share(own: float, others: Sequence[float], within: float) -> float:
    return sum(abs(own - one) <= within for one in others) / len(others)
