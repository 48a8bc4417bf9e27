from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rubrics_and_grades import rubric

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import FIRST_HASH, Event, EventKind, event_hash
from grader_app.domain.grade import GradeEntry, grade_body
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs
from grader_app.domain.round import Round

RUBRIC = rubric()
ROUND = Round.model_validate(
    {
        "format": "round/1",
        "id": "small",
        "version": "1",
        "title": "Small",
        "items": [
            {"item": "mee-barge", "component": "mee", "weight": 1},
            {"item": "mee-crane", "component": "mee", "weight": 1},
        ],
        "reading": {"reads": 2},
    }
)
INPUTS = Inputs(
    files={
        made.content_hash: {
            "kind": kind,
            "id": made.id,
            "version": made.version,
            "content": made.model_dump(mode="json"),
        }
        for kind, made in (("rubric", RUBRIC), ("round", ROUND))
    },
    responses={
        f"r{n}": {"item": "mee-barge" if n < 3 else "mee-crane", "candidate_id": f"c{n}", "text_hash": "0"}
        for n in range(5)
    },
)


class Log:
    """A log under construction."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        for kind, made in (("rubric", RUBRIC), ("round", ROUND)):
            body = {"kind": kind, "id": made.id, "version": made.version, "hash": made.content_hash}
            self.add(EventKind.FILE_REGISTERED, made.id, **body)

    def add(self, kind: EventKind, subject: str, /, **body: Any) -> int:
        seq = len(self.events) + 1
        previous = self.events[-1].hash if self.events else FIRST_HASH
        said = (f"2026-11-29T09:00:{seq:02d}.000Z", "p1", kind.value, subject)
        digest = event_hash(seq, *said, canonical_json(body), previous)
        self.events.append(Event(seq, *said, canonical_json(body), previous, digest))
        return seq

    def deal(self, response_id: str, *graders: str) -> None:
        for number, grader in enumerate(graders, start=1):
            row = {
                "assignment_id": f"{response_id}-{grader}",
                "response_id": response_id,
                "position": 1,
                "read_number": number,
            }
            item = INPUTS.responses[response_id]["item"]
            self.add(EventKind.ANSWERS_DEALT, grader, item=item, grader_id=grader, assignments=[row])

    def grade(self, assignment_id: str, score: float | None = None, code: str | None = None) -> int:
        body = grade_body(RUBRIC, GradeEntry(score=score, condition_code=code))
        return self.add(EventKind.GRADE_SUBMITTED, assignment_id, **body)

    def correct(self, assignment_id: str, score: float, replaces: int) -> int:
        body = grade_body(RUBRIC, GradeEntry(score=score)) | {"replaces": replaces}
        return self.add(EventKind.GRADE_CORRECTED, assignment_id, **body)

    def record(self) -> GradingRecord:
        return GradingRecord(self.events, INPUTS)


@pytest.fixture
def log() -> Log:
    return Log()


def test_an_answer_waits_until_it_is_dealt_and_every_read_is_in(log: Log) -> None:
    assert log.record().standing("r0").why == "Not dealt yet."
    log.deal("r0", "p1", "p2")
    assert log.record().standing("r0").why == "0 of 2 reads are in."
    log.grade("r0-p2", 4)
    assert log.record().standing("r0").why == "1 of 2 reads are in."
    log.grade("r0-p1", 5)
    assert log.record().standing("r0").final == 4.5
    assert [read.grader_id for read in log.record().reads("r0")] == ["p1", "p2"]


def test_a_correction_stands_and_the_earlier_grade_stays_in_the_history(log: Log) -> None:
    log.deal("r0", "p1")
    first = log.grade("r0-p1", 2)
    log.correct("r0-p1", 5, first)
    record = log.record()
    assert record.grades["r0-p1"].score == 5
    assert record.grades["r0-p1"].replaces == first
    assert [grade.score for grade in record.history["r0-p1"]] == [2, 5]


def test_a_referral_is_open_until_the_lead_decides_and_a_read_taken_out_is_not_awaited(log: Log) -> None:
    log.deal("r0", "p1", "p2")
    log.grade("r0-p1", 4)
    log.add(EventKind.ANSWER_REFERRED, "r0-p2", reason="conflict", note_hash=None)
    assert log.record().referrals["r0-p2"].reason == "conflict"
    log.add(EventKind.ANSWER_RETURNED, "r0-p2", decision="taken_out")
    record = log.record()
    assert record.referrals == {}
    assert record.expected_reads("r0") == 1
    assert record.standing("r0").status == "final"


def test_a_referral_that_was_returned_is_awaited_again(log: Log) -> None:
    log.deal("r0", "p1")
    log.add(EventKind.ANSWER_REFERRED, "r0-p1", reason="other", note_hash=None)
    log.add(EventKind.ANSWER_RETURNED, "r0-p1", decision="returned")
    assert (log.record().referrals, log.record().expected_reads("r0")) == ({}, 1)


def test_a_reopened_item_is_open_and_a_closed_one_closed(log: Log) -> None:
    log.add(EventKind.ITEM_CLOSED, "mee-barge")
    log.add(EventKind.ITEM_CLOSED, "mee-crane")
    log.add(EventKind.ITEM_REOPENED, "mee-barge")
    assert log.record().closed_items == {"mee-crane"}


def test_answers_taken_back_are_in_no_list(log: Log) -> None:
    log.add(EventKind.ANSWERS_WITHDRAWN, "mee-barge", response_ids=["r1"])
    assert log.record().response_ids("mee-barge") == ["r0", "r2"]
    assert log.record().response_ids() == ["r0", "r2", "r3", "r4"]
    assert log.record().items() == ["mee-barge", "mee-crane"]


def test_simulated_graders_and_revealed_answers_are_known(log: Log) -> None:
    log.add(EventKind.ACCOUNT_ADDED, "p9", role="grader", simulated=True)
    log.add(EventKind.ACCOUNT_ADDED, "p8", role="grader")
    log.add(EventKind.SOURCES_REVEALED, "w1", response_ids=["r0"])
    assert (log.record().simulated, log.record().revealed) == ({"p9"}, {"r0"})


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 30))
@settings(max_examples=30)
def test_a_record_read_in_two_parts_is_the_record_read_at_once(acts: list[int], cut: int) -> None:
    log = Log()
    for number in range(3):
        log.deal(f"r{number}", "p1", "p2")
    given_at: dict[str, int] = {}
    for act in acts:
        assignment = f"r{act % 3}-p{1 + act % 2}"
        if assignment in given_at:
            given_at[assignment] = log.correct(assignment, act % 7, given_at[assignment])
        else:
            given_at[assignment] = log.grade(assignment, act % 7)
    whole, parts = log.record(), GradingRecord(log.events[:cut], INPUTS)
    parts.extend(log.events[cut:])
    assert parts.grades == whole.grades
    assert parts.history == whole.history
    assert parts.last_seq == whole.last_seq == len(log.events)
    assert [parts.standing(r) for r in whole.response_ids()] == [
        whole.standing(r) for r in whole.response_ids()
    ]


def test_a_log_without_a_round_scores_nothing_and_breaks_nothing() -> None:
    record = GradingRecord([], INPUTS)
    assert record.round is None
    assert record.items() == ["mee-barge", "mee-crane"]
    assert {record.standing(r).status for r in record.response_ids()} == {"waiting"}
