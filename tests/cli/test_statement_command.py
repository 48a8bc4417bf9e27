from __future__ import annotations

import json

from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli


def run(small: SmallWorkspace, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["statement", "--workspace", str(small.path), *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_it_lists_every_grader_with_questions_and_says_how_time_is_counted(small: SmallWorkspace) -> None:
    for dealt in small.queue(small.graders[0]):
        small.submit(dealt, seconds_spent=180)
    code, out, _ = run(small)
    lines = [line.split() for line in out.splitlines()]
    assert code == 0
    assert ["grader-1", "2", "0", "0", "6"] in lines
    assert ["grader-2", "0", "0", "0", "0"] in lines
    assert "Active minutes" in out


def test_json_stands_alone_and_a_period_leaves_the_rest_out(small: SmallWorkspace) -> None:
    for dealt in small.queue(small.graders[0]):
        small.submit(dealt, seconds_spent=180)
    found = json.loads(run(small, "--json")[1])
    first = found["graders"][0]
    assert (first["name"], first["papers"], first["active_minutes"]) == ("grader-1", 2, 6)
    assert first["kinds"] == {"live": 2}
    assert [one["day"] for one in first["days"]] == ["2026-11-29"]
    later = json.loads(run(small, "--json", "--from", "2026-11-30")[1])
    assert (later["from"], later["graders"][0]["papers"]) == ("2026-11-30", 0)


def test_a_day_that_is_none_and_a_period_turned_round_are_refused(small: SmallWorkspace) -> None:
    assert run(small, "--from", "30.11.2026")[0] == 2
    code, _, said = run(small, "--from", "2026-12-01", "--to", "2026-11-01")
    assert (code, "before it begins" in said) == (1, True)
