"""Tampering by somebody who repairs every hash that the program itself could compute."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.content_hash import content_hash
from grader_app.domain.events import EventKind, event_hash
from grader_app.domain.response import Response
from grader_app.errors import StoreProblem, VerificationFailed
from grader_app.store.database import Store
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.store.responses import add_mbe, all_mbe, all_responses, mbe_row_hash, response_row_hash
from grader_app.store.schema import triggers


@pytest.fixture
def graded(small: SmallWorkspace) -> SmallWorkspace:
    for grader in small.graders:
        for dealt in small.queue(grader):
            small.submit(dealt)
    with small.bench.store.write() as connection:
        add_mbe(connection, [("c1", 140.0), ("c2", 151.5)])
    scores = all_mbe(small.bench.store)
    small.append(EventKind.MBE_TAKEN_IN, "mbe", n=2, corrected=0, scores_hash=content_hash(scores))
    check_store(small.bench.store)
    return small


def after(made: SmallWorkspace, *statements: tuple[str, tuple[object, ...]]) -> str:
    """Change the database behind its triggers, and say what a check of it finds."""
    with closing(sqlite3.connect(made.bench.store.path, isolation_level=None)) as connection:
        for name in triggers():
            connection.execute(f"DROP TRIGGER {name}")
        for sql, values in statements:
            connection.execute(sql, values)
        for sql in triggers().values():
            connection.execute(sql)
    store = Store.open(made.bench.store.path)
    with pytest.raises(VerificationFailed) as caught:
        check_store(store)
    store.close()
    return str(caught.value)


def test_an_answer_given_to_another_candidate_is_found(graded: SmallWorkspace) -> None:
    one = next(r for r in all_responses(graded.bench.store) if r.item == "mee-barge")
    moved = Response(one.response_id, one.item, "cothercandi", one.deal_order, one.text_hash, one.cut_off)
    change = "UPDATE response SET candidate_id = ?, row_hash = ? WHERE id = ?"
    said = after(graded, (change, (moved.candidate_id, response_row_hash(moved), one.response_id)))
    assert one.response_id in said


def test_an_mbe_score_changed_is_found(graded: SmallWorkspace) -> None:
    change = "UPDATE mbe SET mbe = 170, row_hash = ? WHERE candidate_id = 'c1'"
    assert "An MBE score was changed" in after(graded, (change, (mbe_row_hash("c1", 1, 170),)))


def test_a_tail_cut_with_its_counter_repaired_is_found_by_what_hung_on_it(graded: SmallWorkspace) -> None:
    last = graded.bench.store.rows("SELECT max(seq) AS seq FROM event WHERE kind = 'GradeSubmitted'")[0][
        "seq"
    ]
    said = after(
        graded,
        ("DELETE FROM event WHERE seq >= ?", (last,)),
        ("UPDATE sqlite_sequence SET seq = ? WHERE name = 'event'", (last - 1,)),
    )
    assert "submission" in said


def test_a_submission_taken_away_is_found(graded: SmallWorkspace) -> None:
    assert "The submission that made event" in after(graded, ("DELETE FROM submission", ()))


def test_a_body_that_says_a_score_twice_is_found(graded: SmallWorkspace) -> None:
    *_, last = read_events(graded.bench.store)
    twice = '{"n":0,' + last.body_json[1:]
    changed = "UPDATE event SET body = ?, hash = ? WHERE seq = ?"
    said = (last.seq, last.at, last.actor, last.kind, last.subject, twice, last.previous_hash)
    found = after(graded, (changed, (twice, event_hash(*said), last.seq)))
    assert f"The body of event {last.seq} was changed: it is not written as the program writes it." in found
    assert "its hash does not fit" in after(graded, (changed, (twice, last.hash, last.seq)))


@pytest.mark.parametrize(
    "statement",
    [
        "DROP VIEW account; CREATE VIEW account AS SELECT id, name, 'lead' AS role, 0 AS simulated, "
        "0 AS disabled FROM actor",
        "CREATE TRIGGER more AFTER INSERT ON event BEGIN DELETE FROM draft; END",
        "CREATE TABLE extra (x)",
        "DROP INDEX event_by_subject",
    ],
)
def test_a_database_of_another_shape_is_refused_on_opening(graded: SmallWorkspace, statement: str) -> None:
    with closing(sqlite3.connect(graded.bench.store.path, isolation_level=None)) as connection:
        connection.executescript(statement)
    with pytest.raises(StoreProblem, match="missing or altered"):
        Store.open(graded.bench.store.path)
