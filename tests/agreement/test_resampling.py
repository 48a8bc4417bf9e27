"""Intervals: the same for a seed, for any number of threads, and silent where they would mislead."""

import numpy as np
import pytest
from agreement_tables import KRIPPENDORFF_C, ratings

from grader_app.agreement import Ratings, krippendorff_alpha
from grader_app.agreement.alpha import alpha_statistic, paired_kinds
from grader_app.agreement.coincidences import fast_alpha
from grader_app.agreement.distinct import distinct_rows
from grader_app.agreement.products import dot, product
from grader_app.agreement.resampling import Settings, interval, replicates


def panel(n, graders=4, points=7, seed=0, missing=0.3):
    random = np.random.default_rng(seed)
    truth = random.integers(0, points, size=(n, 1))
    codes = (truth + random.integers(-1, 2, size=(n, graders))).clip(0, points - 1)
    codes[random.random(codes.shape) < missing] = -1
    return Ratings.from_codes(codes, scale=f"0:{points - 1}")


def alpha_kinds(table, level="ordinal"):
    kinds, points = paired_kinds(table)
    return kinds, alpha_statistic(kinds, level, points)


@pytest.mark.parametrize("n", [200, 5000])
def test_one_and_two_threads_give_the_same_values(n):
    kinds, statistic = alpha_kinds(panel(n, graders=6, missing=0.5))
    one = replicates(kinds, statistic, 1100, seed=3, threads=1)
    two = replicates(kinds, statistic, 1100, seed=3, threads=2)
    assert len(one) == 1100
    assert (one == two).all()


def test_the_seed_decides():
    table = panel(120)
    first, again = (krippendorff_alpha(table, resamples=200, seed=7) for _ in range(2))
    other = krippendorff_alpha(table, resamples=200, seed=8)
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low != other.low
    assert first.value == other.value


def test_replicates_are_alphas_of_resampled_tables():
    """Mean and spread equal those of alpha recomputed from rows drawn with replacement."""
    table = panel(60)
    kinds, statistic = alpha_kinds(table)
    ours = replicates(kinds, statistic, 2000, seed=1)
    random = np.random.default_rng(1)
    rows = table.paired
    theirs = [
        fast_alpha(rows[random.integers(0, len(rows), len(rows))], "ordinal", np.arange(7.0))
        for _ in range(2000)
    ]
    assert ours.mean() == pytest.approx(np.mean(theirs), abs=0.01)
    assert ours.std() == pytest.approx(np.std(theirs), rel=0.1)


def test_few_responses_use_the_jackknife_and_more_the_bootstrap():
    assert "jackknife" in krippendorff_alpha(panel(29, missing=0)).interval_method
    assert "bootstrap" in krippendorff_alpha(panel(30, missing=0)).interval_method


def test_the_interval_says_what_it_covers():
    assert "for these graders, over other answers" in krippendorff_alpha(panel(50)).interval_method


def test_the_jackknife_is_the_one_on_log_of_one_minus_alpha():
    """Leave-one-out values computed one by one from the rows themselves."""
    from scipy.stats import t

    table = panel(15, missing=0)
    codes, n = table.codes, 15
    points = np.arange(7.0)
    value = np.log(1 - fast_alpha(codes, "interval", points))
    left = np.array(
        [np.log(1 - fast_alpha(np.delete(codes, row, axis=0), "interval", points)) for row in range(n)]
    )
    reach = t.ppf(0.975, n - 1) * np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    estimate = krippendorff_alpha(table, "interval")
    expected = (1 - np.exp(value + reach), 1 - np.exp(value - reach))
    assert (estimate.low, estimate.high) == pytest.approx(expected, abs=1e-9)


def test_no_resamples_no_interval():
    estimate = krippendorff_alpha(panel(50), resamples=0)
    assert (estimate.low, estimate.interval_method) == (None, None)
    assert "no resampling was asked for" in estimate.says


def test_resamples_without_variation_are_left_out_and_many_refuse_the_interval():
    kinds, statistic = alpha_kinds(panel(50))
    random = np.random.default_rng(0)

    def failing(share):
        def sometimes(weights):
            values = statistic(weights)
            values[random.random(len(values)) < share] = np.nan
            return values

        return sometimes

    some = interval(kinds, failing(0.02), Settings(resamples=1000))
    many = interval(kinds, failing(0.10), Settings(resamples=1000))
    assert "resamples had no variation and were left out" in some.remark
    assert some.low is not None
    assert many.low is None
    assert "nothing varied" in many.remark


def test_a_figure_that_no_resample_moves_has_no_interval():
    table = ratings({"x": "1 2 3 4 5 6", "y": "1 2 3 4 5 6"}, "0:6")
    estimate = krippendorff_alpha(table)
    assert (estimate.value, estimate.low) == (1.0, None)
    assert "every resample gives 1.00" in estimate.says


def test_impossible_settings_are_refused():
    table = ratings(KRIPPENDORFF_C, "1:5")
    with pytest.raises(ValueError, match="confidence"):
        krippendorff_alpha(table, confidence=95)
    with pytest.raises(ValueError, match="resamples"):
        krippendorff_alpha(table, resamples=-1)


@pytest.mark.parametrize("width", [3, 40])
def test_merging_equal_rows_loses_nothing(width):
    table = np.random.default_rng(width).integers(-1, 6, size=(500, width))
    table[100:300] = table[:200]
    merged = distinct_rows(table)
    expected, times = np.unique(table, axis=0, return_counts=True)
    assert sorted(map(tuple, merged.rows)) == sorted(map(tuple, expected))
    assert merged.n == 500
    assert sorted(merged.times) == sorted(times)


def test_cut_products_are_products():
    random = np.random.default_rng(0)
    left, right = random.random((7, 100_003)), random.random((100_003, 7))
    assert product(left, right) == pytest.approx(left @ right)
    assert product(right[:1500], left[:, :300]) == pytest.approx(right[:1500] @ left[:, :300])
    assert product(left, right[:, :1]) == pytest.approx(left @ right[:, :1])
    assert dot(left, right[:, 0]) == pytest.approx(left @ right[:, 0])
