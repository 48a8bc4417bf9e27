"""Rubric files: one rubric, or all that lie in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.yaml_reader import Loaded, examine_model, load_model

RubricKey = tuple[str, str]


@dataclass
class RubricsFound:
    """What a folder of rubrics holds.

    Parameters
    ----------
    rubrics
        Rubrics without a problem, by id and version.
    broken
        Id and version of those with problems, as far as they could be read.
    problems
        Everything wrong.
    files
        The files that were read.
    """

    rubrics: dict[RubricKey, Rubric] = field(default_factory=dict)
    broken: set[RubricKey] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)


def load_rubric(path: Path) -> Rubric:
    """Read one rubric file.

    Parameters
    ----------
    path
        A ``rubric/1`` file.

    Returns
    -------
    Rubric
        The rubric.

    Raises
    ------
    FileProblems
        Everything wrong with it, at once.
    """
    return load_model(path, Rubric, "rubric")


def load_rubrics(folder: Path) -> dict[RubricKey, Rubric]:
    """Read every rubric file of a folder.

    Parameters
    ----------
    folder
        The folder; its own ``.yaml`` files are rubrics, its sub-folders are items.

    Returns
    -------
    dict
        Rubrics by id and version.

    Raises
    ------
    FileProblems
        Everything wrong with any of them, at once.
    """
    found = examine_rubrics(folder)
    if found.problems:
        raise FileProblems(found.problems)
    return found.rubrics


def examine_rubrics(folder: Path) -> RubricsFound:
    """Read every rubric file of a folder, giving the problems back instead of raising them.

    Parameters
    ----------
    folder
        As for `load_rubrics`.

    Returns
    -------
    RubricsFound
        Rubrics and problems.
    """
    found = RubricsFound()
    if not folder.is_dir():
        found.problems.append(Problem(str(folder), 0, "There is no such folder.", "Check the name."))
        return found
    found.problems += misnamed_yaml(folder)
    homes: dict[RubricKey, Path] = {}
    for path in sorted(folder.glob("*.yaml")):
        loaded = examine_model(path, Rubric, "rubric")
        found.files.append(path)
        found.problems += loaded.problems
        _sort_in(found, homes, path, loaded)
    return found


def _sort_in(found: RubricsFound, homes: dict[RubricKey, Path], path: Path, loaded: Loaded[Rubric]) -> None:
    if loaded.model is None:
        data = loaded.document.data if isinstance(loaded.document.data, dict) else {}
        found.broken.add((str(data.get("id", "")), str(data.get("version", ""))))
        return
    key = (loaded.model.id, loaded.model.version)
    if key in homes:
        what = f"The rubric `{key[0]}`, version {key[1]}, is also in {homes[key].name}."
        found.problems.append(loaded.document.problem(("id",), what, "Raise one `version`, or remove one."))
        return
    homes[key] = path
    found.rubrics[key] = loaded.model


def misnamed_yaml(folder: Path) -> Iterator[Problem]:
    """Find ``.yml`` files, which would be passed over.

    Parameters
    ----------
    folder
        Any folder.

    Yields
    ------
    Problem
        One for each.
    """
    for path in sorted(folder.glob("*.yml")):
        yield Problem(str(path), 0, "The file's name ends in .yml.", f"Rename it to {path.stem}.yaml.")
