"""Scores of two groups of answers side by side, with the interval of the difference over answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.distinct import Distinct
from grader_app.agreement.estimate import Estimate, with_interval
from grader_app.agreement.figure import refused
from grader_app.agreement.resampling import Settings, interval
from grader_app.agreement.statuses import FEWEST_FOR_VALUE, Reason


@dataclass(frozen=True)
class Scored:
    """One score of one answer, and the group it belongs to.

    Parameters
    ----------
    response_id
        The answer.
    group
        Any name.
    score
        In points.
    """

    response_id: str
    group: str
    score: float


@dataclass(frozen=True)
class GroupMean:
    """The mean score of a group.

    Parameters
    ----------
    group
        Its name.
    n, n_responses
        Scores, and answers they belong to.
    mean
        None without a score.
    """

    group: str
    n: int
    n_responses: int
    mean: float | None


def group_mean(scores: Sequence[Scored], group: str) -> GroupMean:
    """Return the mean score of one group.

    Examples
    --------
    >>> group_mean([Scored("a", "x", 2), Scored("a", "x", 3), Scored("b", "y", 6)], "x")
    GroupMean(group='x', n=2, n_responses=1, mean=2.5)
    """
    mine = [one for one in scores if one.group == group]
    mean = float(np.mean([one.score for one in mine])) if mine else None
    return GroupMean(group, len(mine), len({one.response_id for one in mine}), mean)


def difference_of_means(
    scores: Sequence[Scored],
    first: str,
    second: str,
    said: str,
    *,
    name: str = "score_difference",
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> Estimate:
    """Return the mean score of one group minus that of another.

    Parameters
    ----------
    scores
        Scores of all groups; others than these two are passed over.
    first, second
        The two groups.
    said
        How the sentence begins, with places for ``{first}``, ``{second}`` and ``{difference}``.
    name
        The figure's name.
    settings
        For the interval, over answers; an answer's scores stay together.

    Examples
    --------
    >>> scores = [Scored(f"r{n}", "x" if n < 4 else "y", n % 4) for n in range(8)]
    >>> difference_of_means(scores, "x", "y", "{first} and {second}.").says[:14]
    '1.50 and 1.50.'
    """
    settings = settings.checked()
    both = [one for one in scores if one.group in (first, second)]
    one, other = group_mean(both, first), group_mean(both, second)
    answers = list(dict.fromkeys(each.response_id for each in both))
    if min(one.n_responses, other.n_responses) < FEWEST_FOR_VALUE:
        reason = Reason(
            "too_few",
            f"There are scores of {one.n_responses} and {other.n_responses} answers to compare, too few for "
            "a difference.",
        )
        return refused(name, reason, len(answers), settings)
    sums = np.zeros((len(answers), 4))
    place = {response_id: at for at, response_id in enumerate(answers)}
    for each in both:
        column = 0 if each.group == first else 2
        sums[place[each.response_id], column : column + 2] += (1, each.score)

    def difference(weights: Floats) -> Floats:
        totals = weights @ sums
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = totals[:, 1] / totals[:, 0] - totals[:, 3] / totals[:, 2]
        return found

    kinds = Distinct(np.arange(len(answers))[:, np.newaxis], np.ones(len(answers), dtype=np.int64))
    value = (one.mean or 0.0) - (other.mean or 0.0)
    return with_interval(
        name,
        value,
        interval(kinds, difference, settings, "none"),
        said.format(first=f"{one.mean:.2f}", second=f"{other.mean:.2f}", difference=f"{value:+.2f}"),
        confidence=settings.confidence,
        n_responses=len(answers),
        written="{:.2f}".format,
    )
