from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, Assignment, Role
from grader_app.workflow.accounts import add_account, disable_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.board import Board, board_of
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.monitoring import pause
from grader_app.workflow.standing_still import QUIET_HOURS, working_hours
from grader_app.workflow.waiting import Waiting, Why

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)


def needs(board: Board) -> dict[Why, Waiting]:
    return {one.why: one for one in board.needs_lead}


def stuck(board: Board) -> dict[Why, Waiting]:
    return {one.why: one for one in board.stuck}


def work_off(small: SmallWorkspace, grader: Account, count: int | None = None) -> list[Assignment]:
    """Grade what waits in a grader's queue, in its order."""
    with small.bench.record() as record:
        waiting = [one for one in small.queue(grader) if one.assignment_id not in record.history]
    for dealt in waiting[:count]:
        small.submit(dealt, 4, seconds_spent=120)
    return waiting[:count]


def test_an_empty_round_needs_nobody_and_says_nothing_of_the_end(make) -> None:
    board = board_of(make(graders=0, answers=0).bench)
    assert (board.needs_lead, board.stuck, board.loads) == ((), (), ())
    assert board.finish.reads_left == 0
    assert board.finish.range.status == "nothing_left"


def test_undealt_answers_and_questions_without_a_grader_stand_still(make) -> None:
    small = make(graders=0, answers=0)
    small.take_in("mee-barge", 3)
    found = stuck(board_of(small.bench))
    assert (found[Why.UNDEALT].count, found[Why.UNDEALT].item) == (3, "mee-barge")
    assert "there is no grader" in found[Why.NOBODY].says
    small.add_grader("kim")
    assert Why.NOBODY not in stuck(board_of(small.bench))


def test_an_apprentice_alone_moves_no_question(make) -> None:
    small = make(graders=0, answers=0)
    small.take_in("mee-barge", 3)
    add_account(small.bench, small.actor, "junior", Role.GRADER, apprentice=True)
    assert Why.NOBODY in stuck(board_of(small.bench))


def test_a_fresh_deal_is_calm(small: SmallWorkspace) -> None:
    board = board_of(small.bench)
    assert (board.needs_lead, board.stuck) == ((), ())
    assert board.finish.reads_left == 4
    assert board.finish.range.status == "too_few_days"


def test_what_graders_sent_comes_first_and_by_its_kind(make) -> None:
    small = make(graders=2, answers=8)
    queue = small.queue(small.graders[0])
    times = []
    for dealt, reason in zip(queue, ("text-broken", "concern-threat", "other"), strict=False):
        refer_to_lead(
            small.bench, dealt.grader_id, dealt.assignment_id, reason, token=reason, note="See page 2."
        )
        times.append(small.bench.now())
    found = board_of(small.bench).needs_lead
    assert [(one.why, one.count) for one in found] == [(Why.INCIDENT, 1), (Why.REFERRAL, 2)]
    assert found[1].since is not None
    assert found[1].since < times[0]


def test_disputes_wait_since_their_last_read(make) -> None:
    small = make(graders=2, answers=1, reading="reads: 2\nresolve_when_apart_by_more_than: 1")
    one, other = (small.queue(grader)[0] for grader in small.graders)
    small.submit(one, 1)
    receipt = small.submit(other, 5)
    line = needs(board_of(small.bench))[Why.DISPUTE]
    assert (line.count, line.says, line.since) == (1, "disputed answer", receipt.recorded_at)
    close_item(small.bench, small.actor, "mee-barge")
    assert Why.DISPUTE not in needs(board_of(small.bench))


def test_a_dispute_that_nobody_can_read_a_third_time_says_so(make) -> None:
    reading = "reads: 2\nresolve_when_apart_by_more_than: 1\ndisputes_go_to: third_reader"
    small = make(graders=2, answers=1, reading=reading)
    for grader, score in zip(small.graders, (1, 5), strict=True):
        small.submit(small.queue(grader)[0], score)
    assert "nobody is left to read a third time" in needs(board_of(small.bench))[Why.DISPUTE].says


def test_a_third_read_that_waits_is_a_read_left_and_no_decision(make) -> None:
    reading = "reads: 2\nresolve_when_apart_by_more_than: 1\ndisputes_go_to: third_reader"
    small = make(graders=3, answers=1, reading=reading)
    with small.bench.record() as record:
        reads = list(record.assignments.values())
    for dealt, score in zip(reads, (1, 5), strict=True):
        small.submit(dealt, score)
    board = board_of(small.bench)
    assert Why.DISPUTE not in needs(board)
    assert board.finish.reads_left == 1


def test_codes_for_the_lead_wait_and_other_codes_do_not(make) -> None:
    small = make(graders=1, answers=3)
    first, second, third = small.queue(small.graders[0])
    small.submit(first, entry=GradeEntry(condition_code="off-topic"))
    small.submit(second, entry=GradeEntry(condition_code="blank"))
    small.submit(third, 4)
    assert needs(board_of(small.bench))[Why.CODED].count == 1


def test_an_alarm_names_its_grader_until_it_is_answered(small: SmallWorkspace) -> None:
    grader = small.graders[0]
    small.append(
        EventKind.DRIFT_FOUND,
        grader.account_id,
        item="mee-barge",
        assignment_id=small.queue(grader)[0].assignment_id,
        direction="harsher",
        statistic=5.0,
        limit=4.0,
        n_validity=4,
    )
    line = needs(board_of(small.bench))[Why.ALARM]
    assert (line.count, line.item) == (1, "mee-barge")
    assert "grader-1" in line.says


def test_answers_left_behind_name_who_left_them(make) -> None:
    small = make(graders=2, answers=6)
    disable_account(small.bench, small.actor, small.graders[0])
    line = stuck(board_of(small.bench))[Why.LEFT_BEHIND]
    assert (line.count, line.says) == (3, "answers left behind by grader-1")


def test_a_grader_is_quiet_after_a_day_without_a_grade_and_weekends_do_not_count(make) -> None:
    small = make(graders=2, answers=8, dealt=False)
    small.clock.now = MONDAY - timedelta(days=3)  # Friday
    deal(small.bench, small.actor)
    work_off(small, small.graders[0], 2)
    small.clock.now = MONDAY - timedelta(hours=1)
    assert Why.QUIET not in stuck(board_of(small.bench))
    small.clock.passes(hours=2)
    lines = [one for one in board_of(small.bench).stuck if one.why is Why.QUIET]
    assert sorted(one.grader_id or "" for one in lines) == sorted(g.account_id for g in small.graders)
    work_off(small, small.graders[0], 1)
    (line,) = [one for one in board_of(small.bench).stuck if one.why is Why.QUIET]
    assert (line.grader_id, line.count) == (small.graders[1].account_id, 4)


def test_who_has_nothing_left_is_never_quiet(make) -> None:
    small = make(graders=1, answers=2)
    work_off(small, small.graders[0])
    small.clock.passes(days=9)
    assert board_of(small.bench).stuck == ()


def test_a_paused_grader_is_paused_and_not_quiet(make) -> None:
    small = make(graders=2, answers=6)
    grader = small.graders[0]
    pause(small.bench, small.actor, grader.account_id, "mee-barge")
    small.clock.passes(days=4)
    found = board_of(small.bench).stuck
    line = stuck(board_of(small.bench))[Why.PAUSED]
    assert (line.count, line.grader_id) == (3, grader.account_id)
    assert grader.account_id not in {one.grader_id for one in found if one.why is Why.QUIET}


def test_answers_behind_the_gate_wait_for_calibration(make) -> None:
    small = make(graders=1, answers=3, qualification="required", packets=("heron-set",))
    found = stuck(board_of(small.bench))
    assert found[Why.UNCALIBRATED].count == 3
    assert found[Why.UNCALIBRATED].says == "answers of grader-1 wait until the grader has calibrated"
    assert "nobody may grade it now" in found[Why.NOBODY].says


def test_one_answer_behind_the_gate_is_spoken_of_as_one(make) -> None:
    small = make(graders=1, answers=1, qualification="required", packets=("heron-set",))
    line = stuck(board_of(small.bench))[Why.UNCALIBRATED]
    assert (line.count, line.says) == (1, "answer of grader-1 waits until the grader has calibrated")


def test_the_range_comes_from_the_days_worked(make) -> None:
    small = make(graders=2, answers=40, dealt=False)
    start = datetime(2026, 11, 2, 9, tzinfo=UTC)  # a Monday
    small.clock.now = start
    deal(small.bench, small.actor)
    for day in (0, 1, 2, 3):
        small.clock.now = start + timedelta(days=day)
        for grader in small.graders:
            work_off(small, grader, 2)
    small.clock.now = start + timedelta(days=4)
    found = board_of(small.bench).finish
    assert (found.reads_left, found.range.status, found.range.days_worked) == (24, "ok", 4)
    assert found.seconds_left == 24 * 120
    # Two a day each, twelve left each: six working days from Friday on, with or without a weekend.
    assert found.range.earliest == (start + timedelta(days=9)).date()
    assert found.range.latest == (start + timedelta(days=11)).date()
    assert found == board_of(small.bench).finish


def test_a_workload_counts_checks_once_and_apart(tmp_path) -> None:
    from checked_workspace import make_checked

    small = make_checked(tmp_path / "w", graders=2, answers=60)
    grader = small.graders[0]
    (before,) = [one for one in board_of(small.bench).loads if one.account == grader]
    assert before.left == 30
    assert before.checks_left > 0
    work_off(small, grader, 20)
    (after,) = [one for one in board_of(small.bench).loads if one.account == grader]
    assert after.done + after.checks_done == 20
    assert after.left == before.left - after.done
    assert after.median_seconds == 120
    assert after.seconds_left == 120 * after.papers_left
    assert after.last_seen_at is not None


@pytest.mark.parametrize(
    ("since", "until", "hours"),
    [
        (datetime(2026, 11, 30, 9, tzinfo=UTC), datetime(2026, 11, 30, 12, tzinfo=UTC), 3),
        (datetime(2026, 11, 28, 9, tzinfo=UTC), datetime(2026, 11, 30, 0, tzinfo=UTC), 0),
        (datetime(2026, 11, 26, 12, tzinfo=UTC), datetime(2026, 11, 27, 12, tzinfo=UTC), QUIET_HOURS),
    ],
)
def test_working_hours_leave_weekends_out(since: datetime, until: datetime, hours: float) -> None:
    assert working_hours(since, until) == hours
