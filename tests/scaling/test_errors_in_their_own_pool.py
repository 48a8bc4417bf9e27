"""A member's error moves the constants too, and the levels at which errors are judged."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from grader_app.scaling.composite_errors import _levels
from grader_app.scaling.constants import Member, constants_of
from grader_app.scaling.joint_draw import GroupErrors, draws
from grader_app.scaling.reference import PoolReference

N = 10


def pool_of_ten(residual_sd, question_sd):
    """Ten members and, last, one more in their middle who is placed by their constants."""
    random = np.random.default_rng(8)
    raws, mbes = np.sort(random.normal(30, 6, N)), np.sort(random.normal(141, 14, N))
    constants = constants_of(
        [Member(*pair) for pair in zip(raws, mbes, strict=True)], "mean_sigma", PoolReference()
    )
    everybody = np.append(raws, raws[4])
    return GroupErrors(
        everybody,
        csr_array((N + 1, 1)),
        np.full(N + 1, residual_sd),
        np.full(N + 1, question_sd),
        np.arange(N),
        mbes,
        constants,
    )


def drawn(group, line, n=6000):
    return np.array([getattr(draw, line) for draw in draws(group, n, 5)])


def test_other_readers_leave_the_mean_of_the_pool_where_it_is():
    moves = drawn(pool_of_ten(2.0, 1.0), "readers", 50)
    assert np.abs(moves[:, :N].mean(axis=1)).max() == pytest.approx(0, abs=1e-9)
    assert np.abs(moves[:, N]).min() > 0


def test_the_readers_line_of_a_pool_of_ten_is_as_wide_as_the_formula_says():
    """Var(e - mean of e) is 1 - 1/n of the error's for a member, 1 + 1/n for one placed by them."""
    group = pool_of_ten(2.0, 1.0)
    slope = group.constants.mbe_sd / group.constants.written.sd
    expected = np.append(np.full(N, 1 - 1 / N), 1 + 1 / N) * (2.0 * slope) ** 2
    assert group.variances()[0] == pytest.approx(expected)
    assert drawn(group, "readers").var(axis=0) == pytest.approx(expected, rel=0.06)


def test_a_members_error_counts_less_than_that_of_one_placed_by_the_same_pool():
    """Var(e - mean of e) = (1 - 1/n) Var(e), of which the mean's 1/n comes with the members drawn anew."""
    pool_alone = drawn(pool_of_ten(0.0, 0.0), "everything").var(axis=0)
    added = drawn(pool_of_ten(1.0, 2.0), "everything").var(axis=0) - pool_alone
    assert added[4] / added[N] == pytest.approx(1 - 2 / N, abs=0.06)


def test_levels_lie_as_far_apart_as_the_true_ones_and_expected_scores_closer():
    random = np.random.default_rng(4)
    people, questions = random.normal(3, 0.9, 4000), random.normal(0, 0.8, (4000, 6))
    levels = _levels(people[:, None] + questions, np.arange(4000))
    reliability = 0.81 / (0.81 + 0.64 / 6)
    assert levels.apart[:, 0].std() == pytest.approx(0.9, rel=0.03)
    assert levels.expected[:, 0].std() == pytest.approx(0.9 * math.sqrt(reliability), rel=0.03)
    assert (np.argsort(levels.apart[:, 0]) == np.argsort(levels.expected[:, 0])).all()
