"""A workspace on disk: where its files are, and what they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader_app.domain.calibration_set import Packet
from grader_app.domain.item import Item
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems
from grader_app.files.calibration_sets import examine_set_folders, item_of_set, set_folders
from grader_app.files.item_folder import SHEET, TEXTS, ItemFound, examine_item
from grader_app.files.round_file import examine_round
from grader_app.files.rubric_file import RubricKey, examine_rubrics


class WorkspaceContents(NamedTuple):
    """What a workspace's files say.

    Parameters
    ----------
    round
        The grading round.
    items
        The round's items by id, in the round's order.
    rubrics
        Every rubric in ``rubrics/``, by id and version.
    sets
        Calibration sets for the round's items, by id; one made for an earlier version of its item is
        among them (`Packet.is_stale`).
    """

    round: Round
    items: dict[str, Item]
    rubrics: dict[RubricKey, Rubric]
    sets: dict[str, Packet]


@dataclass(frozen=True)
class WorkspaceFolder:
    """The folder of one grading round.

    Parameters
    ----------
    path
        The folder.
    """

    path: Path

    @property
    def round_path(self) -> Path:
        """``round.yaml``."""
        return self.path / "round.yaml"

    @property
    def rubrics_path(self) -> Path:
        """``rubrics/``: rubrics, and a folder for each item."""
        return self.path / "rubrics"

    @property
    def calibration_sets_path(self) -> Path:
        """``calibration_sets/``: a folder for each set."""
        return self.path / "calibration_sets"

    @property
    def exports_path(self) -> Path:
        """``exports/``: a folder for each export."""
        return self.path / "exports"

    @property
    def database_path(self) -> Path:
        """``workbench.db``: grades and all other acts."""
        return self.path / "workbench.db"

    def load_contents(self) -> WorkspaceContents:
        """Read the round, its items, the calibration sets for them, and all rubrics.

        Returns
        -------
        WorkspaceContents
            Round, items, rubrics and calibration sets.

        Raises
        ------
        FileProblems
            Everything wrong with any of them, at once. Items that are not in the round, and sets for
            them, are not read; ``check`` reads them too. A stale set stops nothing here: ``check``
            reports it, and whoever uses sets judges it.
        """
        rubrics = examine_rubrics(self.rubrics_path)
        found = {folder.name: examine_item(folder, rubrics) for folder in self._round_folders()}
        kinds = {folder.name: None for folder in item_folders(self.rubrics_path)}
        loaded = examine_round(self.round_path, {**kinds, **kinds_of(found)})
        read = items_of(found)
        sets = examine_set_folders(self._folders_of_sets(found), read, rubrics.rubrics)
        problems = [*rubrics.problems, *loaded.problems, *sets.problems_in_use]
        problems += [problem for item in found.values() for problem in item.problems]
        if problems or loaded.model is None:
            raise FileProblems(problems)
        items = {entry.item: item for entry in loaded.model.items if (item := read[entry.item]) is not None}
        return WorkspaceContents(loaded.model, items, rubrics.rubrics, sets.packets)

    def _folders_of_sets(self, items: Collection[str]) -> list[Path]:
        """List the folders of sets for these items, and of sets that do not say for which they are."""
        folders = set_folders(self.calibration_sets_path)
        return [folder for folder in folders if item_of_set(folder) in (None, *items)]

    def _round_folders(self) -> Iterator[Path]:
        data = examine_round(self.round_path).document.data
        entries = data.get("items") if isinstance(data, dict) else None
        named = {entry.get("item") for entry in entries or () if isinstance(entry, dict)}
        return (folder for folder in item_folders(self.rubrics_path) if folder.name in named)


def item_folders(rubrics_path: Path) -> list[Path]:
    """List the item folders in a folder of rubrics.

    Parameters
    ----------
    rubrics_path
        The folder.

    Returns
    -------
    list of Path
        Sub-folders that hold a point sheet or one of an item's texts, by name.
    """
    if not rubrics_path.is_dir():
        return []
    return sorted(folder for folder in rubrics_path.iterdir() if is_item_folder(folder))


def is_item_folder(folder: Path) -> bool:
    """Say whether a folder holds an item.

    Parameters
    ----------
    folder
        Any path.

    Returns
    -------
    bool
        Whether it holds a point sheet or one of an item's texts.
    """
    return folder.is_dir() and any((folder / name).exists() for name in (SHEET, *TEXTS))


def kinds_of(found: dict[str, ItemFound]) -> dict[str, str | None]:
    """Give the kind of each item that could be read.

    Parameters
    ----------
    found
        Items by id.

    Returns
    -------
    dict
        Kinds by id; None for an item with problems.
    """
    return {name: each.item.kind if each.item else None for name, each in found.items()}


def items_of(found: dict[str, ItemFound]) -> dict[str, Item | None]:
    """Give each item that could be read.

    Parameters
    ----------
    found
        Items by id.

    Returns
    -------
    dict
        Items by id; None for an item with problems.
    """
    return {name: each.item for name, each in found.items()}
