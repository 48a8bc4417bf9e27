"""Calibration sets on disk: what the set is for, its essays and their reference scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from grader_app.domain.calibration_set import CalibrationSet, Packet
from grader_app.domain.item import Item
from grader_app.domain.model import Location
from grader_app.domain.packet_in_context import PacketInContext
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.essay_texts import EssaysFound, examine_essays
from grader_app.files.model_problems import Finding, validated
from grader_app.files.reference_scores import Row, RowsFound, examine_reference_scores
from grader_app.files.rubric_file import RubricKey, misnamed_yaml
from grader_app.files.yaml_document import Document
from grader_app.files.yaml_reader import Loaded, examine_model

SET = "calibration_set.yaml"
SCORES = "reference_scores.csv"
ESSAYS = "essays"
STALE = "The references were made under version"
"""How the problem begins that a set is for an earlier version of its item."""

_PARTS = (SET, SCORES, ESSAYS)
_FORMAT = "calibration_set/1"

Items = Mapping[str, Item | None]
Rubrics = Mapping[RubricKey, Rubric]


@dataclass
class SetFound:
    """What a set's folder holds.

    Parameters
    ----------
    folder
        The folder.
    packet
        The set with its papers, if nothing is wrong but that it may be stale.
    problems
        Everything wrong.
    files
        The files that were read.
    stale
        Whether the references were made under an earlier version of the item's point sheet.
    document
        ``calibration_set.yaml`` as read.
    essays
        The texts, by name.
    anchors
        Names of the papers marked as anchors.
    rubric
        The rubric of the item, where it could be read.
    """

    folder: Path
    packet: Packet | None = None
    problems: list[Problem] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    stale: bool = False
    document: Document | None = None
    essays: dict[str, str] = field(default_factory=dict)
    anchors: tuple[str, ...] = ()
    rubric: Rubric | None = None

    def says(self, key: str) -> str | None:
        """Give what ``calibration_set.yaml`` says under a key, if it is text."""
        data = self.document.data if self.document else None
        value = data.get(key) if isinstance(data, dict) else None
        return value if isinstance(value, str) else None


def load_set(folder: Path, items: Items | None = None, rubrics: Rubrics | None = None) -> Packet:
    """Read a calibration set.

    Parameters
    ----------
    folder
        Named as the set's id; with ``calibration_set.yaml``, ``essays/`` and ``reference_scores.csv``.
    items
        The items there are, by id, None for one that could not be read; None leaves unchecked what
        rests on the item.
    rubrics
        The rubrics there are, by id and version; None leaves the scale unchecked.

    Returns
    -------
    Packet
        The set with its papers.

    Raises
    ------
    FileProblems
        Everything wrong with any of the files, at once; also that the set is stale.
    """
    found = examine_set(folder, items, rubrics)
    if found.packet is None or found.problems:
        raise FileProblems(found.problems)
    return found.packet


def examine_set(folder: Path, items: Items | None = None, rubrics: Rubrics | None = None) -> SetFound:
    """Read a calibration set, giving the problems back instead of raising them.

    Parameters
    ----------
    folder, items, rubrics
        As for `load_set`.

    Returns
    -------
    SetFound
        The packet, problems and files. A set made for an earlier version of the item has its packet
        and one problem that says so; its points and scores are not held to the newer sheet.
    """
    found = SetFound(folder)
    if not folder.is_dir():
        found.problems.append(Problem(str(folder), 0, "There is no such folder.", "Check the name."))
        return found
    loaded = examine_model(folder / SET, CalibrationSet, "calibration_set")
    found.document = loaded.document
    found.problems += loaded.problems
    found.problems += _folder_problems(found)
    about_item = list(_item_problems(found, items))
    found.stale = any(is_stale for is_stale, _ in about_item)
    item = None if about_item or items is None else items.get(found.says("item") or "")
    if item is not None and rubrics is not None:
        found.rubric = rubrics.get((item.sheet.rubric, item.sheet.rubric_version))
    _read_papers(found, loaded, item)
    if found.packet is not None and (found.problems or any(not is_stale for is_stale, _ in about_item)):
        found.packet = None
    found.problems += [problem for _, problem in about_item]
    found.files = [folder / name for name in (SET, SCORES) if (folder / name).exists()] + found.files
    return found


def _folder_problems(found: SetFound) -> Iterator[Problem]:
    folder = found.folder
    yield from misnamed_yaml(folder)
    for path in sorted(folder.iterdir()):
        missing = [name for name in _PARTS if not (folder / name).exists()]
        close = get_close_matches(path.name.lower(), missing, n=1)
        if path.name not in _PARTS and path.suffix != ".yml" and close:
            what = f"The program reads nothing of the name {path.name}."
            yield Problem(str(path), 0, what, f"Did you mean `{close[0]}`?")
    set_id = found.says("id")
    if found.document and set_id is not None and set_id != folder.resolve().name:
        what = f"`id` is `{set_id}`, but the folder is named `{folder.resolve().name}`."
        yield found.document.problem(("id",), what, "Give both the same name.")


def _item_problems(found: SetFound, items: Items | None) -> Iterator[tuple[bool, Problem]]:
    """Find an item that does not exist, or another version of it; true goes with a stale set."""
    name, version = found.says("item"), found.says("point_sheet_version")
    if items is None or name is None or found.document is None:
        return
    if name not in items:
        close = get_close_matches(name, items, n=1)
        fix = f"Did you mean `{close[0]}`?" if close else f"Put a folder {name}/ into rubrics/."
        yield False, found.document.problem(("item",), f"There is no item `{name}` in rubrics/.", fix)
        return
    item = items[name]
    if item is None or version is None or not version.isdecimal() or version == item.version:
        return
    loc = ("point_sheet_version",)
    what = f"{STALE} {version} of the point sheet; {name} has {item.version}."
    if int(version) < int(item.version):
        fix = (
            f"Score the set again under version {item.version} and raise `version`, "
            f'then write `point_sheet_version: "{item.version}"`.'
        )
        yield True, found.document.problem(loc, what, fix)
    else:
        yield False, found.document.problem(loc, what, "Correct `point_sheet_version`.")


def _read_papers(found: SetFound, loaded: Loaded[CalibrationSet], item: Item | None) -> None:
    folder = found.folder
    essays_path, scores_path = folder / ESSAYS, folder / SCORES
    if found.says("reference") == "panel" and not essays_path.exists() and not scores_path.exists():
        if loaded.model is not None:
            found.packet = Packet(set=loaded.model)
        return
    essays = examine_essays(essays_path)
    needs = ("essay", "condition_code") if found.says("purpose") == "codes" else ("essay", "score")
    scores = examine_reference_scores(scores_path, found.rubric, needs=needs)
    found.files = list(essays.files.values())
    found.problems += [*essays.problems, *scores.problems]
    found.essays = essays.texts
    found.anchors = tuple(row.values["essay"] for row in scores.rows if row.values.get("anchor") is True)
    if scores.could_be_read:
        found.problems += _unmatched(scores_path, scores, essays)
        found.packet = _packet(found, loaded, scores.rows, item)


def _unmatched(scores_path: Path, scores: RowsFound, essays: EssaysFound) -> Iterator[Problem]:
    """Find rows without an essay, and essays without a row."""
    rows = {row.values["essay"]: row.line for row in scores.rows}
    without_row = [name for name in essays.files if name not in rows]
    for name, line in rows.items():
        if name not in essays.files:
            close = get_close_matches(name, without_row, n=1)
            fix = f"Did you mean `{close[0]}`?" if close else f"Add {ESSAYS}/{name}.md, or remove the row."
            yield Problem(str(scores_path), line, f"There is no essay `{name}`.", fix)
    for name in without_row:
        what = f"The essay `{name}` has no row in {SCORES}."
        yield Problem(str(essays.files[name]), 0, what, "Add a row for it, or remove the file.")


def _packet(
    found: SetFound, loaded: Loaded[CalibrationSet], rows: list[Row], item: Item | None
) -> Packet | None:
    """Judge the papers together, and put what is wrong on the line it stands on."""
    data = loaded.document.data if isinstance(loaded.document.data, dict) else {}
    papers = [_paper(row, found.essays) for row in rows]
    sheet = item.sheet if item is not None else None
    whole = {"set": data, "papers": papers, "sheet": sheet, "rubric": found.rubric}
    in_context, findings = validated(PacketInContext, whole)
    places = _Places(found, rows)
    noted = {*found.problems}
    for finding in findings:
        problem = places.problem(finding)
        if problem is not None and problem not in noted:
            found.problems.append(problem)
            noted.add(problem)
    if in_context is None or loaded.model is None:
        return None
    return Packet(set=in_context.set, papers=in_context.papers)


def _paper(row: Row, texts: Mapping[str, str]) -> dict[str, Any]:
    essay = row.values["essay"]
    text = {"text": texts[essay]} if essay in texts else {}
    # A cell that could not be read must count as wrong, not as empty: an empty one may be right.
    unread = dict.fromkeys(
        (str(loc[0]) for loc in row.faulty if loc[0] in ("score", "reference_rank", "anchor")), "?"
    )
    return {**row.values, **text, **unread}


class _Places:
    """Where in the set's files a finding belongs."""

    def __init__(self, found: SetFound, rows: list[Row]) -> None:
        self.found = found
        self.rows = rows

    def problem(self, finding: Finding) -> Problem | None:
        """Place a finding; None when something else has been said about that place already."""
        loc = finding.loc
        if loc[:1] == ("set",):
            return self._in_yaml(loc[1:], finding)
        if loc[:1] == ("papers",) and len(loc) > 1 and isinstance(loc[1], int):
            return self._in_row(self.rows[loc[1]], loc[2:], finding)
        return Problem(str(self.found.folder / SCORES), 0, finding.what, finding.fix)

    def _in_yaml(self, loc: Location, finding: Finding) -> Problem | None:
        document = self.found.document
        if document is None or not isinstance(document.data, dict) or loc in document.faulty:
            return None
        if document.data.get("format", _FORMAT) != _FORMAT or loc == ("format",):
            return None  # its first line has been reported, and the rest may be another kind of file
        return document.problem(loc, finding.what, finding.fix)

    def _in_row(self, row: Row, loc: Location, finding: Finding) -> Problem | None:
        if loc[:1] in row.faulty:
            return None
        if loc[:1] != ("text",):
            return Problem(str(self.found.folder / SCORES), row.line, finding.what, finding.fix)
        essay = row.values["essay"]
        path = str(self.found.folder / ESSAYS / f"{essay}.md")
        said = essay not in self.found.essays or any(each.path == path for each in self.found.problems)
        return None if said else Problem(path, 0, finding.what, finding.fix)
