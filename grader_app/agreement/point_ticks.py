"""Points of the point sheet that graders read differently: who ticked what on answers both have read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class PointTicks:
    """How one point was ticked by pairs of graders of the same answer.

    Parameters
    ----------
    point
        The point's id.
    n_pairs
        Pairs of reads compared.
    both, neither, one
        Pairs in which both readers, neither, or one of the two ticked it.
    """

    point: str
    n_pairs: int
    both: int
    neither: int
    one: int

    @property
    def share_apart(self) -> float:
        """Share of pairs in which one reader ticked the point and the other did not."""
        return self.one / self.n_pairs if self.n_pairs else 0.0


def point_ticks(points: Iterable[str], reads: Mapping[str, Iterable[Set[str]]]) -> tuple[PointTicks, ...]:
    """Count, point by point, how often two readers of the same answer ticked it alike.

    Parameters
    ----------
    points
        Ids of the sheet's points, in its order.
    reads
        By answer: the points each of its readers ticked, one set a reader.

    Returns
    -------
    tuple of PointTicks
        The points read most differently first; among equals, in the sheet's order.

    Examples
    --------
    Two answers read twice; on the second, one reader sees the application and the other does not:

    >>> found = point_ticks(["a", "r"], {"e1": [{"a", "r"}, {"a", "r"}], "e2": [{"a", "r"}, {"r"}]})
    >>> [(one.point, one.both, one.one, one.share_apart) for one in found]
    [('a', 1, 1, 0.5), ('r', 2, 0, 0.0)]
    """
    pairs = [pair for sets in reads.values() for pair in combinations(list(sets), 2)]
    found = []
    for point in points:
        seen = [(point in first) + (point in second) for first, second in pairs]
        found.append(PointTicks(point, len(pairs), seen.count(2), seen.count(0), seen.count(1)))
    return tuple(sorted(found, key=lambda one: -one.share_apart))
