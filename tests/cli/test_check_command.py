from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader_app.cli.main import cli

RUBRIC = """\
format: rubric/1
id: six-point
version: "1"
title: Six-point scale
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
"""


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    (tmp_path / "rubrics").mkdir()
    path = tmp_path / "rubrics" / "six.yaml"
    path.write_text(RUBRIC, encoding="utf-8")
    return path


def test_check_says_how_many_files_hold(rubric: Path) -> None:
    result = CliRunner().invoke(cli, ["check", str(rubric)])
    assert (result.exit_code, result.stdout) == (0, "1 file, no problems.\n")


def test_check_takes_the_workspace_when_no_path_is_given(rubric: Path) -> None:
    place = str(rubric.parents[1])
    for arguments in (["--workspace", place, "check"], ["check", "--workspace", place]):
        assert CliRunner().invoke(cli, arguments).stdout == "1 file, no problems.\n"


def test_check_prints_path_line_what_and_what_to_do(rubric: Path) -> None:
    rubric.write_text(RUBRIC.replace("title:", "titel:").replace("step: 1", "step: 4"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(rubric)])
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{rubric}:4: Unknown key `titel`. Did you mean `title`?",
        f"{rubric}:8: From 0 to 6 is not a whole number of steps of 4. Change `step`, `lowest` or `highest`.",
    ]
    assert "Traceback" not in result.output


def test_check_gives_json_alone_on_standard_output(rubric: Path) -> None:
    rubric.write_text(RUBRIC.replace("step: 1", "step: 4"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--json", str(rubric), str(rubric.parent / "none.md")])
    assert result.exit_code == 1
    read = json.loads(result.stdout)
    assert read["files"] == 1
    assert [(Path(each["path"]).name, each["line"]) for each in read["problems"]] == [
        ("none.md", None),
        ("six.yaml", 8),
    ]


@pytest.mark.parametrize("name", ["rubric", "point_sheet", "round"])
def test_schema_prints_a_json_schema(name: str) -> None:
    result = CliRunner().invoke(cli, ["schema", name])
    assert result.exit_code == 0
    read = json.loads(result.stdout)
    assert read["properties"]["format"]["const"] == f"{name}/1"
    assert read["additionalProperties"] is False


def test_schema_of_an_unknown_name_is_wrong_usage_with_the_nearest() -> None:
    result = CliRunner().invoke(cli, ["schema", "point-sheet"])
    assert result.exit_code == 2
    assert "Did you mean `point_sheet`?" in result.stderr


@pytest.mark.parametrize("command", ["check", "schema"])
def test_help_shows_an_example(command: str) -> None:
    assert f"Example: grader-app {command}" in CliRunner().invoke(cli, [command, "--help"]).stdout
