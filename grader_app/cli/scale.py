"""The command `scale`: from graded candidates to written scaled scores and totals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader_app.cli.options import workspace_options
from grader_app.cli.plain_number import PlainNumber
from grader_app.domain.published_schemes import SCHEME_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader_app.cli.reads_file import ReadsFile
    from grader_app.domain.round import Cut, Round
    from grader_app.scaling.compare import Comparison
    from grader_app.scaling.constants import Method
    from grader_app.scaling.error_bars import Settings
    from grader_app.scaling.reference import Reference
    from grader_app.scaling.rounding import Rounding
    from grader_app.scaling.scaled import Scaled
    from grader_app.scaling.score_errors import ScoreErrors

_FILE = click.Path(path_type=Path)


@click.command(
    epilog="Example: grader-app scale pool.csv --round pool-round.yaml  (grader_app/sample/ has both)"
)
@click.argument("pool_file", metavar="[POOL.csv]", required=False, type=_FILE)
@click.option("--round", "round_file", type=_FILE, help="Round file with items, weights and scaling.")
@click.option(
    "--reads",
    "reads_file",
    metavar="READS.csv",
    type=_FILE,
    help="The reads behind the pool's scores: candidate_id, item, grader_id, score; with --scale.",
)
@click.option("--scale", "scale_text", help="With --reads: all possible scores, 0:6 or 0:6:0.5.")
@click.option("--candidate", default="candidate_id", show_default=True, help="Column of candidate ids.")
@click.option("--method", type=click.Choice(["mean_sigma", "equipercentile"]), help="Overrides the round's.")
@click.option("--reference", help="pool, or assumed:MEAN,SD; overrides the round's.")
@click.option(
    "--rounding",
    type=click.Choice(
        ["total_half_up", "total_to_tenths", "total_to_hundredths", "tenths_then_total", "none"]
    ),
    help="Overrides the round's.",
)
@click.option(
    "--preset",
    type=click.Choice(SCHEME_NAMES),
    help="A published scheme; fills what the round does not set, and its weights replace the round's.",
)
@click.option(
    "--presets", "list_presets", is_flag=True, help="List the published schemes with their sources."
)
@click.option(
    "--compare",
    "side_by_side",
    is_flag=True,
    help="Also set the methods side by side, candidate by candidate.",
)
@click.option(
    "--error-bars/--no-error-bars", default=True, show_default=True, help="How far scores could be off."
)
@click.option(
    "--confidence",
    type=PlainNumber(),
    default=0.95,
    show_default=True,
    help="What share of cases the error bars are to hold.",
)
@click.option(
    "--draws",
    "n_draws",
    default=2000,
    show_default=True,
    help="For the error bars: 400 or more. A very large pool gets fewer.",
)
@click.option("--seed", type=click.IntRange(0), help="Of the draws; by default the round's.")
@click.option(
    "--error-sd",
    type=PlainNumber(),
    help="SD of a total's error from one reading, for the bias of re-reads; by default the readers' own.",
)
@click.option("--among", metavar="GROUP", help="Also set each score against a group that `percentile` knows.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def scale(
    pool_file: Path | None,
    round_file: Path | None,
    reads_file: Path | None,
    scale_text: str | None,
    candidate: str,
    method: Method | None,
    reference: str | None,
    rounding: Rounding | None,
    preset: str | None,
    list_presets: bool,
    side_by_side: bool,
    error_bars: bool,
    confidence: float,
    n_draws: int,
    seed: int | None,
    error_sd: float | None,
    among: str | None,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Scale written scores to the MBE and add up totals.

    POOL.csv has one row a candidate: candidate_id, a column named for each item (an empty cell is an
    ungraded item; ITEM.PART for each part of an item with parts), mbe, and optionally
    in_scaling_group (yes or no) and group. It needs a round file: --round, or round.yaml in the
    workspace. Without POOL.csv the candidates of the workspace are scaled.

    Each score comes with error bars: over other readers, and over readers, questions and pools. A
    pool holds no single reads, so its readers' error is known only with --reads; a workspace has them.
    """
    from grader_app.cli.among import placed_pools
    from grader_app.cli.reads_file import reads_asked
    from grader_app.cli.scaled_text import print_scaled

    if list_presets:
        print_presets(as_json)
        return
    if round_file and not pool_file:
        raise click.UsageError("--round goes with POOL.csv; a workspace is scaled by its registered round.")
    if candidate != "candidate_id" and not pool_file:
        raise click.UsageError("--candidate names a column of POOL.csv; a workspace knows its candidates.")
    asked = Asked(method, _parsed(reference), rounding, preset)
    bars = Bars(confidence, n_draws, seed) if error_bars else None
    reads = reads_asked(reads_file, scale_text, bars is not None and pool_file is not None)
    if pool_file:
        found = scale_file(
            pool_file, round_file or _round_beside(workspace), asked, candidate, side_by_side, bars, reads
        )
    else:
        accounted_for = reconciled_or_refused(workspace)
        found = scale_workspace(workspace, asked, side_by_side, bars)
        if not as_json:
            found = _saying_first(found, accounted_for)
    placed = placed_pools(found.scaled, found.errors, among) if among else ()
    print_scaled(
        found.scaled,
        as_json,
        found.cut,
        found.comparisons,
        found.errors,
        error_sd,
        placed,
        read_again=found.read_again,
    )


class Asked(NamedTuple):
    """What the command line gives instead of the round's own rules."""

    method: Method | None
    reference: Reference | None
    rounding: Rounding | None
    preset: str | None


class Bars(NamedTuple):
    """How error bars are drawn; the seed is the round's where none is given."""

    confidence: float
    n_draws: int
    seed: int | None

    def settings(self, the_round: Round | None) -> Settings:
        """Return the settings of the draw for a round."""
        from grader_app.scaling.error_bars import Settings

        seed = self.seed if self.seed is not None else the_round.seed if the_round else 0
        return Settings(self.confidence, self.n_draws, seed)


class Found(NamedTuple):
    """A scaled pool, its line, what else was asked for, and the candidates who were read again."""

    scaled: Scaled
    cut: Cut | None
    comparisons: Sequence[Comparison] | None
    errors: ScoreErrors | None
    read_again: frozenset[str] = frozenset()


def _parsed(reference: str | None) -> Reference | None:
    from grader_app.scaling.reference import parse_reference

    return None if reference is None else parse_reference(reference)


def _round_beside(workspace: Path) -> Path:
    """Find the round of the workspace, where none was named for a pool."""
    from grader_app.errors import FileProblems, Problem

    found = workspace / "round.yaml"
    if not found.exists():
        raise FileProblems([Problem(str(found), 0, "There is no such file.", "Name the round with --round.")])
    return found


def scale_file(
    pool_file: Path,
    round_file: Path,
    asked: Asked,
    candidate: str,
    side_by_side: bool,
    bars: Bars | None = None,
    reads: ReadsFile | None = None,
) -> Found:
    """Scale the candidates of a pool file, and note the columns that were not used."""
    from dataclasses import replace

    from grader_app.cli.pool_errors import errors_of_file
    from grader_app.cli.pool_file import read_pool
    from grader_app.cli.pool_scales import scales_beside, strange_mbes
    from grader_app.errors import ScalingProblem
    from grader_app.files.round_file import load_round
    from grader_app.scaling.compare import comparisons
    from grader_app.scaling.reference import PoolReference
    from grader_app.scaling.rules import rules_of_round

    the_round = load_round(round_file)
    rules = rules_of_round(the_round, *asked)
    if rules.standardise_graders:
        raise ScalingProblem(
            "The round says `standardise_graders`, and a pool file does not say who graded what. "
            "Scale the workspace, or remove `standardise_graders` from the round."
        )
    needs_mbe = isinstance(rules.reference, PoolReference)
    items = list(rules.weights)
    scales = scales_beside(round_file, items)
    pool, unused = read_pool(pool_file, items, candidate, needs_mbe, the_round.part_weights, scales)
    scaled = rules.scale(pool)
    warnings = [f"Columns not used: {', '.join(unused)}."] if unused else []
    scaled = replace(scaled, warnings=(*scaled.warnings, *strange_mbes(pool), *warnings))
    others = comparisons(pool, rules, the_round.cut) if side_by_side else None
    if bars is None:
        return Found(scaled, the_round.cut, others, None)
    errors = errors_of_file(pool, scaled, rules, the_round, bars.settings(the_round), candidate, reads)
    return Found(scaled, the_round.cut, others, errors)


def scale_workspace(workspace: Path, asked: Asked, side_by_side: bool, bars: Bars | None) -> Found:
    """Scale the candidates of a workspace by its registered round, or by what the command line gives."""
    from grader_app.agreement.reader_variance import reader_variance_of_record
    from grader_app.domain.read_again import candidates_read_again
    from grader_app.scaling.errors_of_round import errors_of_record
    from grader_app.scaling.of_round import comparisons_of_record, scaled_of_record
    from grader_app.scaling.rules import rules_of_round
    from grader_app.workflow.workbench import Workbench

    with Workbench.open(workspace).record() as record:
        scaled = scaled_of_record(record, *asked)
        others = comparisons_of_record(record, *asked) if side_by_side else None
        cut, errors = record.round.cut if record.round else None, None
        if bars is not None and record.round is not None:
            errors = errors_of_record(
                record,
                scaled,
                reader_variance_of_record(record),
                settings=bars.settings(record.round),
                weights=rules_of_round(record.round, *asked).weights,
            )
        return Found(scaled, cut, others, errors, frozenset(candidates_read_again(record)))


def reconciled_or_refused(workspace: Path) -> list[str]:
    """Say that every paper is accounted for; refuse to go on, with the table, where one is not."""
    from grader_app.cli.reconciled_text import refuse_unreconciled
    from grader_app.workflow.reconciliation import reconciliation_of
    from grader_app.workflow.workbench import Workbench

    found = reconciliation_of(Workbench.open(workspace))
    refuse_unreconciled(found)
    return [found.line, *found.candidates.remarks]


def _saying_first(found: Found, accounted_for: Sequence[str]) -> Found:
    """Put what papers are accounted for before all else but an assumed reference, which is the first line."""
    from dataclasses import replace

    from grader_app.scaling.reference import AssumedReference

    warnings = list(found.scaled.warnings)
    at = 1 if isinstance(found.scaled.reference, AssumedReference) else 0
    warnings[at:at] = accounted_for
    return found._replace(scaled=replace(found.scaled, warnings=tuple(warnings)))


def print_presets(as_json: bool) -> None:
    """Print every published scheme with its sources."""
    from grader_app.scaling.presets import presets_as_json, presets_lines

    if as_json:
        import json

        click.echo(json.dumps({"presets": presets_as_json()}, indent=2))
        return
    for line in presets_lines():
        click.echo(line)
