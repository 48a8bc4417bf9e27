from __future__ import annotations

from pathlib import Path

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
