"""A small graded workspace, made through the workflow's own functions."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account, Role
from grader_app.domain.response import Response
from grader_app.store.assignments import assignments_of
from grader_app.store.event_log import append
from grader_app.store.responses import add_mbe, add_responses
from grader_app.store.texts import salted_hash
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

NOW = datetime(2026, 11, 30, 14, 15, tzinfo=UTC)
CLI_USER = "cli:zebulon-quartermaine"
PEOPLE = ("Wilhelmina Oystercatcher", "Bartholomew Nightjar")
SIMULATED = "Thaddeus Turnstone"

ROUND = """\
format: round/1
id: harbor-round
version: "1"
title: The harbor & the <barge>
items:
  - item: mee-barge
    component: mee
    weight: 1
  - item: mee-crane
    component: mee
    weight: 2
  - item: rule-ferry
    component: rule_application
qualification: not_required
reading:
  reads: 2
  resolve_when_apart_by_more_than: 1
  combine: mean
scaling:
  method: mean_sigma
  reference: pool
  rounding: total_half_up
seed: 11
"""
SIX_POINT = """\
format: rubric/1
id: six-point
version: "1"
title: Six points
score:
  lowest: 0
  highest: 6
  step: 1
  level_of_measurement: ordinal
  given_by: grader
levels:
  - score: 6
    label: Outstanding
    means: >-
      Sees every issue.
  - score: 0
    label: Nothing creditable
    means: >-
      Nothing that answers.
condition_codes:
  - id: blank
    title: Blank
    counts_as: zero
  - id: off-topic
    title: Off topic
    counts_as: to_lead
"""
TWO_CRITERIA = """\
format: rubric/1
id: two-criteria
version: "1"
title: Correct and analysed
score:
  lowest: 0
  highest: 1
  step: 1
  level_of_measurement: ordinal
  given_by: weighted_mean
condition_codes:
  - id: refusal
    title: Refusal
    counts_as: zero
criteria:
  - id: correctness
    title: Correctness
    question: >-
      Is it right?
    lowest: 0
    highest: 1
    step: 1
    weight: 1
  - id: analysis
    title: Analysis
    question: >-
      Is there an inference?
    lowest: 0
    highest: 1
    step: 1
    weight: 1
"""


def sheet(item: str, kind: str, rubric: str, version: str = "1") -> str:
    return f"""\
format: point_sheet/1
id: {item}
version: "{version}"
item: {item}
kind: {kind}
rubric: {rubric}
rubric_version: "1"
title: The question of {item}
issues:
  - id: duty
    title: Was there a duty?
    weight_percent: 100
    points:
      - id: duty.rule
        part: rule
        text: >-
          A duty needs control.
"""


@dataclass
class Ticking:
    """A clock that moves on by a second at each look."""

    now: datetime = NOW - timedelta(days=1)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@dataclass
class GradedRound:
    """The workspace, and what the tests need to know of it."""

    bench: Workbench
    path: Path
    actor: str
    graders: list[Account]
    ids: dict[tuple[str, int], str]
    """Response id by item and candidate's place."""
    candidates: list[str]


def write_files(folder: Path) -> None:
    (folder / "round.yaml").write_text(ROUND, encoding="utf-8")
    rubrics = folder / "rubrics"
    for item, kind, rubric in (
        ("mee-barge", "mee", "six-point"),
        ("mee-crane", "mee", "six-point"),
        ("rule-ferry", "rule_application", "two-criteria"),
    ):
        (rubrics / item).mkdir(parents=True)
        (rubrics / item / "point_sheet.yaml").write_text(sheet(item, kind, rubric), encoding="utf-8")
        (rubrics / item / "prompt.md").write_text(f"Discuss {item}.\n", encoding="utf-8")
    (rubrics / "six_point.yaml").write_text(SIX_POINT, encoding="utf-8")
    (rubrics / "two_criteria.yaml").write_text(TWO_CRITERIA, encoding="utf-8")


def take_in(bench: Workbench, actor: str, item: str, candidates: list[str], start: int) -> list[str]:
    """Store answers as intake would, and record it."""
    ids = new_ids("r", len(candidates))
    rows = []
    for place, (response_id, candidate) in enumerate(zip(ids, candidates, strict=True)):
        salt, text = (
            secrets.token_hex(16),
            f"Answer of number {start + place} to {item}, which nobody exports.",
        )
        digest = salted_hash(salt, text)
        rows.append((Response(response_id, item, candidate, start + place, digest, False), salt, text))
    with bench.store.write() as connection:
        add_responses(connection, rows)
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ANSWERS_TAKEN_IN,
            subject=item,
            body={"item": item, "n": len(rows)},
        )
    return ids


def build_round(path: Path, *, answers: int = 8) -> GradedRound:
    """Make a workspace with a round, answers, graders and deals, and no grades yet."""
    path.mkdir()
    write_files(path)
    bench = Workbench.create(path, Ticking())
    actor = bench.cli_actor(CLI_USER)
    register_files(bench, actor)
    candidates = new_ids("c", answers)
    ids = {}
    for item in ("mee-barge", "mee-crane", "rule-ferry"):
        made = take_in(bench, actor, item, candidates, 1)
        ids.update({(item, place): response_id for place, response_id in enumerate(made)})
    with bench.store.write() as connection:
        # The last candidate has no MBE score, as a model would have none.
        add_mbe(connection, [(c, 130.5 + 3 * n) for n, c in enumerate(candidates[:-1])])
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.MBE_TAKEN_IN,
            subject="mbe",
            body={"n": answers - 1},
        )
    graders = [add_account(bench, actor, name, Role.GRADER)[0] for name in PEOPLE]
    graders.append(add_account(bench, actor, SIMULATED, Role.GRADER, simulated=True)[0])
    deal(bench, actor, simulated=True)
    return GradedRound(bench, path, actor, graders, ids, candidates)


# What the reads of some answers are, so that every status occurs; None leaves a read out.
CHOSEN: dict[tuple[str, int], tuple[GradeEntry | None, GradeEntry | None]] = {
    ("mee-barge", 0): (GradeEntry(condition_code="blank"), GradeEntry(condition_code="blank")),
    ("mee-barge", 1): (GradeEntry(score=1), GradeEntry(score=5)),
    ("mee-barge", 2): (GradeEntry(score=4), None),
    ("mee-crane", 3): (GradeEntry(condition_code="off-topic"), GradeEntry(condition_code="off-topic")),
    ("mee-crane", 4): (GradeEntry(score=4), GradeEntry(condition_code="blank")),
}


def entry_for(item: str, place: int, read_number: int, rng: random.Random) -> GradeEntry | None:
    if (item, place) in CHOSEN:
        return CHOSEN[item, place][read_number - 1]
    if item == "rule-ferry":
        return GradeEntry(marks={"correctness": float(place % 2), "analysis": float(rng.random() < 0.5)})
    return GradeEntry(score=float(place % 6 + rng.choice([0, 0, 1])))


def grade_all(made: GradedRound) -> None:
    """Grade every dealt answer, those of `CHOSEN` as it says."""
    rng = random.Random(5)
    places = {response_id: key for key, response_id in made.ids.items()}
    dealt = [one for g in made.graders for one in assignments_of(made.bench.store, g.account_id)]
    for one in sorted(dealt, key=lambda one: (places[one.response_id], one.read_number)):
        entry = entry_for(*places[one.response_id], one.read_number, rng)
        if entry is not None:
            submit_grade(
                made.bench,
                one.grader_id,
                one.assignment_id,
                entry,
                token=secrets.token_hex(8),
                note="A note that is nobody's business.",
            )
