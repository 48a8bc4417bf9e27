"""The command `check`: every problem in the files people write, at once."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options
from grader_app.errors import Problem

_NOT_BEGUN = (
    "There is no round and no question to check yet. Write round.yaml, and in rubrics/ a folder for each "
    "question with prompt.md and point_sheet.yaml. rubrics/README.md has a whole example."
)


@click.command(epilog="Example: grader-app check rubrics/mee-negligence")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def check(paths: tuple[Path, ...], as_json: bool, workspace: Path, actor_name: str) -> None:
    """List every problem in what is there: PATH:LINE: what is wrong. What to do.

    Without a PATH, the workspace is checked. A folder may be a workspace, a folder of rubrics or of
    calibration sets, an item or a set; a single file is checked with the nearest rubrics/ above it.
    For each calibration set with a gate, if nothing is wrong with it, the chance to pass is printed.
    """
    from grader_app.cli.operating_characteristic_text import characterised, lines
    from grader_app.files.check import check_paths

    checked = check_paths(paths or (workspace,))
    held = _stale_in_name_only(paths or (workspace,))
    stale_or_not = {each for each in checked.problems if not _is_excused(each, held)}
    problems = sorted({*stale_or_not, *_changed_since_registered(paths or (workspace,))})
    sets = characterised(checked.sets)
    if as_json:
        listed = [
            {"path": each.path, "line": each.line or None, "what": each.what, "fix": each.fix}
            for each in problems
        ]
        chances = [each.as_dict() for each in sets]
        whole = {"files": len(checked.files), "problems": listed, "operating_characteristics": chances}
        click.echo(json.dumps(whole, ensure_ascii=False))
    else:
        for problem in problems:
            click.echo(str(problem))
        if not problems:
            click.echo(f"{_counted(len(checked.files), 'file')}, no problems.")
            for path in paths or (workspace,):
                if _is_not_begun(path):
                    click.echo(_NOT_BEGUN)
        for each in sets:
            click.echo("\n" + "\n".join(lines(each)))
    if problems:
        click.echo(f"{_counted(len(checked.files), 'file')}, {_counted(len(problems), 'problem')}.", err=True)
        click.get_current_context().exit(1)


def _is_not_begun(path: Path) -> bool:
    """Say whether a workspace holds neither a round nor a question; an empty folder is such a workspace."""
    if not path.is_dir() or (path / "round.yaml").exists():
        return False
    if not (path / "rubrics").is_dir() and any(path.rglob("*.yaml")):
        return False
    written = ("point_sheet.yaml", "prompt.md", "calibration_set.yaml")
    return not any(any(path.rglob(name)) for name in written)


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


def _stale_in_name_only(paths: tuple[Path, ...]) -> set[str]:
    """Give the files of sets in workspaces whose items changed in nothing but the guidelines."""
    found: set[str] = set()
    for path in paths:
        if (path / "workbench.db").is_file() and (path / "round.yaml").is_file():
            from grader_app.workflow.registration import sets_that_hold
            from grader_app.workflow.workbench import Workbench

            bench = Workbench.open(path)
            found |= {str(file) for file in sets_that_hold(bench)}
            bench.store.close()
    return found


def _is_excused(problem: Problem, held: set[str]) -> bool:
    from grader_app.files.calibration_folder import STALE

    return problem.path in held and problem.what.startswith(STALE)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
