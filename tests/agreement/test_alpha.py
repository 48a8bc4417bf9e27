"""Krippendorff's alpha against published values, the package, and impossible tables."""

import krippendorff
import numpy as np
import pytest
from agreement_tables import (
    ANXIETY,
    GWET_ABSTRACTORS,
    GWET_RAW,
    KRIPPENDORFF_A,
    KRIPPENDORFF_C,
    SHROUT_FLEISS,
    SIEGEL_APPLICANTS,
    STUART_VISION,
    fleiss_ratings,
    from_joint,
    ratings,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.agreement import Ratings, krippendorff_alpha
from grader_app.agreement.coincidences import LEVELS, fast_alpha


@pytest.mark.parametrize(
    ("level", "published", "value"),
    [
        ("nominal", 0.743, 0.743421053),
        ("ordinal", 0.815, 0.815387504),
        ("interval", 0.849, 0.849107143),
        ("ratio", 0.797, 0.797402775),
    ],
)
def test_four_observers_of_krippendorff_2011_section_c(level, published, value):
    estimate = krippendorff_alpha(ratings(KRIPPENDORFF_C, "1:5"), level, resamples=0)
    assert estimate.value == pytest.approx(published, abs=0.0006)
    assert estimate.value == pytest.approx(value, abs=5e-9)
    assert (estimate.status, estimate.level, estimate.n_responses) == ("ok", level, 11)


def test_two_observers_of_krippendorff_2011_section_a():
    estimate = krippendorff_alpha(ratings(KRIPPENDORFF_A, "0:1"), "nominal", resamples=0)
    assert estimate.value == pytest.approx(0.095, abs=0.0006)


# Values beyond the published digits: closed form, R and, for nominal and interval, irrCAC 0.4.4.
@pytest.mark.parametrize(
    ("table", "level", "value"),
    [
        (fleiss_ratings(), "nominal", 0.433409828),
        (ratings(GWET_RAW, "1:5"), "nominal", 0.743421053),
        (from_joint(GWET_ABSTRACTORS, "ectopic,AIU,NIU"), "nominal", 0.797258498),
        (ratings(SHROUT_FLEISS, "1:10"), "interval", 0.14730785),
        (ratings(ANXIETY, "1:6"), "ordinal", 0.228386945),
        (ratings(ANXIETY, "1:6"), "interval", 0.170098608),
        (from_joint(STUART_VISION, "1:4"), "ordinal", 0.706163182),
        (ratings(SIEGEL_APPLICANTS, "1:6"), "ordinal", -0.187301587),
    ],
)
def test_alpha_of_other_published_tables(table, level, value):
    assert krippendorff_alpha(table, level, resamples=0).value == pytest.approx(value, abs=5e-9)


codes_tables = st.integers(1, 7).flatmap(
    lambda graders: st.lists(
        st.lists(st.integers(-1, 5), min_size=graders, max_size=graders), min_size=1, max_size=25
    )
)


@settings(max_examples=150, deadline=None)
@given(codes_tables, st.sampled_from(LEVELS))
def test_the_fast_path_equals_the_package(rows, level):
    codes = np.array(rows, dtype=np.int8)
    points = np.arange(6, dtype=float)
    matrix = np.where(codes < 0, np.nan, codes.astype(float)).T
    paired = codes[(codes >= 0).sum(axis=1) >= 2]
    if len(np.unique(paired[paired >= 0])) < 2:
        return
    expected = krippendorff.alpha(matrix, value_domain=points, level_of_measurement=level)
    assert fast_alpha(codes, level, points) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(codes_tables, st.sampled_from(LEVELS))
def test_resampled_alpha_is_the_same_function(rows, level):
    """With every response once, the function used in resampling gives alpha itself."""
    from grader_app.agreement.alpha import alpha_statistic, paired_kinds

    table = Ratings.from_codes(np.array(rows), scale="0:5")
    estimate = krippendorff_alpha(table, level, resamples=0)
    if estimate.value is None:
        return
    kinds, points = paired_kinds(table)
    weights = np.vstack([kinds.times, 3 * kinds.times]).astype(float)
    again = alpha_statistic(kinds, level, points)(weights)
    assert again[0] == pytest.approx(estimate.value, abs=1e-9)
    repeated = Ratings.from_codes(np.array(rows * 3), scale="0:5")
    assert again[1] == pytest.approx(krippendorff_alpha(repeated, level, resamples=0).value, abs=1e-9)


def test_above_fifty_score_points_our_own_path_is_reported_and_says_so():
    random = np.random.default_rng(3)
    truth = random.integers(0, 101, size=(60, 1))
    codes = (truth + random.integers(-9, 10, size=(60, 3))).clip(0, 100)
    estimate = krippendorff_alpha(Ratings.from_codes(codes, scale="0:100"), "interval", resamples=0)
    reference = krippendorff.alpha(codes.T.astype(float), level_of_measurement="interval")
    assert estimate.value == pytest.approx(reference, abs=1e-12)
    assert "own path" in estimate.says


def test_a_difference_from_the_package_is_an_error(monkeypatch):
    monkeypatch.setattr(krippendorff, "alpha", lambda **_: 0.5)
    with pytest.raises(ArithmeticError, match="differ"):
        krippendorff_alpha(ratings(KRIPPENDORFF_C, "1:5"))


def test_the_level_follows_the_scale_unless_named():
    assert krippendorff_alpha(ratings(KRIPPENDORFF_C, "1:5"), resamples=0).level == "ordinal"
    assert krippendorff_alpha(fleiss_ratings(), resamples=0).level == "nominal"


def test_a_level_that_does_not_fit_the_scale_is_refused_by_name():
    names = krippendorff_alpha(fleiss_ratings(), "interval")
    below_zero = krippendorff_alpha(ratings(KRIPPENDORFF_C, "-5:5"), "ratio")
    assert (names.status, below_zero.status) == ("not_applicable", "not_applicable")
    assert "names" in names.says
    assert "below zero" in below_zero.says
    with pytest.raises(ValueError, match="ordnial"):
        krippendorff_alpha(fleiss_ratings(), "ordnial")


def test_a_single_rating_changes_nothing():
    more = {name: line + " ." for name, line in KRIPPENDORFF_C.items()} | {"A": KRIPPENDORFF_C["A"] + " 5"}
    with_single = krippendorff_alpha(ratings(more, "1:5"))
    without = krippendorff_alpha(ratings(KRIPPENDORFF_C, "1:5"))
    assert with_single == without
