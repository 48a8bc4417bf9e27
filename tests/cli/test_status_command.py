from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from keyed_packets import printed
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.workbench import Workbench


def run(path: Path, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["status", "--workspace", str(path), *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_status_counts_by_item_stage_and_grader(small: SmallWorkspace) -> None:
    small.submit(small.queue(small.graders[0])[0])
    small.take_in("mee-barge", 1)
    close_item(small.bench, small.actor, "mee-barge")
    disable_account(small.bench, small.actor, small.graders[1])
    lines = [line.split() for line in run(small.path)[1].splitlines()]
    heads = "question answers not dealt with graders with lead final disputed coded"
    assert lines[0] == heads.split()
    assert lines[1] == ["mee-barge", "5", "1", "3", "0", "1", "0", "0", "closed"]
    assert lines[2] == ["rule-ferry", "0", "0", "0", "0", "0", "0", "0"]
    assert lines[-2:] == [["grader-1", "1", "0", "0"], ["grader-2", "0", "0", "0", "disabled"]]


def test_status_gives_json_alone(small: SmallWorkspace) -> None:
    small.submit(small.queue(small.graders[0])[0], seconds_spent=30)
    found = json.loads(run(small.path, "--json")[1])
    assert found["items"][0] == {
        "item": "mee-barge",
        "title": "The question of mee-barge",
        "answers": 4,
        "undealt": 0,
        "waiting": 3,
        "with_lead": 0,
        "final": 1,
        "disputed": 0,
        "coded": 0,
        "closed": False,
        "revealed": 0,
        "undecided": 0,
    }
    (grader, other) = found["graders"]
    assert (grader["name"], grader["items"][0]["done"], grader["items"][0]["left"]) == ("grader-1", 1, 1)
    assert grader["items"][0]["median_seconds"] == 30
    assert other["items"][0]["median_seconds"] is None


def test_status_before_a_round_says_what_to_do(tmp_path: Path) -> None:
    Workbench.create(tmp_path).store.close()
    code, out, err = run(tmp_path)
    assert (code, out) == (1, "")
    assert "No round is registered yet" in err


def test_papers_in_a_printed_packet_are_named_beside_their_grader(small: SmallWorkspace) -> None:
    printed(small, 2)
    _, said, _ = run(small.path)
    (line,) = [line for line in said.splitlines() if line.startswith(small.graders[0].name)]
    assert line.endswith("2 on paper")
