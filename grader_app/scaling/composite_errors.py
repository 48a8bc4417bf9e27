"""The error variance of each candidate's composite, and what a further read of each paper would say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader_app.scaling.bounded_scores import variance_on_scale
from grader_app.scaling.item_errors import ItemError

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class ItemRules:
    """What of an item bears on its error: weight, component, and its scale where that is known.

    Parameters
    ----------
    weight
        In the composite.
    component
        ``mee``, ``mpt``, …; questions of one component stand for each other.
    ends
        Lowest and highest score, or None.
    step
        Distance of neighbouring scores, 0 where not known.
    """

    weight: float
    component: str
    ends: tuple[float, float] | None = None
    step: float = 0.0


@dataclass(frozen=True)
class CompositeErrors:
    """Error variances of the composites of some candidates, in squared weighted points.

    Parameters
    ----------
    residual
        One a candidate: what another read changes beside severity.
    questions
        One a candidate: what other questions change; None where not known.
    room
        By item, one factor a candidate: the part of a reader's error, as an SD, for which the scale
        leaves room.
    read_means, read_sds
        Candidates by items: mean and SD of one further read of each paper, in points of the item; the SDs
        are 0 where the readers' error is not known.
    """

    residual: Floats
    questions: Floats | None
    room: Mapping[str, Floats]
    read_means: Floats
    read_sds: Floats


def composite_errors(
    scores: Floats,
    members: Places,
    items: Mapping[str, ItemRules],
    errors: Mapping[str, ItemError],
    n_reads: Floats,
) -> CompositeErrors:
    """Add up the items' error variances to those of the composites.

    Parameters
    ----------
    scores
        Candidates by items, complete, in points.
    members
        Rows of those who form the constants, over whom the variances were found.
    items
        Rules of the columns, in order.
    errors
        Error variances by item.
    n_reads
        Candidates by items: how many reads make up the score.

    Returns
    -------
    CompositeErrors

    Notes
    -----
    The level at which a reader's error is judged is what a candidate's standing on all items leads one to
    expect, moved towards the score on this item by the share of its variance that is not a reader's error.
    The variance is averaged over what is not known of the level. Other questions are judged at levels that
    lie as far apart as the true ones do (Louis): expected levels lie closer together, and at them the bars
    of the weakest and the strongest would be too wide.

    References
    ----------
    Louis (1984), Estimating a population of parameter values using Bayes and empirical Bayes methods, JASA
    79, 393-398.
    """
    levels = _levels(scores, members)
    residual, questions = np.zeros(len(scores)), np.zeros(len(scores))
    means, sds = np.zeros(scores.shape), np.zeros(scores.shape)
    known, room = True, {}
    for at, (item, rules) in enumerate(items.items()):
        error, weight, read = errors[item], rules.weight**2, errors[item].readers
        one_read = 0.0 if read is None else read.severity + read.residual
        question = error.questions or 0.0
        in_score = one_read / n_reads[:, at]
        own = np.divide(
            question, question + in_score, out=np.zeros(len(scores)), where=question + in_score > 0
        )
        expected = levels.expected[:, at]
        level = expected + own * (scores[:, at] - expected)
        level_sd = math.sqrt(levels.sds[at] ** 2 + float((1 - own).mean()) * question)
        factor = _room(level, level_sd, one_read, rules.ends, members)
        room[item] = np.sqrt(factor)
        means[:, at], sds[:, at] = level, np.sqrt(factor * (own * in_score + one_read))
        if read is not None:
            residual += weight * factor * read.residual / n_reads[:, at]
        known = known and error.questions is not None
        apart = levels.apart[:, at]
        questions += weight * question * _room(apart, 0.0, question + one_read, rules.ends, members)
    return CompositeErrors(residual, questions if known else None, room, means, sds)


def _room(
    levels: Floats, level_sd: float, variance: float, ends: tuple[float, float] | None, members: Places
) -> Floats:
    """Say for which part of an error variance the scale leaves room at each level."""
    if ends is None or variance <= 0:
        return np.ones(len(levels))
    return variance_on_scale(levels, variance, ends, level_sd, members) / variance


@dataclass(frozen=True)
class _Levels:
    """What a candidate's standing on all items says of the true level on each.

    Parameters
    ----------
    expected
        Candidates by items: the score to expect.
    sds
        By item: how far the true level lies from it.
    apart
        Candidates by items: in the same order, and as far apart as the true levels are.
    """

    expected: Floats
    sds: Floats
    apart: Floats


def _levels(scores: Floats, members: Places) -> _Levels:
    means, sds = scores[members].mean(axis=0), scores[members].std(axis=0)
    alike = np.broadcast_to(means, scores.shape)
    if len(members) < 3 or scores.shape[1] < 2:
        return _Levels(alike, sds, alike)
    standing = np.divide(scores - means, sds, out=np.zeros_like(scores), where=sds > 0)
    people = standing[members].mean(axis=1)
    rest = standing[members] - people[:, None]
    n, k = rest.shape
    between = float(people.var(ddof=1))
    if between == 0:
        return _Levels(alike, sds, alike)
    within = float((rest**2).sum()) / ((n - 1) * (k - 1))
    reliability = max(0.0, 1 - within / (k * between))
    slopes = ((scores[members] - means) * people[:, None]).mean(axis=0) / people.var()
    seen: Floats = standing.mean(axis=1)[:, None] * slopes
    left: Floats = np.abs(slopes) * math.sqrt(reliability * (1 - reliability) * between)
    return _Levels(means + reliability * seen, left, means + math.sqrt(reliability) * seen)
