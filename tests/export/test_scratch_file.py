"""No room for temporary files is said in a sentence, and nothing is left there or in the export's place."""

from __future__ import annotations

import errno
import gc
import io
import tempfile
from pathlib import Path

import pytest
from graded_rounds import NOW, GradedRound

from grader_app.errors import ExportProblem
from grader_app.export.folder import write_export
from grader_app.export.registry import EXPORTERS
from grader_app.export.scratch_file import scratch_file
from grader_app.export.workbook import WORKBOOK_FILE

WORKBOOK = next(exporter for exporter in EXPORTERS if exporter.file == WORKBOOK_FILE)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of temporary files of one's own, with only the workbook to write."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def only_the_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader_app.export.registry.EXPORTERS", (WORKBOOK,))


def full_after(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk of temporary files take so many bytes and no more."""
    room = [n]
    write = io.FileIO.write

    class FullDisk(io.FileIO):
        def write(self, data):
            if room[0] <= 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            some = memoryview(data).cast("B")[: room[0]]
            room[0] -= len(some)
            return write(self, some)

    def on_a_full_disk() -> io.BufferedRandom:
        number, name = tempfile.mkstemp()
        Path(name).unlink()
        return io.BufferedRandom(FullDisk(number, "w+"))

    monkeypatch.setattr(tempfile, "TemporaryFile", on_a_full_disk)


def refused(graded: GradedRound, tmp_path: Path) -> str:
    with pytest.raises(ExportProblem) as caught:
        write_export(graded.bench.store, tmp_path / "out", NOW)
    assert list((tmp_path / "out").iterdir()) == []
    return str(caught.value)


@pytest.mark.parametrize("room", [0, 1, 1000, 9000])
def test_a_packed_workbook_that_finds_no_room_is_refused_by_the_name_of_the_folder(
    graded: GradedRound, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    only_the_workbook(monkeypatch)
    full_after(room, monkeypatch)
    said = refused(graded, tmp_path)
    gc.collect()  # a warning of something left open would fail the test
    assert said == (
        f"{temporary}: the export cannot be written there (No space left on device). "
        "Nothing was left behind; free some space or set TMPDIR to another folder."
    )
    assert list(temporary.iterdir()) == []


def test_a_folder_of_temporary_files_that_is_gone_is_named(
    graded: GradedRound, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_the_workbook(monkeypatch)
    temporary.rmdir()
    assert refused(graded, tmp_path).startswith(
        f"{temporary}: the export cannot be written there (No such file or directory)."
    )


def test_a_scratch_file_with_room_holds_what_was_written_and_has_no_name(temporary: Path) -> None:
    with scratch_file() as file:
        assert file.write(b"first") == 5
        assert file.write(memoryview(b" second")) == 7
        file.seek(0)
        assert file.read() == b"first second"
        # Nothing is left behind, whatever ends the process.
        assert list(temporary.iterdir()) == []
    assert file.closed
