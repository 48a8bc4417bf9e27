"""Percentiles of scaled scores among a group, with the error of the score and that of the group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from grader_app.scaling.error_bars import Bar, Settings
from grader_app.scaling.reference_populations import ChosenGroup
from grader_app.scaling.scaled import Scaled, ScaledCandidate
from grader_app.scaling.score_errors import ScoreErrors
from grader_app.scaling.standing import Standing

Floats = NDArray[np.float64]
_POINTS = 241
_REACH = 6.0
"""How many SDs either way of a score its percentile is tabulated."""

GROUP_SAYS = "Group: its SD lies anywhere between those that fit the evidence; its mean counts as exact."
NO_RANGE_SAYS = "Group: nothing is known of how far its figures could be off, so they count as exact."


@dataclass(frozen=True)
class PlacedCandidate:
    """Where a candidate stands in a group.

    Parameters
    ----------
    candidate_id
        As in the pool.
    percentile
        Percent of the group below the score; None outside what is known of the group.
    readers, everything, with_group
        Ends of the interval: readers only; readers, questions and pool; and the group's own error beside
        the wider of the two. None where a line is not known.
    says
        Why there is no number; empty if there is one.
    """

    candidate_id: str
    percentile: float | None
    readers: tuple[float, float] | None
    everything: tuple[float, float] | None
    with_group: tuple[float, float] | None
    says: str

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        lines = {
            "readers": self.readers,
            "readers_questions_pool": self.everything,
            "and_group": self.with_group,
        }
        return {
            "candidate_id": self.candidate_id,
            "percentile": self.percentile,
            **{name: line and {"low": line[0], "high": line[1]} for name, line in lines.items()},
            "says": self.says,
        }


@dataclass(frozen=True)
class PlacedPool:
    """Every candidate with a score of the component, set against one group; and what is left out and why."""

    group: ChosenGroup
    component: str
    candidates: tuple[PlacedCandidate, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "group": self.group.id,
            "label": self.group.label,
            "component": self.component,
            "candidates": [one.as_json() for one in self.candidates],
            "notes": list(self.notes),
            "assumptions": list(self.group.assumptions),
        }


def place_pool(scaled: Scaled, errors: ScoreErrors, group: ChosenGroup, component: str) -> PlacedPool:
    """Set every candidate of a scaled pool against a group.

    Parameters
    ----------
    scaled, errors
        The pool and its error bars.
    group
        Made ready for the component.
    component
        ``ube``: totals are placed. ``written``: written scaled scores are, so that a model without an MBE
        score has a place too.

    Returns
    -------
    PlacedPool

    Notes
    -----
    A percentile never falls as the score rises, so the ends of a score's bar are the ends of its
    percentile's, for readers and for readers, questions and pool. The group's error is drawn together
    with the score's: a score about the one that stands, normal on either side as far as the bar reaches
    there, and a group whose SD lies between those that fit, all alike likely. Without an error of the
    group the line is the wider of the two. Seeded.
    """
    notes = (GROUP_SAYS if _alternatives(group) else NO_RANGE_SAYS,)
    found = tuple(
        placed
        for number, row in enumerate(scaled.candidates)
        if (placed := _placed(row, scaled, errors, group, component, number)) is not None
    )
    return PlacedPool(group, component, found, notes)


def _placed(
    row: ScaledCandidate, scaled: Scaled, errors: ScoreErrors, group: ChosenGroup, component: str, number: int
) -> PlacedCandidate | None:
    if component == "ube":
        score, bars = row.total, errors.shown(row, scaled.factors)
    else:
        score, bars = row.written_scaled, errors.bars.by_candidate[row.candidate_id]
    if score is None:
        return None
    none = group.standing.why_none(score)
    if none is not None:
        return PlacedCandidate(row.candidate_id, None, None, None, None, none.says)
    percent = _percent_of(group.standing)
    settings = errors.bars.settings
    drawn = Settings(settings.confidence, settings.n_draws, settings.seed + number)
    return PlacedCandidate(
        row.candidate_id,
        percent(score),
        _ends(bars.readers, percent),
        _ends(bars.everything, percent),
        None if bars.headline is None else _with_group(score, bars.headline, group, drawn),
        "",
    )


def _percent_of(standing: Standing) -> Callable[[float], float]:
    def percent(score: float) -> float:
        none = standing.why_none(score)
        if none is None:
            return standing.percent_below(score)
        # Below the lowest score of the group nobody stands; beyond the points of a chart nothing is known.
        return 0.0 if none.status == "outside_group" else float("nan")

    return percent


def _ends(bar: Bar | None, percent: Callable[[float], float]) -> tuple[float, float] | None:
    if bar is None:
        return None
    low, high = percent(bar.low), percent(bar.high)
    return None if np.isnan(low) or np.isnan(high) else (low, high)


def _alternatives(group: ChosenGroup) -> tuple[Standing, ...]:
    if group.range_ends:
        return group.range_ends
    return tuple(other.standing for other in group.other_sds)


def _with_group(score: float, bar: Bar, group: ChosenGroup, settings: Settings) -> tuple[float, float] | None:
    tail = (1 - settings.confidence) / 2
    # A bar may reach further on one side, and further than its SD alone would have it.
    below, above = (max(float(end / ndtri(1 - tail)), 0.0) for end in (score - bar.low, bar.high - score))
    alternatives = (group.standing, *_alternatives(group))
    grid = np.linspace(score - _REACH * below, score + _REACH * above, _POINTS)
    table = np.array([[_percent_of(one)(at) for at in grid.tolist()] for one in alternatives])
    if np.isnan(table).any():
        return None
    n = settings.n_draws
    normal = ndtri((np.arange(n) + 0.5) / n)
    scores = score + np.where(normal < 0, below, above) * normal
    lowest, highest = (np.interp(scores, grid, ends) for ends in (table.min(axis=0), table.max(axis=0)))
    percents = lowest + np.random.default_rng(settings.seed).random(n) * (highest - lowest)
    low, high = np.quantile(percents, [tail, 1 - tail])
    return float(low), float(high)
