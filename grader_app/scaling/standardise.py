"""Question standardisation: each item's scores take on a stated mean and SD before they are weighted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from grader_app.errors import ScalingProblem
from grader_app.scaling.composite import Score
from grader_app.scaling.mean_sigma import Moments, moments
from grader_app.scaling.pool import Candidate, Pool


class Target(NamedTuple):
    """Mean and SD that an item's scores take on in the scaling group."""

    mean: float
    sd: float


@dataclass(frozen=True)
class ItemConstants:
    """What one item's standardised scores are formed from in one group."""

    raw: Moments
    target: Target

    def standardised(self, score: Score) -> float:
        """Return M + S·(score - m)/s: the target's mean and SD, and the group's own."""
        return self.target.mean + self.target.sd * (float(score) - self.raw.mean) / self.raw.sd


Standards = dict[str, ItemConstants]
"""Constants by item."""


def standards_of(members: Sequence[Mapping[str, Score | None]], targets: Mapping[str, Target]) -> Standards:
    """Return the constants of each item over the members of one scaling group.

    Parameters
    ----------
    members
        Scores by item of those who form the constants, each item graded; in any order.
    targets
        Item id -> mean and SD to take on.

    Raises
    ------
    ScalingProblem
        Naming every item whose scores do not vary.

    Examples
    --------
    >>> found = standards_of([{"q1": 2}, {"q1": 3}, {"q1": 4}], {"q1": Target(50, 10)})
    >>> round(found["q1"].standardised(4), 4), round(found["q1"].standardised(6), 4)
    (62.2474, 86.7423)
    """
    scores = {item: [float(s) for row in members if (s := row[item]) is not None] for item in targets}
    flat = [
        f"{item} (all {len(found)} are {found[0]:g})"
        for item, found in scores.items()
        if found and min(found) == max(found)
    ]
    if flat:
        raise ScalingProblem(
            f"Items that do not vary in the scaling group cannot be standardised: {', '.join(flat)}. "
            "Give each item to more candidates, take it out of the composite, or leave out "
            "`standardise_items`."
        )
    return {
        item: ItemConstants(moments(found, f"scores of {item}"), targets[item])
        for item, found in scores.items()
    }


def standardised_pool(
    pool: Pool, targets: Mapping[str, Target], is_member: Callable[[Candidate], bool]
) -> Pool:
    """Return a pool with standardised item scores; the pool that came in keeps the raw ones.

    Parameters
    ----------
    pool
        Candidates with raw scores.
    targets
        Item id -> mean and SD to take on. Other items stay as they are.
    is_member
        Whether a candidate forms constants. It needs every item graded; all others are placed by the
        constants of their group and never form them.

    Raises
    ------
    ScalingProblem
        An item does not vary among the members of a group.

    Notes
    -----
    A group without a member stays raw: it cannot be scaled either, and `scale_pool` says so.
    """
    standards = standards_by_group(pool, targets, is_member)
    return Pool(tuple(_standardised(c, standards.get(c.group, {})) for c in pool.candidates))


def standards_by_group(
    pool: Pool, targets: Mapping[str, Target], is_member: Callable[[Candidate], bool]
) -> dict[str | None, Standards]:
    """Return the constants of each item in each group that has a member; see `standardised_pool`."""
    members: dict[str | None, list[Mapping[str, Score | None]]] = {}
    for candidate in pool.candidates:
        if is_member(candidate):
            members.setdefault(candidate.group, []).append(candidate.scores)
    return {group: _named(group, rows, targets) for group, rows in members.items()}


def _named(
    group: str | None, rows: Sequence[Mapping[str, Score | None]], targets: Mapping[str, Target]
) -> Standards:
    try:
        return standards_of(rows, targets)
    except ScalingProblem as problem:
        raise ScalingProblem(str(problem) if group is None else f"Group {group}: {problem}") from None


def _standardised(candidate: Candidate, standards: Standards) -> Candidate:
    scores = {
        item: score if score is None or item not in standards else standards[item].standardised(score)
        for item, score in candidate.scores.items()
    }
    return replace(candidate, scores=scores)
