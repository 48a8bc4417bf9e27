"""Chance-corrected agreement of a panel against published values."""

import numpy as np
import pytest
from agreement_tables import (
    COHEN_1968,
    GWET_ABSTRACTORS,
    GWET_RAW,
    KRIPPENDORFF_C,
    STUART_VISION,
    fleiss_ratings,
    from_joint,
    ratings,
)

from grader_app.agreement import (
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
)


# Gwet (2014), 12 subjects, 4 raters, missing cells; published to the digits of the tolerance.
@pytest.mark.parametrize(
    ("figure", "published"),
    [
        (gwet_ac1, 0.77544),
        (fleiss_kappa, 0.76117),
        (conger_kappa, 0.76282),
        (brennan_prediger, 0.77273),
    ],
)
def test_gwet_2014_with_missing_ratings(figure, published):
    estimate = figure(ratings(GWET_RAW, "1:5"), resamples=0)
    assert estimate.value == pytest.approx(published, abs=6e-6)
    assert estimate.n_responses == 11


def test_the_standard_error_of_ac1_is_that_of_gwet_2014():
    estimate = gwet_ac1(ratings(GWET_RAW, "1:5"), resamples=0)
    assert estimate.details["standard_error"] == pytest.approx(0.14295, abs=6e-6)


# Computed; closed form and irrCAC 0.4.4 agree.
@pytest.mark.parametrize(
    ("weights", "value"), [("linear", 0.858739136), ("quadratic", 0.914000724), ("ordinal", 0.89893977)]
)
def test_ac2_of_gwets_raters(weights, value):
    estimate = gwet_ac2(ratings(GWET_RAW, "1:5"), weights, resamples=0)
    assert (estimate.weights, estimate.value) == (weights, pytest.approx(value, abs=5e-9))


def test_ac2_of_stuarts_vision_table():
    estimate = gwet_ac2(from_joint(STUART_VISION, "1:4"), "quadratic", resamples=0)
    assert estimate.value == pytest.approx(0.795916343, abs=5e-9)


@pytest.mark.parametrize(
    ("figure", "published", "tolerance"),
    [(fleiss_kappa, 0.430, 6e-4), (gwet_ac1, 0.4479, 6e-5), (brennan_prediger, 0.4444, 6e-5)],
)
def test_fleiss_1971(figure, published, tolerance):
    assert figure(fleiss_ratings(), resamples=0).value == pytest.approx(published, abs=tolerance)


# The two abstractors of Gwet (2014); with two raters Fleiss' kappa is Scott's pi.
@pytest.mark.parametrize(
    ("figure", "published"),
    [(fleiss_kappa, 0.7962397), (gwet_ac1, 0.8493305), (brennan_prediger, 0.835), (conger_kappa, 0.7964094)],
)
def test_gwet_2014_abstractors(figure, published):
    table = from_joint(GWET_ABSTRACTORS, "ectopic,AIU,NIU")
    assert figure(table, resamples=0).value == pytest.approx(published, abs=6e-7)


def test_scotts_pi_of_cohen_1968():
    """Computed; closed form and irrCAC 0.4.4 agree."""
    table = from_joint(COHEN_1968, "personality,neurosis,psychosis")
    assert fleiss_kappa(table, resamples=0).value == pytest.approx(0.487179487, abs=5e-9)


def test_congers_kappa_of_two_graders_is_cohens():
    table = from_joint(COHEN_1968, "personality,neurosis,psychosis")
    expected = cohen_kappa(table, resamples=0).value
    assert conger_kappa(table, resamples=0).value == pytest.approx(expected, abs=1e-12)


def test_declared_scores_nobody_gave_count_as_possible_guesses():
    narrow = brennan_prediger(ratings(KRIPPENDORFF_C, "1:5"), resamples=0)
    wide = brennan_prediger(ratings(KRIPPENDORFF_C, "0:9"), resamples=0)
    assert wide.value > narrow.value
    observed = 0.8181818181818182
    assert wide.value == pytest.approx((observed - 0.1) / 0.9)


def test_ac2_needs_known_weights_and_numbers():
    assert gwet_ac2(fleiss_ratings()).status == "not_applicable"
    with pytest.raises(ValueError, match="cubic"):
        gwet_ac2(ratings(KRIPPENDORFF_C, "1:5"), "cubic")


def test_resampling_congers_kappa_leaves_the_value_and_gives_an_interval():
    random = np.random.default_rng(5)
    truth = random.integers(0, 5, size=(80, 1))
    codes = (truth + random.integers(-1, 2, size=(80, 4))).clip(0, 6)
    codes[random.random(codes.shape) < 0.3] = -1
    table = Ratings.from_codes(codes, scale="0:6")
    estimate = conger_kappa(table, resamples=200)
    assert estimate.low < estimate.value < estimate.high
    assert "bootstrap" in estimate.interval_method
