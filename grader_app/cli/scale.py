"""The command `scale`: from graded candidates to written scaled scores and totals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.domain.round import Round
    from grader_app.scaling.constants import Constants, Method
    from grader_app.scaling.reference import Reference
    from grader_app.scaling.rounding import Rounding
    from grader_app.scaling.scale_pool import Scaled

_FILE = click.Path(path_type=Path)


@click.command(epilog="Example: grader-app scale pool.csv --round round.yaml")
@click.argument("pool_file", metavar="[POOL.csv]", required=False, type=_FILE)
@click.option("--round", "round_file", type=_FILE, help="Round file with items, weights and scaling.")
@click.option("--candidate", default="candidate_id", show_default=True, help="Column of candidate ids.")
@click.option("--method", type=click.Choice(["mean_sigma", "equipercentile"]), help="Overrides the round's.")
@click.option("--reference", help="pool, or assumed:MEAN,SD; overrides the round's.")
@click.option(
    "--rounding",
    type=click.Choice(["total_half_up", "tenths_then_total", "none"]),
    help="Overrides the round's.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def scale(
    pool_file: Path | None,
    round_file: Path | None,
    candidate: str,
    method: Method | None,
    reference: str | None,
    rounding: Rounding | None,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Scale written scores to the MBE and add up totals.

    POOL.csv has one row a candidate: candidate_id, one column an item id (an empty cell is an
    ungraded item; ITEM.PART for each part of an item with parts), mbe, and optionally
    in_scaling_group (yes or no) and group. Without it, the candidates of the workspace are scaled.
    """
    if pool_file:
        from grader_app.files.round_file import load_round

        the_round = load_round(round_file or workspace / "round.yaml")
        scaled = scale_file(pool_file, the_round, rules_of(the_round, method, reference, rounding), candidate)
    elif round_file:
        raise click.UsageError("--round goes with POOL.csv; a workspace is scaled by its registered round.")
    else:
        scaled = scale_workspace(workspace, method, reference, rounding)
    print_scaled(scaled, as_json)


class Rules(NamedTuple):
    """How a pool is scaled: the round's settings, or those given on the command line."""

    method: Method
    reference: Reference
    rounding: Rounding


def rules_of(
    the_round: Round, method: Method | None, reference: str | None, rounding: Rounding | None
) -> Rules:
    """Return the round's settings, each replaced by what the command line gives."""
    from grader_app.scaling.reference import parse_reference

    settings = the_round.scaling
    return Rules(
        method or settings.method,
        parse_reference(reference) if reference is not None else _reference_of(the_round),
        rounding or settings.rounding,
    )


def _reference_of(the_round: Round) -> Reference:
    from grader_app.scaling.reference import AssumedReference, PoolReference

    settings = the_round.scaling
    if settings.mean is None or settings.sd is None:
        return PoolReference()
    return AssumedReference(settings.mean, settings.sd)


def scale_file(pool_file: Path, the_round: Round, rules: Rules, candidate: str) -> Scaled:
    """Scale the candidates of a pool file, and note the columns that were not used."""
    from dataclasses import replace

    from grader_app.cli.pool_file import read_pool
    from grader_app.scaling.reference import PoolReference
    from grader_app.scaling.scale_pool import scale_pool

    needs_mbe = isinstance(rules.reference, PoolReference)
    pool, unused = read_pool(pool_file, list(the_round.weights), candidate, needs_mbe, the_round.part_weights)
    scaled = scale_pool(pool, the_round.weights, *rules)
    if not unused:
        return scaled
    return replace(scaled, warnings=(*scaled.warnings, f"Columns not used: {', '.join(unused)}."))


def scale_workspace(
    workspace: Path, method: Method | None, reference: str | None, rounding: Rounding | None
) -> Scaled:
    """Scale the candidates of a workspace by its registered round, or by what the command line gives."""
    from grader_app.scaling.of_round import scaled_of_record
    from grader_app.scaling.reference import parse_reference
    from grader_app.workflow.workbench import Workbench

    with Workbench.open(workspace).record() as record:
        return scaled_of_record(
            record, method, parse_reference(reference) if reference is not None else None, rounding
        )


def print_scaled(scaled: Scaled, as_json: bool) -> None:
    """Print a scaled pool as JSON alone, or as a table with its constants and warnings first."""
    if as_json:
        import json

        click.echo(json.dumps(scaled.as_json(), indent=2, allow_nan=False))
        return
    for warning in scaled.warnings:  # the first is the assumed reference, if there is one
        click.echo(warning)
    click.echo(f"Method {scaled.method}, reference {scaled.reference}, rounding {scaled.rounding}.")
    for group, constants in scaled.constants.items():
        click.echo(_constants_line(group, constants))
    if scaled.candidates:
        _echo_candidates(scaled)
    for left in scaled.left_out:
        click.echo(f"Left out: {left.candidate_id}. {left.why}")


def _constants_line(group: str | None, constants: Constants) -> str:
    whose = "Constants" if group is None else f"Constants of {group}"
    mbe = "MBE" if constants.mbe else "assumed MBE"
    return (
        f"{whose} from {constants.written.n} candidates: written mean {constants.written.mean:.4f}, "
        f"SD {constants.written.sd:.4f}; {mbe} mean {constants.mbe_mean:.4f}, SD {constants.mbe_sd:.4f}."
    )


def _echo_candidates(scaled: Scaled) -> None:
    width = max(len("candidate_id"), *(len(row.candidate_id) for row in scaled.candidates))
    click.echo(f"\n{'candidate_id':<{width}}  written_raw  written_scaled     total  in_scaling_group")
    for row in scaled.candidates:
        scores = f"{row.written_raw:>11.4f}  {row.written_scaled:>14.4f}  {_shown(row.total):>8}"
        click.echo(f"{row.candidate_id:<{width}}  {scores}  {'yes' if row.in_scaling_group else 'no'}")


def _shown(total: float | None) -> str:
    if total is None:
        return "no MBE"
    return str(total) if isinstance(total, int) else f"{total:.4f}"
