"""The pool of candidates that is scaled, checked before any figure is formed from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from grader_app.errors import ScalingProblem
from grader_app.scaling.composite import Score


@dataclass(frozen=True)
class Candidate:
    """One candidate of the pool.

    Parameters
    ----------
    candidate_id
        Text, for ever: ``000123`` keeps its zeros.
    scores
        Item id -> score in points, or None while the item is ungraded. Ungraded is not zero.
    mbe
        Scaled MBE score, or None for a candidate who has none.
    in_scaling_group
        False for those who are scaled but never form the constants: models, attorneys, late sitters.
    group
        Name of the group with constants of its own (for example a jurisdiction), or None.
    """

    candidate_id: str
    scores: Mapping[str, Score | None]
    mbe: float | None = None
    in_scaling_group: bool = True
    group: str | None = None


@dataclass(frozen=True)
class Pool:
    """All candidates of one scaling, each once, with finite numbers only.

    Raises
    ------
    ScalingProblem
        Listing every repeated candidate id and every value that is not a finite number.

    Examples
    --------
    >>> Pool((Candidate("000123", {"mee-1": 4.0}), Candidate("123", {"mee-1": None}))).has_mbe
    False
    """

    candidates: tuple[Candidate, ...]

    def __post_init__(self) -> None:
        problems = [*_repeated_ids(self.candidates), *_unusable_numbers(self.candidates)]
        if problems:
            raise ScalingProblem("\n".join(problems))

    @property
    def has_mbe(self) -> bool:
        """Whether any candidate has an MBE score."""
        return any(candidate.mbe is not None for candidate in self.candidates)

    @property
    def has_groups(self) -> bool:
        """Whether any candidate belongs to a named group."""
        return any(candidate.group is not None for candidate in self.candidates)


def _repeated_ids(candidates: tuple[Candidate, ...]) -> list[str]:
    counts = Counter(candidate.candidate_id for candidate in candidates)
    return [
        f"Candidate {candidate_id!r} stands {n} times in the pool. Give each candidate one row."
        for candidate_id, n in sorted(counts.items())
        if n > 1
    ]


def _unusable_numbers(candidates: tuple[Candidate, ...]) -> list[str]:
    return [
        f"Candidate {candidate.candidate_id!r} has {value!r} as {what}. Give a finite number or none."
        for candidate in candidates
        for what, value in (*candidate.scores.items(), ("mbe", candidate.mbe))
        if value is not None and not _is_number(value)
    ]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool) and isfinite(value)
