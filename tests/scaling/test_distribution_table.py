"""Distributions as printed: interpolation, mean and SD, gaps and overlaps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.errors import ScalingProblem
from grader_app.scaling.distribution_table import Bin, DistributionTable, overlaps, with_closed_gaps

FIVES = DistributionTable((Bin(130, 135, 10), Bin(135, 140, 20), Bin(140, 145, 10)))


@pytest.mark.parametrize(
    ("score", "percent"),
    [(120, 0), (130, 0), (131, 5), (135, 25), (137.5, 50), (140, 75), (144, 95), (145, 100), (200, 100)],
)
def test_scores_inside_a_bin_are_spread_evenly(score, percent):
    assert FIVES.percent_below(score) == pytest.approx(percent)


def test_mean_and_sd_come_from_the_middles():
    assert FIVES.mean == 137.5
    assert FIVES.sd() == pytest.approx(12.5**0.5)


def test_sheppard_takes_a_twelfth_of_the_squared_width_off():
    assert FIVES.sd(sheppard=True) == pytest.approx((12.5 - 25 / 12) ** 0.5)


def test_sheppard_turns_17_65_into_17_59_with_bins_of_five():
    away = 17.65
    table = DistributionTable(
        (Bin(140 - away - 2.5, 140 - away + 2.5, 1), Bin(137.5 + away, 142.5 + away, 1))
    )
    assert (round(table.sd(), 2), round(table.sd(sheppard=True), 2)) == (17.65, 17.59)


def test_sheppard_is_refused_for_bins_that_differ_or_are_too_wide():
    with pytest.raises(ScalingProblem, match="these differ"):
        DistributionTable((Bin(0, 5, 1), Bin(5, 20, 1))).sd(sheppard=True)
    with pytest.raises(ScalingProblem, match="too wide"):
        DistributionTable((Bin(0, 5, 1), Bin(5, 10, 0))).sd(sheppard=True)


def test_counts_and_percents_give_the_same():
    percents = DistributionTable(tuple(Bin(each.lower, each.upper, each.size * 2.5) for each in FIVES.bins))
    assert percents.percent_below(137) == pytest.approx(FIVES.percent_below(137))


def test_a_distribution_of_nobody_is_refused():
    with pytest.raises(ScalingProblem, match="holds nobody"):
        DistributionTable((Bin(0, 5, 0),))


def test_bins_that_lie_evenly_apart_are_widened_to_touch():
    assert with_closed_gaps([Bin(135, 139, 3), Bin(140, 144, 5), Bin(145, 149, 2)]) == (
        (Bin(134.5, 139.5, 3), Bin(139.5, 144.5, 5), Bin(144.5, 149.5, 2)),
        1,
    )


@pytest.mark.parametrize(
    "bins",
    [
        [Bin(0, 5, 1), Bin(5, 10, 1)],
        [Bin(0, 5, 1), Bin(6, 10, 1), Bin(20, 30, 1)],
        [Bin(3, 3, 1), Bin(4, 4, 1)],
        [Bin(0, 5, 1)],
    ],
)
def test_other_bins_stay_as_they_are(bins):
    assert with_closed_gaps(bins) == (tuple(bins), 0)


def test_bins_that_share_scores_are_found_in_any_order():
    bins = [Bin(140, 145, 1), Bin(130, 136, 1), Bin(135, 140, 1), Bin(150, 150, 1), Bin(150, 150, 1)]
    assert list(overlaps(bins)) == [(1, 2), (3, 4)]


@given(st.lists(st.tuples(st.floats(0.5, 20), st.integers(0, 500)), min_size=1, max_size=12))
def test_at_every_edge_stand_exactly_those_in_the_bins_below(widths_and_sizes):
    bins, at = [], 100.0
    for width, size in widths_and_sizes:
        bins.append(Bin(at, at + width, size))
        at += width
    total = sum(each.size for each in bins)
    if not total:
        return
    table = DistributionTable(tuple(bins))
    for number, each in enumerate(bins):
        below = 100 * sum(other.size for other in bins[:number]) / total
        assert table.percent_below(each.lower) == pytest.approx(below, abs=1e-9)
