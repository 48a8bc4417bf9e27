"""Short ways to have one answer read by whoever it was dealt to."""

from __future__ import annotations

from small_workspace import SmallWorkspace

from grader_app.domain.final_score import ScoreStanding
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, Assignment, ReadKind
from grader_app.store.assignments import assignments_of
from grader_app.workflow.grade_submission import correct_grade

THIRD = "reads: 2\nresolve_when_apart_by_more_than: 1\ndisputes_go_to: third_reader"
ADJUDICATED = "reads: 2\nresolve_when_apart_by_more_than: 1"


def judged(gave: float | str) -> GradeEntry:
    return GradeEntry(condition_code=gave) if isinstance(gave, str) else GradeEntry(score=gave)


def live_reads(small: SmallWorkspace, response_id: str) -> list[Assignment]:
    """The reads dealt of an answer, in order of read number."""
    return sorted(dealt(small, response_id, ReadKind.LIVE), key=lambda one: one.read_number)


def third_reads(small: SmallWorkspace, response_id: str) -> list[Assignment]:
    return dealt(small, response_id, ReadKind.THIRD)


def dealt(small: SmallWorkspace, response_id: str, kind: ReadKind) -> list[Assignment]:
    return [
        one
        for grader in small.graders
        for one in assignments_of(small.bench.store, grader.account_id)
        if (one.response_id, one.kind) == (response_id, kind)
    ]


def an_answer(small: SmallWorkspace, place: int = 0) -> str:
    with small.bench.record() as record:
        return record.response_ids("mee-barge")[place]


def read(small: SmallWorkspace, response_id: str, *gave: float | str) -> list[Assignment]:
    """Let an answer's readers give these scores or codes, in order of read number."""
    found = live_reads(small, response_id)
    for one, given in zip(found, gave, strict=True):
        small.submit(one, entry=judged(given))
    return found


def correct(small: SmallWorkspace, one: Assignment, gave: float | str) -> None:
    correct_grade(
        small.bench,
        one.grader_id,
        one.assignment_id,
        judged(gave),
        reason="Misread.",
        token=next(small.tokens),
    )


def standing(small: SmallWorkspace, response_id: str) -> ScoreStanding:
    with small.bench.record() as record:
        return record.standing(response_id)


def reader(small: SmallWorkspace, one: Assignment) -> Account:
    return next(grader for grader in small.graders if grader.account_id == one.grader_id)
