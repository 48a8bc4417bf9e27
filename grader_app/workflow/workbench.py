"""One open workspace: its database, its clock, and the rubrics and items in use now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from grader_app.domain.calibration_set import Packet
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.item import Item
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.errors import NotAllowed
from grader_app.files.workspace_folder import WorkspaceFolder
from grader_app.store.accounts import add_actor
from grader_app.store.database import Store
from grader_app.store.event_log import append, last_seq_but_grades, read_events
from grader_app.store.file_versions import (
    all_file_versions,
    current_hashes,
    find_file_version,
    last_registration,
)
from grader_app.store.inputs import read_inputs
from grader_app.workflow.clock import Clock, as_text, utc_now

T = TypeVar("T")

# Events after which the record's inputs must be read again.
_CHANGE_INPUTS = {EventKind.FILE_REGISTERED, EventKind.ANSWERS_TAKEN_IN, EventKind.MBE_TAKEN_IN}


@dataclass(frozen=True)
class Material:
    """The round, items and rubrics that grading uses now.

    Parameters
    ----------
    round
        The round.
    items
        By item id, in the round's order.
    rubrics
        The rubric of each item, by item id.
    """

    round: Round
    items: dict[str, Item]
    rubrics: dict[str, Rubric]

    def item(self, item_id: str) -> Item:
        """Give an item of the round; refused when the round has none of that name."""
        if item_id not in self.items:
            known = ", ".join(self.items)
            raise NotAllowed(f"The round has no item `{item_id}`. Its items are {known}.")
        return self.items[item_id]


class Workbench:
    """An open workspace.

    Parameters
    ----------
    store
        Its database.
    folder
        Its files.
    clock
        Gives the time; passed in so that the same acts give the same log.
    """

    def __init__(self, store: Store, folder: WorkspaceFolder, clock: Clock = utc_now) -> None:
        self.store = store
        self.folder = folder
        self.clock = clock
        self._kept: dict[Hashable, tuple[int, Any]] = {}
        self._material: tuple[int, Material] | None = None
        self._record: GradingRecord | None = None
        self._rubrics: dict[str, Rubric] = {}
        self._items: dict[str, Item] = {}
        self._packets: dict[str, Packet] = {}
        self.standings: dict[tuple[str, str], tuple[int, Any]] = {}
        """What `qualification` last said of a grader and an item, with the event it was true at."""
        self._lock = threading.RLock()

    @classmethod
    def open(cls, workspace: Path, clock: Clock = utc_now) -> Workbench:
        """Open the workspace in a folder."""
        folder = WorkspaceFolder(workspace)
        return cls(Store.open(folder.database_path), folder, clock)

    @classmethod
    def create(cls, workspace: Path, clock: Clock = utc_now) -> Workbench:
        """Make the database of a new workspace in a folder that may already hold its files."""
        folder = WorkspaceFolder(workspace)
        at = as_text(clock())
        store = Store.create(folder.database_path, new_id("w"), at)
        bench = cls(store, folder, clock)
        with store.write() as connection:
            actor = add_actor(connection, kind="cli", name="init", at=at)
            append(connection, at=at, actor=actor, kind=EventKind.WORKSPACE_MADE, subject=store.workspace_id)
        return bench

    def now(self) -> str:
        """Give the time now, as recorded."""
        return as_text(self.clock())

    def cli_actor(self, name: str) -> str:
        """Give the actor id of a command-line user, such as ``cli:kim``."""
        with self.store.write() as connection:
            return add_actor(connection, kind="cli", name=name, at=self.now())

    def material(self) -> Material:
        """Give the registered round, items and rubrics; read again only after a new registration."""
        return self.kept_while_only_graded("material", self._material_in_use)

    def _material_in_use(self) -> Material:
        with self._lock:
            seq = last_registration(self.store)
            if self._material is None or self._material[0] != seq:
                self._material = (seq, _read_material(self.store))
            return self._material[1]

    def kept_while_only_graded(self, what: Hashable, read: Callable[[], T]) -> T:
        """Give what `read` says, which submitted grades do not change; asked again after any other event.

        Notes
        -----
        A save asks the same of the round again and again. Between one event and the next of another kind than
        a submitted grade, here or in another process, the answer is in memory.
        """
        stamp = self.store.asked_once(last_seq_but_grades)
        kept = self._kept.get(what)
        if kept is None or kept[0] != stamp:
            # Read after the stamp: should an event come between, it is read once more than needed.
            kept = self._kept[what] = (stamp, read())
        found: T = kept[1]
        return found

    def kept_rubric(self, digest: str) -> Rubric:
        """Give the rubric of a content hash, whether or not it is in use now."""
        if digest not in self._rubrics:
            content = find_file_version(self.store, digest).content
            self._rubrics[digest] = Rubric.model_validate_json(canonical_json(content))
        return self._rubrics[digest]

    def kept_item(self, digest: str) -> Item:
        """Give the item of a content hash, whether or not it is in use now."""
        if digest not in self._items:
            content = find_file_version(self.store, digest).content
            self._items[digest] = Item.model_validate_json(canonical_json(content))
        return self._items[digest]

    def kept_packet(self, digest: str) -> Packet:
        """Give the calibration set of a content hash, whether or not it is in use now."""
        if digest not in self._packets:
            content = find_file_version(self.store, digest).content
            self._packets[digest] = Packet.model_validate_json(canonical_json(content))
        return self._packets[digest]

    @contextmanager
    def record(self) -> Iterator[GradingRecord]:
        """Lend the replayed record, brought up to date; only one borrower at a time."""
        with self._lock:
            fresh = list(read_events(self.store, self._record.last_seq if self._record else 0))
            if self._record is None:
                self._record = GradingRecord(fresh, read_inputs(self.store))
            else:
                if any(event.kind in _CHANGE_INPUTS for event in fresh):
                    self._record.inputs = read_inputs(self.store)
                self._record.extend(fresh)
            yield self._record


def _read_material(store: Store) -> Material:
    current = current_hashes(store)
    kept = {version.hash: version for version in all_file_versions(store)}
    rounds = [kept[digest] for (kind, _), digest in current.items() if kind == "round"]
    if not rounds:
        raise NotAllowed(
            "No round is registered yet. Write round.yaml and run `grader-app check`, then `assign`."
        )
    the_round = Round.model_validate_json(canonical_json(rounds[-1].content))
    items: dict[str, Item] = {}
    rubrics: dict[str, Rubric] = {}
    for entry in the_round.items:
        item = Item.model_validate_json(canonical_json(kept[current["item", entry.item]].content))
        items[entry.item] = item
        rubrics[entry.item] = next(
            Rubric.model_validate_json(canonical_json(version.content))
            for version in kept.values()
            if (version.kind, version.id, version.version)
            == ("rubric", item.sheet.rubric, item.sheet.rubric_version)
        )
    return Material(the_round, items, rubrics)
