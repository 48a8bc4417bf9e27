"""From a shipped group and the switches asked for to a group that scores can be set against."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple

from grader_app.domain.reference_population import (
    Component,
    Curve,
    Floor,
    ReferencePopulation,
    ReferencePopulations,
)
from grader_app.errors import ScalingProblem
from grader_app.scaling.chart_points import ChartPoints
from grader_app.scaling.normal_group import NormalGroup
from grader_app.scaling.passers_by_total import PassersByTotal
from grader_app.scaling.spread import find_spread, sd_of, sourced, spread_sentences
from grader_app.scaling.standing import Standing

Condition = Literal["components", "total"]
HIGHEST: dict[Component, int] = {"mbe": 200, "written": 200, "ube": 400}
"""The highest score there is; the lowest is 0."""

_NAMES: dict[Component, str] = {"mbe": "MBE", "written": "written", "ube": "UBE"}


@dataclass(frozen=True)
class Switches:
    """Choices where the published method can be questioned.

    Parameters
    ----------
    spread
        Name of the standard deviation; None for the group's first.
    condition
        Passers by component floors, as the paper takes them, or by their total.
    correlation
        Of the two components, for the total; None for the group's own.
    """

    spread: str | None = None
    condition: Condition = "components"
    correlation: float | None = None


class OtherSd(NamedTuple):
    """The same group with another SD that it offers: its name, the SD, and the scores."""

    name: str
    sd: float
    standing: Standing


@dataclass(frozen=True)
class ChosenGroup:
    """A group made ready for one component.

    Parameters
    ----------
    id, label
        What commands and screens call it.
    standing
        Its scores.
    assumptions
        What is taken for granted, a sentence each: every number with its source first.
    range_ends
        The same group at both ends of the SDs that fit the evidence; empty if no range is known.
    other_sds
        The same group with each other SD that ``--sd-from`` offers.
    mean, sd
        Of the curve before anything is cut off, or of the distribution; None for a chart.
    """

    id: str
    label: str
    standing: Standing
    assumptions: tuple[str, ...]
    range_ends: tuple[Standing, ...] = ()
    other_sds: tuple[OtherSd, ...] = ()
    mean: float | None = None
    sd: float | None = None


def choose_group(
    populations: ReferencePopulations, group_id: str, component: Component, switches: Switches
) -> ChosenGroup:
    """Make a shipped group ready for one component.

    Raises
    ------
    ScalingProblem
        There is no such group, it knows nothing of the component, or a switch does not fit it.
    """
    group = find_group(populations, group_id)
    cautions = tuple(each.says for each in group.cautions if component in each.components)
    if group.points:
        return _chart(group, component, switches, cautions)
    base = group if group.based_on is None else find_group(populations, group.based_on)
    cautions += tuple(
        each.says for each in base.cautions if base is not group and component in each.components
    )
    curve = next((each for each in base.curves if each.component == component), None)
    if curve is None:
        known = ", ".join(each.component for each in base.curves)
        raise ScalingProblem(
            f"No {_NAMES[component]} distribution of {group.label} is published or can be worked out. "
            f"The group {group.id} has: {known}."
        )
    return _normal(group, curve, switches, cautions)


def find_group(populations: ReferencePopulations, group_id: str) -> ReferencePopulation:
    """Find a group by its id.

    Raises
    ------
    ScalingProblem
        There is none; the message names the nearest, or all.
    """
    groups = {group.id: group for group in populations.groups}
    if group_id in groups:
        return groups[group_id]
    close = get_close_matches(group_id, groups, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"The groups are {', '.join(groups)}."
    raise ScalingProblem(f"There is no group `{group_id}`. {hint}")


def refuse_impossible(score: float, component: Component) -> None:
    """Refuse a score that the component does not have, which is most often another component's.

    Raises
    ------
    ScalingProblem
        The score is below 0 or above the highest there is.
    """
    if not 0 <= score <= HIGHEST[component]:
        name = {"mbe": "An MBE score", "written": "A scaled written score", "ube": "A UBE total"}[component]
        raise ScalingProblem(
            f"{name} lies between 0 and {HIGHEST[component]}; {score:g} does not. "
            "Check --score and --component."
        )


def _chart(
    group: ReferencePopulation, component: Component, switches: Switches, cautions: tuple[str, ...]
) -> ChosenGroup:
    if switches != Switches():
        raise ScalingProblem(
            f"The group {group.id} is a chart. --sd-from, --condition and --correlation do not go with it."
        )
    points = group.points_of(component)
    if not points:
        known = ", ".join(dict.fromkeys(point.component for point in group.points))
        raise ScalingProblem(f"No {_NAMES[component]} point of the {group.label} is known. Known: {known}.")
    return ChosenGroup(group.id, group.label, ChartPoints(points), cautions)


def _normal(
    group: ReferencePopulation, curve: Curve, switches: Switches, cautions: tuple[str, ...]
) -> ChosenGroup:
    spread = find_spread(group, curve, switches.spread)
    mean, sd = curve.mean.value, sd_of(spread, curve.mean.value)
    known = [sourced("Mean", curve.mean), *spread_sentences(spread, sd)]
    if spread.caution:
        known.append(spread.caution)
    shape = _Shape(group, curve.component, switches)
    assumptions = (*known, *shape.assumptions, *cautions)
    range_ends = tuple(
        shape.standing(mean, each) for each in (spread.fits_from, spread.fits_to) if each is not None
    )
    other_sds = tuple(
        OtherSd(other.name, sd_of(other, mean), shape.standing(mean, sd_of(other, mean)))
        for other in curve.spreads
        if other is not spread
    )
    return ChosenGroup(
        group.id, group.label, shape.standing(mean, sd), assumptions, range_ends, other_sds, mean, sd
    )


class _Shape:
    """Whether the curve is whole, cut off at a floor, or bound to a total."""

    def __init__(self, group: ReferencePopulation, component: Component, switches: Switches) -> None:
        by_total = switches.condition == "total"
        if by_total and not group.floors:
            raise ScalingProblem(
                f"--condition total is for a group of passers; {group.id} is none. Give --group qualified."
            )
        if switches.correlation is not None and not (by_total and component != "ube"):
            raise ScalingProblem("--correlation goes with --condition total and a component, mbe or written.")
        self._by_total = by_total and component != "ube"  # of the total itself the floor is the condition
        self._floor = _floor(group, "ube" if by_total else component)
        own = group.correlation.value if group.correlation else 0.0
        self._correlation = own if switches.correlation is None else switches.correlation
        self.assumptions = (*self._floor_sentences(), *self._correlation_sentences(group, switches))

    def standing(self, mean: float, sd: float) -> Standing:
        """Return the group's scores on a curve of this mean and SD."""
        if self._by_total and self._floor:
            return PassersByTotal(mean, sd, self._floor.at.value, self._correlation)
        return NormalGroup(mean, sd, self._floor.at.value if self._floor else None)

    def _floor_sentences(self) -> tuple[str, ...]:
        if self._floor is None:
            return ()
        if self._by_total:
            return (
                sourced("Floor of the total", self._floor.at),
                "Passers are those whose total reaches the floor; one component may lie under half of it.",
            )
        return (sourced("Floor", self._floor.at),)

    def _correlation_sentences(self, group: ReferencePopulation, switches: Switches) -> tuple[str, ...]:
        if not self._by_total:
            return ()
        if switches.correlation is not None:
            return (f"Correlation of MBE and written scores {switches.correlation:g}: typed in.",)
        return (
            (sourced("Correlation of MBE and written scores", group.correlation),)
            if group.correlation
            else ()
        )


def _floor(group: ReferencePopulation, component: Component) -> Floor | None:
    return next((floor for floor in group.floors if floor.component == component), None)
