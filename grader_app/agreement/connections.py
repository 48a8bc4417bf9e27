"""Which graders are linked through shared responses."""

from __future__ import annotations

import numpy as np

from grader_app.agreement.ratings import Ratings
from grader_app.agreement.statuses import Reason


def groups_of_graders(ratings: Ratings) -> list[list[str]]:
    """Return the groups of graders linked through shared responses; graders who share none are left out.

    Examples
    --------
    >>> codes = np.array([[1, 2, -1, -1], [-1, -1, 0, 3]])
    >>> groups_of_graders(Ratings.from_codes(codes, scale="0:6"))
    [['g1', 'g2'], ['g3', 'g4']]
    """
    given = (ratings.paired >= 0).astype(np.float32)
    linked = given.T @ given > 0
    waiting = [place for place in range(ratings.n_graders) if linked[place].sum() > 1]
    groups = []
    while waiting:
        reached = {waiting[0]}
        edge = reached
        while edge:
            edge = {int(other) for one in edge for other in np.flatnonzero(linked[one])} - reached
            reached = reached | edge
        groups.append([ratings.graders[place] for place in sorted(reached)])
        waiting = [place for place in waiting if place not in reached]
    return groups


def disconnected_reason(ratings: Ratings) -> Reason | None:
    """Return why harshness cannot be compared across the whole panel."""
    groups = groups_of_graders(ratings)
    if len(groups) < 2:
        return None
    named = "; ".join(", ".join(group) for group in groups)
    return Reason(
        "disconnected",
        f"The graders fall into {len(groups)} groups that share no answer ({named}), so differences between "
        "the groups cannot be told from differences between their answers. Assign answers across groups.",
    )
