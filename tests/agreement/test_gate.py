"""The gate: each condition alone, its edges, and figures that cannot be computed."""

import pytest

from grader_app.agreement.against_reference import against_reference
from grader_app.agreement.gate import judge
from grader_app.agreement.rank_gate import pairs_in_order
from grader_app.domain.score_range import ScoreRange

SIX = ScoreRange(0, 6, 1)
RIGHT = [1, 1, 2, 2, 2, 2, 2, *[3] * 8, *[4] * 8, 5, 5, 5, 5, 5, 6, 6]


def report(misses=0, harsh=0):
    """Thirty papers of which some are two points off, half up and half down, and some one point low."""
    scores = [float(score) for score in RIGHT]
    for place in range(misses):
        scores[10 + place] += 2 if place % 2 else -2
    for place in range(harsh):
        scores[-1 - place] -= 1
    return against_reference(scores, RIGHT, SIX, resamples=0)


def test_27_of_30_meet_nine_tenths_and_26_do_not():
    met = judge(None, report(misses=3), exact_or_adjacent_at_least=0.90).conditions[0]
    assert (met.name, met.value, met.needed, met.met) == ("exact_or_adjacent", 0.9, 0.9, True)
    assert met.says == (
        "You score 27 of 30 papers as the reference or next to it (90 %), and at least 90 % is required: met."
    )
    missed = judge(None, report(misses=4), exact_or_adjacent_at_least=0.90)
    assert not missed.passed
    assert "26 of 30 papers" in missed.conditions[0].says


def test_a_paper_coded_instead_of_scored_is_neither_exact_nor_adjacent():
    """27 of 30 scored papers near, and three coded: 27 of 33."""
    condition = judge(None, report(misses=3), exact_or_adjacent_at_least=0.90, coded=3).conditions[0]
    assert (condition.value, condition.met) == (pytest.approx(27 / 33), False)
    assert "27 of 33 papers" in condition.says


def test_severity_counts_in_both_directions_and_its_edge_is_met():
    half = judge(None, report(harsh=15), severity_within=0.5)
    assert (half.passed, half.conditions[0].value) == (True, 0.5)
    harsh = judge(None, report(harsh=16), severity_within=0.5).conditions[0]
    assert (harsh.met, harsh.value) == (False, pytest.approx(16 / 30))
    lenient = against_reference([min(score + 1, 6) for score in RIGHT], RIGHT, SIX)
    condition = judge(None, lenient, severity_within=0.5, subject="Reader B").conditions[0]
    assert (condition.met, condition.value) == (False, pytest.approx(-28 / 30))
    assert condition.says == (
        "Reader B scores 0.93 points above the reference on average, and at most 0.50 is allowed: not met."
    )


def test_rank_order_needs_its_share():
    """Of six pairs one is tied and two are wrong: three in six."""
    rank = pairs_in_order([1, 2, 2, 3], [6, 4, 3, 5])
    assert rank.share.value == pytest.approx(3 / 6)
    condition = judge(rank, None, rank_order_at_least=0.5).conditions[0]
    assert (condition.met, condition.name) == (True, "rank_order")
    assert not judge(rank, None, rank_order_at_least=0.51).passed
    assert (
        "puts 50 % of the 6 pairs"
        in judge(rank, None, rank_order_at_least=0.51, subject="B").conditions[0].says
    )


def test_kappa_needs_its_value():
    found = report(harsh=4)
    kappa = found.qwk.value
    assert judge(None, found, quadratic_weighted_kappa_at_least=kappa).passed
    assert not judge(None, found, quadratic_weighted_kappa_at_least=kappa + 0.001).passed


def test_all_conditions_must_be_met_and_unused_ones_are_not_judged():
    rank = pairs_in_order(list(range(30, 0, -1)), RIGHT)
    gates = {
        "rank_order_at_least": 0.85,
        "exact_or_adjacent_at_least": 0.90,
        "quadratic_weighted_kappa_at_least": 0.70,
        "severity_within": 0.50,
    }
    passed = judge(rank, report(), **gates)
    assert passed.passed
    assert [condition.name for condition in passed.conditions] == [
        "rank_order",
        "exact_or_adjacent",
        "quadratic_weighted_kappa",
        "severity",
    ]
    assert passed.says == "You meet all conditions."
    failed = judge(rank, report(misses=4), **gates)
    assert (failed.passed, failed.says) == (False, "You fall short on 1 of 4 conditions.")
    assert judge(rank, report(misses=4), **gates | {"exact_or_adjacent_at_least": None}).passed
    assert judge(None, None) == judge(rank, report())
    assert judge(None, None).passed


def test_a_figure_that_cannot_be_computed_is_not_met_and_says_why():
    lone = against_reference([3], [3], SIX)
    gates = {
        "exact_or_adjacent_at_least": 0.1,
        "quadratic_weighted_kappa_at_least": 0.1,
        "severity_within": 6,
    }
    for condition in judge(None, lone, **gates).conditions:
        assert (condition.value, condition.met) == (None, False)
        assert condition.says.startswith("Only one paper has a reference score")
    assert "have not been scored: not met." in judge(None, None, severity_within=6).conditions[0].says
    assert "have not been put in order" in judge(None, None, rank_order_at_least=0.1).conditions[0].says
    same = judge(pairs_in_order([1, 2], [3, 3]), None, rank_order_at_least=0.1).conditions[0]
    assert (same.met, same.value) == (False, None)
    assert "gives all 2 papers the same score" in same.says
    flat = against_reference([3, 3, 3], [3, 3, 3], SIX)
    assert not judge(None, flat, quadratic_weighted_kappa_at_least=0.1).passed


def test_a_near_miss_is_written_so_that_one_sees_it():
    """Severity 15/30 = 0.5 against 0.499, and 26 of 30 = 86.67 % against 87 %."""
    severity = judge(None, report(harsh=15), severity_within=0.499).conditions[0]
    assert "score 0.500 points below the reference on average, and at most 0.499" in severity.says
    share = judge(None, report(misses=4), exact_or_adjacent_at_least=0.87).conditions[0]
    assert "(86.7 %), and at least 87.0 % is required: not met." in share.says
