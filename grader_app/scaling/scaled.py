"""What scaling gives: constants by group, candidates with scaled scores and totals, and who was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from grader_app.scaling.constants import Constants, Method
from grader_app.scaling.effective_weights import ItemWeight
from grader_app.scaling.reference import Reference
from grader_app.scaling.rounding import ADDED, Factors, Rounding
from grader_app.scaling.standardise import Target


@dataclass(frozen=True)
class ScaledCandidate:
    """One candidate with a composite.

    Parameters
    ----------
    candidate_id
        As in the pool.
    written_raw
        In weighted points.
    written_scaled
        In MBE points, at full precision.
    total
        MBE plus written scaled score under the rounding policy; None without an MBE score.
    in_scaling_group
        Whether this candidate helped to form the constants.
    written_standardised
        Weighted sum of the standardised item scores, from which `written_scaled` comes; None where items
        are not standardised.
    """

    candidate_id: str
    written_raw: float
    written_scaled: float
    total: float | None
    in_scaling_group: bool
    written_standardised: float | None = None

    def as_json(self) -> dict[str, object]:
        """Return plain values; without standardised items there is no such key."""
        found = asdict(self)
        if self.written_standardised is None:
            del found["written_standardised"]
        return found


@dataclass(frozen=True)
class LeftOut:
    """A candidate without a composite, and the sentence that says why."""

    candidate_id: str
    why: str


@dataclass(frozen=True)
class Scaled:
    """A scaled pool: constants by group, candidates in the order of the pool, and what to warn of.

    `constants` has one entry a group in which somebody has a composite; the key is None for
    candidates without a group. `items` says by group what each item counts, and `targets` the mean and SD
    it takes on where items are standardised; `factors` stand in the total.
    """

    method: Method
    reference: Reference
    rounding: Rounding
    constants: Mapping[str | None, Constants]
    candidates: tuple[ScaledCandidate, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]
    items: Mapping[str | None, tuple[ItemWeight, ...]] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    factors: Factors = ADDED

    def as_json(self) -> dict[str, object]:
        """Return plain values; `constants` is flat without groups, else an object a group ("" for none)."""
        return {
            "method": self.method,
            "reference": str(self.reference),
            "rounding": self.rounding,
            "constants": _flat({group: found.as_json() for group, found in self.constants.items()}, {}),
            "candidates": [candidate.as_json() for candidate in self.candidates],
            "left_out": [asdict(candidate) for candidate in self.left_out],
            "warnings": list(self.warnings),
            **({} if self.factors == ADDED else {"total": self.factors._asdict()}),
            **(self._standardised_as_json() if self.targets else {}),
        }

    def _standardised_as_json(self) -> dict[str, object]:
        items = {group: [asdict(item) for item in found] for group, found in self.items.items()}
        targets = {item: target._asdict() for item, target in self.targets.items()}
        return {"standardise_items": targets, "items": _flat(items, [])}


def _flat(by_group: Mapping[str | None, object], nothing: object) -> object:
    """Return what candidates without a group have, or an object a group ("" for none) where there are any."""
    named = {group or "": found for group, found in by_group.items()}
    return named.get("", nothing) if set(named) <= {""} else named
