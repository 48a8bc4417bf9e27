"""Rubric: the scale a response is scored on, what each level means, and what is recorded beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

from grader_app.domain.model import (
    AsTuple,
    BrokenRule,
    DomainModel,
    Id,
    Number,
    Positive,
    Prose,
    Rule,
    Text,
    Version,
    repeated,
)
from grader_app.domain.score_range import ScoreRange

_COLUMNS_OF_REFERENCE_SCORES = {"essay", "score", "anchor", "rationale"}
_NAMED = ("condition_codes", "checklist", "criteria", "error_types", "analysis_gaps")
_TOLERANCE = 1e-9


class ScaleBounds(DomainModel):
    """A lowest and a highest number with equal steps between them."""

    lowest: Number
    highest: Number
    step: Positive

    @property
    def range(self) -> ScoreRange:
        """The score points as a `ScoreRange`."""
        return ScoreRange(self.lowest, self.highest, self.step)

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._bounds_are_ordered, self._steps_are_whole)

    def _bounds_are_ordered(self) -> Iterator[BrokenRule]:
        if self.highest <= self.lowest:
            what = f"`highest` is {self.highest:g} and `lowest` is {self.lowest:g}."
            yield BrokenRule(("highest",), what, "Make `highest` larger than `lowest`.")

    def _steps_are_whole(self) -> Iterator[BrokenRule]:
        if self.highest > self.lowest and not self.range.has_whole_steps:
            what = (
                f"From {self.lowest:g} to {self.highest:g} is not a whole number of steps of {self.step:g}."
            )
            yield BrokenRule(("step",), what, "Change `step`, `lowest` or `highest`.")


class Score(ScaleBounds):
    """The one number each response receives."""

    level_of_measurement: Literal["nominal", "ordinal", "interval", "ratio"]
    given_by: Literal["grader", "sum", "weighted_mean"]


class Level(DomainModel):
    """What one score point means."""

    score: Number
    label: Text
    means: Prose


class ConditionCode(DomainModel):
    """A judgment that is not a score, and how it counts."""

    id: Id
    title: Text
    counts_as: Literal["zero", "lowest", "excluded", "to_lead"]


class ChecklistQuestion(DomainModel):
    """A reminder that adds no points."""

    id: Id
    question: Prose


class Criterion(ScaleBounds):
    """One thing marked beside the score, or making it up."""

    id: Id
    title: Text
    question: Prose
    weight: Positive | None = None
    zero_if_any_error: bool = False
    needs: Id | None = None
    if_unmet: Literal["zero", "warn", "ignore"] = "zero"


class ErrorType(DomainModel):
    """A kind of error a grader can mark."""

    id: Id
    title: Text
    means: Prose | None = None


class AnalysisGap(DomainModel):
    """Why analysis is missing, when it is."""

    id: Id
    title: Text
    means: Prose | None = None


class Rubric(DomainModel):
    """How responses are scored; shared by all items that name it.

    Notes
    -----
    A rubric never changes under a grade: a new wording is a new `version`, and every grade stores
    the `content_hash` it was given under.
    """

    format: Literal["rubric/1"]
    id: Id
    version: Version
    title: Text
    score: Score
    levels: Annotated[tuple[Level, ...], AsTuple] = ()
    condition_codes: Annotated[tuple[ConditionCode, ...], AsTuple] = ()
    checklist: Annotated[tuple[ChecklistQuestion, ...], AsTuple] = ()
    criteria: Annotated[tuple[Criterion, ...], AsTuple] = ()
    error_types: Annotated[tuple[ErrorType, ...], AsTuple] = ()
    analysis_gaps: Annotated[tuple[AnalysisGap, ...], AsTuple] = ()

    def find_criterion(self, criterion_id: str) -> Criterion:
        """Find a criterion by its id.

        Parameters
        ----------
        criterion_id
            As the rubric writes it.

        Returns
        -------
        Criterion
            The criterion.

        Raises
        ------
        KeyError
            If the rubric has no such criterion.
        """
        return {criterion.id: criterion for criterion in self.criteria}[criterion_id]

    def find_condition_code(self, code_id: str) -> ConditionCode:
        """Find a condition code by its id.

        Parameters
        ----------
        code_id
            As the rubric writes it.

        Returns
        -------
        ConditionCode
            The code.

        Raises
        ------
        KeyError
            If the rubric has no such code.
        """
        return {code.id: code for code in self.condition_codes}[code_id]

    def get_level_or_none(self, score: float) -> Level | None:
        """Find what a score point means, if the rubric says.

        Parameters
        ----------
        score
            A score point.

        Returns
        -------
        Level or None
            The level described for it.
        """
        return next((level for level in self.levels if abs(level.score - score) < _TOLERANCE), None)

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (
            self._grader_has_levels,
            self._levels_are_on_the_scale,
            self._levels_differ,
            *(partial(self._names_differ, kind) for kind in _NAMED),
            self._criteria_ids_are_free,
            self._needs_are_criteria,
            self._needs_do_not_circle,
            self._errors_exist_to_mark,
            self._made_up_score_has_criteria,
            self._weights_belong_to_weighted_mean,
            self._criteria_make_up_the_scale,
        )

    def _grader_has_levels(self) -> Iterator[BrokenRule]:
        if self.score.given_by == "grader" and not self.levels:
            what = "The score is given by the grader, but no `levels` say what a score means."
            yield BrokenRule(("levels",), what, "Describe at least one level under `levels`.")

    def _levels_are_on_the_scale(self) -> Iterator[BrokenRule]:
        scale = self.score.range
        for number, level in enumerate(self.levels if scale.has_whole_steps else ()):
            if not scale.contains(level.score):
                what = (
                    f"The level's score {level.score:g} is not on the scale "
                    f"{scale.lowest:g} to {scale.highest:g} in steps of {scale.step:g}."
                )
                yield BrokenRule(("levels", number, "score"), what, "Change the score, or the scale.")

    def _levels_differ(self) -> Iterator[BrokenRule]:
        scores = ((("levels", at, "score"), f"{level.score:g}") for at, level in enumerate(self.levels))
        yield from repeated(scores, "level's score")
        labels = ((("levels", at, "label"), level.label) for at, level in enumerate(self.levels))
        yield from repeated(labels, "label")

    def _names_differ(self, kind: str) -> Iterator[BrokenRule]:
        things = list(getattr(self, kind))
        yield from repeated((((kind, at, "id"), thing.id) for at, thing in enumerate(things)), "id")
        titles = (
            ((kind, at, "title"), thing.title) for at, thing in enumerate(things) if kind != "checklist"
        )
        yield from repeated(titles, "title")

    def _criteria_ids_are_free(self) -> Iterator[BrokenRule]:
        for number, criterion in enumerate(self.criteria):
            if criterion.id in _COLUMNS_OF_REFERENCE_SCORES:
                what = f"`{criterion.id}` cannot be a criterion's id: tables have a column of that name."
                yield BrokenRule(("criteria", number, "id"), what, "Choose another id.")

    def _needs_are_criteria(self) -> Iterator[BrokenRule]:
        known = [criterion.id for criterion in self.criteria]
        for number, criterion in enumerate(self.criteria):
            if criterion.needs is not None and criterion.needs not in known:
                what = f"`needs` names `{criterion.needs}`, and there is no such criterion."
                yield BrokenRule(("criteria", number, "needs"), what, f"Name one of {', '.join(known)}.")

    def _needs_do_not_circle(self) -> Iterator[BrokenRule]:
        needs = {criterion.id: criterion.needs for criterion in self.criteria}
        if len(needs) != len(self.criteria):
            return
        for number, criterion in enumerate(self.criteria):
            needed = criterion.needs
            for _ in self.criteria:
                if needed is None or needed == criterion.id:
                    break
                needed = needs.get(needed)
            if needed is not None and needed == criterion.id:
                what = f"The criterion `{criterion.id}` needs itself, directly or by way of another."
                yield BrokenRule(("criteria", number, "needs"), what, "Remove one `needs` of the circle.")

    def _errors_exist_to_mark(self) -> Iterator[BrokenRule]:
        for number, criterion in enumerate(self.criteria):
            if criterion.zero_if_any_error and not self.error_types:
                what = "`zero_if_any_error` is true, but the rubric has no `error_types`."
                yield BrokenRule(("criteria", number, "zero_if_any_error"), what, "List the error types.")

    def _made_up_score_has_criteria(self) -> Iterator[BrokenRule]:
        if self.score.given_by != "grader" and not self.criteria:
            what = f"`given_by: {self.score.given_by}` needs criteria, and there are none."
            yield BrokenRule(("score", "given_by"), what, "Add `criteria`, or write `given_by: grader`.")

    def _weights_belong_to_weighted_mean(self) -> Iterator[BrokenRule]:
        weighted = self.score.given_by == "weighted_mean"
        for number, criterion in enumerate(self.criteria):
            if weighted and criterion.weight is None:
                what = f"The criterion `{criterion.id}` has no `weight`; `given_by: weighted_mean` needs one."
                yield BrokenRule(("criteria", number), what, "Add `weight: 1` or another number above 0.")
            if not weighted and criterion.weight is not None:
                what = f"`weight` is only for `given_by: weighted_mean`; here it is {self.score.given_by}."
                yield BrokenRule(("criteria", number, "weight"), what, "Remove it, or change `given_by`.")

    def _criteria_make_up_the_scale(self) -> Iterator[BrokenRule]:
        if self.score.given_by == "grader" or not self.criteria:
            return
        mean = self.score.given_by == "weighted_mean"
        shares = [criterion.weight if mean else 1.0 for criterion in self.criteria]
        known = [share for share in shares if share is not None]
        if len(known) < len(shares):
            return
        total = sum(known) if mean else 1.0
        pairs = list(zip(known, self.criteria, strict=True))
        lowest = sum(share * criterion.lowest for share, criterion in pairs) / total
        highest = sum(share * criterion.highest for share, criterion in pairs) / total
        if abs(lowest - self.score.lowest) > _TOLERANCE or abs(highest - self.score.highest) > _TOLERANCE:
            made = "weighted mean" if mean else "sum"
            what = (
                f"The {made} of the criteria runs from {lowest:g} to {highest:g}, "
                f"the score from {self.score.lowest:g} to {self.score.highest:g}."
            )
            yield BrokenRule(
                ("score",), what, "Make `lowest` and `highest` of the score agree with the criteria."
            )
