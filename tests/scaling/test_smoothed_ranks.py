"""Smoothed equipercentile scaling lies between the ranks as they are and the scaling by mean and SD."""

import numpy as np
import pytest
from drawn_pools import UBE_ITEMS, drawn_pool

from grader_app.errors import ScalingProblem
from grader_app.scaling.error_bars import Settings, error_bars
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scale_pool import scale_pool
from grader_app.scaling.smoothed_ranks import Smoothed, SmoothedRanks, interpolated

WEIGHTS = {item: rules.weight for item, rules in UBE_ITEMS.items()}


def written(pool, method, smoothing=0.0):
    scaled = scale_pool(pool, WEIGHTS, method, PoolReference(), "none", smoothing=smoothing)
    return np.array([row.written_scaled for row in scaled.candidates])


def test_a_wide_kernel_comes_to_mean_and_sd_and_a_narrow_one_to_the_ranks():
    pool = drawn_pool(n=120).pool
    assert written(pool, "equipercentile", 10.0) == pytest.approx(written(pool, "mean_sigma"), abs=0.05)
    middle = slice(10, -10)
    order = np.argsort(written(pool, "equipercentile"))
    narrow, ranks = written(pool, "equipercentile", 0.01)[order], written(pool, "equipercentile")[order]
    assert narrow[middle] == pytest.approx(ranks[middle], abs=0.6)


def test_smoothing_keeps_mean_and_sd_of_the_scores():
    scores = np.random.default_rng(2).gamma(3, 5, 400)
    smoothed = Smoothed.of(scores, 0.4)
    grid = np.linspace(scores.min() - 60, scores.max() + 60, 40_001)
    density = np.diff(smoothed.below_all(grid))
    middles = (grid[1:] + grid[:-1]) / 2
    mean = float(density @ middles)
    assert mean == pytest.approx(scores.mean(), abs=1e-3)
    assert float(density @ (middles - mean) ** 2) == pytest.approx(scores.var(), rel=1e-3)


def test_the_order_is_kept_and_models_are_placed_between():
    pool = drawn_pool(n=60).pool
    found = sorted(
        zip(written(pool, "mean_sigma").tolist(), written(pool, "equipercentile", 0.3).tolist(), strict=True)
    )
    assert [one[1] for one in found] == sorted(one[1] for one in found)


def test_many_at_once_are_the_same_as_one_by_one():
    random = np.random.default_rng(4)
    raws, mbes = random.normal(40, 9, 150), random.normal(141, 14, 150)
    ranks = SmoothedRanks(tuple(raws), tuple(mbes), 0.3)
    asked = np.linspace(25, 60, 40)
    assert interpolated(raws, mbes, 0.3, asked) == pytest.approx(
        [ranks.scaled(raw) for raw in asked], abs=0.05
    )


def test_the_bars_of_smoothed_ranks_are_about_as_wide_as_those_by_mean_and_sd():
    found = drawn_pool(n=100)
    widths = {}
    for method, smoothing in (("mean_sigma", 0.0), ("equipercentile", 0.3)):
        scaled = scale_pool(found.pool, WEIGHTS, method, PoolReference(), "none", smoothing=smoothing)
        bars = error_bars(found.pool, scaled, UBE_ITEMS, {}, {}, Settings(n_draws=400)).candidates
        widths[method] = np.mean([one.everything.sd for one in bars])
    assert widths["equipercentile"] == pytest.approx(widths["mean_sigma"], rel=0.25)


@pytest.mark.parametrize("smoothing", [-0.1, 11.0, float("nan")])
def test_a_smoothing_that_cannot_be_is_refused(smoothing):
    with pytest.raises(ScalingProblem, match="cannot be used"):
        written(drawn_pool(n=20).pool, "equipercentile", smoothing)
