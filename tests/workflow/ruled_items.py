"""The files of an item that rulings change, and short ways to rule and to look at what came of it."""

from __future__ import annotations

from pathlib import Path

from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import Event, EventKind
from grader_app.domain.panel import Assignment
from grader_app.store.event_log import read_events
from grader_app.workflow.rulings import GradedBefore, graded_before, make_ruling

ITEM = "mee-barge"
RULING = "Whoever argues either side of control earns the point."
FURTHER = "A bare conclusion earns nothing, however right it is."


def sheet_of(made: SmallWorkspace) -> Path:
    return made.path / "rubrics" / ITEM / "point_sheet.yaml"


def guidelines_of(made: SmallWorkspace) -> Path:
    return made.path / "rubrics" / ITEM / "guidelines.md"


def files_of(made: SmallWorkspace) -> dict[str, bytes]:
    folder = made.path / "rubrics" / ITEM
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def rule(made: SmallWorkspace, words: str = RULING) -> str:
    return make_ruling(made.bench, made.actor, ITEM, words)


def change_sheet(made: SmallWorkspace, version: int = 2) -> None:
    """Write another point sheet with a version of its own."""
    write_item(made.path, ITEM, version=version)
    path = sheet_of(made)
    path.write_text(path.read_text("utf-8").replace("needs control", f"needs custody {version}"), "utf-8")


def events_of(made: SmallWorkspace, kind: EventKind) -> list[Event]:
    return [event for event in read_events(made.bench.store) if event.kind == kind]


def grade_first(made: SmallWorkspace, *scores: float) -> list[Assignment]:
    """Let each grader in turn grade the first answer of their queue."""
    dealt = [made.queue(grader)[0] for grader in made.graders]
    for one, score in zip(dealt, scores, strict=False):
        made.submit(one, score)
    return dealt


def before(made: SmallWorkspace) -> list[GradedBefore]:
    return graded_before(made.bench, ITEM)
