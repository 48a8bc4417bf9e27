"""Kendall's W and the correlations of two graders against published values and scipy."""

import numpy as np
import pytest
from agreement_tables import (
    ANXIETY,
    KRIPPENDORFF_C,
    SCIPY_TAU,
    SHROUT_FLEISS,
    SIEGEL_APPLICANTS,
    SIEGEL_STATUS,
    SPEARMAN_IQ_TV,
    STUART_VISION,
    fleiss_ratings,
    from_joint,
    ratings,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from grader_app.agreement import Ratings, kendall_tau_b, kendall_w, pearson_r, smd, spearman_rho


def test_kendalls_w_of_the_anxiety_set_as_printed_by_irr():
    estimate = kendall_w(ratings(ANXIETY, "1:6"), resamples=0)
    assert estimate.value == pytest.approx(0.540, abs=0.006)
    assert estimate.value == pytest.approx(0.539656876, abs=5e-9)
    assert estimate.details["chi2"] == pytest.approx(30.8, abs=0.06)
    assert estimate.details["p"] == pytest.approx(0.0429, abs=6e-5)


def test_kendalls_w_of_siegels_applicants():
    """Siegel (1956), ch. 9."""
    assert kendall_w(ratings(SIEGEL_APPLICANTS, "1:6"), resamples=0).value == pytest.approx(0.16, abs=0.0051)


def test_kendalls_w_of_shrout_and_fleiss():
    """Computed; closed form and R agree."""
    value = kendall_w(ratings(SHROUT_FLEISS, "1:10"), resamples=0).value
    assert value == pytest.approx(0.887037037, abs=5e-9)


def test_w_uses_responses_that_everyone_scored():
    estimate = kendall_w(ratings(KRIPPENDORFF_C, "1:5"), resamples=0)
    assert estimate.n_responses == 8
    partial = kendall_w(ratings({"x": "1 2 3 .", "y": "1 2 . 3", "z": ". 2 3 1"}, "0:6"))
    assert partial.status == "too_few"
    assert "all 3 graders" in partial.says


def test_rank_correlations_of_siegels_students_without_ties():
    """Siegel (1956), ch. 9: authoritarianism and status striving."""
    table = ratings(SIEGEL_STATUS, "0:200")
    assert spearman_rho(table, resamples=0).value == pytest.approx(0.82, abs=0.0051)
    assert kendall_tau_b(table, resamples=0).value == pytest.approx(0.67, abs=0.0051)


def test_rank_correlations_of_other_printed_examples():
    assert spearman_rho(ratings(SPEARMAN_IQ_TV, "0:200")).value == pytest.approx(-29 / 165, abs=1e-9)
    assert kendall_tau_b(ratings(SCIPY_TAU, "0:20")).value == pytest.approx(-0.4714045208, abs=1e-9)


def test_rank_correlations_of_stuarts_vision_table():
    """Computed; closed form and R agree."""
    table = from_joint(STUART_VISION, "1:4")
    assert spearman_rho(table, resamples=0).value == pytest.approx(0.706425878, abs=5e-9)
    assert kendall_tau_b(table, resamples=0).value == pytest.approx(0.6583069, abs=5e-8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40))
def test_correlations_equal_those_of_scipy(pairs):
    x, y = np.array(pairs).T
    table = Ratings.from_codes(np.array(pairs), scale="0:6")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert pearson_r(table, resamples=0).status == "no_variation"
        return
    assert kendall_tau_b(table, resamples=0).value == pytest.approx(stats.kendalltau(x, y)[0], abs=1e-12)
    assert spearman_rho(table, resamples=0).value == pytest.approx(stats.spearmanr(x, y)[0], abs=1e-12)
    r = pearson_r(table, resamples=0).value
    assert r == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)


def test_smd_is_positive_when_the_first_grader_gives_more():
    """By hand: means 4 and 3, both variances 2.5."""
    estimate = smd(ratings({"x": "2 3 4 5 6", "y": "1 2 3 4 5"}, "0:6"), ("x", "y"))
    assert estimate.value == pytest.approx(1 / np.sqrt(2.5))
    assert smd(ratings({"x": "2 3 4 5 6", "y": "1 2 3 4 5"}, "0:6"), ("y", "x")).value == pytest.approx(
        -1 / np.sqrt(2.5)
    )


def test_one_constant_grader_leaves_only_the_difference():
    table = ratings({"x": "3 3 3 3 3 3", "y": "1 2 3 4 5 6"}, "0:6")
    for figure in (kendall_tau_b, spearman_rho, pearson_r):
        estimate = figure(table)
        assert (estimate.value, estimate.status) == (None, "no_variation")
        assert "Grader x gave 3 to every answer" in estimate.says
    assert smd(table).status == "ok"
    assert smd(ratings({"x": "3 3 3", "y": "1 1 1"}, "0:6")).status == "no_variation"


def test_names_have_no_order():
    assert kendall_w(fleiss_ratings()).status == "not_applicable"
