"""A group of examinees that a score can be set against, each of its numbers with its source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from grader_app.domain.model import (
    AsTuple,
    BrokenRule,
    DomainModel,
    Id,
    Number,
    Positive,
    Rule,
    Text,
    repeated,
)

Component = Literal["ube", "mbe", "written"]
Evidence = Literal["published", "inferred", "assumed"]
Percent = Annotated[float, Field(ge=0, le=100)]


class SourcedNumber(DomainModel):
    """A number, how well it is known, and where it comes from."""

    value: Number
    status: Evidence
    source: Text


class PassRate(DomainModel):
    """What gives a standard deviation where none is published: a cut, and the percent who reach it."""

    cut: SourcedNumber
    percent: SourcedNumber


class Spread(DomainModel):
    """One standard deviation that can be used, written down or worked out from a pass rate.

    Parameters
    ----------
    name
        What `--sd-from` calls it.
    sd, pass_rate
        One of the two.
    fits_from, fits_to
        The range of standard deviations that fit the evidence as well, if known.
    caution
        What to bear in mind when this one is used.
    """

    name: Id
    sd: SourcedNumber | None = None
    pass_rate: PassRate | None = None
    fits_from: Positive | None = None
    fits_to: Positive | None = None
    caution: Text | None = None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._one_of_two,)

    def _one_of_two(self) -> Iterator[BrokenRule]:
        if (self.sd is None) == (self.pass_rate is None):
            yield BrokenRule((), "A spread needs `sd` or `pass_rate`.", "Write one of the two.")


class Curve(DomainModel):
    """A normal curve for one component; the first spread is used unless another is asked for."""

    component: Component
    mean: SourcedNumber
    spreads: Annotated[tuple[Spread, ...], AsTuple, Field(min_length=1)]


class Floor(DomainModel):
    """The lowest score of one component that a member of the group has."""

    component: Component
    at: SourcedNumber


class ChartPoint(DomainModel):
    """One score of a printed percentile chart, and the percent below it."""

    component: Component
    score: Number
    percentile: Percent
    source: Text
    approximate: bool = False


class Caution(DomainModel):
    """What to bear in mind, about every component or about some."""

    says: Text
    components: Annotated[tuple[Component, ...], AsTuple] = ("ube", "mbe", "written")


class ReferencePopulation(DomainModel):
    """A group: normal curves, the same above a floor, or points of a chart.

    Parameters
    ----------
    based_on
        The group whose curves this one cuts off at its floors.
    correlation
        Of the two components, for a floor on their total.
    """

    id: Id
    label: Text
    based_on: Id | None = None
    curves: Annotated[tuple[Curve, ...], AsTuple] = ()
    floors: Annotated[tuple[Floor, ...], AsTuple] = ()
    correlation: SourcedNumber | None = None
    points: Annotated[tuple[ChartPoint, ...], AsTuple] = ()
    cautions: Annotated[tuple[Caution, ...], AsTuple] = ()

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._has_one_basis, self._floors_have_curves, self._points_rise)

    def points_of(self, component: Component) -> tuple[ChartPoint, ...]:
        """Return the chart's points of one component, in the order of their scores."""
        found = (point for point in self.points if point.component == component)
        return tuple(sorted(found, key=lambda point: point.score))

    def _has_one_basis(self) -> Iterator[BrokenRule]:
        if sum(map(bool, (self.based_on, self.curves, self.points))) != 1:
            what = "A group needs one of `based_on`, `curves` and `points`."
            yield BrokenRule(("id",), what, "Write one of the three.")

    def _floors_have_curves(self) -> Iterator[BrokenRule]:
        if bool(self.floors) != bool(self.based_on):
            what = "`floors` and `based_on` go together."
            yield BrokenRule(("id",), what, "Write both, or neither.")

    def _points_rise(self) -> Iterator[BrokenRule]:
        components: tuple[Component, ...] = ("ube", "mbe", "written")
        for component in components:
            for lower, upper in pairwise(self.points_of(component)):
                if lower.score == upper.score or lower.percentile > upper.percentile:
                    what = f"The points of {component} at {lower.score:g} and {upper.score:g} do not rise."
                    yield BrokenRule(("points",), what, "Check both against the chart.")


class ReferencePopulations(DomainModel):
    """All groups that come with the program."""

    format: Literal["reference_populations/1"]
    groups: Annotated[tuple[ReferencePopulation, ...], AsTuple, Field(min_length=1)]

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._ids_are_unique, self._bases_exist)

    def _ids_are_unique(self) -> Iterator[BrokenRule]:
        yield from repeated(
            ((("groups", at, "id"), group.id) for at, group in enumerate(self.groups)), "group"
        )

    def _bases_exist(self) -> Iterator[BrokenRule]:
        with_curves = {group.id for group in self.groups if group.curves}
        for at, group in enumerate(self.groups):
            if group.based_on is not None and group.based_on not in with_curves:
                what = f"There is no group `{group.based_on}` with curves."
                yield BrokenRule(("groups", at, "based_on"), what, "Name one that has.")
