from __future__ import annotations

from datetime import timedelta

import pytest
from small_workspace import START

from grader_app.errors import SignInRefused
from grader_app.workflow.sign_in_delay import SignInDelay


def wait_after(failures: int) -> int:
    """Whole seconds until the next try is let through."""
    delay = SignInDelay()
    for _ in range(failures):
        delay.failed(START, "kim")
    for seconds in range(200):
        try:
            delay.check(START + timedelta(seconds=seconds), "kim")
        except SignInRefused:
            continue
        return seconds
    raise AssertionError("shut out")


def test_four_failures_are_free_then_the_wait_doubles_up_to_a_minute() -> None:
    assert [wait_after(n) for n in range(13)] == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]


def test_the_refusal_says_how_long_to_wait_and_never_nought_seconds() -> None:
    delay = SignInDelay()
    for _ in range(6):
        delay.failed(START, "kim")
    for after, words in ((0.0, "2 seconds"), (0.7, "2 seconds"), (1.3, "1 second"), (1.9, "1 second")):
        with pytest.raises(SignInRefused, match=rf"Wait {words}, then"):
            delay.check(START + timedelta(seconds=after), "kim")


def test_a_success_forgets_the_failures() -> None:
    delay = SignInDelay()
    for _ in range(9):
        delay.failed(START, "kim", "10.0.0.1")
    delay.succeeded("kim", "10.0.0.1")
    delay.check(START, "kim", "10.0.0.1")


def test_a_quarter_of_an_hour_forgets_the_failures() -> None:
    delay = SignInDelay()
    for _ in range(20):
        delay.failed(START, "kim")
    later = START + timedelta(minutes=16)
    delay.check(later, "kim")
    delay.failed(later, "kim")
    delay.check(later, "kim")


def test_one_name_and_one_address_are_counted_apart() -> None:
    delay = SignInDelay()
    for number in range(9):
        delay.failed(START, f"name {number}", "10.0.0.1")
    delay.check(START, "name 1", "10.0.0.2")
    with pytest.raises(SignInRefused):
        delay.check(START, "name 10", "10.0.0.1")


def test_a_flood_of_invented_names_is_forgotten() -> None:
    delay = SignInDelay()
    for number in range(1000):
        delay.failed(START, f"name {number}")
    delay.failed(START + timedelta(minutes=16), "kim")
    assert list(delay._failures) == ["kim"]
