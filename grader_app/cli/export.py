"""The command `export`: blind tables, a report and a manifest of a workspace."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app export --out results")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the new folder goes; by default exports/ in the workspace.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def export(out: Path | None, as_json: bool, workspace: Path, actor_name: str) -> None:
    """Write blind tables, a report and a manifest into a new folder, whose path is printed last.

    Nothing is recorded, and nobody's name is in it. An export can be checked at any time with
    `grader-app verify FOLDER`.
    """
    from datetime import UTC, datetime

    from grader_app.export.folder import write_export
    from grader_app.export.verify import files_beside, read_manifest
    from grader_app.files.workspace_folder import WorkspaceFolder
    from grader_app.store.database import Store

    folder = WorkspaceFolder(workspace)
    store = Store.open(folder.database_path)
    try:
        path = write_export(store, out or folder.exports_path, datetime.now(UTC))
    finally:
        store.close()
    manifest = read_manifest(path)
    if as_json:
        told = {key: manifest[key] for key in ("provisional", "notes", "counts")}
        click.echo(
            json.dumps({"path": str(path), **told, "files": [*files_beside(manifest), "manifest.json"]})
        )
        return
    for note in manifest["notes"]:
        click.echo(note)
    click.echo(path)
