"""The command `reconcile`: is every paper accounted for, and what has each candidate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.blinding.batch_reconciliation import BatchReconciliation
    from grader_app.workflow.workbench import Workbench


@click.command(epilog="Example: grader-app reconcile --by-file --json")
@click.option("--by-file", is_flag=True, help="Open the blinding key, and count by batch and file too.")
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    envvar="GRADER_APP_KEY",
    help="With --by-file: the blinding key, if it lies elsewhere.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def reconcile(by_file: bool, key: Path | None, as_json: bool, workspace: Path, actor_name: str) -> None:
    """Say whether every paper taken in is accounted for, and what each candidate has.

    Papers in are graded, coded, waiting, disputed, excluded or withdrawn. Candidates have an answer to every
    question or to some, and an MBE score or none. Ends with 1 where papers do not add up.
    """
    from grader_app.workflow.reconciliation import reconciliation_of
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    found = reconciliation_of(bench)
    batches = _batches(bench, workspace, key) if by_file else None
    if as_json:
        import json

        plain = found.as_json() | (batches.as_json() if batches else {})
        if batches and batches.unreconciled:
            plain["adds_up"] = False
        click.echo(json.dumps(plain, ensure_ascii=False, indent=2))
    else:
        from grader_app.cli.reconciled_text import ASK, echo_lines, reconciled_lines

        echo_lines(reconciled_lines(found))
        if batches:
            _echo_batches(batches)
        if found.unreconciled or (batches and batches.unreconciled):
            click.echo(ASK)
    if found.unreconciled or (batches and batches.unreconciled):
        click.get_current_context().exit(1)


def _batches(bench: Workbench, workspace: Path, key: Path | None) -> BatchReconciliation:
    from grader_app.blinding.batch_reconciliation import reconcile_batches
    from grader_app.blinding.key import BlindingKey, key_path

    with BlindingKey.open(key_path(workspace, key), bench.store.workspace_id) as opened:
        return reconcile_batches(bench, opened)


def _echo_batches(found: BatchReconciliation) -> None:
    from grader_app.cli.reconciled_text import echo_lines, table_lines

    click.echo()
    echo_lines(
        table_lines(
            "file", [(name, taken, papers, gone) for name, (taken, papers, gone) in found.by_file.items()]
        )
    )
    click.echo()
    echo_lines(
        table_lines(
            "batch",
            [
                (f"{one.batch.batch_id} {one.batch.item}", one.taken_in, one.papers, len(one.gone))
                for one in found.batches
            ],
        )
    )
    echo_lines(found.unreconciled)
