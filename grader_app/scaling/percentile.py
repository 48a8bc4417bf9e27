"""The percent of a group below a score, and the interval that an error of measurement leaves."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from grader_app.errors import ScalingProblem
from grader_app.scaling.standing import Standing, Status

Rank = Literal["below", "mid"]

CONFIDENCE = 0.95
_SEMS_EITHER_WAY = 1.959963984540054


@dataclass(frozen=True)
class Percentile:
    """Where a score stands in a group.

    Parameters
    ----------
    percentile
        Percent of the group below the score, or None unless `status` is ``ok``.
    low, high
        The interval, or None: no error of measurement was given, or it reaches beyond what is known.
    status
        ``ok``, ``outside_group`` or ``not_published``.
    says
        Why there is no number; empty if there is one.
    notes
        How the numbers come about, a sentence each.
    """

    percentile: float | None
    low: float | None
    high: float | None
    status: Status
    says: str
    notes: tuple[str, ...]


def percentile_of(
    score: float, group: Standing, *, rank: Rank = "below", sem: float | None = None
) -> Percentile:
    """Set a score against a group.

    Parameters
    ----------
    score
        The score.
    group
        The group.
    rank
        ``below`` counts those below the score, ``mid`` adds half of those level with it.
    sem
        The score's standard error of measurement, in points; gives a 95 % interval.

    Returns
    -------
    Percentile
        The figure, or why there is none.

    Raises
    ------
    ScalingProblem
        The score or its error is no finite number, or the error is not above 0.

    Examples
    --------
    >>> from grader_app.scaling.normal_group import NormalGroup
    >>> percentile_of(140, NormalGroup(140, 17.7)).percentile
    50.0
    """
    if not isfinite(score):
        raise ScalingProblem(f"A score of {score:g} cannot be used. Give a finite number.")
    if sem is not None and not (isfinite(sem) and sem > 0):
        raise ScalingProblem(f"A standard error of {sem:g} cannot be used. Give a finite number above 0.")
    none = group.why_none(score)
    if none:
        return Percentile(None, None, None, none.status, none.says, ())
    ends, notes = (None, ()) if sem is None else _interval(score, group, rank, sem)
    low, high = ends or (None, None)
    notes = (*group.notes(score), *_about_ties(score, group, rank), *notes)
    return Percentile(_ranked(score, group, rank), low, high, "ok", "", notes)


def _about_ties(score: float, group: Standing, rank: Rank) -> tuple[str, ...]:
    if rank == "below" or group.percent_level(score):
        return ()
    return (f"Nobody is known to be level with {score:g} here, so --rank mid gives what below gives.",)


def _ranked(score: float, group: Standing, rank: Rank) -> float:
    level = group.percent_level(score) / 2 if rank == "mid" else 0.0
    return min(max(group.percent_below(score) + level, 0.0), 100.0)


def _interval(
    score: float, group: Standing, rank: Rank, sem: float
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Return the percentiles 1.96 standard errors below and above, and what to say of them."""
    reach = _SEMS_EITHER_WAY * sem
    below, above = score - reach, score + reach
    unknown = [none for end in (below, above) if (none := group.why_none(end))]
    if any(none.status == "not_published" for none in unknown):
        return None, (f"No interval: {below:.1f} to {above:.1f} reaches beyond the points known.",)
    ends = f"95 % interval: the percentiles of {below:.1f} and {above:.1f}, 1.96 times {sem:g} either way."
    covers = "The interval covers the error of this score alone, not what is unsure about the group."
    notes: tuple[str, ...] = (ends, covers)
    if unknown:
        notes += (f"It reaches below the lowest score of the group ({below:.1f}), which counts as 0.",)
    return (_ranked(below, group, rank), _ranked(above, group, rank)), notes
