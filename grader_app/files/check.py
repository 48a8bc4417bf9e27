"""Checking files: every problem in what is there, at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader_app.domain.calibration_set import CalibrationSet
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.calibration_folder import ESSAYS, SCORES, SET, SetFound
from grader_app.files.calibration_sets import examine_set_folders, examine_sets, is_set_folder, set_folders
from grader_app.files.csv_table import read_table
from grader_app.files.item_folder import SHEET, ItemFound, examine_item, examine_sheet, read_text
from grader_app.files.round_file import examine_round
from grader_app.files.rubric_file import RubricsFound, examine_rubrics
from grader_app.files.text_encoding import read_as_utf8
from grader_app.files.workspace_folder import (
    WorkspaceFolder,
    is_item_folder,
    item_folders,
    items_of,
    kinds_of,
)
from grader_app.files.yaml_lines import NEWEST_FORMATS, format_problem, written_format
from grader_app.files.yaml_reader import examine_model, examine_yaml

_FORMAT_BY_NAME = {SHEET: "point_sheet", SET: "calibration_set", "round.yaml": "round"}


@dataclass
class Checked:
    """What was checked.

    Parameters
    ----------
    files
        Every file that was read.
    problems
        Everything wrong, by file and line.
    sets
        The calibration sets that were read whole.
    """

    files: set[Path] = field(default_factory=set)
    problems: set[Problem] = field(default_factory=set)
    sets: list[SetFound] = field(default_factory=list)

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

    def note_sets(self, sets: Iterable[SetFound]) -> None:
        """Add calibration sets with their files and problems.

        Parameters
        ----------
        sets
            Sets that were read.
        """
        for found in sets:
            self.note(found.files, found.problems)
            self.sets.append(found)


def check(paths: Iterable[Path]) -> list[Problem]:
    """Find every problem in the files and folders named.

    Parameters
    ----------
    paths
        Workspaces, folders of rubrics or calibration sets, items, sets, or single files.

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
    elif is_set_folder(folder):
        checked.note_sets([_examine_beside_others(folder)])
    elif workspace.round_path.exists() or workspace.rubrics_path.is_dir():
        _check_workspace(workspace, checked)
    elif workspace.calibration_sets_path.is_dir() or set_folders(folder) or _is_folder_of_sets(folder):
        sets_path = workspace.calibration_sets_path
        _check_sets(sets_path if sets_path.is_dir() else folder, _nearest(folder), checked)
    else:
        _check_rubrics(folder, checked)


def _check_workspace(workspace: WorkspaceFolder, checked: Checked) -> None:
    context = _Context()
    if workspace.rubrics_path.is_dir():
        context = _check_rubrics(workspace.rubrics_path, checked)
    if workspace.round_path.exists():
        kinds = kinds_of(context.items)
        checked.note([workspace.round_path], examine_round(workspace.round_path, kinds).problems)
    if workspace.calibration_sets_path.is_dir():
        _check_sets(workspace.calibration_sets_path, context, checked)


def _check_sets(folder: Path, context: _Context | None, checked: Checked) -> None:
    if context is None:
        checked.note_sets(examine_sets(folder).sets)
    else:
        checked.note_sets(examine_sets(folder, items_of(context.items), context.rubrics.rubrics).sets)


def _is_folder_of_sets(folder: Path) -> bool:
    return folder.resolve().name == "calibration_sets"


def _examine_beside_others(folder: Path) -> SetFound:
    """Read one set, and the others beside it for what two sets may not share."""
    others = [each for each in set_folders(folder.resolve().parent) if each != folder.resolve()]
    context = _nearest(folder)
    known = (items_of(context.items), context.rubrics.rubrics) if context else (None, None)
    # The last one is told of what it shares with an earlier one.
    return examine_set_folders([*others, folder], *known).sets[-1]


@dataclass
class _Context:
    """Items and rubrics that other files are checked with."""

    items: dict[str, ItemFound] = field(default_factory=dict)
    rubrics: RubricsFound = field(default_factory=RubricsFound)


def _examined(folder: Path) -> _Context:
    rubrics = examine_rubrics(folder)
    return _Context({each.name: examine_item(each, rubrics) for each in item_folders(folder)}, rubrics)


def _check_rubrics(folder: Path, checked: Checked) -> _Context:
    context = _examined(folder)
    checked.note(context.rubrics.files, context.rubrics.problems)
    for found in context.items.values():
        checked.note(found.files, found.problems)
    return context


def _nearest(path: Path) -> _Context | None:
    folder = _nearest_rubrics_folder(path)
    return _examined(folder) if folder else None


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
        context = _nearest(path)
        return examine_round(path, kinds_of(context.items) if context else None).problems
    if format_name == "calibration_set":
        alone = examine_model(path, CalibrationSet, "calibration_set").problems
        return alone if (in_set := _seen_in_its_set(path)) is None else in_set
    unknown = None if format_name in NEWEST_FORMATS else format_problem(str(path), text, "rubric")
    return (*examine_yaml(path).problems, *filter(None, [unknown]))


def _seen_in_its_set(path: Path) -> list[Problem] | None:
    """List what is wrong with a file as part of its calibration set; None if it is no part of one."""
    whole = path.resolve()
    folder = whole.parent.parent if whole.parent.name == ESSAYS else whole.parent
    has_papers = (folder / SCORES).exists() or (folder / ESSAYS).exists()
    if whole not in (folder / SET, folder / SCORES, folder / ESSAYS / whole.name):
        return None
    if not (folder / SET).exists() or not has_papers:
        return None
    found = _examine_beside_others(folder)
    return [replace(problem, path=str(path)) for problem in found.problems if problem.path == str(whole)]


def _text_problems(path: Path) -> Iterable[Problem]:
    if (in_set := _seen_in_its_set(path)) is not None:
        return in_set
    problems: list[Problem] = []
    text = read_text(path, problems)
    if not text.strip() and not problems:
        problems.append(Problem(str(path), 0, "The file is empty.", "Write its text, or remove it."))
    return problems


def _table_problems(path: Path) -> Iterable[Problem]:
    if (in_set := _seen_in_its_set(path)) is not None:
        return in_set
    try:
        read_table(path)
    except FileProblems as error:
        return error.problems
    return ()
