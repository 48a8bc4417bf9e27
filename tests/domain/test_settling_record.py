from __future__ import annotations

import pytest
from rubrics_and_grades import rubric
from test_grading_record import Log

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry, grade_body

RUBRIC = rubric()


@pytest.fixture
def log() -> Log:
    """Two reads of one answer, three points apart."""
    log = Log()
    log.deal("r0", "p1", "p2")
    log.grade("r0-p1", 2)
    log.grade("r0-p2", 5)
    return log


def deal_third(log: Log, grader: str) -> str:
    row = {"assignment_id": f"r0-{grader}", "response_id": "r0", "position": 9, "read_number": 3}
    body = {"item": "mee-barge", "grader_id": grader, "assignments": [{**row, "kind": "third"}]}
    log.add(EventKind.ANSWERS_DEALT, grader, **body)
    return f"r0-{grader}"


def judge(log: Log, kind: EventKind, subject: str, score: float, **body: object) -> int:
    values = grade_body(RUBRIC, GradeEntry(score=score))
    return log.add(kind, subject, **{"item": "mee-barge", "response_id": "r0", **values, **body})


def test_a_third_read_settles_and_is_no_read_of_its_own(log: Log) -> None:
    dealt = deal_third(log, "p3")
    waiting = log.record().waiting_third_or_none("r0")
    assert waiting is not None
    assert waiting.grader_id == "p3"
    assert log.record().standing("r0").why == "The reads are 3 points apart. A third reader has it."
    log.grade(dealt, 5)
    record = log.record()
    assert (record.standing("r0").final, record.standing("r0").settled_by) == (5, "third read")
    assert [grade.score for grade in record.reads("r0")] == [2, 5]
    assert [grade.score for grade in record.judgments("r0")] == [2, 5, 5]
    assert (len(record.grades), record.check_grades, record.expected_reads("r0")) == (2, {}, 2)
    assert record.deals["p3", "mee-barge"] == 0


def test_a_third_read_taken_out_is_not_awaited_and_the_next_one_counts(log: Log) -> None:
    deal_third(log, "p3")
    log.add(EventKind.ANSWER_RETURNED, "r0-p3", decision="taken_out")
    assert log.record().waiting_third_or_none("r0") is None
    log.grade(deal_third(log, "p4"), 2)
    assert log.record().standing("r0").final == 2


def test_an_adjudication_stands_until_a_grade_it_settled_is_corrected(log: Log) -> None:
    seqs = [grade.event_seq for grade in log.record().reads("r0")]
    judge(log, EventKind.GRADE_ADJUDICATED, "r0", 4, settles=seqs)
    assert (log.record().standing("r0").final, log.record().standing("r0").raw) == (4, 3.5)
    log.correct("r0-p1", 4, seqs[0])
    record = log.record()
    assert record.standing("r0").status == "disputed"
    assert "corrected after this was settled" in record.standing("r0").why
    now = [grade.event_seq for grade in record.reads("r0")]
    judge(log, EventKind.GRADE_ADJUDICATED, "r0", 4, settles=now, confirms=record.last_seq)
    assert log.record().standing("r0").final == 4
    assert len(log.record().settling.adjudications["r0"]) == 2


def test_a_first_look_settles_nothing(log: Log) -> None:
    judge(log, EventKind.GRADE_ADJUDICATED, "r0", 4, settles=[], stage="first_look")
    record = log.record()
    assert record.standing("r0").status == "disputed"
    assert [look.given.score for look in record.settling.first_looks["r0"]] == [4]


def test_a_backread_changes_no_score_and_a_grade_corrected_after_a_word_is_not_independent(log: Log) -> None:
    before = log.record().standing("r0")
    first = log.record().grades["r0-p1"].event_seq
    seen = judge(log, EventKind.GRADE_BACKREAD, "r0-p1", 4, of=first, grader_id="p1")
    assert log.record().standing("r0") == before
    assert (log.record().settling.backreads[0].given.score, log.record().settling.backreads[0].of) == (
        4,
        first,
    )
    log.add(EventKind.GRADE_BACKREAD, "r0-p1", stage="word", backread=seen, note_hash="0" * 64)
    log.correct("r0-p1", 4, first)
    record = log.record()
    assert record.grades["r0-p1"].score == 4
    assert sorted(grade.score or 0 for grade in record.independent_grades()) == [2, 5]


def test_a_correction_made_before_the_word_is_the_independent_one(log: Log) -> None:
    first = log.record().grades["r0-p1"].event_seq
    log.correct("r0-p1", 3, first)
    log.add(EventKind.GRADE_BACKREAD, "r0-p1", stage="word", backread=first, note_hash="0" * 64)
    assert sorted(grade.score or 0 for grade in log.record().independent_grades()) == [3, 5]
