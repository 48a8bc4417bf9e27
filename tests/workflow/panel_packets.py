"""Rounds whose panel makes its own references, and short ways to read, freeze and judge in them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account
from grader_app.domain.response import Response
from grader_app.export.folder import write_export
from grader_app.export.verify import ends_of_exports, verify_export
from grader_app.store.event_log import append, read_events
from grader_app.store.integrity import check_store
from grader_app.store.responses import add_responses, last_deal_order
from grader_app.store.texts import salted_hash
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.panel_reference import Consensus, draw_packets, freeze_references, judge_panel
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]
ITEM, SET = "mee-barge", "mee-barge-p"
PANEL_SET = """\
format: calibration_set/1
id: mee-barge-p
version: "{version}"
title: The panel's own papers
item: mee-barge
point_sheet_version: "{sheet}"
purpose: qualify
reference: panel
origin: panel
papers: 5
judged_papers: 5
"""


def write_panel_set(made: SmallWorkspace, *, version: int = 1, sheet: int = 1) -> None:
    place = made.path / "calibration_sets" / SET
    place.mkdir(parents=True, exist_ok=True)
    (place / "calibration_set.yaml").write_text(PANEL_SET.format(version=version, sheet=sheet), "utf-8")


def take_in(made: SmallWorkspace, count: int) -> list[str]:
    """Store answers of 1, 2, 3 … words; give their ids, the shortest first."""
    ids = new_ids("r", count)
    start = last_deal_order(made.bench.store, ITEM)
    rows = []
    for words, (response_id, candidate) in enumerate(zip(ids, new_ids("c", count), strict=True), start=1):
        salt, text = secrets.token_hex(16), " ".join(["control"] * words)
        place, digest = start + words, salted_hash(salt, text)
        rows.append((Response(response_id, ITEM, candidate, place, digest, False), salt, text))
    with made.bench.store.write() as connection:
        add_responses(connection, rows)
        body = {"item": ITEM, "n": count}
        kind = EventKind.ANSWERS_TAKEN_IN
        append(connection, at=made.bench.now(), actor=made.actor, kind=kind, subject=ITEM, body=body)
    return ids


@pytest.fixture(name="made")
def undrawn_round(make: Make) -> SmallWorkspace:
    """Three graders, twenty answers that nobody was dealt, and a set whose references the panel makes."""
    made = make(graders=3, answers=0, qualification="required", items=(ITEM,))
    take_in(made, 20)
    write_panel_set(made)
    register_files(made.bench, made.actor)
    return made


@pytest.fixture(name="drawn")
def drawn_round(made: SmallWorkspace) -> SmallWorkspace:
    draw_packets(made.bench, made.actor, SET)
    return made


@pytest.fixture(name="frozen")
def frozen_round(drawn: SmallWorkspace) -> SmallWorkspace:
    """Two graders have read the first packet alike, and its references are frozen."""
    for grader in drawn.graders[:2]:
        read(drawn, grader, 1, 2, 3, 4, 5)
    freeze(drawn, 1)
    return drawn


def papers_of(made: SmallWorkspace, packet: int) -> list[str]:
    """List what was drawn for a packet, in the order in which papers are named."""
    with made.bench.record() as record:
        return sorted(r for r, where in record.calibration.drawn.items() if where == (SET, packet))


def begun(
    made: SmallWorkspace, grader: Account, *given: float | str
) -> tuple[Attempt, dict[str, float | str]]:
    """Begin a packet and rank it by what is about to be given; a code stands last."""
    attempt = made.begin(grader)
    with made.bench.record() as record:
        papers = {a: record.assignments[a].response_id for a in attempt.assignment_ids}
    planned = dict(zip(papers_of(made, attempt.packet), given, strict=True))
    by_paper = {a: planned[r] for a, r in papers.items()}
    made.rank(attempt, [[a] for a in sorted(by_paper, key=lambda a: (_standing(by_paper[a]), papers[a]))])
    return attempt, by_paper


def _standing(given: float | str) -> float:
    return 1 if isinstance(given, str) else -given


def score(made: SmallWorkspace, attempt: Attempt, given: Mapping[str, float | str]) -> Attempt:
    for a, one in given.items():
        entry = GradeEntry(condition_code=one) if isinstance(one, str) else GradeEntry(score=one)
        submit_grade(made.bench, attempt.grader_id, a, entry, token=next(made.tokens))
    return own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)


def read(made: SmallWorkspace, grader: Account, *given: float | str) -> Attempt:
    """Go through the next packet; Paper 01, Paper 02 … get these scores or codes."""
    attempt, by_paper = begun(made, grader, *given)
    return score(made, attempt, by_paper)


def freeze(made: SmallWorkspace, packet: int, **said: Consensus) -> int:
    """Freeze a packet; `said` is the lead's word by the paper's name, such as ``p01``."""
    papers = papers_of(made, packet)
    words = {papers[int(name[1:]) - 1]: word for name, word in said.items()}
    return freeze_references(made.bench, made.actor, SET, packet, words)


def judge(made: SmallWorkspace) -> int:
    return judge_panel(made.bench, made.actor, SET)


def outcome(made: SmallWorkspace, attempt: Attempt) -> str | None:
    found = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)
    return None if found.judgment is None else found.judgment.outcome


def last_event(made: SmallWorkspace, kind: EventKind) -> Event:
    return [event for event in read_events(made.bench.store) if event.kind == kind][-1]


def verify(made: SmallWorkspace) -> None:
    """Check the workspace, an export of it, and the workspace against that export."""
    verify_export(write_export(made.bench.store, made.path / "exports", made.clock()))
    check_store(made.bench.store, ends_of_exports(made.path / "exports"))
