"""Intraclass correlations against published values, and from variance components with empty cells."""

import numpy as np
import pytest
from agreement_tables import ANXIETY, GWET_RAW, SHROUT_FLEISS, SIEGEL_APPLICANTS, ratings

from grader_app.agreement import Ratings, icc_1_1, icc_2_1, icc_3_1, iccs
from grader_app.agreement.mean_squares import FORMS


@pytest.mark.parametrize(
    ("place", "published", "exact"),
    [
        (0, 0.17, 0.165741768),
        (1, 0.29, 0.28976378),
        (2, 0.71, 0.714840715),
        (3, 0.44, 0.442797134),
        (4, 0.62, 0.620050548),
        (5, 0.91, 0.909315542),
    ],
)
def test_shrout_and_fleiss_1979(place, published, exact):
    estimate = iccs(ratings(SHROUT_FLEISS, "1:10"))[place]
    assert estimate.name == FORMS[place]
    assert estimate.value == pytest.approx(published, abs=0.0051)
    assert estimate.value == pytest.approx(exact, abs=5e-9)


def test_the_anxiety_set_with_its_interval_as_printed_by_irr():
    estimate = icc_2_1(ratings(ANXIETY, "1:6"))
    assert estimate.value == pytest.approx(0.198, abs=0.0006)
    assert estimate.low == pytest.approx(-0.039, abs=0.0006)
    assert estimate.high == pytest.approx(0.494, abs=0.0006)
    assert "F distribution" in estimate.interval_method


def test_a_negative_icc_is_reported_as_it_is():
    """Siegel (1956), ch. 9; confirmed in R. The step up to a mean has no interval."""
    estimates = iccs(ratings(SIEGEL_APPLICANTS, "1:6"))
    assert estimates[0].value == pytest.approx(-0.217712177, abs=5e-9)
    assert estimates[4].low is None


def test_complete_responses_of_gwets_raters():
    """Computed on the eight complete subjects; confirmed in R."""
    table = ratings(GWET_RAW, "1:5")
    complete = Ratings.from_codes(table.complete, scale="1:5")
    assert icc_2_1(complete).value == pytest.approx(0.700657895, abs=5e-9)


def test_empty_cells_go_through_reml_and_the_method_says_so():
    estimate = icc_2_1(ratings(GWET_RAW, "1:5"))
    assert "REML" in estimate.interval_method
    assert "41 ratings" in estimate.says
    assert estimate.low < estimate.value < estimate.high


def test_reml_of_a_complete_table_is_the_mean_square_value():
    from grader_app.agreement.icc import share_of_responses
    from grader_app.agreement.reml import reml, sums_of

    table = ratings(SHROUT_FLEISS, "1:10")
    fit, one_way = reml(sums_of(table.scores())), reml(sums_of(table.scores()), graders=False)
    found = [
        share_of_responses(model, k, 0.95, harshness=harsh)[0]
        for k in (1, 4)
        for model, harsh in ((one_way, False), (fit, True), (fit, False))
    ]
    assert found == pytest.approx([estimate.value for estimate in iccs(table)], abs=1e-6)


def test_the_interval_without_empty_cells_is_close_to_that_with_one():
    random = np.random.default_rng(8)
    scores = 3 + random.normal(size=(300, 1)) + 0.4 * random.normal(size=6) + random.normal(size=(300, 6))
    codes = scores.round().clip(0, 6).astype(int)
    complete = Ratings.from_codes(codes, scale="0:6")
    codes[0, 0] = -1
    missing = Ratings.from_codes(codes, scale="0:6")
    for a, b in zip(iccs(complete), iccs(missing), strict=True):
        assert a.value == pytest.approx(b.value, abs=0.01)
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.06)


def test_harshness_moves_agreement_and_leaves_consistency():
    random = np.random.default_rng(4)
    base = (3 + random.normal(size=(60, 1)) + 0.7 * random.normal(size=(60, 3))).round().clip(0, 5)
    before = iccs(Ratings.from_codes(base.astype(int), scale="0:6"))
    base[:, 1] += 1
    after = iccs(Ratings.from_codes(base.astype(int), scale="0:6"))
    assert after[2].value == pytest.approx(before[2].value, abs=1e-12)
    assert after[5].value == pytest.approx(before[5].value, abs=1e-12)
    assert abs(after[1].value - before[1].value) > 0.01


def test_uneven_scales_use_values():
    table = ratings({"x": "1 2 5 5 1 2", "y": "1 5 5 2 2 2"}, [1, 2, 5])
    even = ratings({"x": "1 2 5 5 1 2", "y": "1 5 5 2 2 2"}, "1:5")
    for a, b in zip(iccs(table), iccs(even), strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-12)


def test_graders_constant_at_different_scores_have_no_share_to_report():
    table = ratings({"x": "3 3 3 3 3 3", "y": "1 1 1 1 1 1"}, "0:6")
    one, absolute, consistent, *_ = iccs(table)
    assert one.value == pytest.approx(-1.0)
    assert absolute.value == pytest.approx(0.0)
    assert (consistent.value, consistent.status) == (None, "no_variation")


def test_groups_of_graders_without_common_responses_are_disconnected():
    rows = {"a": "1 2 3 4 5 . . . . .", "b": "2 2 3 4 6 . . . . .", "c": ". . . . . 1 2 3 4 5"}
    table = ratings(rows | {"d": ". . . . . 2 2 4 4 5"}, "0:6")
    assert icc_3_1(table).status == "disconnected"
    assert "a, b; c, d" in icc_3_1(table).says
    assert icc_1_1(table).status == "ok"
