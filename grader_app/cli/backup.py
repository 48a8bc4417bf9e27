"""The commands `backup` and `restore`: a consistent copy of a workspace, and back."""

from __future__ import annotations

from pathlib import Path

import click

from grader_app.cli.options import workspace_options

_FILE = click.Path(path_type=Path)


@click.command(epilog="Example: grader-app backup /media/kim/july.zip --workspace july")
@click.argument("file", type=_FILE)
@workspace_options
def backup(file: Path, workspace: Path, actor_name: str) -> None:
    """Copy grades and files of a workspace into FILE (a zip), also while the server runs.

    The blinding key is not in it: its keeper copies that file apart.
    """
    from grader_app.store.workspace_archive import write_archive

    count = write_archive(workspace, file)
    click.echo(f"{file}: {count} files: grades, round, rubrics and calibration sets.")
    click.echo("Not among them: the blinding key, which its keeper copies apart, and finished exports.")


@click.command(epilog="Example: grader-app restore /media/kim/july.zip july-again")
@click.argument("file", type=_FILE)
@click.argument("folder", metavar="DIR", type=_FILE)
def restore(file: Path, folder: Path) -> None:
    """Bring a backup back into DIR, which must be new or empty."""
    from grader_app.store.workspace_archive import read_archive

    read_archive(file, folder)
    click.echo(f"{folder}: restored. Check it with `grader-app verify --workspace {folder}`.")
