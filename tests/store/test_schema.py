from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from small_workspace import SmallWorkspace, make_workspace

from grader_app.domain.events import EventKind
from grader_app.store.responses import add_mbe
from grader_app.store.schema import INSERT_ONLY, VIEWS, WITHOUT_ROWID, triggers


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallWorkspace]:
    """A workspace with a row or more in every insert-only table."""
    made = make_workspace(tmp_path_factory.mktemp("schema") / "workspace", packets=("mee-barge-a",))
    for grader in made.graders:
        for dealt in made.queue(grader):
            made.submit(dealt, note="A note.")
    with made.bench.store.write() as connection:
        add_mbe(connection, [("c1", 140.0), ("c2", 150.0)])
    yield made
    made.bench.store.close()


@pytest.fixture
def connection(used: SmallWorkspace) -> Iterator[sqlite3.Connection]:
    """Another program's connection, whose work is undone."""
    with closing(sqlite3.connect(used.bench.store.path, isolation_level=None)) as opened:
        opened.row_factory = sqlite3.Row
        opened.execute("BEGIN")
        yield opened
        opened.execute("ROLLBACK")


def unique_keys(connection: sqlite3.Connection, table: str) -> list[list[str]]:
    """Every unique key SQLite itself knows, without the partial ones."""
    keys = [
        [column["name"] for column in connection.execute(f"PRAGMA index_info({index['name']})")]
        for index in connection.execute(f"PRAGMA index_list({table})")
        if index["unique"] and not index["partial"]
    ]
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    primary = [column["name"] for column in columns if column["pk"]]
    return keys if primary in keys else [*keys, primary]


def all_rows(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in connection.execute(f"SELECT * FROM {table}")), key=repr)


def other(value: object) -> object:
    return value + 1000 if isinstance(value, int | float) else f"{value}x"


@pytest.mark.parametrize("table", sorted(INSERT_ONLY))
def test_no_row_of_an_insert_only_table_is_updated_or_deleted(
    connection: sqlite3.Connection, table: str
) -> None:
    before = all_rows(connection, table)
    columns = [column["name"] for column in connection.execute(f"PRAGMA table_info({table})")]
    assert before
    for column in columns:
        for how in ("UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"):
            with pytest.raises(sqlite3.IntegrityError, match=f"{table} rows never change"):
                connection.execute(f"{how} {table} SET {column} = {column}")
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} rows are never deleted"):
        connection.execute(f"DELETE FROM {table}")
    assert all_rows(connection, table) == before


@pytest.mark.parametrize("table", sorted(INSERT_ONLY))
def test_no_row_is_replaced_by_any_unique_key(connection: sqlite3.Connection, table: str) -> None:
    before = all_rows(connection, table)
    row = dict(connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone())
    keys = unique_keys(connection, table)
    assert keys
    for key in keys:
        # All but this key is fresh, so that nothing else can be what refuses.
        fresh = {
            name: value
            if name in key or name in ("item", "kind", "cut_off", "event_seq", "grader_id", "text_hash")
            else other(value)
            for name, value in row.items()
        }
        names, marks = ", ".join(fresh), ", ".join("?" * len(fresh))
        for how in ("INSERT OR REPLACE", "REPLACE"):
            with pytest.raises(sqlite3.IntegrityError, match=f"{table} already has this row"):
                connection.execute(f"{how} INTO {table} ({names}) VALUES ({marks})", list(fresh.values()))
    assert all_rows(connection, table) == before


@pytest.mark.parametrize("table", sorted(set(INSERT_ONLY) - WITHOUT_ROWID))
def test_no_row_is_replaced_by_its_hidden_rowid(connection: sqlite3.Connection, table: str) -> None:
    before = all_rows(connection, table)
    row = dict(connection.execute(f"SELECT rowid AS hidden, * FROM {table} LIMIT 1").fetchone())
    hidden = row.pop("hidden")
    row.pop("seq", None)
    kept = ("kind", "event_seq", "response_id", "item")
    fresh = {name: value if name in kept else other(value) for name, value in row.items()}
    names, marks = ", ".join(["rowid", *fresh]), ", ".join("?" * (len(fresh) + 1))
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} already has this row"):
        connection.execute(f"REPLACE INTO {table} ({names}) VALUES ({marks})", [hidden, *fresh.values()])
    assert all_rows(connection, table) == before


def test_a_grade_is_not_replaced_by_a_second_one_of_its_assignment(
    used: SmallWorkspace, connection: sqlite3.Connection
) -> None:
    before = all_rows(connection, "event")
    subject = used.queue(used.graders[0])[0].assignment_id
    with pytest.raises(sqlite3.IntegrityError, match="event already has this row"):
        connection.execute(
            "REPLACE INTO event (at, actor, kind, subject, body, previous_hash, hash) "
            "VALUES ('t', 'p', 'GradeSubmitted', ?, '{}', 'x', 'y')",
            (subject,),
        )
    assert all_rows(connection, "event") == before


def test_an_upsert_changes_nothing_either(connection: sqlite3.Connection) -> None:
    hash_ = connection.execute("SELECT hash FROM kept_text LIMIT 1").fetchone()["hash"]
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            "INSERT INTO kept_text VALUES (?, 's', 'b') ON CONFLICT (hash) DO UPDATE SET body = 'b'",
            (hash_,),
        )


def test_a_text_is_deleted_only_after_an_event_retired_it(connection: sqlite3.Connection) -> None:
    first, second = (
        row["hash"]
        for row in connection.execute(
            "SELECT hash FROM kept_text WHERE hash NOT IN (SELECT text_hash FROM response) LIMIT 2"
        )
    )
    connection.execute(
        "INSERT INTO event (at, actor, kind, subject, body, previous_hash, hash) "
        "VALUES ('t', 'p', 'TextRetired', ?, '{}', 'x', 'y')",
        (first,),
    )
    connection.execute("DELETE FROM kept_text WHERE hash = ?", (first,))
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        connection.execute("DELETE FROM kept_text WHERE hash = ?", (second,))


def test_every_table_is_insert_only_or_one_of_the_few_that_change(connection: sqlite3.Connection) -> None:
    tables = {
        row["name"]
        for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
    }
    assert tables - set(INSERT_ONLY) == {"password", "session", "draft", "ranking_draft", "lease"}
    assert len(triggers()) == 3 * len(INSERT_ONLY)


def test_every_kind_of_event_that_a_view_names_exists(connection: sqlite3.Connection) -> None:
    named = {kind.value for kind in EventKind if f"'{kind.value}'" in VIEWS}
    assert {"AccountAdded", "AccountDisabled", "ItemClosed", "AnswerReferred", "SourcesRevealed"} <= named


def test_a_second_grade_of_an_assignment_cannot_be_inserted(
    used: SmallWorkspace, connection: sqlite3.Connection
) -> None:
    subject = used.queue(used.graders[1])[0].assignment_id
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            "INSERT INTO event (at, actor, kind, subject, body, previous_hash, hash) "
            "VALUES ('t', 'p', 'GradeSubmitted', ?, '{}', 'x', 'y')",
            (subject,),
        )
