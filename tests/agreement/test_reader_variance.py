"""The error of one read, from doubly read answers of all items together."""

import numpy as np
import pandas as pd
import pytest

from grader_app.agreement import Ratings
from grader_app.agreement.reader_variance import reader_variance


def drawn(n=4000, severity=(-0.4, 0.0, 0.4), residual=0.7, read_twice=0.5, seed=1, highest=60):
    """Scores on a fine scale by graders of fixed harshness; some are read by a second one."""
    random = np.random.default_rng(seed)
    truth = random.normal(30, 6, n)
    codes = np.full((n, len(severity)), -1)
    first = random.integers(0, len(severity), n)
    second = (first + random.integers(1, len(severity), n)) % len(severity)
    for who, rows in ((first, np.arange(n)), (second, np.nonzero(random.random(n) < read_twice)[0])):
        felt = truth[rows] - 5 * (np.array(severity)[who[rows]] + residual * random.normal(size=len(rows)))
        codes[rows, who[rows]] = np.clip(np.rint(felt), 0, highest)
    return Ratings.from_codes(codes, scale=f"0:{highest}")


def test_severity_and_residual_are_those_the_scores_were_drawn_with():
    found = reader_variance({"mee-1": drawn()})["mee-1"]
    assert found.severity == pytest.approx(25 * np.var([-0.4, 0, 0.4], ddof=1), rel=0.1)
    assert found.residual == pytest.approx(25 * 0.49, rel=0.1)
    assert (found.n_graders, found.severity_df) == (3, 2)
    assert "independent reads, on 1 question" in found.says


def test_items_on_one_scale_are_pooled():
    found = reader_variance({"mee-1": drawn(seed=1), "mpt-1": drawn(seed=2)})
    assert found["mee-1"] == found["mpt-1"]
    assert found["mee-1"].severity_df == 2 + 2
    alone = [reader_variance({"x": drawn(seed=seed)})["x"] for seed in (1, 2)]
    mean = np.average(
        [one.residual + one.severity for one in alone], weights=[one.n_responses for one in alone]
    )
    assert found["mee-1"].residual + found["mee-1"].severity == pytest.approx(mean)


def test_items_on_another_scale_are_not_mixed_in():
    coarse = Ratings.from_codes(np.array([[0, 1], [1, 1], [2, 1]]), scale="0:2")
    found = reader_variance({"mee-1": drawn(), "rule-1": coarse})
    assert found["mee-1"] == reader_variance({"mee-1": drawn()})["mee-1"]
    assert found["rule-1"].severity + found["rule-1"].residual == pytest.approx((1 + 0 + 1) / 3 / 2)


def test_an_item_nobody_read_twice_borrows_from_those_that_were():
    once = Ratings.from_codes(np.array([[2, -1], [-1, 3], [4, -1]]), scale="0:60")
    found = reader_variance({"mee-1": drawn(), "once": once})
    assert found["once"].residual == found["mee-1"].residual


def test_answers_read_once_tell_nothing():
    assert reader_variance({"mee-1": Ratings.from_codes(np.array([[2, -1], [-1, 3]]), scale="0:6")}) == {}


def test_two_groups_of_graders_who_share_no_answer_leave_severity_unknown_and_say_so():
    scores = [[2, 3, -1, -1], [4, 4, -1, -1], [1, 2, -1, -1], [-1, -1, 3, 5], [-1, -1, 2, 3], [-1, -1, 0, 1]]
    found = reader_variance({"mee-1": Ratings.from_codes(np.array(scores), scale="0:6")})["mee-1"]
    assert found.severity == 0
    assert found.residual == pytest.approx((1 + 0 + 1 + 4 + 1 + 1) / 6 / 2)
    assert "cannot be told" in found.says
    assert "Fewer than 30" in found.says


def test_two_graders_who_differ_by_the_same_amount_everywhere_differ_in_severity_alone():
    table = pd.DataFrame({"r": list("abcdef"), "X": [0, 1, 2, 3, 4, 5], "Y": [1, 2, 3, 4, 5, 6]})
    found = reader_variance({"mee-1": Ratings.from_wide(table, scale="0:6")})["mee-1"]
    assert (found.severity, found.residual) == (pytest.approx(0.5), pytest.approx(0.0, abs=1e-12))
