"""Guidance stands beside a figure, with its source, and is judged on the lower end."""

import pytest

from grader_app.agreement import Estimate, guidance
from grader_app.agreement.guidance import prevalence_note


def estimate(name, value, low=None):
    return Estimate(
        name=name, value=value, low=low, high=None if low is None else 1.0, says="", n_responses=40
    )


@pytest.mark.parametrize(
    ("name", "low", "words"),
    [
        ("krippendorff_alpha", 0.81, "reliable (Krippendorff"),
        ("krippendorff_alpha", 0.70, "tentative"),
        ("krippendorff_alpha", 0.20, "not reliable enough"),
        ("icc_2_1", 0.76, "good (Koo & Li"),
        ("cohen_kappa", -0.10, "poor (Landis"),
        ("quadratic_weighted_kappa", 0.71, "enough for two readers"),
    ],
)
def test_the_lower_end_decides(name, low, words):
    assert words in guidance(estimate(name, 0.99, low))


def test_no_guide_or_no_interval_is_no_guidance():
    assert guidance(estimate("smd", 0.2, 0.1)) is None
    assert guidance(estimate("krippendorff_alpha", 0.9)) is None


def test_high_agreement_with_low_kappa_is_explained():
    assert "nearly all" in prevalence_note(estimate("exact", 0.9), estimate("fleiss_kappa", 0.1))
    assert prevalence_note(estimate("exact", 0.7), estimate("fleiss_kappa", 0.1)) is None
    assert prevalence_note(estimate("exact", 0.9), estimate("fleiss_kappa", None)) is None
