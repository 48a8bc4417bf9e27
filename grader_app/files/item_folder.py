"""Item folders: a point sheet with prompt, guidelines, File and Library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from grader_app.domain.item import Item
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.rubric_file import RubricKey, RubricsFound, misnamed_yaml
from grader_app.files.text_encoding import read_as_utf8
from grader_app.files.yaml_document import Document
from grader_app.files.yaml_lines import character_problems
from grader_app.files.yaml_reader import Loaded, examine_model

SHEET = "point_sheet.yaml"
TEXTS = ("prompt.md", "guidelines.md", "file.md", "library.md")
_ONLY_MPT = ("file.md", "library.md")


@dataclass
class ItemFound:
    """What an item folder holds: the item if there is nothing wrong, all problems, the files read."""

    item: Item | None = None
    problems: list[Problem] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)


def load_item(folder: Path, rubrics: Mapping[RubricKey, Rubric] | None = None) -> Item:
    """Read an item folder.

    Parameters
    ----------
    folder
        Named as the item's id; with ``prompt.md`` and ``point_sheet.yaml``, for an MPT also
        ``file.md`` and ``library.md``, and if wanted ``guidelines.md``.
    rubrics
        The rubrics the sheet may name, by id and version; None leaves that unchecked.

    Returns
    -------
    Item
        The item.

    Raises
    ------
    FileProblems
        Everything wrong with any of the files, at once.
    """
    known = None if rubrics is None else RubricsFound(rubrics=dict(rubrics))
    found = examine_item(folder, known)
    if found.item is None or found.problems:
        raise FileProblems(found.problems)
    return found.item


def examine_item(folder: Path, rubrics: RubricsFound | None = None) -> ItemFound:
    """Read an item folder, giving the problems back instead of raising them.

    Parameters
    ----------
    folder
        As for `load_item`.
    rubrics
        The rubrics that were found; a sheet that names a broken one has no problem of its own.

    Returns
    -------
    ItemFound
        The item, problems and files.
    """
    found = ItemFound()
    if not folder.is_dir():
        found.problems.append(Problem(str(folder), 0, "There is no such folder.", "Check the name."))
        return found
    loaded = examine_sheet(folder / SHEET, rubrics)
    texts = {name: folder / name for name in TEXTS if (folder / name).exists()}
    found.files = [path for path in (folder / SHEET, *texts.values()) if path.exists()]
    contents = {name: _text(path, found.problems) for name, path in texts.items()}
    found.problems += loaded.problems
    found.problems += _folder_problems(folder, loaded.document, _kind(loaded), texts)
    if not found.problems and loaded.model is not None:
        found.item = _item(loaded.model, contents)
    return found


def examine_sheet(path: Path, rubrics: RubricsFound | None = None) -> Loaded[PointSheet]:
    """Read a point sheet and see that its rubric exists.

    Parameters
    ----------
    path
        A ``point_sheet/1`` file.
    rubrics
        The rubrics that were found; None leaves that unchecked.

    Returns
    -------
    Loaded
        The sheet, its document and all problems.
    """
    loaded = examine_model(path, PointSheet, "point_sheet")
    data = loaded.document.data
    if rubrics is None or not isinstance(data, dict):
        return loaded
    problems = (*loaded.problems, *_rubric_problems(loaded.document, data, rubrics))
    return Loaded(None if problems else loaded.model, loaded.document, problems)


def _rubric_problems(document: Document, data: dict[str, object], found: RubricsFound) -> Iterator[Problem]:
    name, version = data.get("rubric"), data.get("rubric_version")
    if "" in {name for name, _ in found.broken}:
        return  # a file that cannot be read at all may hold the rubric
    known = {*found.rubrics, *found.broken}
    if not isinstance(name, str) or not isinstance(version, str) or (name, version) in known:
        return
    versions = sorted(other for rubric, other in known if rubric == name)
    if versions:
        what = f"There is no version {version} of the rubric `{name}`; found {', '.join(versions)}."
        yield document.problem(("rubric_version",), what, "Correct `rubric_version`.")
        return
    names = sorted({rubric for rubric, _ in known})
    close = get_close_matches(name, names, n=1)
    listed = f"The rubrics are {', '.join(names)}." if names else "Put its file into rubrics/."
    fix = f"Did you mean `{close[0]}`?" if close else listed
    yield document.problem(("rubric",), f"There is no rubric `{name}`.", fix)


def _kind(loaded: Loaded[PointSheet]) -> object:
    data = loaded.document.data
    return data.get("kind") if isinstance(data, dict) else None


def _folder_problems(
    folder: Path, document: Document, kind: object, texts: Mapping[str, Path]
) -> Iterator[Problem]:
    yield from misnamed_yaml(folder)
    required = ("prompt.md", *_ONLY_MPT) if kind == "mpt" else ("prompt.md",)
    for name in required:
        if name not in texts:
            what = f"`{name}` is missing from the item's folder."
            yield Problem(str(folder / name), 0, what, _similar(folder, name) or "Add it.")
    for name in _ONLY_MPT:
        if name in texts and kind in ("mee", "rule_application", "essay"):
            what = f"`{name}` belongs to an MPT only; this item is {kind}."
            yield Problem(str(folder / name), 0, what, "Remove it, or correct `kind`.")
    item = document.data.get("item") if isinstance(document.data, dict) else None
    if isinstance(item, str) and item != folder.resolve().name:
        what = f"`item` is `{item}`, but the folder is named `{folder.resolve().name}`."
        yield document.problem(("item",), what, "Give both the same name.")
    yield from _stray(folder, texts)


def _stray(folder: Path, texts: Mapping[str, Path]) -> Iterator[Problem]:
    """Find a text that would be passed over because its name is a little off."""
    for path in sorted(folder.iterdir()):
        if path.suffix in (".md", ".yaml", ".markdown", ".txt") and path.name not in (*TEXTS, SHEET):
            close = get_close_matches(path.name.lower(), [name for name in TEXTS if name not in texts], n=1)
            if close:
                what = f"The program does not read a file of the name {path.name}."
                yield Problem(str(path), 0, what, f"Did you mean `{close[0]}`?")


def _similar(folder: Path, name: str) -> str:
    present = {path.name.lower(): path.name for path in folder.iterdir() if path.name not in (*TEXTS, SHEET)}
    close = get_close_matches(name, present, n=1)
    return f"Rename {present[close[0]]} to {name}." if close else ""


def _text(path: Path, problems: list[Problem]) -> str:
    text = read_text(path, problems)
    if not text.strip() and not any(problem.path == str(path) for problem in problems):
        problems.append(Problem(str(path), 0, "The file is empty.", "Write its text, or remove it."))
    return text


def read_text(path: Path, problems: list[Problem]) -> str:
    """Read a Markdown text, noting what is wrong with it.

    Parameters
    ----------
    path
        A ``.md`` file.
    problems
        Problems are added here.

    Returns
    -------
    str
        The text with LF line ends; empty when it could not be read.
    """
    try:
        text = read_as_utf8(path).utf8.decode("utf-8")
    except FileProblems as error:
        problems.extend(error.problems)
        return ""
    problems.extend(character_problems(str(path), text, tabs=True))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _item(sheet: PointSheet, texts: Mapping[str, str]) -> Item:
    return Item(
        sheet=sheet,
        prompt=texts["prompt.md"],
        guidelines=texts.get("guidelines.md"),
        file=texts.get("file.md"),
        library=texts.get("library.md"),
    )
