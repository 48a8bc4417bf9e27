"""The command `release`: one person prepares an export, another releases it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app release exports/july-2026-20260801T120000Z --prepare --as kim")
@click.argument("export_dir", metavar="EXPORT_DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--prepare", is_flag=True, help="Propose this export for release.")
@click.option("--confirm", is_flag=True, help="Release what somebody else prepared.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def release(
    export_dir: Path, prepare: bool, confirm: bool, as_json: bool, workspace: Path, actor_name: str
) -> None:
    """Release the scores of an export: one person prepares it, another confirms it.

    The export is recomputed and held against the workspace both times. After release nothing is graded,
    corrected, read again or reopened. Say who acts with --as NAME,
    both times.
    """
    from grader_app.export.for_release import facts_for_release
    from grader_app.workflow.release import prepare_release
    from grader_app.workflow.release import release as release_scores
    from grader_app.workflow.workbench import Workbench

    if prepare == confirm:
        raise click.UsageError("Say --prepare or --confirm, one of them.")
    bench = Workbench.open(workspace)
    facts = facts_for_release(export_dir, bench.store)
    act = prepare_release if prepare else release_scores
    act(bench, bench.cli_actor(actor_name), facts)
    if as_json:
        step = "prepare" if prepare else "confirm"
        click.echo(json.dumps({"step": step, "manifest_hash": facts.manifest_hash}))
    elif prepare:
        click.echo("Prepared. Nothing is released until somebody else confirms it:")
        click.echo(f"  grader-app release {export_dir} --confirm --as NAME")
    else:
        click.echo("Released. From now on no grade, score or question of this workspace changes.")
