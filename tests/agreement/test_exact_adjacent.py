"""Shares of agreeing pairs against published values and by hand."""

import pytest
from agreement_tables import GWET_ABSTRACTORS, GWET_RAW, fleiss_ratings, from_joint, ratings

from grader_app.agreement import exact, exact_or_adjacent


def test_fleiss_1971():
    assert exact(fleiss_ratings(), resamples=0).value == pytest.approx(0.5556, abs=6e-5)


def test_gwet_2014_with_missing_ratings():
    estimate = exact(ratings(GWET_RAW, "1:5"), resamples=0)
    assert estimate.value == pytest.approx(0.8181818, abs=6e-8)
    assert estimate.n_responses == 11


def test_gwet_2014_abstractors():
    assert exact(from_joint(GWET_ABSTRACTORS, "a,b,c"), resamples=0).value == pytest.approx(0.89, abs=1e-9)


def test_responses_count_alike_however_many_graders_they_have():
    """The first response has three pairs of which one agrees, the second one pair that does not."""
    estimate = exact(ratings({"x": "3 2", "y": "3 5", "z": "4 ."}, "0:6"))
    assert estimate.value == pytest.approx((1 / 3 + 0) / 2)


def test_adjacent_is_one_point_on_half_steps_and_one_step_on_wide_ones():
    halves = exact_or_adjacent(ratings({"x": "3 3 3", "y": "3.5 4 4.5"}, "0:6:0.5"))
    tens = exact_or_adjacent(ratings({"x": "30 30 30", "y": "30 40 50"}, "0:100:10"))
    assert (halves.value, halves.within) == (pytest.approx(2 / 3), 1.0)
    assert (tens.value, tens.within) == (pytest.approx(2 / 3), 10.0)


def test_step_of_a_tenth_counts_a_point_apart_as_adjacent():
    estimate = exact_or_adjacent(ratings({"x": "0.3 0.7", "y": "1.3 1.8"}, "0:2:0.1"))
    assert estimate.value == pytest.approx(0.5)


def test_adjacent_does_not_apply_to_names_but_exact_does():
    assert exact_or_adjacent(fleiss_ratings()).status == "not_applicable"


def test_nothing_varies_is_full_agreement_and_no_interval():
    table = ratings({"x": "3 3 3 3 3 3", "y": "3 3 3 3 3 3"}, "0:6")
    for estimate in (exact(table), exact_or_adjacent(table)):
        assert (estimate.value, estimate.status, estimate.low) == (1.0, "ok", None)
        assert "every resample gives 1.00" in estimate.says
