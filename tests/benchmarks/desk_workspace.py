"""A workspace as large as a state's July: 100,000 answers of 3 KB to one essay question, dealt to a panel."""

import gc
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from argon2 import PasswordHasher

from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import Account, Role
from grader_app.domain.response import Response
from grader_app.files.shipped import shipped_folder
from grader_app.store.accounts import set_password
from grader_app.store.event_log import append
from grader_app.store.responses import add_responses
from grader_app.store.texts import salted_hash
from grader_app.workflow import accounts
from grader_app.workflow.assignment import deal
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

ITEM = "mee-negligence"
ROUND = f"""\
format: round/1
id: desk-benchmark
version: "1"
title: The desk under load
items:
  - item: {ITEM}
    component: mee
    weight: 1
qualification: not_required
seed: 7
"""
SENTENCES = (
    "The first question is whether the owner of the shop owed a duty to the people who walk past its door.",
    "A person who acts must take the care that a careful person would take in the same position.",
    "Here the cord lay across the pavement for an hour, and two customers had already caught a foot in it.",
    "The other side will say that the plaintiff looked at her telephone and not at the ground before her.",
    "That goes to her own fault, which in most States lowers what she recovers and does not end the claim.",
)


@dataclass(frozen=True)
class Made:
    """What was made, and how long it took."""

    folder: Path
    sessions: list[str]
    bench: Workbench
    storing_seconds: float
    dealing_seconds: float


def make(folder: Path, answers: int, graders: int, bytes_each: int = 3_000) -> Made:
    """Store answers, deal them, and sign every grader in."""
    (folder / "rubrics").mkdir(parents=True)
    for name in (ITEM, "mee_six_point.yaml"):
        source = shipped_folder("rubrics") / name
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, folder / "rubrics" / name)
    (folder / "round.yaml").write_text(ROUND, encoding="utf-8")
    bench = Workbench.create(folder)
    actor = bench.cli_actor("benchmark")
    register_files(bench, actor)
    people = _people(bench, actor, graders)
    started = time.perf_counter()
    _store(bench, actor, answers, bytes_each)
    stored = time.perf_counter()
    deal(bench, actor)
    dealt = time.perf_counter()
    sessions = [accounts.start_session(bench, account) for account in people]
    return Made(folder, sessions, bench, stored - started, dealt - stored)


def text_of(number: int, size: int) -> str:
    """Write an answer of some size in paragraphs of three sentences; no two are alike."""
    text = f"Answer {number} was written for a benchmark.\n\n"
    at = number
    while len(text) < size:
        at += 1
        text += SENTENCES[at % len(SENTENCES)] + ("\n\n" if at % 3 == 0 else " ")
    return text[:size]


def _people(bench: Workbench, actor: str, count: int) -> list[Account]:
    """Add graders who have chosen their password; hashing three hundred in earnest would take a minute."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    accounts._hasher = cheap
    hashed = cheap.hash("three plain words")
    made = [accounts.add_account(bench, actor, f"grader-{n}", Role.GRADER)[0] for n in range(1, count + 1)]
    with bench.store.write() as connection:
        for account in made:
            set_password(connection, account.account_id, hashed, one_time=False, at=bench.now())
    return made


def _store(bench: Workbench, actor: str, count: int, size: int) -> None:
    ids, candidates = new_ids("r", count), new_ids("c", count)
    gc.disable()
    rows = []
    for number, (response_id, candidate) in enumerate(zip(ids, candidates, strict=True), start=1):
        salt, text = secrets.token_hex(16), text_of(number, size)
        rows.append(
            (Response(response_id, ITEM, candidate, number, salted_hash(salt, text), False), salt, text)
        )
    with bench.store.write() as connection:
        add_responses(connection, rows)
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ANSWERS_TAKEN_IN,
            subject=ITEM,
            body={"item": ITEM, "n": count},
        )
    gc.enable()
