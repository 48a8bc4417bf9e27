"""One grader against the reference: figures by hand, by scipy and by the figures for two graders."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from grader_app import agreement
from grader_app.agreement.against_reference import against_reference
from grader_app.agreement.error_parts import error_parts
from grader_app.agreement.like_papers import inversions, like_papers_alike
from grader_app.domain.score_range import ScoreRange
from grader_app.errors import RatingsProblem

SIX = ScoreRange(0, 6, 1)
GIVEN, RIGHT = [2, 3, 4, 3], [3, 4, 5, 3]
PACKET = np.repeat([1, 2, 3, 4, 5, 6], [2, 5, 8, 8, 5, 2]).astype(float)


def good_scores(seed=0, noise=0.7):
    drawn = PACKET + noise * np.random.default_rng(seed).normal(size=len(PACKET))
    return drawn.round().clip(0, 6)


def test_every_figure_of_four_papers_by_hand():
    """Sums: differences² 3; scores 12 and 15, squares 38 and 59; about the means 2.75 and, both, 2."""
    found = against_reference(GIVEN, RIGHT, SIX)
    assert found.n == 4
    assert (found.exact.value, found.exact_or_adjacent.value) == (0.25, 1.0)
    assert found.severity.value == 0.75
    assert found.qwk.value == pytest.approx(1 - 4 * 3 / (4 * (38 + 59) - 2 * 12 * 15))
    assert found.slope.value == pytest.approx(2 / 2.75)
    assert {(figure.low, figure.interval_method) for figure in found.figures} == {(None, None)}
    assert found.residual_sd == pytest.approx(np.sqrt((2 - 2**2 / 2.75) / 2))
    assert found.difference_sd == pytest.approx(0.5)


def test_the_table_counts_reference_in_rows_and_grader_in_columns():
    found = against_reference(GIVEN, RIGHT, SIX)
    assert found.table[3] == (0, 0, 1, 1, 0, 0, 0)
    assert found.table[4] == (0, 0, 0, 1, 0, 0, 0)
    assert found.table[5] == (0, 0, 0, 0, 1, 0, 0)
    assert sum(map(sum, found.table)) == 4
    assert [(use.score, use.grader, use.reference) for use in found.bucket_use[2:6]] == [
        (2.0, 0.25, 0.0),
        (3.0, 0.5, 0.5),
        (4.0, 0.25, 0.25),
        (5.0, 0.0, 0.25),
    ]


def test_the_parts_of_the_error_by_hand():
    parts = against_reference(GIVEN, RIGHT, SIX).parts
    assert parts.mean_squared_difference == pytest.approx(0.75)
    assert parts.level == pytest.approx(0.75**2)
    assert parts.spread == pytest.approx((np.sqrt(0.5) - np.sqrt(0.6875)) ** 2)
    assert parts.order == pytest.approx(2 * (np.sqrt(0.5 * 0.6875) - 0.5))
    assert parts.level_share == pytest.approx(0.75)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30))
def test_the_parts_add_up_to_the_mean_squared_difference(pairs):
    g, r = np.array(pairs, dtype=float).T
    parts = error_parts(g, r)
    assert parts.mean_squared_difference == pytest.approx(((g - r) ** 2).mean(), abs=1e-12)
    assert min(parts.level, parts.spread, parts.order) >= 0
    shares = (parts.level_share, parts.spread_share, parts.order_share)
    if (g == r).all():
        assert shares == (None, None, None)
    else:
        assert sum(shares) == pytest.approx(1)


def test_pure_errors_have_one_part_each():
    centred = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert error_parts(centred - 1, centred).level_share == pytest.approx(1)
    assert error_parts(3 + (centred - 3) / 2, centred).spread_share == pytest.approx(1)
    assert error_parts(centred[::-1], centred).order_share == pytest.approx(1)
    constant = error_parts(np.full(5, 3.0), centred)
    assert (constant.order, constant.spread_share) == (0, pytest.approx(1))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40))
def test_shares_and_kappa_equal_those_of_two_graders(pairs):
    table = agreement.Ratings.from_codes(np.array(pairs), scale="0:6")
    found = against_reference(*np.array(pairs).T, SIX, resamples=0)
    assert found.exact.value == pytest.approx(agreement.exact(table, resamples=0).value)
    assert found.exact_or_adjacent.value == pytest.approx(
        agreement.exact_or_adjacent(table, resamples=0).value
    )
    kappa = agreement.quadratic_weighted_kappa(table, resamples=0)
    assert found.qwk.status == kappa.status
    if kappa.value is not None:
        assert found.qwk.value == pytest.approx(kappa.value, abs=1e-12)


def test_the_slope_and_its_interval_are_those_of_scipy():
    scores = good_scores()
    slope = against_reference(scores, PACKET, SIX, resamples=0).slope
    line = stats.linregress(PACKET, scores)
    reach = stats.t.ppf(0.975, 28) * line.stderr
    assert slope.value == pytest.approx(line.slope)
    assert (slope.low, slope.high) == (pytest.approx(line.slope - reach), pytest.approx(line.slope + reach))


def test_intervals_come_from_resampled_papers():
    """Bootstrap from 30 papers on; its spread of the mean difference is that of the normal theory."""
    scores = good_scores()
    found = against_reference(scores, PACKET, SIX, resamples=4000)
    width = 2 * 1.96 * (PACKET - scores).std() / np.sqrt(30)
    assert "percentile bootstrap" in found.severity.interval_method
    assert found.severity.high - found.severity.low == pytest.approx(width, rel=0.06)
    for figure in found.figures:
        assert figure.low < figure.value < figure.high
    assert against_reference(scores, PACKET, SIX, resamples=4000) == found
    assert against_reference(scores, PACKET, SIX, resamples=4000, seed=1).qwk != found.qwk
    few = against_reference(scores[5:25], PACKET[5:25], SIX)
    assert "jackknife" in few.severity.interval_method
    difference = PACKET[5:25] - scores[5:25]
    reach = stats.t.ppf(0.975, 19) * difference.std(ddof=1) / np.sqrt(20)
    assert few.severity.high == pytest.approx(difference.mean() + reach)
    assert against_reference(scores, PACKET, SIX, resamples=0).qwk.low is None


def test_half_points_are_adjacent_within_one_point_and_wide_steps_within_one_step():
    half = against_reference([2.5, 2, 4], [3.5, 3.5, 4], ScoreRange(0, 6, 0.5))
    assert (half.exact_or_adjacent.value, half.exact_or_adjacent.within) == (pytest.approx(2 / 3), 1.0)
    wide = against_reference([10, 20, 40], [15, 30, 40], ScoreRange(0, 50, 5))
    assert (wide.exact_or_adjacent.value, wide.exact_or_adjacent.within) == (pytest.approx(2 / 3), 5)


def test_a_reference_between_score_points_is_used_as_it_is():
    found = against_reference([3, 4, 2], [3.4, 4, 2.7], SIX)
    assert found.severity.value == pytest.approx(1.1 / 3)
    assert found.exact.value == pytest.approx(1 / 3)
    assert found.table[3] == (0, 0, 1, 1, 0, 0, 0)


def test_what_cannot_be_computed_says_why():
    none = against_reference([], [], SIX)
    assert {figure.status for figure in none.figures} == {"no_overlap"}
    assert (none.parts, none.difference_sd, none.residual_sd) == (None, None, None)
    one = against_reference([3], [4], SIX)
    assert {figure.status for figure in one.figures} == {"too_few"}
    two = against_reference([3, 4], [4, 4], SIX)
    assert (two.severity.value, two.severity.low) == (0.5, None)
    assert "below 5" in two.severity.says
    assert two.slope.status == "too_few"
    same = against_reference([3, 4, 5], [4, 4, 4], SIX)
    assert (same.slope.status, same.residual_sd, same.qwk.value) == ("no_variation", None, 0)
    equal = against_reference([4, 4, 4], [4, 4, 4], SIX)
    assert (equal.qwk.status, equal.exact.value, equal.severity.value) == ("no_variation", 1, 0)


def test_a_grader_who_gives_one_score_has_kappa_nought_and_is_told_so():
    found = against_reference([3] * 30, PACKET, SIX)
    assert (found.qwk.value, found.slope.value) == (0, 0)
    assert "the same score throughout" in found.qwk.says


def test_sentences_speak_to_the_grader_or_of_one():
    mine = against_reference(GIVEN, RIGHT, SIX, resamples=0)
    assert mine.severity.says.startswith("You score 0.75 points below the reference on average (4 papers).")
    assert mine.exact.says.startswith("You give the reference score in 25 % of papers (4 papers).")
    assert mine.slope.says.startswith("Where the reference goes up by 1 point, your scores go up by 0.73")
    theirs = against_reference(RIGHT, GIVEN, SIX, subject="Reader B", resamples=0)
    assert theirs.severity.says.startswith("Reader B scores 0.75 points above the reference")
    assert theirs.qwk.says.startswith("Reader B's quadratic weighted kappa with the reference is 0.57")


def test_rows_that_do_not_match_are_refused():
    with pytest.raises(RatingsProblem, match="3 numbers of the grader and 2"):
        against_reference([1, 2, 3], [1, 2], SIX)
    with pytest.raises(RatingsProblem, match="lacks a number"):
        against_reference([1, float("nan")], [1, 2], SIX)


def test_the_report_is_ready_for_json():
    found = json.loads(json.dumps(against_reference(GIVEN, RIGHT, SIX).as_dict()))
    assert [figure["name"] for figure in found["figures"]] == [
        "exact",
        "exact_or_adjacent",
        "quadratic_weighted_kappa",
        "severity",
        "slope",
    ]
    assert found["parts"]["level"] == 0.5625
    assert found["table"]["counts"][3] == [0, 0, 1, 1, 0, 0, 0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        against_reference(GIVEN, RIGHT, SIX).n = 5


def test_like_papers_by_hand():
    """Fuller minus plainer: 1, 0, 1, 0, -1; mean 0.2, the interval that of a one-sample t test."""
    scores = {"a": 4, "b": 3, "c": 3, "d": 3, "e": 5, "f": 4, "g": 2, "h": 2, "i": 1, "j": 2, "k": 6}
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"), ("i", "j"), ("k", "missing")]
    found = like_papers_alike(scores, pairs)
    assert (found.same, found.n_pairs) == (2, 5)
    assert found.effect.value == pytest.approx(0.2)
    expected = stats.ttest_1samp([1, 0, 1, 0, -1], 0).confidence_interval(0.95)
    assert (found.effect.low, found.effect.high) == (
        pytest.approx(expected.low),
        pytest.approx(expected.high),
    )
    assert found.says == "You give the same score to both papers in 2 of 5 pairs."
    assert found.effect.says.startswith(
        "On average, you score a fuller paper 0.20 points higher than a plainer one that makes the same "
        "points (5 pairs)."
    )
    level = like_papers_alike({"a": 4, "b": 3, "c": 3, "d": 4}, [("a", "b"), ("c", "d")], subject="Reader B")
    says = "On average, Reader B scores a fuller paper the same as a plainer one that makes the same points"
    assert level.effect.says.startswith(says)


def test_too_few_like_papers_have_no_effect():
    assert like_papers_alike({}, [("a", "b")]).effect.status == "too_few"
    assert like_papers_alike({"a": 4, "b": 3}, [("a", "b")]).effect.status == "too_few"
    alike = like_papers_alike({"a": 4, "b": 3, "c": 3, "d": 2}, [("a", "b"), ("c", "d")])
    assert (alike.effect.value, alike.effect.low) == (1, None)
    assert "the same in every pair" in alike.effect.says


def test_inversions_by_hand():
    """Ranked apart: all pairs but b and c. Scored the other way: a below b, and c below d."""
    found = inversions({"a": 1, "b": 2, "c": 2, "d": 4, "e": 5}, {"a": 4, "b": 5, "c": 2, "d": 3})
    assert (found.inverted, found.n_pairs, found.share) == (2, 5, pytest.approx(0.4))
    assert found.says == (
        "In 2 of 5 pairs of papers (40 %), you gave the higher score to the paper ranked lower."
    )
    equal = inversions({"a": 1, "b": 2}, {"a": 3, "b": 3})
    assert (equal.inverted, equal.n_pairs) == (0, 1)
    assert inversions({"a": 1, "b": 1}, {"a": 3, "b": 4}).share is None
