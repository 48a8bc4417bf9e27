from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pytest

from grader_app.agreement.finish_range import FEWEST_DAYS, GraderDays, finish_range

MONDAY = date(2026, 11, 2)


def graded_on(counts: list[int], start: date = MONDAY) -> dict[date, int]:
    return {start + timedelta(days=n): count for n, count in enumerate(counts) if count}


def weekdays_only(counts: list[int], start: date = MONDAY) -> dict[date, int]:
    """Papers on working days, in order; nothing on weekends."""
    found, day = {}, start
    for count in counts:
        while day.weekday() >= 5:
            day += timedelta(days=1)
        found[day] = count
        day += timedelta(days=1)
    return found


def test_nothing_left_needs_no_simulation() -> None:
    found = finish_range([GraderDays(0, graded_on([5, 5, 5]))], date(2026, 11, 9))
    assert (found.status, found.earliest, found.latest) == ("nothing_left", None, None)


@pytest.mark.parametrize("worked", [0, 1, FEWEST_DAYS - 1])
def test_with_too_few_days_it_says_so_and_why(worked: int) -> None:
    found = finish_range([GraderDays(10, graded_on([5] * worked))], MONDAY + timedelta(days=worked))
    assert (found.status, found.days_worked) == ("too_few_days", worked)
    assert "No day can be given yet" in found.says


def test_todays_work_is_no_whole_day_and_speaks_for_no_other() -> None:
    today = MONDAY + timedelta(days=2)
    found = finish_range([GraderDays(10, graded_on([5, 5, 1]))], today)
    assert (found.status, found.days_worked) == ("too_few_days", 2)


def test_a_grader_who_does_the_same_every_day_ends_on_the_day_one_can_count() -> None:
    days = graded_on([10] * 14)
    today = MONDAY + timedelta(days=14)
    found = finish_range([GraderDays(35, days)], today)
    # Today, Tuesday and Wednesday do thirty; the rest falls on Thursday.
    assert (found.earliest, found.latest) == (today + timedelta(days=3), today + timedelta(days=3))
    assert found.says == "On Thu 19 Nov (100 of 100 simulated courses)."


def test_what_was_done_today_is_not_done_a_second_time() -> None:
    days = graded_on([10] * 14)
    today = MONDAY + timedelta(days=14)
    found = finish_range([GraderDays(5, days | {today: 10})], today)
    assert found.earliest == found.latest == today + timedelta(days=1)


def test_weekends_on_which_nobody_worked_stay_free() -> None:
    days = weekdays_only([10] * 10)
    friday = MONDAY + timedelta(days=11)
    before = {day: n for day, n in days.items() if day < friday}
    found = finish_range([GraderDays(15, before)], friday)
    assert found.earliest == found.latest == friday + timedelta(days=3)  # Monday


def test_before_a_weekend_was_seen_the_range_covers_both_ways() -> None:
    thursday = MONDAY + timedelta(days=3)
    found = finish_range([GraderDays(30, graded_on([10, 10, 10]))], thursday)
    assert found.earliest == MONDAY + timedelta(days=5)  # Saturday
    assert found.latest == MONDAY + timedelta(days=7)  # Monday
    assert any("No whole weekend has been seen" in said for said in found.assumes)


def test_the_slowest_queue_decides() -> None:
    today = MONDAY + timedelta(days=14)
    fast, slow = GraderDays(20, graded_on([20] * 14)), GraderDays(20, graded_on([4] * 14))
    assert finish_range([fast], today).latest == today
    assert finish_range([fast, slow], today).latest == today + timedelta(days=4)


def test_what_waits_for_a_stopped_grader_goes_to_the_others() -> None:
    today = MONDAY + timedelta(days=14)
    works = GraderDays(10, graded_on([10] * 14))
    stopped = GraderDays(20, graded_on([10] * 14), works=False)
    found = finish_range([works, stopped], today)
    assert found.latest == today + timedelta(days=2)
    assert any("20 reads that wait for nobody at work" in said for said in found.assumes)
    assert finish_range([stopped], today).status == "no_end"


def test_undealt_reads_are_shared_out_to_the_shortest_queues() -> None:
    today = MONDAY + timedelta(days=14)
    graders = [GraderDays(0, graded_on([5] * 14)), GraderDays(10, graded_on([5] * 14))]
    assert finish_range(graders, today, undealt=10).latest == today + timedelta(days=1)


def test_a_queue_that_has_not_moved_for_weeks_is_named_and_taken_to_go_to_others() -> None:
    today = MONDAY + timedelta(days=40)
    works = GraderDays(5, graded_on([5] * 40))
    silent = GraderDays(5, graded_on([5] * 3))
    found = finish_range([works, silent], today)
    assert (found.unmoved, found.latest) == ((1,), today + timedelta(days=1))
    assert finish_range([silent], today).status == "too_few_days"


def test_a_grader_who_pauses_for_some_days_is_slower_and_the_range_wider() -> None:
    today = MONDAY + timedelta(days=14)
    steady = finish_range([GraderDays(50, graded_on([5] * 14))], today)
    halting = finish_range([GraderDays(50, graded_on([10, 0] * 7))], today)
    assert steady.earliest is not None
    assert halting.earliest is not None
    assert steady.latest is not None
    assert halting.latest is not None
    assert halting.latest - halting.earliest > steady.latest - steady.earliest


def test_somebody_who_has_not_begun_is_taken_to_work_like_a_colleague() -> None:
    today = MONDAY + timedelta(days=14)
    fast, slow = GraderDays(0, graded_on([20] * 14)), GraderDays(0, graded_on([4] * 14))
    found = finish_range([fast, slow, GraderDays(20, {})], today)
    assert (found.earliest, found.latest) == (today, today + timedelta(days=4))
    assert found.unmoved == ()


def test_a_late_beginner_is_judged_by_their_own_days() -> None:
    today = MONDAY + timedelta(days=14)
    late = GraderDays(30, graded_on([10, 10, 10], MONDAY + timedelta(days=11)))
    steady = GraderDays(0, graded_on([1] * 14))
    assert finish_range([steady, late], today).latest == today + timedelta(days=2)


def test_the_same_log_gives_the_same_range() -> None:
    today = MONDAY + timedelta(days=9)
    graders = [GraderDays(40, graded_on([3, 9, 1, 12, 6, 0, 0, 8, 2]))]
    assert finish_range(graders, today, seed=3) == finish_range(graders, today, seed=3)


@pytest.mark.parametrize(
    ("name", "days", "pace"),
    [
        ("few days, one pace", 5, [12.0]),
        ("two weeks, different speeds", 14, [4.0, 12.0, 30.0]),
        ("three weeks, many graders", 20, [8.0, 8.0, 10.0, 12.0, 12.0, 15.0]),
    ],
)
def test_the_range_covers_the_day_about_as_often_as_it_says(name: str, days: int, pace: list[float]) -> None:
    """Panels drawn at random, with free weekends and days that differ."""
    draw = np.random.default_rng(20261130)
    covered, panels = 0, 60
    for number in range(panels):
        work = _panel(draw, pace)
        start = MONDAY + timedelta(days=int(draw.integers(5)))
        today = start + timedelta(days=days)
        past = [{} for _ in pace]
        for n in range(days):
            for own, done in zip(past, work(start + timedelta(days=n)), strict=True):
                own[start + timedelta(days=n)] = done
        left = [int(speed * 8) for speed in pace]
        graders = [GraderDays(n, own) for n, own in zip(left, past, strict=True)]
        found = finish_range(graders, today, seed=number, courses=300)
        end, day = list(left), today
        while any(one > 0 for one in end):
            end = [one - done for one, done in zip(end, work(day), strict=True)]
            day += timedelta(days=1)
        true_end = day - timedelta(days=1)
        assert found.earliest is not None
        covered += found.earliest <= true_end and (found.latest is None or true_end <= found.latest)
    assert 0.7 <= covered / panels <= 1, name


def _panel(draw: np.random.Generator, pace: list[float]) -> Callable[[date], list[int]]:
    def work(day: date) -> list[int]:
        if day.weekday() >= 5:
            return [0] * len(pace)
        mood = draw.gamma(8, 1 / 8)  # a day good or bad for everybody
        return [int(draw.poisson(speed * mood * draw.gamma(4, 1 / 4))) for speed in pace]

    return work
