"""Graders who are to qualify for one question, and short ways to act and to ask where they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace, write_item, write_packet

from grader_app.domain.panel import Account
from grader_app.domain.qualification import (
    Qualification,
    attempts_that_count,
    next_set_or_none,
    qualification_of,
)
from grader_app.workflow.qualification import let_grade
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import make_ruling, reread_guidelines

Make = Callable[..., SmallWorkspace]
ITEM, A, B, C = "mee-barge", "mee-barge-a", "mee-barge-b", "mee-barge-c"
REASON = "She graded this question for three years."


@pytest.fixture(name="made")
def two_graders_and_two_sets(make: Make) -> SmallWorkspace:
    """Two graders, and two sets that allow two attempts."""
    return make(packets=(A, B), qualification="required", items=(ITEM,))


def stands(made: SmallWorkspace, grader: int | Account = 0) -> Qualification:
    account = made.graders[grader] if isinstance(grader, int) else grader
    with made.bench.record() as record:
        return qualification_of(record, account.account_id, ITEM)


def upcoming(made: SmallWorkspace, grader: int = 0) -> str | None:
    with made.bench.record() as record:
        return next_set_or_none(record, made.graders[grader].account_id, ITEM)


def counted(made: SmallWorkspace, grader: int = 0) -> list[str]:
    with made.bench.record() as record:
        found = attempts_that_count(record, made.graders[grader].account_id, ITEM)
    return [attempt.set_id for attempt in found]


def let(made: SmallWorkspace, grader: int = 0, reason: str = REASON) -> None:
    let_grade(made.bench, made.actor, made.graders[grader].account_id, ITEM, reason)


def rule(made: SmallWorkspace, words: str = "Either side of control earns the point.") -> None:
    make_ruling(made.bench, made.actor, ITEM, words)


def reread(made: SmallWorkspace, grader: int = 0) -> None:
    reread_guidelines(made.bench, made.graders[grader].account_id, ITEM)


def change_sheet(made: SmallWorkspace, version: int) -> None:
    """Register another point sheet."""
    write_item(made.path, ITEM, version=version)
    path = made.path / "rubrics" / ITEM / "point_sheet.yaml"
    path.write_text(path.read_text("utf-8").replace("needs control", f"needs custody {version}"), "utf-8")
    register_files(made.bench, made.actor)


def add_set(made: SmallWorkspace, set_id: str, *, version: int = 1, sheet_version: int = 1) -> None:
    write_packet(made.path, set_id, version=version, sheet_version=sheet_version)
    register_files(made.bench, made.actor)


def grade_all(made: SmallWorkspace) -> None:
    for grader in made.graders:
        for dealt in made.queue(grader):
            made.submit(dealt)
