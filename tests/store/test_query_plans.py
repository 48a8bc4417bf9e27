"""What the desk asks of the database at every page takes no longer when others grade more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.store import assignments, grades
from grader_app.store.database import Store

Ask = Callable[[Store, str], object]

ASKED: dict[str, Ask] = {
    "seconds": grades.seconds_by_item,
    "grades": grades.grades_by,
    "last": grades.last_graded_or_none,
    "when": grades.last_graded_at_or_none,
    "next": lambda store, grader_id: assignments.next_assignment_or_none(store, grader_id, "mee-barge"),
    "waiting": lambda store, grader_id: assignments.count_waiting(store, grader_id, "mee-barge"),
}


@pytest.mark.parametrize("name", sorted(ASKED))
def test_what_is_asked_of_one_grader_never_goes_through_the_grades_of_all(
    small: SmallWorkspace, name: str
) -> None:
    store, asked = small.bench.store, []
    with store.connection() as connection:
        connection.set_trace_callback(asked.append)
    try:
        ASKED[name](store, small.graders[0].account_id)
    finally:
        with store.connection() as connection:
            connection.set_trace_callback(None)
    steps = [row["detail"] for sql in asked for row in store.rows(f"EXPLAIN QUERY PLAN {sql}")]
    assert any("assignment" in step or "event_by_kind (kind=? AND actor=?)" in step for step in steps)
    graded = [sql for sql in asked if "GradeSubmitted" in sql]
    assert graded, name
    for step in steps:
        assert not step.startswith("SCAN event"), step
    (first, *_) = [step for step in steps if step.startswith(("SEARCH", "SCAN"))]
    assert "event_by_kind (kind=?)" not in first
