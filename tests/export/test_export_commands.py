from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from graded_rounds import GradedRound, grade_all

from grader_app.cli.main import cli
from grader_app.export.verify import verify_export


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def own_workspace(own_round: GradedRound) -> Path:
    grade_all(own_round)
    return own_round.path


def test_export_prints_its_path_last_and_verify_finds_it_the_same(own_workspace: Path) -> None:
    made = run("--workspace", own_workspace, "export")
    assert made.exit_code == 0
    lines = made.output.splitlines()
    assert lines[0].startswith("Provisional:")
    path = Path(lines[-1])
    assert path.parent == own_workspace / "exports"
    checked = run("verify", path)
    assert (checked.exit_code, "the same" in checked.output) == (0, True)
    whole = run("verify", "--workspace", own_workspace)
    assert (whole.exit_code, "the same" in whole.output) == (0, True)


def test_export_as_json_says_where_it_is(own_workspace: Path, tmp_path: Path) -> None:
    made = run("export", "--workspace", own_workspace, "--out", tmp_path / "elsewhere", "--json")
    told = json.loads(made.output)
    assert Path(told["path"]).parent == tmp_path / "elsewhere"
    assert told["provisional"] is True
    assert set(told["files"]) == {path.name for path in Path(told["path"]).iterdir()}


def test_verify_of_a_changed_export_exits_with_1_and_the_first_difference(export_copy: Path) -> None:
    path = export_copy / "scores.csv"
    path.write_bytes(path.read_bytes().replace(b",2.5,2.5,", b",2.5,6,", 1))
    found = run("verify", export_copy)
    assert found.exit_code == 1
    assert "column final: says '6', should say '2.5'." in found.stderr
    assert "Traceback" not in found.output


def test_verify_of_a_workspace_holds_it_against_its_exports(own_workspace: Path, exported: Path) -> None:
    # An export of another workspace: its last event never stood in this log.
    (own_workspace / "exports").mkdir()
    other = own_workspace / "exports" / "other"
    other.mkdir()
    (other / "manifest.json").write_bytes((exported / "manifest.json").read_bytes())
    found = run("verify", "--workspace", own_workspace)
    assert found.exit_code == 1
    assert "The export other ends with event" in found.stderr


def test_a_folder_without_a_database_is_told_so(tmp_path: Path) -> None:
    found = run("export", "--workspace", tmp_path)
    assert found.exit_code == 1
    assert "there is no workbench database here" in found.stderr


def test_an_export_verifies_far_from_its_workspace(
    export_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(export_copy.parent)
    verify_export(Path(export_copy.name))
