from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader_app.cli.main import cli
from grader_app.store.event_log import read_events
from grader_app.workflow.workbench import Workbench


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("there", [False, True])
def test_a_new_workspace_has_its_folders_its_database_and_the_shipped_rubrics(
    tmp_path: Path, there: bool
) -> None:
    folder = tmp_path / "deep" / "july"
    if there:
        folder.mkdir(parents=True)
    code, out, _ = run("init", folder)
    assert code == 0
    assert "grader-app check" in out
    names = {path.name for path in folder.iterdir()}
    assert names == {"workbench.db", "rubrics", "calibration_sets", "exports"}
    assert list((folder / "rubrics").glob("*.yaml"))
    bench = Workbench.open(folder)
    assert [event.kind for event in read_events(bench.store)] == ["WorkspaceMade"]
    bench.store.close()
    assert run("check", folder)[0] == 0
    assert [path.name for path in folder.parent.iterdir()] == ["july"]


@pytest.mark.parametrize("sample", [(), ("--sample",)])
def test_each_folder_holds_the_page_that_explains_it_and_links_between_pages_lead_somewhere(
    tmp_path: Path, sample: tuple[str, ...]
) -> None:
    code, out, _ = run("init", tmp_path / "july", *sample)
    assert code == 0
    assert bool(sample) or "calibration_sets/README.md" in out
    for name in ("rubrics", "calibration_sets", "exports"):
        page = tmp_path / "july" / name / "README.md"
        for link in re.findall(r"\]\(([^)#:]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{name}/README.md leads to {link}"


def test_the_sample_says_how_many_answers_and_simulated_grades_it_holds(tmp_path: Path) -> None:
    code, out, _ = run("init", tmp_path / "sample", "--sample")
    assert code == 0
    assert "simulated grades" in out
    assert run("check", tmp_path / "sample")[0] == 0
    assert run("verify", "--workspace", tmp_path / "sample")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def test_agreement_without_a_round_says_what_to_do_first(tmp_path: Path) -> None:
    run("init", tmp_path / "july")
    for form in ((), ("--json",)):
        code, out, err = run("agreement", "--workspace", tmp_path / "july", *form)
        assert (code, out) == (1, "")
        assert err.startswith("No round is registered yet. Write round.yaml and run `grader-app check`")


@pytest.mark.parametrize("sample", [(), ("--sample",)])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_nothing_is_made_where_there_is_something(tmp_path: Path, sample: tuple[str, ...], what: str) -> None:
    place = tmp_path / "place"
    if what == "folder":
        place.mkdir()
        (place / "notes.txt").write_text("mine")
    else:
        place.write_text("mine")
    code, out, err = run("init", place, *sample)
    assert (code, out) == (1, "")
    assert "Name a new or empty folder" in err
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


def test_a_failure_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Workbench, "create", fails)
    for sample in ((), ("--sample",)):
        code, out, err = run("init", tmp_path / "july", *sample)
        assert (code, out) == (1, "")
        assert "the disk is full" in err
        assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_called_by_the_name_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(prefix: str, dir: Path) -> str:
        raise PermissionError(13, "Permission denied", f"{dir}/{prefix}x7d2")

    monkeypatch.setattr("grader_app.store.scratch_folder.tempfile.mkdtemp", refused)
    said = f"{tmp_path / 'july'}: Permission denied. Check the name, and your rights to it.\n"
    for sample in ((), ("--sample",)):
        assert run("init", tmp_path / "july", *sample) == (1, "", said)
    assert list(tmp_path.iterdir()) == []
