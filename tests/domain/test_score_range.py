from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.domain.score_range import ScoreRange

RANGES = st.builds(
    lambda lowest, steps, step: ScoreRange(lowest, lowest + steps * step, step),
    st.integers(-10, 10),
    st.integers(1, 60),
    st.sampled_from([1.0, 0.5, 0.25]),
)


def test_decimal_steps_give_the_decimals_a_person_writes() -> None:
    assert ScoreRange(0, 1, 0.1).values() == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert ScoreRange(0, 6, 1).values() == (0, 1, 2, 3, 4, 5, 6)
    assert ScoreRange(-35, 0, 17.5).values() == (-35, -17.5, 0)


@pytest.mark.parametrize("step", [0.1, 0.25, 0.5, 1.0])
def test_sums_of_steps_are_on_the_scale_although_floats_are_not_exact(step: float) -> None:
    scale, value = ScoreRange(0, 6, step), 0.0
    while value <= 6 - step / 2:
        assert scale.contains(value)
        assert not scale.contains(value + step / 2)
        value += step


@pytest.mark.parametrize("value", [-1, 6.0001, 7, 0.3, float("nan"), float("inf"), float("-inf")])
def test_other_numbers_are_not_on_the_scale(value: float) -> None:
    assert not ScoreRange(0, 6, 0.25).contains(value)


@given(RANGES)
def test_every_value_is_on_the_scale_and_its_ends_are_values(scale: ScoreRange) -> None:
    values = scale.values()
    assert scale.has_whole_steps
    assert (values[0], values[-1]) == (scale.lowest, scale.highest)
    assert all(scale.contains(value) for value in values)


@given(RANGES, st.floats(-100, 100))
def test_clamping_moves_only_what_lies_outside(scale: ScoreRange, value: float) -> None:
    clamped = scale.clamp(value)
    assert scale.lowest <= clamped <= scale.highest
    assert (clamped == value) == (scale.lowest <= value <= scale.highest)


@pytest.mark.parametrize(("highest", "step"), [(6, 4), (1, 0.3), (6, 7), (0, 1), (-6, 1)])
def test_a_scale_that_steps_do_not_fill_is_seen(highest: float, step: float) -> None:
    assert not ScoreRange(0, highest, step).has_whole_steps
