"""The command `appeal`: one candidate's packet from an export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.export.appeal_judgment import WordsOf
    from grader_app.export.appeal_packet import Preset


@click.command(epilog="Example: grader-app appeal exports/july-20261130T141500Z czt893xwcxx")
@click.argument("export_dir", type=click.Path(path_type=Path))
@click.argument("candidate_id")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the page goes; by default appeal-CANDIDATE_ID.html in the current folder.",
)
@click.option(
    "--preset",
    type=click.Choice(["new_york", "full"]),
    help="new_york leaves out what was scored before an automatic re-read; by default as the round says.",
)
@click.option(
    "--texts", is_flag=True, help="Print words of the answer, and released notes, from the workspace."
)
@workspace_options
def appeal(
    export_dir: Path,
    candidate_id: str,
    out: Path | None,
    preset: Preset | None,
    texts: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Write one candidate's packet: every read without its reader, the arithmetic, the error bar.

    The log of the export is checked first; nothing is recorded. No other candidate, no id of a grader and no
    name is in the packet. Reasons and notes are printed only where the round says `release: notes: released`,
    and then with --texts.
    """
    from grader_app.errors import ExportProblem
    from grader_app.export.appeal_packet import appeal_packet
    from grader_app.export.appeal_page import appeal_bytes
    from grader_app.export.verify import replayed_export

    results = replayed_export(export_dir)
    packet = appeal_packet(results, candidate_id, preset, _words_of(workspace) if texts else lambda _: None)
    path = out or Path(f"appeal-{candidate_id}.html")
    data = appeal_bytes(results, packet)
    try:
        with path.open("xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise ExportProblem(f"{path}: this file is there already. Name another with --out FILE.") from None
    click.echo(path)


def _words_of(workspace: Path) -> WordsOf:
    """Read all words once, so that the database is closed before anything is written."""
    from grader_app.files.workspace_folder import WorkspaceFolder
    from grader_app.store.database import Store
    from grader_app.store.texts import get_text_or_none

    store = Store.open(WorkspaceFolder(workspace).database_path)

    def words_of(digest: str) -> str | None:
        return get_text_or_none(store, digest)

    click.get_current_context().call_on_close(store.close)
    return words_of
