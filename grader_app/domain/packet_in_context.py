"""A packet beside the point sheet and the rubric its references were made by."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import partial

from grader_app.domain.calibration_set import Packet
from grader_app.domain.grade import GradeEntry, overall_score
from grader_app.domain.model import BrokenRule, Rule
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.reference_paper import ReferencePaper
from grader_app.domain.rubric import Rubric
from grader_app.domain.score_range import ScoreRange
from grader_app.domain.set_makeup import departures_not_kept
from grader_app.domain.tally import departs, tally

_TOLERANCE = 1e-9


class PacketInContext(Packet):
    """A packet whose references are held to the item: scores to the scale, points to the sheet.

    Parameters
    ----------
    sheet, rubric
        What the references were made by; None leaves unjudged what rests on it.
    """

    sheet: PointSheet | None = None
    rubric: Rubric | None = None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        of_one_paper = (
            self._score_is_on_the_scale,
            self._marks_are_on_their_scales,
            self._marks_make_the_score,
            self._code_is_known,
            self._points_are_known,
            self._departure_is_explained,
        )
        each = (partial(rule, at) for at in range(len(self.papers)) for rule in of_one_paper)
        return (*super().rules_to_hold(), *each, self._promised_departures)

    def _score_is_on_the_scale(self, at: int) -> Iterator[BrokenRule]:
        score = self.papers[at].score
        if self.rubric is not None and score is not None:
            yield from _off_scale(("papers", at, "score"), "score", score, self.rubric.score.range)

    def _marks_are_on_their_scales(self, at: int) -> Iterator[BrokenRule]:
        if self.rubric is None:
            return
        criteria = {criterion.id: criterion for criterion in self.rubric.criteria}
        for name, mark in self.papers[at].marks.items():
            if name in criteria:  # an unknown one is a column's problem, said once
                yield from _off_scale(
                    ("papers", at, "marks", name), f"mark `{name}`", mark, criteria[name].range
                )

    def _marks_make_the_score(self, at: int) -> Iterator[BrokenRule]:
        paper, rubric = self.papers[at], self.rubric
        if rubric is None or rubric.score.given_by == "grader" or paper.score is None or not paper.marks:
            return
        made = overall_score(rubric, GradeEntry(marks=paper.marks))
        if made is not None and abs(made - paper.score) > _TOLERANCE:
            what = (
                f"The marks of {paper.essay} make {made:g} by the rubric, but its score is {paper.score:g}."
            )
            yield BrokenRule(("papers", at, "score"), what, "Correct the score or a mark.")

    def _code_is_known(self, at: int) -> Iterator[BrokenRule]:
        code = self.papers[at].condition_code
        if self.rubric is None or code is None:
            return
        known = [each.id for each in self.rubric.condition_codes]
        if code not in known:
            listed = f"Its codes are {', '.join(known)}." if known else "It has none."
            what = f"The rubric `{self.rubric.id}` has no condition code `{code}`."
            yield BrokenRule(("papers", at, "condition_code"), what, listed)

    def _points_are_known(self, at: int) -> Iterator[BrokenRule]:
        if self.sheet is None:
            return
        known = {point.id for point in self.sheet.points}
        for place, point in enumerate(self.papers[at].points):
            if point not in known:
                what = f"The point sheet has no point `{point}`."
                yield BrokenRule(("papers", at, "points", place), what, _nearest(point, known))

    def _departure_is_explained(self, at: int) -> Iterator[BrokenRule]:
        paper = self.papers[at]
        tallied = self._tally_or_none(paper)
        if tallied is None or paper.score is None or self.rubric is None:
            return
        if not self.rubric.score.range.contains(paper.score):
            return  # said already
        scale = self.rubric.score.range
        departed = departs(paper.score, tallied, scale)
        said = f"{paper.essay} scores {paper.score:g}; its points come to {tallied:.1f}."
        if departed and self._reasons_are_given and paper.departs_because is None:
            yield BrokenRule(("papers", at, "departs_because"), said, "Say why under `departs_because`.")
        if not departed and paper.departs_because is not None:
            fix = "Empty `departs_because`: a score departs from one point on."
            yield BrokenRule(("papers", at, "departs_because"), said, fix)

    def _promised_departures(self) -> Iterator[BrokenRule]:
        if self.set.makeup is None or self.sheet is None or self.rubric is None:
            return
        for broken in departures_not_kept(self.set.makeup, len(self.departing)):
            yield broken._replace(loc=("set", "makeup", *broken.loc))

    @property
    def departing(self) -> tuple[ReferencePaper, ...]:
        """Ranked papers whose score departs from the tally, with the reason."""
        if self.rubric is None:
            return ()
        scale = self.rubric.score.range
        found = ((paper, self._tally_or_none(paper)) for paper in self.ranked if paper.departs_because)
        return tuple(
            paper
            for paper, tallied in found
            if tallied is not None and paper.score is not None and departs(paper.score, tallied, scale)
        )

    @property
    def _reasons_are_given(self) -> bool:
        return any(paper.departs_because is not None for paper in self.papers)

    def _tally_or_none(self, paper: ReferencePaper) -> float | None:
        """Tally a paper; None where the set records no points, or some that the sheet does not have."""
        if self.sheet is None or self.rubric is None or not any(other.points for other in self.papers):
            return None
        known = {point.id for point in self.sheet.points}
        if not {*paper.points} <= known or not known:
            return None
        return tally(paper.points, self.sheet, self.rubric.score.range)


def _off_scale(
    loc: tuple[str | int, ...], named: str, value: float, scale: ScoreRange
) -> Iterator[BrokenRule]:
    if not scale.contains(value):
        steps = f"{scale.lowest:g} to {scale.highest:g} in steps of {scale.step:g}"
        yield BrokenRule(loc, f"The {named} {value:g} is not on the scale {steps}.", "Correct it.")


def _nearest(point: str, known: Collection[str]) -> str:
    close = get_close_matches(point, known, n=1)
    return f"Did you mean `{close[0]}`?" if close else "Name points of the item's sheet."
