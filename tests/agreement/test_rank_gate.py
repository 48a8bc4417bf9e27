"""Pairs in order: counted one by one, and the correlations of scipy."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from grader_app import agreement
from grader_app.agreement.rank_gate import pairs_in_order, panel_kendall_w
from grader_app.errors import RatingsProblem


def test_pairs_of_five_papers_by_hand():
    """Right: 6-5, 6-5, 6-3, 6-2, 5-3; tied: the other 5-3, and 5-2; wrong: the other 5-2, and 3-2."""
    found = pairs_in_order([1, 2, 3, 3, 2], [6, 5, 5, 3, 2])
    assert (found.right, found.tied, found.wrong, found.n_pairs) == (5, 2, 2, 9)
    assert found.share.value == pytest.approx(5 / 9)
    assert found.n_papers == 5


def test_a_pair_ranked_equal_is_not_put_in_order():
    assert pairs_in_order([1, 1], [4, 3]).share.value == 0
    assert pairs_in_order([1, 2], [4, 3]).share.value == 1


def test_order_inside_a_tied_reference_is_never_judged():
    one = pairs_in_order([1, 2, 3, 4], [5, 5, 3, 3])
    other = pairs_in_order([2, 1, 4, 3], [5, 5, 3, 3])
    assert (one.right, one.n_pairs) == (other.right, other.n_pairs) == (4, 4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 6)), min_size=2, max_size=25))
def test_counts_and_correlations_against_counting_and_scipy(papers):
    ranks, reference = np.array(papers).T
    found = pairs_in_order(ranks, reference, resamples=0)
    apart = [(a, b) for a, b in combinations(papers, 2) if a[1] != b[1]]
    right = sum((a[0] < b[0]) == (a[1] > b[1]) and a[0] != b[0] for a, b in apart)
    tied = sum(a[0] == b[0] for a, b in apart)
    assert (found.n_pairs, found.right, found.tied) == (len(apart), right, tied)
    assert found.wrong == len(apart) - right - tied
    if np.ptp(ranks) and np.ptp(reference):
        assert found.tau_b.value == pytest.approx(stats.kendalltau(-ranks, reference)[0], abs=1e-12)
        assert found.rho.value == pytest.approx(stats.spearmanr(-ranks, reference)[0], abs=1e-12)
    else:
        assert {found.tau_b.status, found.rho.status} == {"no_variation"}


def test_positive_is_agreement():
    found = pairs_in_order([1, 2, 3], [6, 4, 2])
    assert (found.tau_b.value, found.rho.value) == (1, 1)
    assert found.tau_b.says.startswith(
        "Kendall's tau-b of ranking and reference is 1.00, where 1 is the same"
    )
    assert pairs_in_order([3, 2, 1], [6, 4, 2]).rho.value == -1


def test_the_interval_is_over_papers():
    """Each resample drawn and counted here one by one gives the same spread."""
    random = np.random.default_rng(4)
    reference = np.repeat([1, 2, 3, 4, 5, 6], [2, 5, 8, 8, 5, 2])
    ranks = stats.rankdata(-(reference + 0.9 * random.normal(size=30)))
    found = pairs_in_order(ranks, reference, resamples=4000)
    shares = []
    for _ in range(2000):
        drawn = random.integers(0, 30, 30)
        apart = reference[drawn][:, None] > reference[drawn][None, :]
        shares.append((apart & (ranks[drawn][:, None] < ranks[drawn][None, :])).sum() / apart.sum())
    low, high = np.quantile(shares, [0.025, 0.975])
    assert found.share.low == pytest.approx(low, abs=0.015)
    assert found.share.high == pytest.approx(high, abs=0.015)
    assert found.tau_b.low < found.tau_b.value < found.tau_b.high
    assert found.tau_b.n_responses == found.share.n_responses == 30


def test_without_pairs_apart_there_is_no_share():
    same = pairs_in_order([1, 2, 3], [4, 4, 4])
    assert (same.n_pairs, same.share.value, same.share.status) == (0, None, "no_variation")
    assert same.tau_b.status == "no_variation"
    assert pairs_in_order([1], [4]).share.status == "too_few"
    assert pairs_in_order([], []).rho.status == "too_few"
    equal = pairs_in_order([1, 1, 1], [2, 3, 4])
    assert (equal.share.value, equal.tau_b.status) == (0, "no_variation")
    assert "Your ranking has all 3 papers equal" in equal.tau_b.says
    with pytest.raises(RatingsProblem):
        pairs_in_order([1, 2], [3])


def test_sentences_name_the_grader():
    says = pairs_in_order([1, 2, 3], [6, 4, 5], subject="Reader B").share.says
    assert says.startswith(
        "Reader B puts 67 % of the 3 pairs that the reference sets apart in the right order"
    )


def test_w_of_a_panel_is_kendalls_w():
    """Siegel (1956), ch. 9: three executives rank six applicants, W = 0.16."""
    rankings = [
        dict(zip("abcdef", ranks, strict=True))
        for ranks in ([1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1])
    ]
    found = panel_kendall_w(rankings)
    assert found.value == pytest.approx(0.16, abs=0.0051)
    assert (found.n_responses, found.says.count("6 papers")) == (6, 1)
    tied = [{"a": 1, "b": 1, "c": 3, "d": 4}, {"a": 1, "b": 2, "c": 2, "d": 4}]
    codes = np.array([[0, 0], [0, 1], [1, 1], [2, 2]])
    expected = agreement.kendall_w(agreement.Ratings.from_codes(codes, scale="0:3"), resamples=0)
    assert panel_kendall_w(tied, resamples=0).value == pytest.approx(expected.value)


def test_w_uses_papers_that_everybody_ranked():
    found = panel_kendall_w([{"a": 1, "b": 2, "c": 3}, {"b": 1, "c": 2, "d": 3}])
    assert (found.value, found.n_responses) == (1, 2)


def test_w_that_cannot_be_computed_says_why():
    assert panel_kendall_w([]).status == "no_overlap"
    assert panel_kendall_w([{"a": 1, "b": 2}]).status == "one_grader"
    assert panel_kendall_w([{"a": 1}, {"a": 1}]).status == "too_few"
    assert panel_kendall_w([{"a": 1}, {"b": 1}]).status == "no_overlap"
    assert panel_kendall_w([{"a": 1, "b": 1}, {"a": 2, "b": 2}]).status == "no_variation"
