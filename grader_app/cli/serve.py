"""The command `serve`: run the workbench."""

from __future__ import annotations

from pathlib import Path

import click

from grader_app.cli.ending import ends_quietly
from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app serve --workspace july --port 8600")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port; by default 8501, or the next free one.")
@workspace_options
@ends_quietly()
def serve(host: str, port: int | None, workspace: Path, actor_name: str) -> None:
    """Run the workbench until it is told to end; Ctrl+C ends it."""
    from grader_app.errors import ScoresAreReleased
    from grader_app.ui.server import free_port, run
    from grader_app.workflow.registration import register_files
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    chosen = free_port(host, port)
    if bench.folder.round_path.is_file():
        try:
            register_files(bench, bench.cli_actor(actor_name))
        except ScoresAreReleased as released:
            click.echo(f"Changed files are not read in. {released}", err=True)
    click.echo(f"Grading workbench: http://{_shown(host)}:{chosen}")
    run(bench, host=host, port=chosen)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
