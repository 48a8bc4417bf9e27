"""Grading round: which items are graded, who may grade, how reads combine and how scores are scaled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from grader_app.domain.model import (
    AsTuple,
    BrokenRule,
    DomainModel,
    Id,
    Number,
    Positive,
    Rule,
    Text,
    Version,
    repeated,
)
from grader_app.domain.point_sheet import Kind
from grader_app.domain.published_cuts import CutName, filled_from_cut
from grader_app.domain.published_schemes import SchemeName, filled_from_scheme, weighted_by_scheme
from grader_app.domain.reread_rule import NEEDS_GAP, RereadRule

_BOTH_ENDS = "Give both ends of the band, or neither."


class ItemPart(DomainModel):
    """One separately scored part of an item, and its weight within the item."""

    part: Id
    weight: Positive


class RoundItem(DomainModel):
    """One item of a round, and its weight in the written composite.

    Notes
    -----
    With `parts` a pool file has a column ``ITEM.PART`` for each, and the item's score is their weighted mean.
    """

    item: Id
    component: Kind
    weight: Positive | None = None
    parts: Annotated[tuple[ItemPart, ...], AsTuple, Field(min_length=1)] | None = None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._weight_fits_the_component, self._parts_fit_the_component, self._parts_differ)

    def _weight_fits_the_component(self) -> Iterator[BrokenRule]:
        if self.component == "rule_application" and self.weight is not None:
            what = "A rule_application item never enters a composite and has no `weight`."
            yield BrokenRule(("weight",), what, "Remove the `weight`.")
        if self.component != "rule_application" and self.weight is None:
            what = f"The item `{self.item}` has no `weight`."
            yield BrokenRule((), what, "Add `weight: 1`, or another number above 0.")

    def _parts_fit_the_component(self) -> Iterator[BrokenRule]:
        if self.component == "rule_application" and self.parts is not None:
            what = "A rule_application item never enters a composite and has no `parts`."
            yield BrokenRule(("parts",), what, "Remove `parts`.")

    def _parts_differ(self) -> Iterator[BrokenRule]:
        ids = ((("parts", at, "part"), entry.part) for at, entry in enumerate(self.parts or ()))
        yield from repeated(ids, "part")


class Reading(DomainModel):
    """How often a response is read, and how reads become one score.

    Notes
    -----
    Left out, every response is read once and none twice: such a round has no agreement figures.
    `apprentice_percent` is an apprentice's load, in percent of what a grader reads of an item on average.
    `third_read_counts` says how three reads combine. Johnson, Penny and Gordon (2000) compare such rules:
    expert judgment (`replace`), tertium quid (`nearest`) and parity (`mean`). `nearest` is the default: a
    score then rests on the two judgments that lie closest together, and the one that stands apart drops out.
    """

    reads: Annotated[int, Field(ge=1, le=2)] = 1
    overlap_percent: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] = 0
    overlap_counts: Literal["first", "mean", "higher", "replace"] = "first"
    resolve_when_apart_by_more_than: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1
    combine: Literal["mean", "higher", "replace", "first"] = "mean"
    apprentice_percent: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] = 100
    disputes_go_to: Literal["adjudicator", "third_reader"] = "adjudicator"
    third_read_counts: Literal["replace", "nearest", "mean", "higher"] = "nearest"
    prior_scores: Literal["hidden", "shown"] = "hidden"
    lease_minutes: Annotated[int, Field(ge=1)] = 60
    workload: Literal["balanced", "as_dealt"] = "balanced"


class Checks(DomainModel):
    """How often checks are planted among live answers, on average (None for never), and what an alarm does.

    Notes
    -----
    `false_alarm_rate` is for one grader and one item over the whole round, both directions together.
    """

    validity_paper_every: Annotated[int, Field(ge=2)] | None = None
    self_repeat_every: Annotated[int, Field(ge=2)] | None = None
    false_alarm_rate: Annotated[float, Field(gt=0, lt=1)] = 0.05
    on_alarm: Literal["tell_lead", "pause"] = "tell_lead"


class Guesses(DomainModel):
    """How often graders are asked, after submitting, who wrote the answer they just graded.

    Notes
    -----
    A share of 0 asks nobody; no items means all. Guesses change no grade; they show after reveal how far
    the blind held.
    """

    share_percent: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] = 0
    items: Annotated[tuple[Id, ...], AsTuple] = ()


class ComponentSds(DomainModel):
    """The SD that the items of each component take on, where it differs from that of all items."""

    mee: Positive | None = None
    mpt: Positive | None = None
    essay: Positive | None = None


class ItemStandard(DomainModel):
    """Mean and SD that every item's scores take on in the scaling group before they are weighted."""

    mean: Number
    sd: Positive
    component_sd: ComponentSds = ComponentSds()

    def sd_of(self, component: Kind) -> float:
        """Give the SD that an item of a component takes on."""
        own: float | None = getattr(self.component_sd, component, None)
        return self.sd if own is None else own


class TotalFormula(DomainModel):
    """What MBE and written scaled score are multiplied by before they are added."""

    mbe: Positive
    written: Positive


class Scaling(DomainModel):
    """How raw written scores become scaled scores, and those with the MBE a total.

    Notes
    -----
    `preset` names a published scheme, which fills the keys that are not written.
    """

    preset: SchemeName | None = None
    method: Literal["mean_sigma", "equipercentile"] = "mean_sigma"
    reference: Literal["pool", "assumed"] = "pool"
    mean: Number | None = None
    sd: Positive | None = None
    rounding: Literal[
        "total_half_up", "total_to_tenths", "total_to_hundredths", "tenths_then_total", "none"
    ] = "total_half_up"
    smoothing: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0
    total: TotalFormula | None = None
    standardise_items: ItemStandard | None = None
    standardise_graders: bool = False

    _from_scheme = model_validator(mode="before")(filled_from_scheme)

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._assumed_reference_is_stated, self._smoothing_has_ranks)

    def _smoothing_has_ranks(self) -> Iterator[BrokenRule]:
        if self.smoothing and self.method != "equipercentile":
            what = f"`smoothing` is for `method: equipercentile`; the method is `{self.method}`."
            yield BrokenRule(("smoothing",), what, "Remove `smoothing`, or write `method: equipercentile`.")

    def _assumed_reference_is_stated(self) -> Iterator[BrokenRule]:
        for key, value in (("mean", self.mean), ("sd", self.sd)):
            if self.reference == "assumed" and value is None:
                what = f"`reference: assumed` needs the assumed `{key}`."
                yield BrokenRule(("reference",), what, f"Add `{key}`.")
            if self.reference == "pool" and value is not None:
                what = f"`{key}` is only for `reference: assumed`; a pool gives its own."
                yield BrokenRule((key,), what, f"Remove `{key}`, or write `reference: assumed`.")


def _total_or_preset(schema: dict[str, Any]) -> None:
    """Say in a JSON Schema that a cut's total may come from its preset."""
    del schema["required"]
    schema["anyOf"] = [{"required": ["total"]}, {"required": ["preset"]}]


class Cut(DomainModel):
    """The passing total, and the band of totals whose papers are read again.

    Notes
    -----
    `preset` names a published cut, which fills the keys that are not written.
    """

    model_config = ConfigDict(json_schema_extra=_total_or_preset)

    preset: CutName | None = None
    total: Number
    reread_from: Number | None = None
    reread_to: Number | None = None

    _from_published = model_validator(mode="before")(filled_from_cut)

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._band_is_whole, self._band_is_ordered)

    def in_words(self) -> str:
        """Say what the passing total is, and which totals are read again."""
        band = ""
        if self.reread_from is not None and self.reread_to is not None:
            band = (
                f" Papers with a total from {self.reread_from:g} to {self.reread_to:g} are to be read again."
            )
        return f"The passing total is {self.total:g}.{band}"

    def _band_is_whole(self) -> Iterator[BrokenRule]:
        if self.reread_from is not None and self.reread_to is None:
            yield BrokenRule(("reread_from",), "There is `reread_from` without `reread_to`.", _BOTH_ENDS)
        if self.reread_to is not None and self.reread_from is None:
            yield BrokenRule(("reread_to",), "There is `reread_to` without `reread_from`.", _BOTH_ENDS)

    def _band_is_ordered(self) -> Iterator[BrokenRule]:
        if self.reread_from is None or self.reread_to is None:
            return
        if self.reread_to < self.reread_from:
            what = f"The band runs from {self.reread_from:g} to {self.reread_to:g}."
            yield BrokenRule(("reread_to",), what, "Make `reread_to` at least `reread_from`.")


class Release(DomainModel):
    """What a candidate may be told of a released round, beyond the numbers.

    Notes
    -----
    `notes` is about reasons of adjudicators and notes of graders: ``off`` (in no packet), ``internal`` (said
    to be there, not printed) or ``released`` (printed, where the workspace still has the words). With the
    redaction ``new_york`` a score before an automatic re-read is never disclosed.
    """

    notes: Literal["off", "internal", "released"] = "off"
    redaction: Literal["none", "new_york"] = "none"


class Rereading(DomainModel):
    """How a first score and a re-read before release become one score, and which papers are read again.

    Notes
    -----
    With `all_papers` every paper of a candidate whose total lies in the band of `cut`; without it only papers
    that the lead picks. `gap` is in points of an item.
    """

    rule: RereadRule
    gap: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    all_papers: bool = True

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._gap_fits_the_rule,)

    def _gap_fits_the_rule(self) -> Iterator[BrokenRule]:
        if self.rule == NEEDS_GAP and self.gap is None:
            what = f"`rule: {NEEDS_GAP}` needs the `gap` beyond which a third read decides."
            yield BrokenRule(("rule",), what, "Add `gap`, in points of an item.")
        if self.rule != NEEDS_GAP and self.gap is not None:
            what = f"`gap` is only for `rule: {NEEDS_GAP}`; the rule `{self.rule}` asks for no third read."
            yield BrokenRule(("gap",), what, "Remove `gap`.")


class Round(DomainModel):
    """A grading round; `format`, `id`, `version`, `title` and `items` suffice."""

    format: Literal["round/1"]
    id: Id
    version: Version
    title: Text
    items: Annotated[tuple[RoundItem, ...], AsTuple, Field(min_length=1)]
    qualification: Literal["required", "not_required"] = "not_required"
    reading: Reading = Reading()
    checks: Checks = Checks()
    guesses: Guesses = Guesses()
    scaling: Scaling = Scaling()
    cut: Cut | None = None
    release: Release = Release()
    reread: Rereading | None = None
    seed: Annotated[int, Field(ge=0)] = 0

    _weights_from_scheme = model_validator(mode="before")(weighted_by_scheme)

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each item that enters the written composite, by item id."""
        return {entry.item: entry.weight for entry in self.items if entry.weight is not None}

    @property
    def part_weights(self) -> dict[str, dict[str, float]]:
        """Weight of each part within its item, by item and part id; items scored whole are not in it."""
        return {
            entry.item: {part.part: part.weight for part in entry.parts}
            for entry in self.items
            if entry.parts
        }

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (
            self._no_first_score_can_be_worked_out,
            self._items_differ,
            self._items_asked_about_are_there,
            self._reread_has_a_band,
        )

    def _reread_has_a_band(self) -> Iterator[BrokenRule]:
        if self.reread is None or not self.reread.all_papers:
            return
        if self.cut is None or self.cut.reread_from is None:
            what = "`reread` reads all papers in the band again, and `cut` has no band."
            fix = "Give `cut` its `reread_from` and `reread_to`, or write `all_papers: false`."
            yield BrokenRule(("reread",), what, fix)

    def _no_first_score_can_be_worked_out(self) -> Iterator[BrokenRule]:
        if self.release.redaction != "new_york" or self.reread is None or self.reread.rule == "replace":
            return
        what = (
            f"With `redaction: new_york` no first score is disclosed, and with `rule: {self.reread.rule}` "
            "anybody can work it out from the re-read and the score that stands."
        )
        yield BrokenRule(("reread", "rule"), what, "Write `rule: replace`, or `redaction: none`.")

    def _items_differ(self) -> Iterator[BrokenRule]:
        ids = ((("items", at, "item"), entry.item) for at, entry in enumerate(self.items))
        yield from repeated(ids, "item")

    def _items_asked_about_are_there(self) -> Iterator[BrokenRule]:
        there = [entry.item for entry in self.items]
        for at, item in enumerate(self.guesses.items):
            if item not in there:
                what = f"`guesses` names the item `{item}`, which the round does not have."
                yield BrokenRule(
                    ("guesses", "items", at), what, f"Name one of {', '.join(there)}, or remove it."
                )
