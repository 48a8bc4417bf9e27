"""Point sheet: the issues of one item, the points a response can make, and what else is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from grader_app.domain.model import (
    LAW_AS_OF_PATTERN,
    AsTuple,
    BrokenRule,
    DomainModel,
    Id,
    Location,
    PointId,
    Prose,
    Rule,
    Text,
    Version,
    repeated,
)

Part = Literal["issue", "rule", "application", "conclusion"]
Kind = Literal["mee", "mpt", "rule_application", "essay"]
_TOLERANCE = 1e-9


class Point(DomainModel):
    """One thing a response can say that the sheet looks for."""

    id: PointId
    part: Part
    text: Prose
    authority: Text | None = None
    facts: Annotated[tuple[Text, ...], AsTuple] = ()
    follows_from: Annotated[tuple[PointId, ...], AsTuple] = ()
    contested: bool = False
    sources: Annotated[tuple[Id, ...], AsTuple] = ()


class Issue(DomainModel):
    """A question of law the item raises, with its share of the item in percent."""

    id: Id
    title: Text
    weight_percent: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
    points: Annotated[tuple[Point, ...], AsTuple, Field(min_length=1)]
    accept_also: Annotated[tuple[Prose, ...], AsTuple] = ()
    common_mistakes: Annotated[tuple[Prose, ...], AsTuple] = ()


class LibraryDocument(DomainModel):
    """A document of an MPT's Library that points may cite."""

    id: Id
    title: Text
    holds: Prose


class PointSheet(DomainModel):
    """What one item tests.

    Notes
    -----
    `issues` may be left out for an item of kind ``essay`` that is scored as a whole.
    """

    format: Literal["point_sheet/1"]
    id: Id
    version: Version
    item: Id
    kind: Kind
    rubric: Id
    rubric_version: Version
    title: Text
    subject: Text | None = None
    jurisdiction: Text | None = None
    law_as_of: Annotated[str, Field(pattern=LAW_AS_OF_PATTERN)] | None = None
    irac: Part | None = None
    issues: Annotated[tuple[Issue, ...], AsTuple] = ()
    library: Annotated[tuple[LibraryDocument, ...], AsTuple] = ()
    gold: Text | None = None

    @property
    def points(self) -> tuple[Point, ...]:
        """Every point, in the order of the sheet."""
        return tuple(point for issue in self.issues for point in issue.points)

    @property
    def numbers(self) -> dict[str, str]:
        """Number of each point by its id: 1.2 is the second point of the first issue, on every page."""
        return {
            point.id: f"{number}.{place}"
            for number, issue in enumerate(self.issues, start=1)
            for place, point in enumerate(issue.points, start=1)
        }

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (
            self._has_issues,
            self._weights_add_up,
            self._ids_differ,
            self._titles_differ,
            self._point_ids_differ,
            self._library_ids_differ,
            self._follows_from_points,
            self._follows_without_circle,
            self._sources_are_in_the_library,
            self._library_is_for_mpt,
            self._gold_is_for_rule_application,
        )

    def _located_points(self) -> Iterator[tuple[Location, Point]]:
        for issue_at, issue in enumerate(self.issues):
            for point_at, point in enumerate(issue.points):
                yield ("issues", issue_at, "points", point_at), point

    def _has_issues(self) -> Iterator[BrokenRule]:
        if self.kind != "essay" and not self.issues:
            what = f"The sheet has no `issues`; an item of kind {self.kind} needs at least one."
            yield BrokenRule(("issues",), what, "List the issues with their points.")

    def _weights_add_up(self) -> Iterator[BrokenRule]:
        total = sum(issue.weight_percent for issue in self.issues)
        if self.issues and abs(total - 100) > _TOLERANCE:
            what = f"The issues' `weight_percent` add up to {total:.10g}, not 100."
            yield BrokenRule(("issues",), what, "Change the `weight_percent` of an issue.")

    def _ids_differ(self) -> Iterator[BrokenRule]:
        ids = ((("issues", at, "id"), issue.id) for at, issue in enumerate(self.issues))
        yield from repeated(ids, "issue id")

    def _titles_differ(self) -> Iterator[BrokenRule]:
        titles = ((("issues", at, "title"), issue.title) for at, issue in enumerate(self.issues))
        yield from repeated(titles, "issue title")

    def _point_ids_differ(self) -> Iterator[BrokenRule]:
        yield from repeated((((*loc, "id"), point.id) for loc, point in self._located_points()), "point id")

    def _library_ids_differ(self) -> Iterator[BrokenRule]:
        ids = ((("library", at, "id"), document.id) for at, document in enumerate(self.library))
        yield from repeated(ids, "library id")

    def _follows_from_points(self) -> Iterator[BrokenRule]:
        known = {point.id for point in self.points}
        for loc, point in self._located_points():
            for at, premise in enumerate(point.follows_from):
                if premise not in known:
                    what = f"`follows_from` names `{premise}`, and no point has that id."
                    yield BrokenRule((*loc, "follows_from", at), what, "Name a point of this sheet.")

    def _follows_without_circle(self) -> Iterator[BrokenRule]:
        premises = {point.id: point.follows_from for point in self.points}
        for loc, point in self._located_points():
            if point.id in _reached(premises, point.follows_from):
                what = f"The point `{point.id}` follows from itself, directly or by way of others."
                yield BrokenRule((*loc, "follows_from"), what, "Remove one `follows_from` of the circle.")

    def _sources_are_in_the_library(self) -> Iterator[BrokenRule]:
        known = {document.id for document in self.library}
        for loc, point in self._located_points():
            for at, source in enumerate(point.sources):
                if source not in known:
                    what = f"`sources` names `{source}`, and the sheet's `library` has no such document."
                    yield BrokenRule((*loc, "sources", at), what, "Add it to `library`, or correct the id.")

    def _library_is_for_mpt(self) -> Iterator[BrokenRule]:
        if self.kind != "mpt" and self.library:
            what = f"`library` is only for kind mpt; this item is {self.kind}."
            yield BrokenRule(("library",), what, "Remove `library`; cite real law under `authority`.")

    def _gold_is_for_rule_application(self) -> Iterator[BrokenRule]:
        if self.kind != "rule_application" and self.gold is not None:
            what = f"`gold` is only for kind rule_application; this item is {self.kind}."
            yield BrokenRule(("gold",), what, "Remove `gold`, or correct `kind`.")


def _reached(premises: dict[str, tuple[str, ...]], start: tuple[str, ...]) -> set[str]:
    """Collect all points that the starting ones rest on, themselves included."""
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        point_id = waiting.pop()
        if point_id not in reached:
            reached.add(point_id)
            waiting.extend(premises.get(point_id, ()))
    return reached
