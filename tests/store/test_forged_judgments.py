"""An outcome of calibration edited in the log, the chain of hashes repaired, is found by `verify`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import event_hash


def forge(made: SmallWorkspace, kind: str, change: Callable[[dict], None]) -> None:
    """Change the bodies of one kind of event and repair every hash after them."""
    made.bench.store.close()
    with closing(sqlite3.connect(made.bench.store.path)) as connection:
        connection.row_factory = sqlite3.Row
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for trigger in triggers:
            connection.execute(f"DROP TRIGGER {trigger['name']}")
        previous = "0" * 64
        for row in connection.execute("SELECT * FROM event ORDER BY seq").fetchall():
            body = json.loads(row["body"])
            if row["kind"] == kind:
                change(body)
            text = canonical_json(body)
            digest = event_hash(
                row["seq"], row["at"], row["actor"], row["kind"], row["subject"], text, previous
            )
            connection.execute(
                "UPDATE event SET body = ?, previous_hash = ?, hash = ? WHERE seq = ?",
                (text, previous, digest, row["seq"]),
            )
            previous = digest
        for trigger in triggers:
            connection.execute(trigger["sql"])
        connection.commit()


@pytest.fixture
def failed(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    made = make(packets=("mee-barge-a",), qualification="required", items=("mee-barge",))
    made.calibrate(made.graders[0], off=2)
    return made


def verified(made: SmallWorkspace) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["verify", "--workspace", str(made.path)])
    return result.exit_code, f"{result.output}{result.exception or ''}"


def test_what_was_not_forged_is_whole(failed: SmallWorkspace) -> None:
    forge(failed, "QualificationJudged", lambda body: None)
    assert verified(failed)[0] == 0


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("QualificationJudged", lambda body: body.update(outcome="qualified")),
        ("QualificationJudged", lambda body: body["conditions"][0].update(value=0.5)),
        ("PapersRanked", lambda body: body["order"].reverse()),
        ("CalibrationBegun", lambda body: body.update(number=0)),
    ],
)
def test_a_forged_outcome_is_found(failed: SmallWorkspace, kind: str, change: Callable[[dict], None]) -> None:
    forge(failed, kind, change)
    code, said = verified(failed)
    assert code != 0
    assert "attempt" in said


def test_an_outcome_without_a_gate_opens_nothing(failed: SmallWorkspace) -> None:
    def begun(body: dict) -> None:
        body["number"] = 0

    def judged(body: dict) -> None:
        body["outcome"] = "qualified"

    forge(failed, "CalibrationBegun", begun)
    forge(failed, "QualificationJudged", judged)
    assert verified(failed)[0] != 0
