from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_a_backup_comes_back_as_the_same_workspace(small: SmallWorkspace, tmp_path: Path) -> None:
    small.submit(small.queue(small.graders[0])[0])
    file, again = tmp_path / "july.zip", tmp_path / "again"
    code, out, _ = run("backup", file, "--workspace", small.path)
    assert code == 0
    assert "files: grades, round, rubrics and calibration sets.\n" in out
    assert "Not among them: the blinding key" in out
    assert run("restore", file, again)[0] == 0
    assert run("status", "--workspace", again) == run("status", "--workspace", small.path)
    assert run("verify", "--workspace", again)[0] == 0


def test_backup_and_restore_never_overwrite(small: SmallWorkspace, tmp_path: Path) -> None:
    file = tmp_path / "july.zip"
    run("backup", file, "--workspace", small.path)
    content = file.read_bytes()
    for arguments in (("backup", file, "--workspace", small.path), ("restore", file, small.path)):
        code, out, err = run(*arguments)
        assert (code, out) == (1, "")
        assert err.count("\n") == 1
    assert file.read_bytes() == content


def test_a_damaged_backup_leaves_nothing(small: SmallWorkspace, tmp_path: Path) -> None:
    file = tmp_path / "july.zip"
    run("backup", file, "--workspace", small.path)
    content = bytearray(file.read_bytes())
    content[200:4000] = b"\xff" * 3800
    file.write_bytes(content)
    before = sorted(tmp_path.iterdir())
    code, out, err = run("restore", file, tmp_path / "again")
    assert (code, out) == (1, "")
    assert "backup" in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_place_that_cannot_be_written_is_called_by_the_name_it_was_given(
    small: SmallWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other, again = (tmp_path / name for name in ("july.zip", "other.zip", "again"))
    assert run("backup", file, "--workspace", small.path)[0] == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []

    def refused(prefix: str, dir: Path) -> str:
        raise PermissionError(13, "Permission denied", f"{dir}/{prefix}x7d2")

    monkeypatch.setattr("grader_app.store.scratch_folder.tempfile.mkdtemp", refused)
    for place, words in (
        (other, ("backup", other, "--workspace", small.path)),
        (again, ("restore", file, again)),
    ):
        said = f"{place}: Permission denied. Check the name, and your rights to it.\n"
        assert run(*words) == (1, "", said)
        assert not place.exists()
