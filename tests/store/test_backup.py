from __future__ import annotations

import threading
from pathlib import Path

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind, first_break
from grader_app.errors import StoreProblem
from grader_app.store import backup
from grader_app.store.backup import copy_database, open_copy
from grader_app.store.event_log import last_seq, read_events


def test_a_copy_made_while_others_write_is_whole_and_holds_all_that_was_acknowledged(
    small: SmallWorkspace, tmp_path: Path
) -> None:
    store = small.bench.store
    ended = threading.Event()

    def write_on() -> None:
        while not ended.is_set():
            small.append(EventKind.ITEM_CLOSED, "mee-barge")

    writer = threading.Thread(target=write_on)
    writer.start()
    try:
        for number in range(5):
            acknowledged = last_seq(store)
            copy_database(store.path, tmp_path / f"copy-{number}.db")
            copy = open_copy(tmp_path / f"copy-{number}.db")
            assert first_break(read_events(copy)) is None
            assert last_seq(copy) >= acknowledged
            copy.close()
    finally:
        ended.set()
        writer.join()
    assert first_break(read_events(store)) is None


def test_a_copy_never_overwrites(small: SmallWorkspace, tmp_path: Path) -> None:
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(StoreProblem, match="never overwritten"):
        copy_database(small.bench.store.path, tmp_path / "there.db")
    assert (tmp_path / "there.db").read_text() == "mine"


def test_a_copy_that_fails_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    with pytest.raises(StoreProblem, match="not a sound SQLite database"):
        copy_database(tmp_path / "bad.db", tmp_path / "copies" / "copy.db")
    assert list((tmp_path / "copies").iterdir()) == []


def test_an_unsound_database_is_not_passed_off_as_a_copy(small: SmallWorkspace, tmp_path: Path) -> None:
    small.bench.store.close()
    content = bytearray(small.bench.store.path.read_bytes())
    # The first pages hold the schema; the middle holds rows and indexes.
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xa5" * 20_000
    (tmp_path / "damaged.db").write_bytes(content)
    with pytest.raises(StoreProblem, match=r"not sound|not a sound"):
        copy_database(tmp_path / "damaged.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy*"))


def test_opening_what_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, only words " * 50)
    with pytest.raises(StoreProblem):
        backup.open_copy(tmp_path / "notes.db")
