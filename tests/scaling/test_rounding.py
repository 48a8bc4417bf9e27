"""Named rounding policies, half points and binary fractions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.errors import ScalingProblem
from grader_app.scaling.rounding import ROUNDINGS, Factors, reported_total


@pytest.mark.parametrize(
    ("total", "reported"),
    [
        (265.5, 266),
        (265.4999999999, 266),
        (265.499999998, 265),
        (264.5, 265),
        (265.4, 265),
        (-1.5, -1),
        (-1.5000000001, -1),
        (-1.6, -2),
        (-0.5, 0),
        (0.0, 0),
    ],
)
def test_the_total_is_rounded_half_up_once(total, reported):
    assert reported_total(0.0, total, "total_half_up") == reported


def test_parts_are_added_at_full_precision_before_rounding():
    assert reported_total(132.74, 132.75, "total_half_up") == 265
    assert reported_total(132.75, 132.75, "total_half_up") == 266


@pytest.mark.parametrize(
    ("mbe", "written", "reported"),
    [
        (132.74, 132.75, 266),  # 132.7 + 132.8 = 265.5
        (132.74, 132.7499999999, 266),  # the same within 1e-9
        (132.74, 132.76, 266),
        (132.74, 132.74, 265),
        (142.3, 147.015, 289),
        (-1.25, 0.0, -1),
    ],
)
def test_tenths_are_formed_before_the_total(mbe, written, reported):
    assert reported_total(mbe, written, "tenths_then_total") == reported


def test_no_rounding_is_a_policy_too():
    assert reported_total(132.74, 132.75, "none") == 132.74 + 132.75


def test_an_unknown_policy_names_the_known_ones():
    with pytest.raises(
        ScalingProblem, match="total_half_up, total_to_tenths, total_to_hundredths, tenths_then_total, none"
    ):
        reported_total(1.0, 2.0, "bankers")


@settings(max_examples=80)
@given(st.integers(-4000, 4000))
def test_every_half_point_goes_up(half_points):
    assert reported_total(half_points / 2, 0.0, "total_half_up") == (half_points + 1) // 2


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_total_beyond_any_number_is_refused(rounding):
    with pytest.raises(ScalingProblem, match="too large to be a number"):
        reported_total(140.0, 1e308, rounding, Factors(mbe=1, written=1e308))
