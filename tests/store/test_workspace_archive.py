from __future__ import annotations

import errno
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_workspace import SmallWorkspace

from grader_app.blinding.key import KEY_NAME, BlindingKey
from grader_app.domain.events import first_break
from grader_app.errors import StoreFull, StoreProblem, WorkspaceMissing
from grader_app.store import workspace_archive
from grader_app.store.event_log import read_events
from grader_app.store.workspace_archive import read_archive, write_archive
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def archive(small: SmallWorkspace, tmp_path: Path) -> Path:
    small.submit(small.queue(small.graders[0])[0])
    write_archive(small.path, tmp_path / "backups" / "july.zip")
    return tmp_path / "backups" / "july.zip"


def test_a_restored_workspace_is_the_one_that_was_backed_up(
    small: SmallWorkspace, archive: Path, tmp_path: Path
) -> None:
    read_archive(archive, tmp_path / "again")
    again = Workbench.open(tmp_path / "again")
    assert list(read_events(again.store)) == list(read_events(small.bench.store))
    assert first_break(read_events(again.store)) is None
    assert again.material() == small.bench.material()
    assert (tmp_path / "again" / "round.yaml").read_bytes() == (small.path / "round.yaml").read_bytes()
    again.store.close()
    assert not list(tmp_path.glob("tmp*"))


def test_restoring_into_an_empty_folder_works_and_into_any_other_is_refused(
    archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    read_archive(archive, tmp_path / "empty")
    assert (tmp_path / "empty" / "workbench.db").is_file()
    (tmp_path / "file").write_text("mine")
    for there in ("empty", "file"):
        with pytest.raises(StoreProblem, match="something here already"):
            read_archive(archive, tmp_path / there)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_key_is_in_no_backup_wherever_it_lies(small: SmallWorkspace, tmp_path: Path) -> None:
    for place in (small.path / KEY_NAME, small.path / "rubrics" / "sources.yaml"):
        BlindingKey.create(place, small.bench.store.workspace_id).close()
    write_archive(small.path, tmp_path / "july.zip")
    with zipfile.ZipFile(tmp_path / "july.zip") as written:
        names = written.namelist()
    assert names.count("workbench.db") == 1
    assert not [name for name in names if KEY_NAME in name or "sources" in name]
    assert "rubrics/mee-barge/prompt.md" in names


def test_a_backup_into_the_workspaces_own_folders_does_not_hold_itself(small: SmallWorkspace) -> None:
    count = write_archive(small.path, small.path / "rubrics" / "july.zip")
    with zipfile.ZipFile(small.path / "rubrics" / "july.zip") as written:
        assert len(written.namelist()) == count
        assert not [name for name in written.namelist() if name.endswith(".zip")]
        assert written.testzip() is None


def test_a_backup_never_overwrites_and_needs_a_workspace(small: SmallWorkspace, tmp_path: Path) -> None:
    (tmp_path / "there.zip").write_text("mine")
    with pytest.raises(StoreProblem, match="never overwritten"):
        write_archive(small.path, tmp_path / "there.zip")
    with pytest.raises(WorkspaceMissing):
        write_archive(tmp_path, tmp_path / "new.zip")
    assert not (tmp_path / "new.zip").exists()


@given(where=st.floats(0, 1), value=st.integers(0, 255), cut=st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_damaged_backup_is_refused_or_restored_whole_and_never_half(
    archive: Path, tmp_path: Path, where: float, value: int, cut: bool
) -> None:
    content = bytearray(archive.read_bytes())
    at = int(where * (len(content) - 1))
    content = content[:at] if cut else content[:at] + bytes([value]) + content[at + 1 :]
    (tmp_path / "damaged.zip").write_bytes(content)
    target = tmp_path / "target"
    try:
        read_archive(tmp_path / "damaged.zip", target)
    except StoreProblem:
        assert not target.exists()
    else:
        restored = Workbench.open(target)
        assert first_break(read_events(restored.store)) is None
        restored.store.close()
        workspace_archive.shutil.rmtree(target)
    assert not list(tmp_path.glob("tmp*"))


@pytest.mark.parametrize("name", ["../outside.txt", "/outside.txt", "a/../../outside.txt"])
def test_a_backup_that_reaches_outside_its_folder_is_refused(
    archive: Path, tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(name, "out")
    with pytest.raises(StoreProblem, match="not a whole backup"):
        read_archive(archive, tmp_path / "target")
    assert not (tmp_path / "outside.txt").exists()
    assert not (tmp_path / "target").exists()


def test_what_is_no_backup_is_refused_by_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.zip").write_text("words")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("readme.txt", "words")
    with zipfile.ZipFile(tmp_path / "fake.zip", "w") as fake:
        fake.writestr("workbench.db", "words")
    for name in ("notes.zip", "other.zip", "fake.zip", "none.zip"):
        with pytest.raises(StoreProblem):
            read_archive(tmp_path / name, tmp_path / "target")
        assert not (tmp_path / "target").exists()


def test_a_full_disk_leaves_no_backup(
    small: SmallWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(StoreFull, match="the disk is full"):
        write_archive(small.path, tmp_path / "backups" / "july.zip")
    assert list((tmp_path / "backups").iterdir()) == []
