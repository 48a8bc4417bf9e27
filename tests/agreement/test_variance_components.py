"""Variance components by mean squares and by REML against published and independent values."""

import numpy as np
import pytest
from agreement_tables import ANXIETY, GLESER, SHROUT_FLEISS, fleiss_ratings, ratings

from grader_app.agreement import (
    Ratings,
    coefficients_by_item,
    d_study,
    graders_needed,
    iccs,
    variance_components,
    variance_components_by_item,
)
from grader_app.agreement.crossed_reml import crossed_reml
from grader_app.agreement.reml import reml, sums_of
from grader_app.errors import RatingsProblem


def gleser_items():
    cube = np.array([[int(score) for score in line] for line in GLESER]).reshape(12, 6, 2)
    return {f"item{i + 1}": Ratings.from_codes(cube[:, i, :], scale="0:6") for i in range(6)}


def test_shrout_and_fleiss_by_mean_squares():
    """Computed; closed form and R agree."""
    found = variance_components(ratings(SHROUT_FLEISS, "1:10"))
    assert found.method == "mean squares"
    assert list(found.variances.values()) == pytest.approx([2.555555556, 5.244444444, 1.019444444], abs=1e-8)


@pytest.mark.parametrize("rows", [SHROUT_FLEISS, ANXIETY])
def test_reml_of_a_complete_table_gives_the_mean_square_components(rows):
    table = ratings(rows, "1:10")
    fit = reml(sums_of(table.scores()))
    expected = list(variance_components(table).variances.values())
    assert [fit.response, fit.grader, fit.residual] == pytest.approx(expected, abs=1e-5)


def test_gleser_1965_by_mean_squares_has_a_negative_judge_component():
    found = variance_components_by_item(gleser_items())
    expected = [0.418687, -0.014141, 0.467172, 0.191919, 0.427273, 0.020455, 0.621212]
    assert list(found.variances.values()) == pytest.approx(expected, abs=1e-6)
    assert "negative and counts as 0" in found.says
    relative, absolute = coefficients_by_item(found, n_graders=2, n_items=6)
    assert relative == pytest.approx(0.6566, abs=1e-4)
    assert absolute == pytest.approx(0.5838, abs=1e-4)


def test_gleser_1965_by_reml():
    """R lme4 1.1-31."""
    cube = np.array([[int(score) for score in line] for line in GLESER], dtype=float).reshape(12, 6, 2)
    p, i, j = np.indices(cube.shape).reshape(3, -1)
    effects = {"p": p, "j": j, "i": i, "pj": p * 9 + j, "pi": p * 9 + i, "ij": i * 9 + j}
    found = crossed_reml(cube.ravel(), effects)
    expected = [0.4243362, 0.0, 0.4686817, 0.1806127, 0.4263912, 0.0174264, 0.6229757]
    assert list(found.values()) == pytest.approx(expected, abs=5e-4)


def test_the_two_reml_paths_agree_on_missing_cells():
    random = np.random.default_rng(11)
    scores = 3 + random.normal(size=(40, 1)) + 0.6 * random.normal(size=5) + 0.8 * random.normal(size=(40, 5))
    scores[random.random(scores.shape) < 0.5] = np.nan
    fit = reml(sums_of(scores))
    rows, columns = np.nonzero(np.isfinite(scores))
    other = crossed_reml(scores[rows, columns], {"response": rows, "grader": columns})
    expected = [other["response"], other["grader"], other["residual"]]
    assert [fit.response, fit.grader, fit.residual] == pytest.approx(expected, rel=1e-3)


def test_reml_matches_a_direct_maximisation_of_the_dense_likelihood():
    """The likelihood written out with the full covariance matrix is no better anywhere nearby."""
    random = np.random.default_rng(2)
    scores = random.normal(size=(12, 1)) + random.normal(size=4) + random.normal(size=(12, 4))
    scores[random.random(scores.shape) < 0.3] = np.nan
    rows, columns = np.nonzero(np.isfinite(scores))
    y, ones = scores[rows, columns], np.ones(len(rows))

    def deviance(variances):
        v = variances[0] * (rows[:, None] == rows) + variances[1] * (columns[:, None] == columns)
        v = v + variances[2] * np.eye(len(rows))
        inverse = np.linalg.inv(v)
        xx = ones @ inverse @ ones
        left = y - ones * (ones @ inverse @ y) / xx
        return np.linalg.slogdet(v)[1] + np.log(xx) + left @ inverse @ left

    fit = reml(sums_of(scores))
    best = np.array([fit.response, fit.grader, fit.residual])
    least = deviance(best)
    for direction in np.vstack([np.eye(3), -np.eye(3)]):
        assert deviance(best * (1 + 0.02 * direction)) > least


def test_a_missing_cell_among_items_goes_through_reml():
    items = dict(list(gleser_items().items())[:2])
    complete = variance_components_by_item(items).variances
    codes = items["item1"].codes.copy()
    codes[0, 0] = -1
    items["item1"] = Ratings.from_codes(codes, scale="0:6")
    found = variance_components_by_item(items)
    assert (found.method, found.n_ratings) == ("REML", 47)
    assert found.variances["residual"] == pytest.approx(complete["residual"], rel=0.3)


def test_components_that_cannot_be_computed_have_a_status():
    assert variance_components(ratings({"x": "1 2 3"}, "0:6")).status == "one_grader"
    assert variance_components(fleiss_ratings()).status == "not_applicable"
    same = {"x": "3 3 3", "y": "3 3 3"}
    assert variance_components_by_item({"a": ratings(same, "0:6"), "b": ratings(same, "0:6")}).status == (
        "no_variation"
    )
    with pytest.raises(RatingsProblem, match="two or more"):
        variance_components_by_item({"a": ratings(same, "0:6")})
    apart = ratings({"a": "1 2 3 . . .", "b": "2 2 4 . . .", "c": ". . . 1 3 5", "d": ". . . 2 3 5"}, "0:6")
    assert variance_components(apart).status == "disconnected"


def test_a_d_study_steps_single_scores_up_by_spearman_and_brown():
    table = ratings(SHROUT_FLEISS, "1:10")
    rows = d_study(table)
    estimates = {estimate.name: estimate for estimate in iccs(table)}
    assert rows[0].phi.value == pytest.approx(estimates["icc_2_1"].value, abs=1e-12)
    assert rows[3].phi.value == pytest.approx(estimates["icc_2_k"].value, abs=1e-12)
    assert rows[3].g.value == pytest.approx(estimates["icc_3_k"].value, abs=1e-12)
    assert (rows[3].g.low, rows[3].g.high) == pytest.approx(
        (estimates["icc_3_k"].low, estimates["icc_3_k"].high), abs=1e-9
    )
    assert [row.n_graders for row in rows] == [1, 2, 3, 4, 5, 6]
    assert graders_needed(rows, 0.6) == 4
    assert graders_needed(rows, 0.99) is None


def test_a_d_study_of_an_impossible_table_is_a_status():
    for row in d_study(ratings({"x": "1 2 3"}, "0:6")):
        assert (row.g.value, row.g.status) == (None, "one_grader")
