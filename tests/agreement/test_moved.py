from __future__ import annotations

import math

import pytest

from grader_app.agreement.moved import moved


def test_the_interval_pools_calibration_and_validity_papers() -> None:
    # Differences 1 0 1 0: mean 0.5, squares about it 1; calibration sd 0.8 from 11 papers adds 10 * 0.64.
    found = moved([1, 0, 1, 0], 0.8, 11)
    pooled = math.sqrt((1 + 6.4) / 13)
    # Student's t(13) at 0.975 is 2.160369 (tables).
    reach = 2.160369 * pooled / 2
    assert found.severity.value == pytest.approx(0.5)
    assert found.severity.low == pytest.approx(0.5 - reach, abs=1e-6)
    assert found.severity.high == pytest.approx(0.5 + reach, abs=1e-6)
    assert found.direction is None


def test_a_direction_is_named_where_the_interval_leaves_zero_out() -> None:
    assert moved([1] * 8, 0.7, 30).direction == "harsher"
    assert moved([-1] * 8, 0.7, 30).direction == "more lenient"
    assert moved([1, -1] * 4, 0.7, 30).direction is None
    says = moved([1] * 8, 0.7, 30, subject="Reader A").severity.says
    assert says.startswith("Reader A scores 1.00 points below the reference on 8 validity papers.")
    assert says.endswith("which leaves 0 out: harsher.")


@pytest.mark.parametrize("few", [[], [1.0]])
def test_too_few_papers_are_said_to_be_too_few(few: list[float]) -> None:
    found = moved(few, 0.7, 30)
    assert (found.severity.status, found.severity.value, found.direction) == ("too_few", None, None)


def test_without_a_calibration_only_the_validity_papers_speak() -> None:
    found = moved([1, 0, 1, 0], 9.9, 0)
    # Sample sd of 1 0 1 0 is sqrt(1/3); t(3) at 0.975 is 3.182446.
    reach = 3.182446 * math.sqrt(1 / 3) / 2
    assert found.severity.high == pytest.approx(0.5 + reach, abs=1e-6)
    assert moved([1, 1, 1], 9.9, 0).direction is None, "nothing varies, so nothing can be said"
