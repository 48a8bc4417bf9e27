"""Means, SDs and the standard-deviation method."""

import math
from statistics import mean, pstdev, stdev

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader_app.errors import ScalingProblem
from grader_app.scaling.mean_sigma import mean_sigma, moments

RAWS = [39, 24, 52, 31, 40, 17, 36, 45, 25, 38]
MBES = [142.3, 128.7, 165.1, 134.9, 150.4, 118.2, 139.0, 157.6, 131.5, 145.3]


def test_population_moments_of_the_ten_candidate_pool():
    """Computed apart from the program: mean 34.7 and SD 10.000500 written, 141.3 and 13.291351 MBE."""
    written, mbe = moments(RAWS, "raws"), moments(MBES, "MBE scores")
    assert (written.n, written.mean, written.sd) == pytest.approx((10, 34.7, 10.000500), abs=5e-7)
    assert (mbe.mean, mbe.sd) == pytest.approx((141.3, 13.291351), abs=5e-7)


def test_sample_sds_give_the_same_scaled_scores():
    for raw in RAWS:
        by_sample = (raw - mean(RAWS)) / stdev(RAWS) * stdev(MBES) + mean(MBES)
        assert mean_sigma(raw, moments(RAWS, "raws"), mean(MBES), pstdev(MBES)) == pytest.approx(
            by_sample, abs=1e-9
        )


def test_two_graders_of_equal_spread_standardise_to_the_same_marks():
    """Grader standardisation is the same formula; A is one point harsher than B throughout."""
    a, b = [2, 3, 3, 4, 5], [3, 4, 4, 5, 6]
    both = moments(a + b, "both graders' scores")
    assert (both.mean, both.sd) == pytest.approx((3.9, 1.135782), abs=5e-7)
    for own in (a, b):
        standardised = [mean_sigma(score, moments(own, "scores"), both.mean, both.sd) for score in own]
        assert standardised == pytest.approx([2.3408, 3.4545, 3.4545, 4.5682, 5.6820], abs=5e-5)


def test_standard_errors_are_the_textbook_ones():
    written = moments(RAWS, "raws")
    assert written.mean_standard_error == pytest.approx(stdev(RAWS) / 10**0.5)
    assert written.sd_standard_error == pytest.approx(stdev(RAWS) / 18**0.5)


@pytest.mark.parametrize("scores", [[], [5.0], [0.1, 0.1, 0.1], [0.1 * 3] * 7])
def test_scores_that_do_not_vary_are_refused(scores):
    with pytest.raises(ScalingProblem, match="do not vary"):
        moments(scores, "written raw scores")


@pytest.mark.parametrize("scores", [[1e200, -1e200], [1e308, 1e308, 0], [0.0, 1e-200]])
def test_scores_no_sd_can_be_formed_from_are_refused(scores):
    with pytest.raises(ScalingProblem, match="too large or too close"):
        moments(scores, "written raw scores")


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.randoms())
def test_the_order_of_scores_changes_no_bit(scores, random):
    assume(max(scores) - min(scores) > 1e-3)
    shuffled = scores[:]
    random.shuffle(shuffled)
    assert moments(scores, "scores") == moments(shuffled, "scores")


@pytest.mark.parametrize("size", [1e-160, 1e-110, 1e110, 1e200])
def test_scores_whose_squares_are_no_sound_numbers_are_refused(size):
    with pytest.raises(ScalingProblem, match="too large or too close together"):
        moments([size, 2 * size, 4 * size], "scores")


@pytest.mark.parametrize("size", [1e-90, 1e90])
def test_scores_of_any_other_size_have_an_sd(size):
    assert moments([size, 2 * size, 4 * size], "scores").sd == pytest.approx(size * math.sqrt(14 / 9))
