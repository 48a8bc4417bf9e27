"""Severity: positive is harsh, and two graders mirror each other."""

import numpy as np
import pytest
from agreement_tables import KRIPPENDORFF_C, fleiss_ratings, ratings
from scipy.stats import ttest_rel

from grader_app.agreement import severities


def test_one_point_below_the_others_is_a_severity_of_one():
    harsh, lenient = severities(ratings({"x": "1 2 3 4 5", "y": "2 3 4 5 6"}, "0:6"))
    assert (harsh.severity, lenient.severity) == (1.0, -1.0)
    assert harsh.says == "x scores 1.00 points below the others on the same answers (5 answers)."
    assert "above" in lenient.says


def test_only_shared_responses_count():
    """By hand: grader B of Krippendorff (2011) section C against the mean of the others."""
    table = ratings(KRIPPENDORFF_C, "1:5")
    own = np.array([1, 2, 3, 3, 2, 2, 4, 1, 2, 5])
    others = np.array([1, 7 / 3, 3, 3, 2, 8 / 3, 4, 4 / 3, 2, 5])
    b = severities(table)[1]
    assert b.severity == pytest.approx((others - own).mean())
    assert (b.n, b.n_shared) == (11, 10)


def test_the_interval_is_that_of_a_paired_t_test():
    x, y = [1, 4, 3, 2, 5, 6], [2, 4, 5, 2, 6, 5]
    summary = severities(ratings({"x": " ".join(map(str, x)), "y": " ".join(map(str, y))}, "0:6"))[0]
    expected = ttest_rel(y, x).confidence_interval(0.95)
    assert (summary.low, summary.high) == (pytest.approx(expected.low), pytest.approx(expected.high))


def test_a_grader_alone_or_without_overlap_has_no_severity():
    assert severities(ratings({"x": "1 2 3"}, "0:6"))[0].status == "one_grader"
    apart = severities(ratings({"x": "1 2 . . 3", "y": ". . 4 5 3"}, "0:6"))
    assert [summary.status for summary in apart] == ["too_few", "too_few"]
    assert apart[0].mean == 2.0
    never = severities(ratings({"x": "1 2 . .", "y": ". . 4 5"}, "0:6"))
    assert [summary.severity for summary in never] == [None, None]
    assert never[0].status == "no_overlap"


def test_names_have_no_mean_and_no_severity():
    summary = severities(fleiss_ratings())[0]
    assert (summary.mean, summary.severity, summary.status) == (None, None, "not_applicable")
