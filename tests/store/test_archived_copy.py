"""A workspace archived where nobody may write still opens for reading, and refuses writing in a sentence."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Root may write everywhere, whatever the modes say, until it gives that right up.
UNPRIVILEGED = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []


def run(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*UNPRIVILEGED, sys.executable, "-m", "grader_app", "--workspace", str(workspace), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def archived(sample_copy: Path) -> Iterator[Path]:
    everything = [sample_copy, *sample_copy.rglob("*")]
    before = {path: path.stat().st_mode for path in everything}
    for path in everything:
        path.chmod(before[path] & ~0o222)
    yield sample_copy
    for path in everything:
        if path.exists():
            path.chmod(before[path])


def test_an_archived_copy_is_read(archived: Path) -> None:
    names = sorted(path.name for path in archived.iterdir())
    for command in ("status", "verify"):
        answer = run(archived, command)
        assert answer.returncode == 0, answer.stderr
    assert "The chain of events and all rows are whole." in answer.stdout
    assert sorted(path.name for path in archived.iterdir()) == names


def test_writing_to_an_archived_copy_is_refused_in_a_sentence(archived: Path) -> None:
    database = archived / "workbench.db"
    before = database.read_bytes()
    answer = run(archived, "assign")
    assert answer.returncode == 1
    assert "Give the program the right to write there." in answer.stderr
    assert "Traceback" not in answer.stderr
    assert database.read_bytes() == before


def test_a_copy_taken_while_in_use_is_refused_rather_than_read_without_its_last_grades(
    archived: Path,
) -> None:
    archived.chmod(0o755)
    (archived / "workbench.db-wal").write_bytes(b"unsaved")
    archived.chmod(0o555)
    answer = run(archived, "status")
    assert answer.returncode == 1
    assert "workbench.db-wal is not empty" in answer.stderr
