"""A graded round of any size, made as the lines of an export, and as a database from those lines."""

import json
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import FIRST_HASH, Event, EventKind, event_hash
from grader_app.domain.final_score import ScoreStanding
from grader_app.domain.inputs import Inputs
from grader_app.export.json_lines import inputs_bytes
from grader_app.export.results import Results
from grader_app.store.database import Store
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

AT = "2026-07-28T09:00:00.000000Z"
GRADERS_EACH = 8
DEALT_AT_ONCE = 500

ROUND = """\
format: round/1
id: large-round
version: "1"
title: A large round
items:
{items}
reading:
  reads: 1
  overlap_percent: 5
scaling:
  method: mean_sigma
  reference: pool
  rounding: total_half_up
cut:
  total: 266
  reread_from: 262
  reread_to: 265
seed: 11
"""
RUBRIC = """\
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
"""
SHEET = """\
format: point_sheet/1
id: {item}
version: "1"
item: {item}
kind: mee
rubric: six-point
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


def make_lines(folder, n_candidates, n_items, seed=1):
    """Write events.jsonl and inputs.jsonl of a graded round into a folder."""
    items = [f"mee-q{number}" for number in range(1, n_items + 1)]
    events, registered = _registered(items)
    people = _people(items, n_candidates, seed)
    (folder / "inputs.jsonl").write_bytes(
        inputs_bytes(Inputs(registered.files, people.responses, people.mbe))
    )
    digests = {(kept["kind"], kept["id"]): digest for digest, kept in registered.files.items()}
    with (folder / "events.jsonl").open("w", encoding="utf-8") as stream:
        chain = _Chain(stream)
        for event in events:
            chain.add(event.actor, event.kind, event.subject, event.body)
        answers = {item: [r for r, one in people.responses.items() if one["item"] == item] for item in items}
        for item, own in answers.items():
            chain.add("p0", EventKind.ANSWERS_TAKEN_IN, item, {"item": item, "n": len(own)})
        chain.add("p0", EventKind.MBE_TAKEN_IN, "mbe", {"n": len(people.mbe)})
        for item, own in answers.items():
            _grade(chain, item, own, people, digests)


def make_workbench(folder, n_candidates, n_items, seed=1):
    """Make the database of a workspace whose log is that of `make_lines`."""
    make_lines(folder, n_candidates, n_items, seed)
    Store.create(folder / "workbench.db", "w1", AT).close()
    with closing(sqlite3.connect(folder / "workbench.db", isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for event in _lines_of(folder / "events.jsonl"):
            body = canonical_json(event.pop("body"))
            names = "seq, at, actor, kind, subject, previous_hash, hash"
            values = [event[name] for name in names.split(", ")]
            sql = f"INSERT INTO event ({names}, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            connection.execute(sql, [*values, body])
        for place, one in enumerate(_lines_of(folder / "inputs.jsonl")):
            _put_input(connection, place, one)
        connection.execute("COMMIT")


def _lines_of(path):
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _put_input(connection, place, one):
    if one["kind"] == "response":
        # The texts of answers are no part of an export.
        connection.execute("INSERT INTO kept_text VALUES (?, 'salt', 'text')", (one["text_hash"],))
        connection.execute(
            "INSERT INTO response VALUES (?, ?, ?, ?, ?, 0, 'row')",
            (one["id"], one["item"], one["candidate_id"], place, one["text_hash"]),
        )
    elif one["kind"] == "mbe":
        connection.execute("INSERT INTO mbe VALUES (?, 1, ?, 'row')", (one["candidate_id"], one["mbe"]))
    else:
        row = (one["hash"], one["kind"], one["id"], one["version"], canonical_json(one["content"]))
        connection.execute("INSERT INTO file_version VALUES (?, ?, ?, ?, ?)", row)


def scored_results(n_candidates, n_items, seed=1):
    """Give a round whose scores are there, without a grade or a deal behind them."""
    items = [f"mee-q{number}" for number in range(1, n_items + 1)]
    events, registered = _registered(items)
    people = _people(items, n_candidates, seed)
    results = Results(events, Inputs(registered.files, people.responses, people.mbe))
    # Scores are all alike in what stands beside the number, so one standing serves for each of them.
    each = {score: ScoreStanding(float(score), float(score), "final", "One read.") for score in range(7)}
    results.record._standings.update({r: each[score] for r, score in people.scores.items()})
    return results


def _grade(chain, item, own, people, digests):
    """Deal an item's answers to its graders in turn, one in twenty to a second one, and grade them all."""
    rng = random.Random(item)
    for turn, start in enumerate(range(0, len(own), DEALT_AT_ONCE)):
        share = own[start : start + DEALT_AT_ONCE]
        for number, read in ((1, share), (2, share[::20])):
            grader = f"p{item}{(turn + number) % GRADERS_EACH}"
            rows = [_row(f"a{item}{start + at}x{number}", r, at, number, people) for at, r in enumerate(read)]
            body = {"assignments": rows, "grader_id": grader, "item": item}
            chain.add("p0", EventKind.ANSWERS_DEALT, grader, body)
            for row in rows:
                apart = rng.random() < 0.2 * (number - 1)
                score = min(people.scores[row["response_id"]] + apart, 6)
                chain.add(
                    grader, EventKind.GRADE_SUBMITTED, row["assignment_id"], _body(row, item, score, digests)
                )


def _row(assignment_id, response_id, position, number, people):
    answer = people.responses[response_id]
    return {
        "assignment_id": assignment_id,
        "candidate_id": answer["candidate_id"],
        "position": position + 1,
        "read_number": number,
        "response_id": response_id,
        "text_hash": answer["text_hash"],
    }


def _body(row, item, score, digests):
    return {
        "analysis_gaps": [],
        "condition_code": None,
        "error_types": [],
        "highlights": [],
        "item": item,
        "item_hash": digests["item", item],
        "item_version": "1",
        "marks": {},
        "marks_entered": {},
        "note_hash": None,
        "points": ["duty.rule"] if score > 3 else [],
        "response_id": row["response_id"],
        "rubric": "six-point",
        "rubric_hash": digests["rubric", "six-point"],
        "rubric_version": "1",
        "score": float(score),
        "seconds_spent": 240.0,
    }


class _People(NamedTuple):
    responses: dict
    mbe: dict
    scores: dict


class _Chain:
    def __init__(self, stream):
        self.stream, self.seq, self.last = stream, 0, FIRST_HASH

    def add(self, actor, kind, subject, body):
        self.seq += 1
        text = canonical_json(body)
        digest = event_hash(self.seq, AT, actor, kind, subject, text, self.last)
        event = Event(self.seq, AT, actor, str(kind), subject, text, self.last, digest)
        self.stream.write(event.as_json() + "\n")
        self.last = digest


def _people(items, n_candidates, seed):
    rng = random.Random(seed)
    responses, mbe, scores = {}, {}, {}
    for number in range(n_candidates):
        candidate, able = f"c{number:06}", rng.gauss(0, 1)
        mbe[candidate] = round(140 + 15 * able + rng.gauss(0, 4), 1)
        for item in items:
            response_id = f"r{number:06}{item}"
            text_hash = f"{len(responses):064x}"
            responses[response_id] = {"item": item, "candidate_id": candidate, "text_hash": text_hash}
            scores[response_id] = min(max(round(3 + able + rng.gauss(0, 0.9)), 0), 6)
    return _People(responses, mbe, scores)


def _registered(items):
    """Register round, rubric and point sheets in a workspace, and give its events and inputs."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "workspace"
        (folder / "rubrics").mkdir(parents=True)
        listed = "\n".join(f"  - item: {item}\n    component: mee\n    weight: 1" for item in items)
        (folder / "round.yaml").write_text(ROUND.format(items=listed), encoding="utf-8")
        (folder / "rubrics" / "six_point.yaml").write_text(RUBRIC, encoding="utf-8")
        for item in items:
            (folder / "rubrics" / item).mkdir()
            (folder / "rubrics" / item / "point_sheet.yaml").write_text(
                SHEET.format(item=item), encoding="utf-8"
            )
            (folder / "rubrics" / item / "prompt.md").write_text("Discuss.\n", encoding="utf-8")
        bench = Workbench.create(folder)
        register_files(bench, bench.cli_actor("cli:benchmark"))
        found = list(read_events(bench.store)), read_inputs(bench.store)
        bench.store.close()
        return found
