"""What a grader reads before calibrating: rubric, point sheet, guidelines and anchor papers."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.calibration_record import MATERIALS
from grader_app.domain.calibration_set import Packet
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.item import Item
from grader_app.domain.qualification import next_set_or_none
from grader_app.domain.reference_paper import ReferencePaper
from grader_app.domain.rubric import Rubric
from grader_app.errors import NotAllowed
from grader_app.store.event_log import append
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Training:
    """The materials of one item, and how far one grader is with them.

    Parameters
    ----------
    item, rubric
        What is graded, and how.
    materials
        The materials there are, in reading order: names out of `MATERIALS`.
    anchors
        Anchor papers with score and rationale, the highest score first.
    anchors_are_constructed
        True when the anchors were written for their set: no panel graded them.
    seen
        UTC time of the first look, by material.
    completed_at
        UTC time at which training was completed, or None.
    """

    item: Item
    rubric: Rubric
    materials: tuple[str, ...]
    anchors: tuple[ReferencePaper, ...]
    anchors_are_constructed: bool
    seen: dict[str, str]
    completed_at: str | None

    @property
    def unseen(self) -> tuple[str, ...]:
        """Materials not looked at yet, in reading order."""
        return tuple(name for name in self.materials if name not in self.seen)


def training_of(bench: Workbench, grader_id: str, item: str) -> Training:
    """Give an item's training materials and how far a grader is with them."""
    material = bench.material()
    found = material.item(item)
    shown = _anchor_set_or_none(bench, grader_id, item)
    anchors = () if shown is None else _best_first(shown)
    there = {
        "rubric": True,
        "point_sheet": bool(found.sheet.issues),
        "guidelines": bool(found.guidelines),
        "anchors": bool(anchors),
    }
    with bench.record() as record:
        key = (grader_id, record.current_files["item", item])
        seen = dict(record.calibration.seen.get(key, {}))
        completed_at = record.calibration.trained.get(key)
    names = tuple(name for name in MATERIALS if there[name])
    constructed = shown is not None and shown.set.origin == "constructed"
    return Training(found, material.rubrics[item], names, anchors, constructed, seen, completed_at)


def _best_first(packet: Packet) -> tuple[ReferencePaper, ...]:
    return tuple(sorted(packet.anchors, key=lambda paper: (-(paper.score or 0), paper.essay)))


def _anchor_set_or_none(bench: Workbench, grader_id: str, item: str) -> Packet | None:
    """Give the set whose anchors are shown before a grader's next set, or were before their last one."""
    with bench.record() as record:
        digest = _set_shown_or_none(record, grader_id, item)
        named = None if digest is None else record.inputs.files[digest]["content"]["set"].get("anchors_from")
        if named:
            digest = record.calibration.current_sets.get(named, digest)
    return None if digest is None else bench.kept_packet(digest)


def see_material(bench: Workbench, grader_id: str, item: str, name: str) -> None:
    """Record that a grader has opened a material; a second look adds nothing."""
    training = training_of(bench, grader_id, item)
    if name not in training.materials:
        raise NotAllowed(f"There is no material `{name}` for this question. Reload the page.")
    if name not in training.seen:
        _record(bench, grader_id, item, EventKind.MATERIAL_SEEN, {"material": name})


def complete_training(bench: Workbench, grader_id: str, item: str) -> None:
    """Record that a grader has read all materials of an item.

    Raises
    ------
    NotAllowed
        Naming the materials not opened yet.
    """
    training = training_of(bench, grader_id, item)
    if training.completed_at is not None:
        return
    if training.unseen:
        left = ", ".join(MATERIAL_TITLES[name].lower() for name in training.unseen)
        raise NotAllowed(f"Open these first: {left}.")
    _record(bench, grader_id, item, EventKind.TRAINING_COMPLETED, {"materials": list(training.materials)})


MATERIAL_TITLES = {
    "rubric": "Rubric",
    "point_sheet": "Point sheet",
    "guidelines": "Guidelines",
    "anchors": "Anchor papers",
}
"""What screens call each material."""


def packet_of(bench: Workbench, set_id: str) -> Packet:
    """Give a calibration set as last registered."""
    with bench.record() as record:
        digest = record.calibration.current_sets[set_id]
    return bench.kept_packet(digest)


def _set_shown_or_none(record: GradingRecord, grader_id: str, item: str) -> str | None:
    upcoming = next_set_or_none(record, grader_id, item)
    if upcoming is not None:
        return record.calibration.current_sets[upcoming]
    attempts = record.calibration.attempts_of(grader_id, item)
    return attempts[-1].set_hash if attempts else None


def _record(bench: Workbench, grader_id: str, item: str, kind: EventKind, body: dict[str, object]) -> None:
    with bench.record() as record:
        digest = record.current_files["item", item]
    version = bench.material().item(item).version
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=grader_id,
            kind=kind,
            subject=grader_id,
            body={"item": item, "item_version": version, "item_hash": digest, **body},
        )
