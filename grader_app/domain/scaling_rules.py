"""Rules of scaling that stand in place of the round's own: asked for to try out, or set with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field

from grader_app.domain.events import Event, EventKind
from grader_app.domain.model import DomainModel, Id, Number, Positive
from grader_app.domain.published_schemes import SCHEMES, SchemeName
from grader_app.domain.round import Cut, Round
from grader_app.domain.scheme_of_round import laid_over

Method = Literal["mean_sigma", "equipercentile"]
RoundingName = Literal["total_half_up", "total_to_tenths", "total_to_hundredths", "tenths_then_total", "none"]
ReadsRule = Literal["mean", "higher", "replace", "first"]
METHODS: tuple[str, ...] = get_args(Method)
ROUNDINGS: tuple[str, ...] = get_args(RoundingName)
READS_RULES: tuple[str, ...] = get_args(ReadsRule)
READS_SAY = {
    "mean": "their mean counts",
    "higher": "the higher counts",
    "replace": "the last counts",
    "first": "the first counts",
}
"""What each way of combining the reads of an answer means, in words."""

METHODS_SAY: Mapping[str, str] = {
    "mean_sigma": "mean and SD (mean/sigma)",
    "equipercentile": "by rank (equipercentile)",
}
ROUNDINGS_SAY: Mapping[str, str] = {
    "total_half_up": "totals to whole points",
    "total_to_tenths": "totals to tenths",
    "total_to_hundredths": "totals to hundredths",
    "tenths_then_total": "written score to tenths, then the total",
    "none": "no rounding",
}


class SetRules(DomainModel):
    """What takes the place of a round's own rules; what is left out stays as the round says."""

    weights: dict[Id, Positive] = Field(default_factory=dict)
    method: Method | None = None
    rounding: RoundingName | None = None
    preset: SchemeName | None = None
    reads_rule: ReadsRule | None = None
    cut: Number | None = None

    @property
    def are_the_rounds_own(self) -> bool:
        """Whether nothing is changed."""
        return self == SetRules()

    @property
    def says(self) -> tuple[str, ...]:
        """Each change in a few words."""
        return self.in_words({})

    def in_words(self, titles: Mapping[str, str]) -> tuple[str, ...]:
        """Say each change in a few words, items by their titles where there are any."""
        return tuple(self._changes(titles))

    def _changes(self, titles: Mapping[str, str]) -> Iterator[str]:
        if self.preset is not None:
            yield f"scaled as {SCHEMES[self.preset].title}"
        for item, weight in self.weights.items():
            yield f"weight of {titles.get(item, item)} {weight:g}"
        if self.method is not None:
            yield f"method {METHODS_SAY[self.method]}"
        if self.rounding is not None:
            yield f"rounding: {ROUNDINGS_SAY[self.rounding]}"
        if self.reads_rule is not None:
            yield f"of several reads {READS_SAY[self.reads_rule]}"
        if self.cut is not None:
            yield f"passing total {self.cut:g}"

    def followed_by(self, later: SetRules) -> SetRules:
        """Return these rules with later ones in their place; a scheme set later takes their scaling away."""
        kept = self.model_copy(update={"weights": {}, "method": None, "rounding": None})
        first = self if later.preset is None else kept
        changed = {key: value for key, value in later if value is not None}
        return first.model_copy(update={**changed, "weights": {**first.weights, **later.weights}})

    def as_body(self) -> dict[str, object]:
        """Give what is set, as an event holds it."""
        return self.model_dump(mode="json", exclude_defaults=True)


def with_rules(the_round: Round, rules: SetRules) -> Round:
    """Return a round with rules in place of its own.

    Parameters
    ----------
    the_round
        As registered.
    rules
        A weight for an item that the round no longer weighs is passed over.

    Notes
    -----
    A scheme comes first; what else is set goes before it. Another passing total takes the round's re-read
    band away, since the band belonged to the round's own line.
    """
    if rules.preset is not None:
        the_round = laid_over(the_round, rules.preset)
    items = tuple(
        entry if entry.weight is None else entry.model_copy(update={"weight": weight})
        for entry in the_round.items
        for weight in (rules.weights.get(entry.item, entry.weight),)
    )
    scaling = {k: v for k, v in (("method", rules.method), ("rounding", rules.rounding)) if v is not None}
    changed = {"items": items, "scaling": the_round.scaling.model_copy(update=scaling)}
    if rules.reads_rule is not None:
        key = "combine" if the_round.reading.reads > 1 else "overlap_counts"
        changed["reading"] = the_round.reading.model_copy(update={key: rules.reads_rule})
    if rules.cut is not None and (the_round.cut is None or the_round.cut.total != rules.cut):
        changed["cut"] = Cut(total=rules.cut)
    return the_round.model_copy(update=changed)


@dataclass(frozen=True)
class RulesSet:
    """A lead's decision to scale by other rules than the round's own.

    Parameters
    ----------
    event_seq, at, actor
        The act.
    rules
        All that stands in place of the round's own since.
    reason
        Given to be printed.
    """

    event_seq: int
    at: str
    actor: str
    rules: SetRules
    reason: str

    @property
    def says(self) -> str:
        """The decision in a sentence: what, when, by whom, why."""
        what = "; ".join(self.rules.says) or "as the round's own file says"
        why = self.reason.rstrip(".")
        return f"Rules of scaling set on {self.at[:10]} by {self.actor}: {what}. Reason: {why}."


class RulesRecord:
    """Rules of scaling that were set, replayed from the log.

    Attributes
    ----------
    decisions
        Oldest first; the last one stands.
    """

    def __init__(self, decisions: tuple[RulesSet, ...] = ()) -> None:
        self.decisions = list(decisions)

    def replay(self, event: Event) -> None:
        """Take in one event."""
        if event.kind == EventKind.SCALING_RULES_SET:
            rules = SetRules.model_validate(event.body["rules"])
            self.decisions.append(RulesSet(event.seq, event.at, event.actor, rules, event.body["reason"]))

    @property
    def standing(self) -> SetRules:
        """The rules in place of the round's own; empty where none were set."""
        return self.decisions[-1].rules if self.decisions else SetRules()
