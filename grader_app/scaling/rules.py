"""The rules by which a pool is scaled: what the round says, each replaced by what is asked for instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader_app.domain.round import Round
from grader_app.scaling.constants import Method
from grader_app.scaling.pool import Pool
from grader_app.scaling.presets import notes_on_preset, with_preset
from grader_app.scaling.reference import AssumedReference, PoolReference, Reference
from grader_app.scaling.rounding import ADDED, Factors, Rounding
from grader_app.scaling.scale_pool import Scaled, scale_pool
from grader_app.scaling.standardise import Target


@dataclass(frozen=True)
class Rules:
    """Everything that turns a pool of graded candidates into scaled scores and totals.

    Parameters
    ----------
    weights
        Item id -> weight in the written composite.
    method, reference, rounding
        See `scale_pool`.
    targets
        Mean and SD that each item takes on before weighting; empty for raw scores.
    standardise_graders
        Whether single reads are standardised for their grader first, which only a workspace can do.
    factors
        What MBE and written scaled score are multiplied by in the total.
    smoothing
        Of the ranks, for ``equipercentile``.
    notes
        What a preset assumes, in sentences that stand on every output.
    """

    weights: Mapping[str, float]
    method: Method
    reference: Reference
    rounding: Rounding
    targets: Mapping[str, Target] = field(default_factory=dict)
    standardise_graders: bool = False
    factors: Factors = ADDED
    smoothing: float = 0.0
    notes: tuple[str, ...] = ()

    def scale(self, pool: Pool) -> Scaled:
        """Scale a pool by these rules."""
        scaled = scale_pool(
            pool,
            self.weights,
            self.method,
            self.reference,
            self.rounding,
            targets=self.targets,
            factors=self.factors,
            smoothing=self.smoothing,
        )
        return replace(scaled, warnings=(*scaled.warnings, *self.notes)) if self.notes else scaled


def rules_of_round(
    the_round: Round,
    method: Method | None = None,
    reference: Reference | None = None,
    rounding: Rounding | None = None,
    preset: str | None = None,
) -> Rules:
    """Return a round's rules, each replaced by what is given.

    Parameters
    ----------
    the_round
        With its items, weights and scaling.
    method, reference, rounding
        Instead of the round's own.
    preset
        A published scheme that fills what the round leaves at its defaults and sets the weights; see
        `with_preset`.
    """
    if preset is not None:
        the_round = with_preset(the_round, preset)
    settings = the_round.scaling
    return Rules(
        the_round.weights,
        method or settings.method,
        reference or round_reference(the_round),
        rounding or settings.rounding,
        round_targets(the_round),
        settings.standardise_graders,
        ADDED if settings.total is None else Factors(settings.total.mbe, settings.total.written),
        settings.smoothing,
        notes_on_preset(the_round),
    )


def round_reference(the_round: Round) -> Reference:
    """Give the reference that a round names."""
    settings = the_round.scaling
    if settings.mean is None or settings.sd is None:
        return PoolReference()
    return AssumedReference(settings.mean, settings.sd)


def round_targets(the_round: Round) -> dict[str, Target]:
    """Give the mean and SD that each item with a weight takes on; nothing without `standardise_items`."""
    standard = the_round.scaling.standardise_items
    if standard is None:
        return {}
    return {
        entry.item: Target(standard.mean, standard.sd_of(entry.component))
        for entry in the_round.items
        if entry.weight is not None
    }
