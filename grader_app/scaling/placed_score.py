"""A score set against a chosen group: the figures, what they assume, and the form they are printed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from grader_app.scaling.percentile import CONFIDENCE, Percentile, Rank, percentile_of
from grader_app.scaling.reference_populations import ChosenGroup


class UnderOtherSd(NamedTuple):
    """What `--sd-from` would give: the SD's name, the SD, and the percentile."""

    sd_from: str
    sd: float
    percentile: float


@dataclass(frozen=True)
class PlacedScore:
    """Where a score stands in a chosen group.

    Parameters
    ----------
    score, component, rank, sem
        What was asked.
    group
        The group.
    figures
        The percentile and its interval.
    range_of_sds
        The lowest and highest percentile over the SDs that fit the evidence as well, or None.
    other_sds
        The percentile under each other SD that the group offers.
    """

    score: float
    component: str
    rank: Rank
    sem: float | None
    group: ChosenGroup
    figures: Percentile
    range_of_sds: tuple[float, float] | None
    other_sds: tuple[UnderOtherSd, ...]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures take for granted, a sentence each."""
        return (*self.figures.notes, *self.group.assumptions)

    def as_json(self) -> dict[str, Any]:
        """Return all of it under names that other programs may rely on."""
        return {
            "score": self.score,
            "component": self.component,
            "percentile": self.figures.percentile,
            "low": self.figures.low,
            "high": self.figures.high,
            "confidence": None if self.figures.low is None else CONFIDENCE,
            "sem": self.sem,
            "rank": self.rank,
            "status": self.figures.status,
            "says": self.figures.says,
            "group": self.group.id,
            "label": self.group.label,
            "range_of_sds": self.range_of_sds and dict(zip(("low", "high"), self.range_of_sds, strict=True)),
            "other_sds": [other._asdict() for other in self.other_sds],
            "mean": self.group.mean,
            "sd": self.group.sd,
            "assumptions": list(self.assumptions),
        }


def place_score(
    score: float, component: str, group: ChosenGroup, *, rank: Rank = "below", sem: float | None = None
) -> PlacedScore:
    """Set a score against a chosen group.

    Parameters
    ----------
    score, component
        The score, and what it is a score of.
    group
        From `choose_group`, or of one's own.
    rank, sem
        As for `percentile_of`.

    Raises
    ------
    ScalingProblem
        A number cannot be used.
    """
    figures = percentile_of(score, group.standing, rank=rank, sem=sem)
    if figures.percentile is None:
        return PlacedScore(score, component, rank, sem, group, figures, None, ())
    ends = [percentile_of(score, each, rank=rank).percentile or 0.0 for each in group.range_ends]
    others = tuple(
        UnderOtherSd(other.name, other.sd, percentile_of(score, other.standing, rank=rank).percentile or 0.0)
        for other in group.other_sds
    )
    span = (min(ends), max(ends)) if ends else None
    return PlacedScore(score, component, rank, sem, group, figures, span, others)
