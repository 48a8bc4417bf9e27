"""The command `check`: every problem in the files people write, at once."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options
from grader_app.errors import Problem


@click.command(epilog="Example: grader-app check rubrics/mee-negligence")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def check(paths: tuple[Path, ...], as_json: bool, workspace: Path, actor_name: str) -> None:
    """List every problem in what is there: PATH:LINE: what is wrong. What to do.

    Without a PATH, the workspace is checked. A folder may be a workspace, a folder of rubrics or an
    item; a single file is checked with the nearest rubrics/ above it.
    """
    from grader_app.files.check import check_paths

    checked = check_paths(paths or (workspace,))
    problems = sorted({*checked.problems, *_changed_since_registered(paths or (workspace,))})
    if as_json:
        listed = [
            {"path": each.path, "line": each.line or None, "what": each.what, "fix": each.fix}
            for each in problems
        ]
        click.echo(json.dumps({"files": len(checked.files), "problems": listed}, ensure_ascii=False))
    else:
        for problem in problems:
            click.echo(str(problem))
        if not problems:
            click.echo(f"{_counted(len(checked.files), 'file')}, no problems.")
    if problems:
        click.echo(f"{_counted(len(checked.files), 'file')}, {_counted(len(problems), 'problem')}.", err=True)
        click.get_current_context().exit(1)


def _changed_since_registered(paths: tuple[Path, ...]) -> list[Problem]:
    """List files of the workspaces among the paths that changed since grades were given under them."""
    found: list[Problem] = []
    for path in paths:
        if (path / "workbench.db").is_file() and (path / "round.yaml").is_file():
            from grader_app.workflow.registration import silent_changes
            from grader_app.workflow.workbench import Workbench

            bench = Workbench.open(path)
            found += silent_changes(bench)
            bench.store.close()
    return found


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
