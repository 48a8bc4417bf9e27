"""A workspace on disk: where its files are, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader_app.domain.item import Item
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems
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
    """

    round: Round
    items: dict[str, Item]
    rubrics: dict[RubricKey, Rubric]


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
        """Read the round, its items and all rubrics.

        Returns
        -------
        WorkspaceContents
            Round, items and rubrics.

        Raises
        ------
        FileProblems
            Everything wrong with any of them, at once. Items that are not in the round are not
            read; ``check`` reads them too.
        """
        rubrics = examine_rubrics(self.rubrics_path)
        found = {folder.name: examine_item(folder, rubrics) for folder in self._round_folders()}
        kinds = {folder.name: None for folder in item_folders(self.rubrics_path)}
        loaded = examine_round(self.round_path, {**kinds, **kinds_of(found)})
        problems = [*rubrics.problems, *loaded.problems]
        problems += [problem for item in found.values() for problem in item.problems]
        if problems or loaded.model is None:
            raise FileProblems(problems)
        items = {entry.item: found[entry.item].item for entry in loaded.model.items}
        return WorkspaceContents(
            loaded.model, {name: item for name, item in items.items() if item is not None}, rubrics.rubrics
        )

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
