"""A small workspace made through the workflow's own functions, for tests to act in."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from grader_app.agreement.of_attempt import essay_of, references_of
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import CHECKS, Account, Assignment, Role
from grader_app.domain.response import Response
from grader_app.store.assignments import assignments_of
from grader_app.store.event_log import append, read_events
from grader_app.store.responses import add_responses, last_deal_order
from grader_app.store.texts import salted_hash
from grader_app.workflow import accounts
from grader_app.workflow.assignment import deal, record_checks, record_deal
from grader_app.workflow.calibration import begin, own_attempt, submit_order
from grader_app.workflow.grade_submission import Receipt, submit_grade
from grader_app.workflow.registration import register_files
from grader_app.workflow.training import complete_training, see_material, training_of
from grader_app.workflow.workbench import Workbench

START = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)

ROUND = """\
format: round/1
id: small-round
version: "{version}"
title: A small round
items:
{items}
qualification: {qualification}
reading:
{reading}
{more}seed: {seed}
"""
WEIGHTED_ITEM = "  - item: {item}\n    component: mee\n    weight: 1\n"
RULE_ITEM = "  - item: {item}\n    component: rule_application\n"
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
condition_codes:
  - id: blank
    title: Blank
    counts_as: zero
  - id: off-topic
    title: Off topic
    counts_as: to_lead
checklist:
  - id: both-sides
    question: >-
      Was the other side heard?
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
criteria:
  - id: analysis
    title: Analysis
    question: >-
      Is there an inference?
    lowest: 0
    highest: 1
    step: 1
    weight: 1
    needs: correctness
    if_unmet: zero
  - id: correctness
    title: Correctness
    question: >-
      Is it right?
    lowest: 0
    highest: 1
    step: 1
    weight: 1
    zero_if_any_error: true
error_types:
  - id: rule-misstated
    title: Rule misstated
"""
PACKET = """\
format: calibration_set/1
id: {set_id}
version: "{version}"
title: Packet {set_id}
item: {item}
point_sheet_version: "{sheet_version}"
purpose: {purpose}
reference: given
origin: constructed
{more}"""
SHEET = """\
format: point_sheet/1
id: {item}
version: "{version}"
item: {item}
kind: {kind}
rubric: {rubric}
rubric_version: "{rubric_version}"
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


class Ticking:
    """A clock that moves on by a second at each look, and further when told."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def passes(self, **how_long: float) -> None:
        self.now += timedelta(**how_long)


@dataclass
class SmallWorkspace:
    """A workspace with a clock of its own, and short ways to act in it."""

    path: Path
    bench: Workbench
    clock: Ticking
    actor: str
    graders: list[Account] = field(default_factory=list)
    tokens: Any = field(default_factory=lambda: (f"token-{n}" for n in itertools.count()))

    def add_grader(self, name: str) -> Account:
        account, _ = accounts.add_account(self.bench, self.actor, name, Role.GRADER)
        self.graders.append(account)
        return account

    def take_in(self, item: str, count: int, said: str | None = None) -> list[str]:
        """Store answers of new candidates as intake would, and record it."""
        return self._take_in(item, new_ids("c", count), said)

    def take_in_of(self, item: str, candidate_id: str) -> str:
        """Store another answer of a candidate who is there already."""
        return self._take_in(item, [candidate_id])[0]

    def take_in_of_one_candidate(self, *items: str) -> list[str]:
        """Store one answer to each item, all by the same new candidate."""
        (candidate_id,) = new_ids("c", 1)
        return [self.take_in_of(item, candidate_id) for item in items]

    def plant(self, dealt: Assignment) -> None:
        """Put one read of any kind before a grader."""
        kind = EventKind.CHECKS_PLANTED if dealt.kind in CHECKS else EventKind.ANSWERS_DEALT
        with self.bench.store.write() as connection:
            if kind is EventKind.ANSWERS_DEALT:
                record_deal(self.bench, connection, self.actor, dealt.item, dealt.grader_id, [dealt])
            else:
                record_checks(self.bench, connection, self.actor, dealt.item, dealt.grader_id, [dealt])

    def _take_in(self, item: str, candidates: list[str], said: str | None = None) -> list[str]:
        start = last_deal_order(self.bench.store, item) + 1
        ids = new_ids("r", len(candidates))
        rows = []
        for place, (response_id, candidate) in enumerate(zip(ids, candidates, strict=True), start=start):
            salt, text = secrets.token_hex(16), said or f"Answer {place} to {item}."
            digest = salted_hash(salt, text)
            rows.append((Response(response_id, item, candidate, place, digest, False), salt, text))
        with self.bench.store.write() as connection:
            add_responses(connection, rows)
            append(
                connection,
                at=self.bench.now(),
                actor=self.actor,
                kind=EventKind.ANSWERS_TAKEN_IN,
                subject=item,
                body={"item": item, "n": len(ids)},
            )
        return ids

    def queue(self, grader: Account, item: str = "mee-barge") -> list[Assignment]:
        return [one for one in assignments_of(self.bench.store, grader.account_id) if one.item == item]

    def submit(self, dealt: Assignment, score: float = 4, **changes: Any) -> Receipt:
        entry = changes.pop("entry", GradeEntry(score=score))
        token = changes.pop("token", None) or next(self.tokens)
        return submit_grade(self.bench, dealt.grader_id, dealt.assignment_id, entry, token=token, **changes)

    def train(self, grader: Account, item: str = "mee-barge") -> None:
        """Open all materials of an item and say that they are read."""
        for name in training_of(self.bench, grader.account_id, item).unseen:
            see_material(self.bench, grader.account_id, item, name)
        complete_training(self.bench, grader.account_id, item)

    def begin(self, grader: Account, item: str = "mee-barge") -> Attempt:
        """Train where it is needed, and begin the next packet."""
        self.train(grader, item)
        attempt_id = begin(self.bench, grader.account_id, item)
        return own_attempt(self.bench, grader.account_id, attempt_id)

    def essays(self, attempt: Attempt) -> dict[str, str]:
        """Name of each paper by assignment id."""
        with self.bench.record() as record:
            return {a: essay_of(record, a) for a in attempt.assignment_ids}

    def references(self, attempt: Attempt) -> dict[str, float]:
        """Reference score of each paper by assignment id."""
        with self.bench.record() as record:
            found = references_of(record, attempt)
        return {a: one.score or 0 for a, one in found.items()}

    def rank(self, attempt: Attempt, order: list[list[str]] | None = None) -> None:
        """Submit an order; by default the reference's own, without ties."""
        references = self.references(attempt)
        best_first = sorted(references, key=lambda a: -references[a])
        groups = order if order is not None else [[a] for a in best_first]
        state = {"piles": [{"label": "", "groups": groups}]}
        submit_order(self.bench, attempt.grader_id, attempt.attempt_id, state, token=next(self.tokens))

    def score(self, attempt: Attempt, off: float = 0) -> Attempt:
        """Score every paper, `off` points below its reference; give the attempt as it then stands."""
        references = self.references(attempt)
        for a in attempt.assignment_ids:
            entry = GradeEntry(score=min(6, max(0, references[a] - off)))
            submit_grade(self.bench, attempt.grader_id, a, entry, token=next(self.tokens))
        return own_attempt(self.bench, attempt.grader_id, attempt.attempt_id)

    def calibrate(self, grader: Account, off: float = 0, item: str = "mee-barge") -> Attempt:
        """Go through the next packet from the materials to the gate."""
        attempt = self.begin(grader, item)
        self.rank(attempt)
        return self.score(attempt, off)

    def append(self, kind: EventKind, subject: str, /, **body: Any) -> int:
        with self.bench.store.write() as connection:
            return append(
                connection, at=self.bench.now(), actor=self.actor, kind=kind, subject=subject, body=body
            )

    def kinds(self) -> list[str]:
        return [event.kind for event in read_events(self.bench.store)]

    def count(self, kind: EventKind) -> int:
        return self.kinds().count(kind.value)

    def counts(self) -> dict[str, int]:
        """Rows by table."""
        tables = self.bench.store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            row["name"]: self.bench.store.rows(f"SELECT count(*) AS n FROM {row['name']}")[0]["n"]
            for row in tables
        }


def write_round(
    folder: Path,
    *,
    reading: str = "reads: 1",
    version: int = 1,
    seed: int = 11,
    qualification: str = "not_required",
    more: str = "",
    items: tuple[str, ...] = ("mee-barge", "rule-ferry"),
) -> None:
    """Write ``round.yaml``; items beginning with ``rule`` are rule applications."""
    listed = "".join(
        (RULE_ITEM if item.startswith("rule") else WEIGHTED_ITEM).format(item=item) for item in items
    )
    rules = "\n".join(f"  {line}" for line in reading.splitlines())
    text = ROUND.format(
        version=version,
        items=listed.rstrip("\n"),
        reading=rules,
        seed=seed,
        qualification=qualification,
        more=more,
    )
    (folder / "round.yaml").write_text(text, encoding="utf-8")


def write_item(folder: Path, item: str, *, version: int = 1, rubric_version: int = 1) -> None:
    rule = item.startswith("rule")
    sheet = SHEET.format(
        item=item,
        version=version,
        kind="rule_application" if rule else "mee",
        rubric="two-criteria" if rule else "six-point",
        rubric_version=rubric_version,
    )
    sheet += 'gold: "No"\n' if rule else ""
    place = folder / "rubrics" / item
    place.mkdir(parents=True, exist_ok=True)
    (place / "point_sheet.yaml").write_text(sheet, encoding="utf-8")
    (place / "prompt.md").write_text(f"Discuss {item}.\n", encoding="utf-8")


def write_packet(
    folder: Path,
    set_id: str,
    *,
    item: str = "mee-barge",
    scores: tuple[float, ...] = (1, 2, 3, 3, 4, 5),
    anchors: tuple[float, ...] = (2, 5),
    version: int = 1,
    sheet_version: int = 1,
    more: str = "",
    purpose: str = "qualify",
) -> None:
    """Write a calibration set: papers E01, E02 … with these scores, anchors A01, A02 … with theirs."""
    place = folder / "calibration_sets" / set_id
    (place / "essays").mkdir(parents=True, exist_ok=True)
    said = PACKET.format(
        set_id=set_id, item=item, version=version, sheet_version=sheet_version, purpose=purpose, more=more
    )
    (place / "calibration_set.yaml").write_text(said, encoding="utf-8")
    named = [(f"E{n:02d}", score, "no") for n, score in enumerate(scores, start=1)]
    named += [(f"A{n:02d}", score, "yes") for n, score in enumerate(anchors, start=1)]
    rows = [f"{essay},{score:g},{anchor},Because of {essay}." for essay, score, anchor in named]
    table = "\n".join(["essay,score,anchor,rationale", *rows]) + "\n"
    (place / "reference_scores.csv").write_text(table, encoding="utf-8")
    for essay, _, _ in named:
        text = f"{essay} of {set_id} begins so, and goes on to speak of control.\n"
        (place / "essays" / f"{essay}.md").write_text(text, encoding="utf-8")


def write_files(folder: Path, **round_options: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_round(folder, **round_options)
    for item in round_options.get("items", ("mee-barge", "rule-ferry")):
        write_item(folder, item)
    (folder / "rubrics" / "six_point.yaml").write_text(SIX_POINT, encoding="utf-8")
    (folder / "rubrics" / "two_criteria.yaml").write_text(TWO_CRITERIA, encoding="utf-8")


def make_workspace(
    folder: Path,
    *,
    graders: int = 2,
    answers: int = 4,
    dealt: bool = True,
    packets: tuple[str, ...] = (),
    **round_options: Any,
) -> SmallWorkspace:
    """Make a workspace with registered files, graders, and answers to ``mee-barge`` that are dealt."""
    write_files(folder, **round_options)
    for set_id in packets:
        write_packet(folder, set_id)
    clock = Ticking()
    bench = Workbench.create(folder, clock)
    made = SmallWorkspace(folder, bench, clock, bench.cli_actor("cli:kim"))
    register_files(bench, made.actor)
    for number in range(1, graders + 1):
        made.add_grader(f"grader-{number}")
    if answers:
        made.take_in("mee-barge", answers)
        if dealt:
            deal(bench, made.actor)
    return made


@pytest.fixture(autouse=True, scope="session")
def cheap_hashing() -> Iterator[None]:
    """Let argon2 do as little as it can: its cost is not what is tested, and adds up to minutes."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(accounts, "_hasher", cheap)
        patch.setattr(accounts, "_NOBODY", cheap.hash("nobody has this password"))
        yield


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., SmallWorkspace]]:
    """Make workspaces, each in a folder of its own."""
    made: list[SmallWorkspace] = []

    def build(**options: Any) -> SmallWorkspace:
        made.append(make_workspace(tmp_path / f"workspace-{len(made) + 1}", **options))
        return made[-1]

    yield build
    for one in made:
        one.bench.store.close()


@pytest.fixture
def small(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    """Two graders and four answers to ``mee-barge``, dealt once each."""
    return make()
