"""Re-read rules and their expected bias: published cases, closed forms, and a seeded simulation."""

from math import inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.domain.reread_rule import REREAD_RULES, combine_reads
from grader_app.errors import ScalingProblem
from grader_app.scaling.reread_bias import ReadModel, band_bias, bias_lines, expected_bias

THIRD = "mean_unless_apart_then_third"
TOTALS = ReadModel(error_sd=9.0, score_mean=280.0, score_sd=30.0)


def test_the_re_read_replaces():
    assert combine_reads("replace", 264, 261) == 261


def test_both_reads_are_averaged():
    assert combine_reads("mean", 60, 65) == 62.5


def test_the_higher_read_counts():
    assert (combine_reads("higher", 60, 65), combine_reads("higher", 65, 60)) == (65, 65)


def test_a_third_read_decides_alone_beyond_the_gap_and_not_at_it():
    """California, more than 10 raw points apart: 60 and 70 are averaged, 60 and 75 read a third time."""
    assert combine_reads(THIRD, 60, 70, gap=10, third=40) == 65
    assert combine_reads(THIRD, 60, 75, gap=10, third=40) == 40
    assert combine_reads(THIRD, 60, 75, gap=10) is None
    assert combine_reads(THIRD, 3.0, 3.3, gap=0.3) == pytest.approx(3.15)  # 0.2999… and 0.3000… alike


@pytest.mark.parametrize("gap", [None, -1, float("nan")])
def test_a_third_read_needs_a_gap(gap):
    with pytest.raises(ScalingProblem, match="gap"):
        combine_reads(THIRD, 60, 75, gap=gap)


def test_an_unknown_rule_names_the_known_ones():
    with pytest.raises(ScalingProblem, match="replace, mean, higher, mean_unless_apart_then_third"):
        combine_reads("lower", 1, 2)


@settings(deadline=None)
@given(st.sampled_from(REREAD_RULES), st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_combined_score_lies_among_the_reads(rule, first, second, third):
    found = combine_reads(rule, first, second, gap=10, third=third)
    assert min(first, second, third) <= found <= max(first, second, third)


def test_the_higher_of_two_reads_is_too_high_by_sd_over_root_pi():
    assert expected_bias("higher", 1) == pytest.approx(0.5642, abs=5e-5)
    assert [expected_bias(rule, 9, gap=10) for rule in REREAD_RULES] == [0, 0, 9 / sqrt(pi), 0]


@pytest.mark.parametrize("error_sd", [0, -1, float("nan"), inf])
def test_an_error_sd_that_cannot_be_is_refused(error_sd):
    with pytest.raises(ScalingProblem, match="error SD"):
        expected_bias("mean", error_sd)


def test_scores_spread_wider_than_their_error():
    with pytest.raises(ScalingProblem, match="score SD above the error SD"):
        ReadModel(9, 280, 9)


def test_an_empty_band_is_refused():
    with pytest.raises(ScalingProblem, match="holds none"):
        band_bias("mean", TOTALS, 300, 290)


def test_reading_everyone_again_is_the_band_without_ends():
    for rule in REREAD_RULES:
        found = band_bias(rule, TOTALS, gap=10)
        assert found.share == pytest.approx(1)
        assert found.before == pytest.approx(0, abs=1e-12)
        assert found.after == pytest.approx(expected_bias(rule, 9, gap=10), abs=1e-9)


def test_failing_papers_were_unlucky_by_the_closed_form_of_a_truncated_normal():
    """E[error | first read below 266] = -(error variance / SD) x density / share, for 266 at z = -14/30."""
    z = -14 / 30
    density, share = np.exp(-z * z / 2) / sqrt(2 * pi), 0.320369
    found = band_bias("replace", TOTALS, high=266)
    assert found.share == pytest.approx(share, abs=1e-6)
    assert found.before == pytest.approx(-(81 / 30) * density / share, abs=1e-5)
    assert (found.after, found.move) == (0, pytest.approx(-found.before))
    assert found.everyone == pytest.approx((81 / 30) * density, abs=1e-5)


def test_the_mean_takes_half_of_the_bad_luck_away():
    found = band_bias("mean", TOTALS, high=266)
    assert found.after == pytest.approx(found.before / 2)


def test_a_gap_that_nobody_exceeds_is_the_mean_and_a_gap_of_none_is_a_third_read():
    wide, none = band_bias(THIRD, TOTALS, 262, 265, gap=1e6), band_bias(THIRD, TOTALS, 262, 265, gap=0)
    assert wide.after == pytest.approx(band_bias("mean", TOTALS, 262, 265).after)
    assert none.after == pytest.approx(0, abs=1e-12)


def test_the_rules_stand_in_their_order_for_a_band_below_the_mean():
    after = {rule: band_bias(rule, TOTALS, 262, 265, gap=10).after for rule in REREAD_RULES}
    assert after["mean"] < after[THIRD] < 0 == after["replace"] < after["higher"]


@pytest.mark.parametrize("rule", REREAD_RULES)
@pytest.mark.parametrize(("low", "high"), [(-inf, inf), (-inf, 266), (262, 265.5), (260, 272), (290, inf)])
def test_a_simulation_of_two_million_papers_agrees(rule, low, high):
    rng = np.random.default_rng(20260728)
    n = 2_000_000
    true = rng.normal(280, sqrt(30**2 - 9**2), n)
    first, second, third = (true + rng.normal(0, 9, n) for _ in range(3))
    there = (first >= low) & (first <= high)
    combined = {
        "replace": second,
        "mean": (first + second) / 2,
        "higher": np.maximum(first, second),
        THIRD: np.where(np.abs(first - second) > 10, third, (first + second) / 2),
    }[rule]
    found = band_bias(rule, TOTALS, low, high, gap=10)
    n_there = int(there.sum())
    tolerance = 4 * 9 / sqrt(n_there)  # four standard errors of a mean of errors
    assert found.share == pytest.approx(n_there / n, abs=0.002)
    assert found.before == pytest.approx(float((first - true)[there].mean()), abs=tolerance)
    assert found.after == pytest.approx(float((combined - true)[there].mean()), abs=tolerance)


def test_the_sentences_give_the_numbers():
    lines = list(bias_lines(9, "higher", band=band_bias("higher", TOTALS, 262, 265)))
    assert lines[0].endswith("all papers were read twice, scores would be 5.08 points too high on average.")
    assert "(3.4 % of all) are 1.48 points too low on average after the first read" in lines[1]
    assert list(bias_lines(9, "mean")) == [
        "mean: if all papers were read twice, scores would be neither too high nor too low on average."
    ]
