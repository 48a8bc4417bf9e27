"""Contributions to disagreement add up, and point at the right responses, scores and graders."""

import pytest
from agreement_tables import KRIPPENDORFF_C, fleiss_ratings, ratings
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.agreement import (
    Ratings,
    krippendorff_alpha,
    leave_one_grader_out,
    response_contributions,
    score_contributions,
)


def test_the_one_bad_response_carries_nearly_all():
    table = ratings(KRIPPENDORFF_C, "1:5")
    shares = response_contributions(table, "interval")
    assert shares[0].response == "u06"
    assert shares[0].scores == ("1", "2", "3", "4")
    assert shares[0].share == pytest.approx(40 / 3 / (40 / 3 + 2 + 2))
    assert [share.response for share in shares] == ["u06", "u02", "u08"]


def test_pairs_of_scores_are_listed_by_their_share():
    shares = score_contributions(ratings(KRIPPENDORFF_C, "1:5"), "interval")
    assert shares[0].scores == ("1", "4")
    assert sum(share.share for share in shares) == pytest.approx(1.0)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.lists(st.integers(-1, 4), min_size=3, max_size=3), min_size=2, max_size=15),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_shares_add_up_to_one_or_there_are_none(rows, level):
    import numpy as np

    table = Ratings.from_codes(np.array(rows), scale="0:4")
    for shares in (response_contributions(table, level), score_contributions(table, level)):
        assert not shares or sum(share.share for share in shares) == pytest.approx(1.0)


def test_leaving_out_the_odd_grader_raises_alpha_most():
    rows = {"a": "1 2 3 4 5 6", "b": "1 2 3 4 5 6", "c": "1 2 3 4 5 5", "odd": "6 1 5 2 4 3"}
    table = ratings(rows, "0:6")
    without = leave_one_grader_out(table)
    assert max(without, key=lambda grader: without[grader].value) == "odd"
    rest = ratings({name: line for name, line in rows.items() if name != "odd"}, "0:6")
    assert without["odd"].value == pytest.approx(krippendorff_alpha(rest, resamples=0).value, abs=1e-12)


def test_of_two_graders_none_can_be_left_out():
    without = leave_one_grader_out(ratings({"a": "1 2 3", "b": "1 2 4"}, "0:6"))
    assert {estimate.status for estimate in without.values()} == {"one_grader"}


def test_impossible_tables_have_no_contributions():
    assert response_contributions(ratings({"a": "1 2"}, "0:6")) == ()
    assert score_contributions(fleiss_ratings(), "interval") == ()
