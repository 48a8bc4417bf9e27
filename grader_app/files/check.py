"""Checking files: every problem in what is there, at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import read_table
from grader_app.files.item_folder import SHEET, ItemFound, examine_item, examine_sheet, read_text
from grader_app.files.round_file import examine_round
from grader_app.files.rubric_file import RubricsFound, examine_rubrics
from grader_app.files.text_encoding import read_as_utf8
from grader_app.files.workspace_folder import WorkspaceFolder, is_item_folder, item_folders, kinds_of
from grader_app.files.yaml_lines import NEWEST_FORMATS, format_problem, written_format
from grader_app.files.yaml_reader import examine_model, examine_yaml

_FORMAT_BY_NAME = {SHEET: "point_sheet", "round.yaml": "round"}


@dataclass
class Checked:
    """What was checked.

    Parameters
    ----------
    files
        Every file that was read.
    problems
        Everything wrong, by file and line.
    """

    files: set[Path] = field(default_factory=set)
    problems: set[Problem] = field(default_factory=set)

    def note(self, files: Iterable[Path], problems: Iterable[Problem]) -> None:
        """Add what one look found.

        Parameters
        ----------
        files
            Files that were read.
        problems
            What is wrong with them.
        """
        self.files.update(files)
        self.problems.update(problems)


def check(paths: Iterable[Path]) -> list[Problem]:
    """Find every problem in the files and folders named.

    Parameters
    ----------
    paths
        Workspaces, folders of rubrics, item folders, or single files.

    Returns
    -------
    list of Problem
        By file and line; empty when nothing is wrong.
    """
    return sorted(check_paths(paths).problems)


def check_paths(paths: Iterable[Path]) -> Checked:
    """Check files and folders, and say which files were read.

    Parameters
    ----------
    paths
        As for `check`.

    Returns
    -------
    Checked
        Files and problems. A missing round or database is no problem; a single file is checked
        with the nearest ``rubrics/`` above it.
    """
    checked = Checked()
    for path in paths:
        if not path.exists():
            what, fix = "There is no such file or folder.", "Check the name."
            checked.note([], [Problem(str(path), 0, what, fix)])
        elif path.is_dir():
            _check_folder(path, checked)
        else:
            _check_file(path, checked)
    return checked


def _check_folder(folder: Path, checked: Checked) -> None:
    workspace = WorkspaceFolder(folder)
    if is_item_folder(folder):
        found = examine_item(folder, _nearest_rubrics(folder))
        checked.note(found.files, found.problems)
    elif workspace.round_path.exists() or workspace.rubrics_path.is_dir():
        _check_workspace(workspace, checked)
    else:
        _check_rubrics(folder, checked)


def _check_workspace(workspace: WorkspaceFolder, checked: Checked) -> None:
    items: dict[str, ItemFound] = {}
    if workspace.rubrics_path.is_dir():
        items = _check_rubrics(workspace.rubrics_path, checked)
    if workspace.round_path.exists():
        checked.note([workspace.round_path], examine_round(workspace.round_path, kinds_of(items)).problems)


def _check_rubrics(folder: Path, checked: Checked) -> dict[str, ItemFound]:
    rubrics = examine_rubrics(folder)
    checked.note(rubrics.files, rubrics.problems)
    items = {each.name: examine_item(each, rubrics) for each in item_folders(folder)}
    for found in items.values():
        checked.note(found.files, found.problems)
    return items


def _nearest_rubrics_folder(path: Path) -> Path | None:
    for above in path.resolve().parents:
        if above.name == "rubrics":
            return above
        if (above / "rubrics").is_dir():
            return above / "rubrics"
    return None


def _nearest_rubrics(path: Path) -> RubricsFound | None:
    folder = _nearest_rubrics_folder(path)
    return examine_rubrics(folder) if folder else None


def _check_file(path: Path, checked: Checked) -> None:
    readers: dict[str, Callable[[Path], Iterable[Problem]]] = {
        ".yaml": _yaml_problems,
        ".md": _text_problems,
        ".csv": _table_problems,
        ".tsv": _table_problems,
    }
    reader = readers.get(path.suffix)
    if reader is None:
        what = f"`check` does not know files that end in `{path.suffix or path.name}`."
        fix = f"It reads {', '.join(readers)} and folders."
        checked.note([], [Problem(str(path), 0, what, fix)])
    else:
        checked.note([path], reader(path))


def _yaml_problems(path: Path) -> Iterable[Problem]:
    try:
        text = read_as_utf8(path).utf8.decode("utf-8")
    except FileProblems as error:
        return error.problems
    written = written_format(text)
    format_name = written[0] if written else _FORMAT_BY_NAME.get(path.name)
    if format_name == "rubric":
        return examine_model(path, Rubric, "rubric").problems
    if format_name == "point_sheet":
        return examine_sheet(path, _nearest_rubrics(path)).problems
    if format_name == "round":
        return examine_round(path, _nearest_kinds(path)).problems
    unknown = None if format_name in NEWEST_FORMATS else format_problem(str(path), text, "rubric")
    return (*examine_yaml(path).problems, *filter(None, [unknown]))


def _nearest_kinds(path: Path) -> dict[str, str | None] | None:
    folder = _nearest_rubrics_folder(path)
    if folder is None:
        return None
    rubrics = examine_rubrics(folder)
    return kinds_of({each.name: examine_item(each, rubrics) for each in item_folders(folder)})


def _text_problems(path: Path) -> Iterable[Problem]:
    problems: list[Problem] = []
    text = read_text(path, problems)
    if not text.strip() and not problems:
        problems.append(Problem(str(path), 0, "The file is empty.", "Write its text, or remove it."))
    return problems


def _table_problems(path: Path) -> Iterable[Problem]:
    try:
        read_table(path)
    except FileProblems as error:
        return error.problems
    return ()
