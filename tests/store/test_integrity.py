from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind, event_hash
from grader_app.errors import VerificationFailed
from grader_app.store.database import Store
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store, file_content_hash
from grader_app.store.responses import add_mbe
from grader_app.store.schema import triggers


@pytest.fixture
def graded(small: SmallWorkspace) -> SmallWorkspace:
    for grader in small.graders:
        for dealt in small.queue(grader):
            small.submit(dealt, note="Well argued.")
    with small.bench.store.write() as connection:
        add_mbe(connection, [("c1", 140.0), ("c2", 151.5)])
    return small


def tampered(made: SmallWorkspace, *statements: str) -> Store:
    """Change the database as somebody would who knows about its triggers, and open it again."""
    with closing(sqlite3.connect(made.bench.store.path, isolation_level=None)) as connection:
        for name in triggers():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for sql in triggers().values():
            connection.execute(sql)
    return Store.open(made.bench.store.path)


def fault_of(store: Store, ends: dict[str, tuple[int, str]] | None = None) -> str:
    with pytest.raises(VerificationFailed) as caught:
        check_store(store, ends)
    store.close()
    return str(caught.value)


def test_an_untouched_database_passes_and_nothing_is_recorded(graded: SmallWorkspace) -> None:
    events = list(read_events(graded.bench.store))
    check_store(graded.bench.store, {"one": (len(events), events[-1].hash), "two": (3, events[2].hash)})
    assert list(read_events(graded.bench.store)) == events


def test_the_sample_round_passes(sample_copy: Path) -> None:
    store = Store.open(sample_copy / "workbench.db")
    check_store(store)
    store.close()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE event SET body = replace(body, '\"score\":4', '\"score\":5')", "was changed: its hash"),
        ("UPDATE event SET body = 'scrawl' WHERE seq = 9", "can no longer be read"),
        ("DELETE FROM event WHERE seq = 5", "Event 5 is missing"),
        ("DELETE FROM event WHERE seq > 6", "its tail was cut off"),
        ("UPDATE response SET candidate_id = 'cother'", "its hash does not fit"),
        ("UPDATE response SET deal_order = deal_order + 100", "its hash does not fit"),
        ("UPDATE mbe SET mbe = 199 WHERE candidate_id = 'c2'", "The MBE score of candidate c2 was changed"),
        ("UPDATE kept_text SET body = 'I wrote this.'", "was changed: its hash does not fit"),
        ("DELETE FROM kept_text WHERE body = 'Well argued.'", "are gone, and no event retired them"),
        ("UPDATE file_version SET content = replace(content, 'Six points', 'Any points')", "was changed"),
        ("UPDATE file_version SET content = '{}' WHERE kind = 'round'", "can no longer be read"),
        ("UPDATE file_version SET version = '7' WHERE kind = 'item'", "was changed"),
        ("DELETE FROM file_version WHERE kind = 'rubric'", "is not stored"),
        ("UPDATE assignment SET read_number = 2", "read_number is 2, was 1"),
        ("DELETE FROM assignment WHERE position = 1", "its row is gone"),
        ("DELETE FROM actor WHERE kind = 'cli'", "Nobody is named for"),
        ("DELETE FROM event", "its tail was cut off"),
    ],
)
def test_a_fault_is_named(graded: SmallWorkspace, statement: str, fault: str) -> None:
    message = fault_of(tampered(graded, "PRAGMA foreign_keys = OFF", statement))
    assert fault in message
    assert "restore a backup" in message


def test_an_assignment_that_no_event_dealt_is_named(graded: SmallWorkspace) -> None:
    sql = (
        "INSERT INTO assignment SELECT 'azzzzzzzzzz', response_id, item, "
        "(SELECT max(id) FROM actor WHERE id <> grader_id AND kind = 'account'), 99, 2, event_seq, kind "
        "FROM assignment LIMIT 1"
    )
    assert "azzzzzzzzzz is not as its event says: no event dealt it" in fault_of(tampered(graded, sql))


def test_answers_gone_are_counted_against_what_was_taken_in(graded: SmallWorkspace) -> None:
    graded.append(EventKind.ANSWERS_TAKEN_IN, "rule-ferry", item="rule-ferry", n=3)
    assert "3 answers to rule-ferry were taken in, and 0 are there" in fault_of(graded.bench.store)


def test_mbe_scores_gone_are_counted_too(graded: SmallWorkspace) -> None:
    graded.append(EventKind.MBE_TAKEN_IN, "w", n=2)
    check_store(graded.bench.store)
    assert "2 MBE scores were taken in, and 1 are there" in fault_of(
        tampered(graded, "DELETE FROM mbe WHERE candidate_id = 'c1'")
    )


def test_a_tail_cut_with_its_counter_is_found_by_an_earlier_export(graded: SmallWorkspace) -> None:
    events = list(read_events(graded.bench.store))
    ends = {"harbor-20261130T141500Z": (len(events), events[-1].hash)}
    cut = tampered(
        graded,
        "PRAGMA foreign_keys = OFF",
        f"DELETE FROM submission WHERE event_seq = {len(events)}",
        f"DELETE FROM event WHERE seq = {len(events)}",
        f"UPDATE sqlite_sequence SET seq = {len(events) - 1} WHERE name = 'event'",
    )
    check_store(cut)
    assert (
        fault_of(cut, ends)
        .split(": ", 1)[1]
        .startswith(
            f"The export harbor-20261130T141500Z ends with event {len(events)}, and the log with event"
        )
    )


def rewrite(made: SmallWorkspace, change: Callable[[dict[str, object]], None], kind: str) -> Store:
    """Change the first event of a kind and give every later event new hashes, as a forger would."""
    previous, statements, done = "0" * 64, [], False
    for event in read_events(made.bench.store):
        body = dict(event.body)
        if event.kind == kind and not done:
            change(body)
            done = True
        text = canonical_json(body)
        digest = event_hash(event.seq, event.at, event.actor, event.kind, event.subject, text, previous)
        quoted = text.replace("'", "''")
        statements.append(
            f"UPDATE event SET body = '{quoted}', previous_hash = '{previous}', hash = '{digest}' "
            f"WHERE seq = {event.seq}"
        )
        previous = digest
    return tampered(made, *statements)


def test_a_log_rewritten_with_new_hashes_is_found_by_an_earlier_export(graded: SmallWorkspace) -> None:
    events = list(read_events(graded.bench.store))
    forged = rewrite(graded, lambda body: body.update(score=6), "GradeSubmitted")
    check_store(forged)
    assert "is not the one with which the export one ends" in fault_of(
        forged, {"one": (len(events), events[-1].hash)}
    )


def test_a_grade_under_a_rubric_that_was_never_registered_is_named(graded: SmallWorkspace) -> None:
    forged = rewrite(graded, lambda body: body.update(rubric_hash="f" * 64), "GradeSubmitted")
    assert "names rubric ffffffffffff…, which was not registered before it" in fault_of(forged)


def test_a_content_hash_knows_its_kinds_only() -> None:
    with pytest.raises(ValueError, match="no kind of file called 'essay'"):
        file_content_hash("essay", {})
