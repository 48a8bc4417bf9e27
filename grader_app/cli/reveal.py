"""The command `reveal`: join the sources onto a finished export."""

from __future__ import annotations

from pathlib import Path

import click

from grader_app.cli.options import workspace_options

_FILE = click.Path(path_type=Path)


@click.command(epilog="Example: grader-app reveal exports/july-2026-20260801T120000Z --key /media/kim/key.db")
@click.argument("export_dir", metavar="EXPORT_DIR", type=_FILE)
@click.option("--key", type=_FILE, envvar="GRADER_APP_KEY", help="The blinding key, if it lies elsewhere.")
@click.option("--arms", type=_FILE, help="A CSV file: columns source and arm, which is person or model.")
@click.option("--provisional", is_flag=True, help="Reveal although questions are open; there is no way back.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def reveal(
    export_dir: Path,
    key: Path | None,
    arms: Path | None,
    provisional: bool,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Write a copy of an export's tables with the sources joined on, and record it.

    The copy is a folder beside the export, named EXPORT_DIR-revealed; the export itself stays as it
    is. Grading the answers in it is closed from then on, so at a terminal an export with open questions
    is revealed with --provisional only; a script goes on, with a note. Where graders guessed who wrote
    the answers, blinding_check.html in the copy says how well the blind held.
    """
    import json
    import sys

    from grader_app.blinding.arms import FROM_KEY
    from grader_app.blinding.key import BlindingKey, key_path
    from grader_app.blinding.reveal import reveal as reveal_sources
    from grader_app.export.verify import read_manifest
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    although = provisional or not sys.stdin.isatty()
    with BlindingKey.open(key_path(workspace, key), bench.store.workspace_id) as opened:
        actor = bench.cli_actor(actor_name)
        folder = reveal_sources(bench, opened, export_dir, actor, arms, although_provisional=although)
    still_open = read_manifest(export_dir)["open_items"]
    if still_open:
        click.echo(
            f"Note: this export is provisional ({', '.join(still_open)} open). Its answers that are "
            "disputed or not fully read can no longer get a final score.",
            err=True,
        )
    if as_json:
        click.echo(json.dumps({"revealed": str(folder), "open_items": still_open}))
        return
    if arms is None:
        click.echo(FROM_KEY)
    click.echo("Sources are revealed; grading these answers is closed from now on.")
    click.echo(str(folder))
