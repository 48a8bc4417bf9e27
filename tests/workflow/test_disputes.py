from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.workflow.disputes import disputes
from grader_app.workflow.grade_submission import correct_grade


@pytest.fixture
def twice(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    return make(answers=5, reading="reads: 2\nresolve_when_apart_by_more_than: 1")


def read_twice(small: SmallWorkspace, place: int, one: GradeEntry, other: GradeEntry) -> list[Assignment]:
    first = sorted(small.queue(small.graders[0]), key=lambda dealt: dealt.response_id)[place]
    (second,) = (d for d in small.queue(small.graders[1]) if d.response_id == first.response_id)
    both = sorted((first, second), key=lambda dealt: dealt.read_number)
    for dealt, entry in zip(both, (one, other), strict=True):
        small.submit(dealt, entry=entry)
    return both


def test_disputes_come_furthest_apart_first_codes_against_scores_before_all(twice: SmallWorkspace) -> None:
    read_twice(twice, 0, GradeEntry(score=2), GradeEntry(score=4))
    read_twice(twice, 1, GradeEntry(score=3), GradeEntry(score=4))
    read_twice(twice, 2, GradeEntry(score=0), GradeEntry(condition_code="blank"))
    read_twice(twice, 3, GradeEntry(score=6), GradeEntry(score=1))
    found = disputes(twice.bench)
    # In an order random for each answer, so that nobody can follow a reader from one to the next.
    assert [set(dispute.given) for dispute in found] == [{"0", "blank"}, {"6", "1"}, {"2", "4"}]
    assert [dispute.why for dispute in found] == [
        "The readers judged differently: a score, blank.",
        "The reads are 5 points apart.",
        "The reads are 2 points apart.",
    ]
    assert {(dispute.item, dispute.title) for dispute in found} == {
        ("mee-barge", "The question of mee-barge")
    }


def test_a_correction_can_settle_a_dispute_and_a_half_read_answer_is_none(twice: SmallWorkspace) -> None:
    _, second = read_twice(twice, 0, GradeEntry(score=2), GradeEntry(score=5))
    assert len(disputes(twice.bench)) == 1
    correct_grade(
        twice.bench,
        second.grader_id,
        second.assignment_id,
        GradeEntry(score=3),
        reason="Misread.",
        token="c",
    )
    assert disputes(twice.bench) == []
    half = next(d for d in twice.queue(twice.graders[0]) if d.response_id != second.response_id)
    twice.submit(half, 6)
    assert disputes(twice.bench) == []
