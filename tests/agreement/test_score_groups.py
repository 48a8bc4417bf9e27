from __future__ import annotations

import numpy as np
import pytest

from grader_app.agreement.resampling import Settings
from grader_app.agreement.score_groups import Scored, difference_of_means, group_mean

SAID = "{first} against {second}: {difference}."


def scored(group: str, *scores: float) -> list[Scored]:
    return [Scored(f"{group}{n}", group, score) for n, score in enumerate(scores)]


def test_the_difference_of_means_worked_by_hand() -> None:
    found = difference_of_means([*scored("x", 4, 5, 6), *scored("y", 2, 3)], "x", "y", SAID)
    assert (found.value, found.n_responses, found.status) == (2.5, 5, "ok")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 2.5 < found.high
    assert found.says.startswith("5.00 against 2.50: +2.50.")


def test_the_interval_is_near_that_of_two_means_where_answers_are_many() -> None:
    draw = np.random.default_rng(3)
    x, y = draw.normal(4, 1, 120), draw.normal(3, 1, 80)
    found = difference_of_means([*scored("x", *x), *scored("y", *y)], "x", "y", SAID)
    reach = 1.96 * np.sqrt(x.var(ddof=1) / 120 + y.var(ddof=1) / 80)
    assert found.low == pytest.approx(x.mean() - y.mean() - reach, abs=0.06)
    assert found.high == pytest.approx(x.mean() - y.mean() + reach, abs=0.06)


def test_scores_of_one_answer_stay_together() -> None:
    """An answer read five times is one answer: reading it again adds no certainty."""
    once = [*scored("x", 1, 2, 3, 4, 5, 6), *scored("y", 2, 3, 4, 3, 2, 3)]
    found, again = (difference_of_means(rows, "x", "y", SAID) for rows in (once, once * 5))
    assert (again.low, again.high) == pytest.approx((found.low, found.high))
    assert again.n_responses == 12


@pytest.mark.parametrize("others", [[], [3.0]])
def test_a_group_of_fewer_than_two_answers_allows_no_difference(others) -> None:
    found = difference_of_means([*scored("x", 1, 2, 3), *scored("y", *others)], "x", "y", SAID)
    assert (found.status, found.value) == ("too_few", None)


def test_other_groups_are_passed_over_and_an_empty_one_has_no_mean() -> None:
    rows = [*scored("x", 1, 2), *scored("y", 3, 4), *scored("z", 6, 6)]
    assert difference_of_means(rows, "x", "y", SAID, settings=Settings(resamples=0)).n_responses == 4
    assert group_mean(rows, "w").mean is None
