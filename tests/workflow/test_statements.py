from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from checked_workspace import make_checked

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import CHECKS, Role
from grader_app.errors import NotAllowed
from grader_app.workflow.accounts import add_account
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.statements import own_statement, statement_of, statements


def correct(small, dealt, score: float, seconds: float | None = None) -> None:
    correct_grade(
        small.bench,
        dealt.grader_id,
        dealt.assignment_id,
        GradeEntry(score=score),
        reason="Read again.",
        token=f"correct-{dealt.assignment_id}",
        seconds_spent=seconds,
    )


@pytest.fixture
def worked(make):
    """One grader with three papers on a Monday and one on the Tuesday; a correction each day."""
    small = make(graders=2, answers=12)
    queue = small.queue(small.graders[0])
    small.clock.now = datetime(2026, 11, 30, 9, tzinfo=UTC)
    for dealt, seconds in zip(queue[:3], (120, 60, None), strict=True):
        small.submit(dealt, 4, seconds_spent=seconds)
    correct(small, queue[0], 3, 30)
    small.clock.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    small.submit(queue[3], 4, seconds_spent=90)
    correct(small, queue[1], 2)
    return small


def test_papers_corrections_and_minutes_add_up_by_day_and_question(worked) -> None:
    found = statement_of(worked.bench, worked.graders[0].account_id)
    assert (found.total.papers, found.total.corrections, found.total.without_time) == (4, 2, 1)
    assert found.total.active_seconds == 300
    assert found.total.active_minutes == 5
    assert [(day, work.papers, work.corrections) for day, work in found.by_day] == [
        ("2026-11-30", 3, 1),
        ("2026-12-01", 1, 1),
    ]
    assert [(title, work.papers) for title, work in found.by_item] == [("The question of mee-barge", 4)]
    assert sum(work.papers for _, _, work in found.by_day_and_item) == 4


def test_a_period_has_both_its_days_and_no_other(worked) -> None:
    grader_id = worked.graders[0].account_id
    first, last = date(2026, 11, 30), date(2026, 12, 1)
    assert statement_of(worked.bench, grader_id, first, first).total.papers == 3
    assert statement_of(worked.bench, grader_id, last).total.papers == 1
    assert statement_of(worked.bench, grader_id, first, last).total.papers == 4
    assert statement_of(worked.bench, grader_id, date(2026, 12, 2)).by_day == ()
    with pytest.raises(NotAllowed, match="ends on 2026-11-30 before"):
        statement_of(worked.bench, grader_id, last, first)


def test_every_paper_read_is_paid_whatever_it_was_read_for_and_the_grader_is_not_told(tmp_path: Path) -> None:
    small = make_checked(tmp_path / "w", graders=2, answers=60)
    grader = small.graders[0]
    queue = small.queue(grader)[:25]
    for dealt in queue:
        small.submit(dealt, 4, seconds_spent=60)
    checks = sum(dealt.kind in CHECKS for dealt in queue)
    assert checks
    lead = statement_of(small.bench, grader.account_id)
    assert lead.total.papers == 25
    assert dict(lead.total.kinds) == {"live": 25 - checks, "checks": checks}
    own = own_statement(small.bench, grader.account_id)
    assert own.total.papers == 25
    works = [own.total, *(w for _, w in own.by_item), *(w for _, w in own.by_day)]
    works += [w for _, _, w in own.by_day_and_item]
    assert {work.kinds for work in works} == {()}


def test_calibration_papers_stand_apart(make) -> None:
    small = make(graders=1, qualification="required", packets=("heron-set",))
    (grader,) = small.graders
    small.calibrate(grader)
    found = statement_of(small.bench, grader.account_id).total
    assert (found.papers, found.calibration_papers) == (0, 6)


def test_everybody_who_grades_has_a_statement_and_nobody_else(worked) -> None:
    lead, _ = add_account(worked.bench, worked.actor, "Ann", Role.LEAD)
    add_account(worked.bench, worked.actor, "ash", Role.GRADER, simulated=True)
    assert [one.account.name for one in statements(worked.bench)] == ["grader-1", "grader-2"]
    for nobody in (lead.account_id, "p0000000000"):
        with pytest.raises(NotAllowed, match="no such grader"):
            statement_of(worked.bench, nobody)
