"""A scaled pool set against a group of examinees, for `scale --among`."""

from __future__ import annotations

import click

from grader_app.domain.reference_population import Component
from grader_app.errors import ScalingProblem
from grader_app.files.reference_populations import load_reference_populations
from grader_app.scaling.percentile_bars import PlacedPool, place_pool
from grader_app.scaling.reference_populations import Switches, choose_group, find_group
from grader_app.scaling.rounding import ADDED
from grader_app.scaling.scaled import Scaled
from grader_app.scaling.score_errors import ScoreErrors


def placed_pools(scaled: Scaled, errors: ScoreErrors | None, group_id: str) -> tuple[PlacedPool, ...]:
    """Set totals against a group of totals, and written scores against one of written scores."""
    if errors is None:
        raise click.UsageError("--among goes with error bars: leave out --no-error-bars.")
    populations = load_reference_populations()
    find_group(populations, group_id)
    placed, problems = [], []
    # Totals of another scheme than the Uniform Bar Examination's have no place among its totals.
    components: tuple[Component, ...] = ("ube", "written") if scaled.factors == ADDED else ("written",)
    for component in components:
        try:
            group = choose_group(populations, group_id, component, Switches())
        except ScalingProblem as problem:
            problems.append(problem)
            continue
        placed.append(place_pool(scaled, errors, group, component))
    if not placed:
        raise problems[0]
    return tuple(placed)
