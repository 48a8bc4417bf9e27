from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grader_app.domain.events import EventKind, first_break
from grader_app.errors import (
    SchemaTooNew,
    SchemaTooOld,
    StoreBusy,
    StoreFull,
    StoreProblem,
    WorkspaceMissing,
)
from grader_app.store import database
from grader_app.store.database import Store
from grader_app.store.event_log import append, last_seq, read_events
from grader_app.store.schema import SCHEMA_VERSION, triggers
from grader_app.store.texts import keep_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workbench.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    made = Store.create(path, "w1", "2026-11-29T09:00:00.000Z")
    yield made
    made.close()


def act(connection: sqlite3.Connection, subject: str = "s") -> int:
    return append(
        connection, at="2026-11-29T09:00:01.000Z", actor="p1", kind=EventKind.ITEM_CLOSED, subject=subject
    )


def act_and_keep(store: Store, words: str, *, fail: bool = False) -> None:
    with store.write() as connection:
        act(connection, "lost")
        keep_text(connection, words)
        _ = 1 / (not fail)


def altered(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_new_database_opens_again_and_knows_its_workspace(store: Store) -> None:
    again = Store.open(store.path)
    assert again.workspace_id == "w1"
    again.close()


def test_a_database_is_never_made_over_another(store: Store) -> None:
    with pytest.raises(StoreProblem, match="already there"):
        Store.create(store.path, "w2", "2026-11-29T09:00:00.000Z")


def test_every_connection_is_durable_and_keeps_references(store: Store) -> None:
    with store.connection() as connection:
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    # 2 is FULL.
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_a_missing_database_says_how_to_make_one(path: Path) -> None:
    with pytest.raises(WorkspaceMissing, match="grader-app init"):
        Store.open(path)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"name,score\n1,2\n", b"SQLite format 3\0" + b"x" * 2000])
def test_a_file_that_is_no_workbench_database_is_refused_by_a_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreProblem, match=r"not a (workbench|sound SQLite) database"):
        Store.open(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    altered(path, "CREATE TABLE notes (body TEXT)")
    with pytest.raises(StoreProblem, match="not a workbench database"):
        Store.open(path)


def test_a_database_of_an_older_or_a_newer_program_is_refused(store: Store) -> None:
    altered(store.path, f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    with pytest.raises(SchemaTooOld, match="older program"):
        Store.open(store.path)
    altered(store.path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(SchemaTooNew, match="Update this program"):
        Store.open(store.path)


@pytest.mark.parametrize("name", sorted(triggers()))
def test_a_database_without_one_of_its_guarding_triggers_is_refused(store: Store, name: str) -> None:
    altered(store.path, f"DROP TRIGGER {name}")
    with pytest.raises(StoreProblem, match=f"missing or altered .{name}."):
        Store.open(store.path)


def test_a_database_with_a_weakened_trigger_is_refused(store: Store) -> None:
    weak = triggers()["event_no_update"].replace("ON event", "ON event WHEN OLD.seq > 1000000")
    altered(store.path, "DROP TRIGGER event_no_update", weak)
    with pytest.raises(StoreProblem, match="event_no_update"):
        Store.open(store.path)


def test_a_locked_database_gives_a_sentence_and_stores_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.05)
    short = Store.open(store.path)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="Nothing was stored"), short.write() as connection:
            act(connection)
        assert list(read_events(short)) == []
        other.execute("ROLLBACK")
    with short.write() as connection:
        act(connection)
    assert len(list(read_events(short))) == 1
    short.close()


def test_a_full_disk_gives_a_sentence_stores_nothing_and_lets_go(store: Store) -> None:
    with store.write() as connection:
        act(connection)
    with store.connection() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull, match="Nothing was stored; free some space"):
        act_and_keep(store, "x" * 100_000)
    assert [event.subject for event in read_events(store)] == ["s"]
    assert store.rows("SELECT * FROM kept_text") == []
    with store.connection() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    with store.write() as connection:
        act(connection, "after")
    assert first_break(read_events(store)) is None


def test_an_error_inside_a_write_undoes_all_of_it(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        act_and_keep(store, "words", fail=True)
    assert list(read_events(store)) == []
    assert store.rows("SELECT * FROM kept_text") == []
    with store.write() as connection:
        assert act(connection) == 1


def test_a_database_that_may_not_be_written_gives_a_sentence(store: Store) -> None:
    with store.connection() as connection:
        connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreProblem, match="right to write there"), store.write() as connection:
        act(connection)


def test_ten_threads_write_fifty_events_each_without_an_error_and_the_chain_is_whole(store: Store) -> None:
    problems: list[BaseException] = []
    start = threading.Barrier(10)

    def work(name: int) -> None:
        try:
            start.wait()
            for number in range(50):
                with store.write() as connection:
                    act(connection, f"{name}-{number}")
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must see it
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = list(read_events(store))
    assert problems == []
    assert len(events) == 500
    assert first_break(events) is None
    assert {event.subject for event in events} == {f"{a}-{b}" for a in range(10) for b in range(50)}


def test_two_stores_on_one_database_take_turns(store: Store) -> None:
    other = Store.open(store.path)
    stores = (store, other)

    def work(mine: Store) -> None:
        for _ in range(25):
            with mine.write() as connection:
                act(connection)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = list(read_events(store))
    assert (len(events), first_break(events)) == (50, None)
    other.close()


def test_a_reader_sees_the_state_before_a_write_until_it_ends(store: Store) -> None:
    with store.write() as connection:
        assert list(read_events(store)) == []
        act(connection)
        assert list(read_events(store)) == []
    assert len(list(read_events(store))) == 1
    with store.write() as connection:
        assert len(list(read_events(store))) == 1
        act(connection)
        assert len(list(read_events(store))) == 1


def test_what_is_asked_once_is_asked_anew_after_each_write(store: Store) -> None:
    asked = []

    def number(of: Store) -> int:
        asked.append(of)
        return last_seq(of)

    assert (store.asked_once(number), store.asked_once(number), len(asked)) == (0, 0, 2)
    for there in (0, 1):
        with store.write() as connection:
            assert (store.asked_once(number), store.asked_once(number)) == (there, there)
            act(connection)
            assert store.asked_once(number) == there == last_seq(store)
        assert len(asked) == 3 + there
    assert store.asked_once(number) == 2


def test_what_a_failed_write_asked_is_forgotten(store: Store) -> None:
    def ask_and_fail() -> None:
        with store.write():
            _ = 1 / store.asked_once(last_seq)

    with pytest.raises(ZeroDivisionError):
        ask_and_fail()
    with closing(Store.open(store.path)) as other, other.write() as connection:
        act(connection)
    assert store.asked_once(last_seq) == 1


def test_closing_lets_the_files_go(store: Store) -> None:
    with store.write() as connection:
        act(connection)
    store.close()
    assert sorted(each.name for each in store.path.parent.iterdir()) == ["workbench.db"]


def test_rows_and_row_or_none_read(store: Store) -> None:
    look: Callable[[str], sqlite3.Row | None] = store.row_or_none
    assert look("SELECT id FROM workspace WHERE id = 'none'") is None
    assert [row["id"] for row in store.rows("SELECT id FROM workspace WHERE id = ?", ("w1",))] == ["w1"]
