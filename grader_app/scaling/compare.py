"""Two ways of scaling the same candidates side by side: who moves, by how much, and who crosses the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum

from grader_app.domain.round import Cut
from grader_app.errors import ScalingProblem
from grader_app.scaling.pool import Pool
from grader_app.scaling.rules import Rules
from grader_app.scaling.scaled import Scaled

_SAME = 1e-9


@dataclass(frozen=True)
class Moved:
    """One candidate under both ways, in MBE points.

    Parameters
    ----------
    first_scaled, second_scaled
        Written scaled score under each way.
    move
        Second minus first.
    first_total, second_total
        Reported totals; None without an MBE score.
    crosses
        Whether the candidate passes under one way only; None without a line or a total.
    """

    candidate_id: str
    first_scaled: float
    second_scaled: float
    move: float
    first_total: float | None
    second_total: float | None
    crosses: bool | None


@dataclass(frozen=True)
class Comparison:
    """Two ways side by side.

    Parameters
    ----------
    first, second
        What they are called.
    rows
        Candidates in the order of the pool; empty where one way cannot be used.
    why
        The sentence that says why there is no comparison, or nothing.
    """

    first: str
    second: str
    rows: tuple[Moved, ...] = ()
    why: str = ""

    @property
    def crossing(self) -> tuple[str, ...]:
        """Ids of the candidates who pass under one way only, in the order of the pool."""
        return tuple(row.candidate_id for row in self.rows if row.crosses)

    @property
    def largest_move(self) -> Moved | None:
        """The candidate who moves furthest, up or down; the first of several."""
        return max(self.rows, key=lambda row: abs(row.move), default=None)

    @property
    def mean_move(self) -> float | None:
        """Mean of the moves, ups and downs cancelling; None without candidates."""
        return fsum(row.move for row in self.rows) / len(self.rows) if self.rows else None

    @property
    def mean_size(self) -> float | None:
        """Mean size of a move, up or down; None without candidates."""
        return fsum(abs(row.move) for row in self.rows) / len(self.rows) if self.rows else None

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        largest = self.largest_move
        return {
            "first": self.first,
            "second": self.second,
            "why": self.why or None,
            "largest_move": None if largest is None else largest.move,
            "largest_move_of": None if largest is None else largest.candidate_id,
            "mean_move": self.mean_move,
            "mean_size_of_move": self.mean_size,
            "n_crossing": len(self.crossing) if any(row.crosses is not None for row in self.rows) else None,
            "crossing": list(self.crossing),
            "candidates": [asdict(row) for row in self.rows],
        }


def comparisons(pool: Pool, rules: Rules, cut: Cut | None = None) -> tuple[Comparison, ...]:
    """Compare the methods on a pool, and raw with standardised items where the rules standardise them.

    Parameters
    ----------
    pool
        Candidates with item scores and MBE.
    rules
        How the pool is scaled otherwise.
    cut
        The line, if there is one.

    Returns
    -------
    tuple of Comparison
        ``mean_sigma`` against ``equipercentile``; and, with targets, ``raw items`` against
        ``standardised items`` under the rules' own method.

    Raises
    ------
    ScalingProblem
        The pool cannot be scaled by the rules themselves.
    """
    rules.scale(pool)
    sigma, equal = replace(rules, method="mean_sigma"), replace(rules, method="equipercentile")
    found = [_compared("mean_sigma", "equipercentile", pool, sigma, equal, cut)]
    if rules.targets:
        raw = replace(rules, targets={})
        found.append(_compared("raw items", "standardised items", pool, raw, rules, cut))
    return tuple(found)


def compare_scaled(first: Scaled, second: Scaled, cut: Cut | None = None) -> tuple[Moved, ...]:
    """Set two scalings of the same candidates side by side, whatever made them differ.

    Parameters
    ----------
    first, second
        For example as reported, and as an independent recomputation gives them.
    cut
        The line, if there is one.

    Raises
    ------
    ScalingProblem
        They do not hold the same candidates.
    """
    others = {row.candidate_id: row for row in second.candidates}
    odd = sorted(others.keys() ^ {row.candidate_id for row in first.candidates})
    if odd:
        raise ScalingProblem(
            f"Scaled in one way only: {', '.join(odd)}. Compare scalings of the same candidates."
        )
    return tuple(
        Moved(
            row.candidate_id,
            row.written_scaled,
            other.written_scaled,
            other.written_scaled - row.written_scaled,
            row.total,
            other.total,
            _crosses(row.total, other.total, cut),
        )
        for row in first.candidates
        for other in (others[row.candidate_id],)
    )


def crossings(rows: Sequence[Moved]) -> tuple[list[str], list[str]]:
    """Give the ids of those who pass only in the second way, and only in the first."""
    gained = [row.candidate_id for row in rows if row.crosses and _rises(row)]
    lost = [row.candidate_id for row in rows if row.crosses and not _rises(row)]
    return gained, lost


def _rises(row: Moved) -> bool:
    return row.first_total is not None and row.second_total is not None and row.second_total > row.first_total


def _compared(first: str, second: str, pool: Pool, one: Rules, other: Rules, cut: Cut | None) -> Comparison:
    try:
        return Comparison(first, second, compare_scaled(one.scale(pool), other.scale(pool), cut))
    except ScalingProblem as problem:
        return Comparison(first, second, why=str(problem))


def _crosses(first: float | None, second: float | None, cut: Cut | None) -> bool | None:
    if cut is None or first is None or second is None:
        return None
    return (first >= cut.total - _SAME) != (second >= cut.total - _SAME)
