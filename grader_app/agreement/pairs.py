"""Two graders' scores of the responses they share, as a joint table of scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Integers
from grader_app.agreement.distinct import Distinct
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import refused, resampled
from grader_app.agreement.products import product
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic, Transform
from grader_app.agreement.scale import Scale
from grader_app.agreement.statuses import Reason, overlap_reason
from grader_app.errors import RatingsProblem

WIDEST_GRAM = 125
"""Graders times scores up to which one product gives all joint tables faster than counting pair by pair."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two graders and how often each combination of their scores occurs.

    Parameters
    ----------
    graders
        Their names.
    table
        The first grader's score by the second's, on the declared scale.
    scale
        The declared scale.
    """

    graders: tuple[str, str]
    table: Integers
    scale: Scale

    @property
    def n(self) -> int:
        """How many responses both graders scored."""
        return int(self.table.sum())

    @cached_property
    def kinds(self) -> Distinct:
        """The combinations of scores that occur; rows hold the first grader's code and the second's."""
        first, second = np.nonzero(self.table)
        return Distinct(np.column_stack([first, second]), self.table[first, second])

    def reason(self) -> Reason | None:
        """Return why no figure of the pair can be computed."""
        return overlap_reason(self.n, f"both {self.graders[0]} and {self.graders[1]}")

    def all_the_same(self) -> Reason | None:
        """Return the reason when both graders gave one and the same score throughout."""
        diagonal = np.diagonal(self.table)
        if diagonal.max() < self.n:
            return None
        only = self.scale.labels[int(diagonal.argmax())]
        return Reason(
            "no_variation",
            f"Both graders gave {only} to all {self.n} answers. They agree exactly, but nothing varies, so "
            "this figure is undefined.",
        )

    def constant(self) -> Reason | None:
        """Return the reason when either grader gave one score throughout."""
        for grader, sums in zip(self.graders, (self.table.sum(axis=1), self.table.sum(axis=0)), strict=True):
            if sums.max() == self.n:
                only = self.scale.labels[int(sums.argmax())]
                return Reason(
                    "no_variation",
                    f"Grader {grader} gave {only} to every answer, so this figure is undefined.",
                )
        return None


def pair_of(ratings: Ratings, graders: tuple[str, str] | None) -> Pair | Reason:
    """Return the named pair, or the only one, or why there is none.

    Raises
    ------
    RatingsProblem
        When a named grader has no ratings, or one grader is named twice.
    """
    if graders is not None:
        if len(graders) != 2 or graders[0] == graders[1]:
            raise RatingsProblem(f"A pair is two different graders; found {', '.join(graders)}.")
        chosen = ratings.of_graders(*graders)
    elif ratings.n_graders == 2:
        chosen = ratings
    elif ratings.n_graders == 1:
        return Reason(
            "one_grader", f"All ratings are by {ratings.graders[0]}, so there is no pair to compare."
        )
    elif ratings.n_graders == 0:
        return Reason("no_overlap", "There are no ratings, so there is no pair to compare.")
    else:
        return Reason(
            "not_applicable",
            f"This figure is for two graders, and there are {ratings.n_graders}. Name two of them.",
        )
    return next(all_pairs(chosen))


def all_pairs(ratings: Ratings) -> Iterator[Pair]:
    """Return every pair of graders, also those without a shared response."""
    names = list(combinations(range(ratings.n_graders), 2))
    q = ratings.scale.n_points
    if ratings.n_graders * q <= WIDEST_GRAM and len(ratings.codes) >= 50:
        tables = gram_tables(ratings)
        for a, b in names:
            yield Pair((ratings.graders[a], ratings.graders[b]), tables[a, :, b, :], ratings.scale)
        return
    for a, b in names:
        table = counted_table(ratings.codes[:, a], ratings.codes[:, b], q)
        yield Pair((ratings.graders[a], ratings.graders[b]), table, ratings.scale)


def counted_table(first: NDArray[np.integer], second: NDArray[np.integer], n_points: int) -> Integers:
    """Count the combinations of two columns of codes."""
    both = (first >= 0) & (second >= 0)
    cells = first[both].astype(np.int64) * n_points + second[both]
    return np.bincount(cells, minlength=n_points**2).reshape(n_points, n_points)


def gram_tables(ratings: Ratings) -> Integers:
    """Return the joint tables of all pairs at once: grader, score, grader, score.

    Notes
    -----
    One indicator row for each grader and score; their products count the combinations. Single
    precision holds every count below 2^24 exactly, and each piece of responses stays far below it.
    """
    q, n_graders = ratings.scale.n_points, ratings.n_graders
    width = q * n_graders
    total = np.zeros((width, width))
    columns = ratings.codes.T
    scores = np.arange(q, dtype=ratings.codes.dtype)[:, np.newaxis]
    for start in range(0, len(ratings.codes), 4096):
        block = columns[:, np.newaxis, start : start + 4096]
        indicators = (block == scores).reshape(width, -1).astype(np.float32)
        total += product(indicators, np.ascontiguousarray(indicators.T))
    return total.astype(np.int64).reshape(n_graders, q, n_graders, q)


def pair_estimate(
    name: str,
    pair: Pair,
    statistic: Statistic,
    settings: Settings,
    reason: Reason | None,
    transform: Transform = "log",
    lowest: float = -1.0,
    within: float | None = None,
) -> Estimate:
    """Return the estimate of one figure of a pair, or why there is none."""
    refusal = pair.reason() or reason
    if refusal is not None:
        return refused(name, refusal, pair.n, settings, within=within)
    return resampled(
        name,
        pair.kinds,
        statistic,
        pair.n,
        settings,
        transform=transform,
        lowest=lowest,
        within=within,
    )
