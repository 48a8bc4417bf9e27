"""An export of a database that somebody has changed is refused, and leaves no folder behind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graded_rounds import CLI_USER, NOW, GradedRound
from rows_behind_triggers import change_rows

from grader_app.domain.content_hash import content_hash
from grader_app.domain.events import EventKind
from grader_app.errors import ExportProblem, GraderAppError, StoreProblem
from grader_app.export.folder import write_export
from grader_app.store.database import Store
from grader_app.store.event_log import append
from grader_app.store.responses import all_mbe


def refused(made: GradedRound, tmp_path: Path) -> GraderAppError:
    """Export what is there, hold that nothing is written, and give what is said."""
    store = Store.open(made.bench.store.path)
    try:
        with pytest.raises(GraderAppError) as caught:
            write_export(store, tmp_path / "out", NOW)
    finally:
        store.close()
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []
    return caught.value


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE event SET body = body || ' ' WHERE seq = 2", "Event 2 .*was changed"),
        ("UPDATE event SET at = '2026-01-01T00:00:00Z' WHERE seq = 2", "Event 2 .*was changed"),
        ("UPDATE event SET body = '{' WHERE seq = 2", "Event 2 .*was changed"),
        ("UPDATE event SET body = '[]' WHERE seq = 2", "Event 2 .*was changed"),
        ("DELETE FROM event WHERE seq = 2", "Event 2 is missing"),
        ("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)", "its tail was cut off"),
        (
            "UPDATE file_version SET content = replace(content, '\"weight\":1', '\"weight\":9')"
            " WHERE kind = 'round'",
            "Round harbor-round, version 1: its content has the hash",
        ),
        ("UPDATE file_version SET content = '{' WHERE kind = 'round'", "can be replayed"),
        ("UPDATE file_version SET version = '9' WHERE kind = 'rubric'", "is not there as event"),
        (
            "UPDATE response SET candidate_id = (SELECT max(candidate_id) FROM response)",
            "Answer .* is not there as it was dealt",
        ),
    ],
)
def test_what_was_changed_behind_the_programs_back_is_named(
    own_round: GradedRound, tmp_path: Path, statement: str, says: str
) -> None:
    change_rows(own_round.bench.store.path, ("PRAGMA foreign_keys = OFF", ()), (statement, ()))
    problem = refused(own_round, tmp_path)
    assert isinstance(problem, ExportProblem)
    assert str(problem).startswith(f"{own_round.bench.store.path}: ")
    assert str(problem).endswith("Run `grader-app verify`, and restore a backup.")
    assert re.search(says, str(problem))


def test_a_changed_mbe_score_is_named(own_round: GradedRound, tmp_path: Path) -> None:
    store = own_round.bench.store
    body = {"n": 0, "scores_hash": content_hash(all_mbe(store))}
    with store.write() as connection:
        append(connection, at="2026-11-30T14:00:00Z", actor=CLI_USER, kind=EventKind.MBE_TAKEN_IN,
               subject=store.workspace_id, body=body)  # fmt: skip
    assert write_export(store, tmp_path / "before", NOW).is_dir()
    change_rows(store.path, ("UPDATE mbe SET mbe = mbe + 5", ()))
    assert "An MBE score was changed" in str(refused(own_round, tmp_path))


def test_events_in_another_order_are_refused(own_round: GradedRound, tmp_path: Path) -> None:
    change_rows(
        own_round.bench.store.path,
        ("PRAGMA foreign_keys = OFF", ()),
        ("UPDATE event SET seq = -3 WHERE seq = 3", ()),
        ("UPDATE event SET seq = 3 WHERE seq = 4", ()),
        ("UPDATE event SET seq = 4 WHERE seq = -3", ()),
    )
    assert "Event 3 does not follow from event 2" in str(refused(own_round, tmp_path))


def test_bytes_that_are_no_text_are_said_in_a_sentence(own_round: GradedRound, tmp_path: Path) -> None:
    change_rows(
        own_round.bench.store.path,
        ("UPDATE event SET body = CAST(x'7B2278223A22FF227D' AS TEXT) WHERE seq = 2", ()),
    )
    problem = refused(own_round, tmp_path)
    assert isinstance(problem, StoreProblem)
    assert "a text in it can no longer be read" in str(problem)
