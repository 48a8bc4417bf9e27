"""The command `verify`: an export against its own events, or a workspace against its log."""

from __future__ import annotations

from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app verify exports/july-20261130T141500Z")
@click.argument(
    "export_dir",
    metavar="[EXPORT_DIR]",
    required=False,
    type=click.Path(path_type=Path),
)
@workspace_options
def verify(export_dir: Path | None, workspace: Path, actor_name: str) -> None:
    """Compute an export again and compare, or check the workspace's log from end to end.

    With EXPORT_DIR, every table is computed again from the events and inputs in that folder. Without
    it, the workspace's chain of events, its rows, the outcomes of calibration and the ends of its exports
    are checked. Exit code
    0 means the same; 1 means a difference, and the first one is printed. Nothing is recorded.
    """
    if export_dir is not None:
        from grader_app.export.verify import unchecked_of, verify_export

        verify_export(export_dir)
        click.echo(f"{export_dir}: the same. Every table was computed again from its events and inputs.")
        for sentence in unchecked_of(export_dir):
            click.echo(f"Note: {sentence}")
        return
    from grader_app.export.calibration_table import check_judgments
    from grader_app.export.results import Results
    from grader_app.export.verify import ends_of_exports
    from grader_app.files.workspace_folder import WorkspaceFolder
    from grader_app.store.database import Store
    from grader_app.store.event_log import read_events
    from grader_app.store.inputs import read_inputs
    from grader_app.store.integrity import check_store

    folder = WorkspaceFolder(workspace)
    store = Store.open(folder.database_path)
    try:
        check_store(store, ends_of_exports(folder.exports_path))
        check_judgments(Results(list(read_events(store)), read_inputs(store)))
    finally:
        store.close()
    click.echo(f"{folder.database_path}: the same. The chain of events and all rows are whole.")
