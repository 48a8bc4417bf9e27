from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from served_workspace import COMMAND, clean_environment

from grader_app.cli.main import cli


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(one) for one in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_revealing_a_provisional_export_says_what_it_ends(sample_copy: Path) -> None:
    export = run("export", "--workspace", sample_copy)[1].strip().splitlines()[-1]
    code, out, err = run("reveal", export, "--provisional", "--workspace", sample_copy)
    assert code == 0
    assert out.strip().splitlines()[-1] == f"{export}-revealed"
    assert "provisional" in err
    assert "mee-negligence" in err
    assert run("verify", export)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_at_a_terminal_a_provisional_export_is_not_revealed_by_mistake(sample_copy: Path) -> None:
    export = run("export", "--workspace", sample_copy)[1].strip().splitlines()[-1]
    ours, theirs = os.openpty()
    try:
        command = [*COMMAND, "reveal", export, "--workspace", str(sample_copy)]
        done = subprocess.run(
            command, stdin=theirs, capture_output=True, text=True, env=clean_environment(), check=False
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout) == (1, "")
    assert "mee-negligence" in done.stderr
    assert "--provisional" in done.stderr
    assert not Path(f"{export}-revealed").exists()
    with closing(sqlite3.connect(sample_copy / "workbench.db")) as database:
        assert not list(database.execute("SELECT 1 FROM event WHERE kind = 'SourcesRevealed'"))


def test_a_script_reveals_a_provisional_export_and_is_told_what_that_ends(sample_copy: Path) -> None:
    export = run("export", "--workspace", sample_copy)[1].strip().splitlines()[-1]
    code, _, err = run("reveal", export, "--workspace", sample_copy)
    assert code == 0
    assert "can no longer get a final score" in err


def test_what_is_revealed_already_is_written_again_without_being_asked_for(sample_copy: Path) -> None:
    export = run("export", "--workspace", sample_copy)[1].strip().splitlines()[-1]
    assert run("reveal", export, "--provisional", "--workspace", sample_copy)[0] == 0
    shutil.rmtree(f"{export}-revealed")
    assert run("reveal", export, "--workspace", sample_copy)[0] == 0
    assert Path(f"{export}-revealed", "sources.csv").exists()
