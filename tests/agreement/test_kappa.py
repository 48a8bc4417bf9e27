"""Kappas of two graders against published values and by their definition."""

import numpy as np
import pytest
from agreement_tables import (
    COHEN_1968,
    GWET_ABSTRACTORS,
    KRIPPENDORFF_A,
    KRIPPENDORFF_C,
    STUART_VISION,
    from_joint,
    ratings,
)

from grader_app.agreement import (
    Ratings,
    cohen_kappa,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    quadratic_weighted_kappas,
)
from grader_app.agreement.kappa import kappa_statistic
from grader_app.agreement.pairs import all_pairs
from grader_app.errors import RatingsProblem

KAPPAS = [cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa]


def test_kappa_of_cohen_1968():
    table = from_joint(COHEN_1968, "personality disorder,neurosis,psychosis")
    estimate = cohen_kappa(table, resamples=0)
    assert estimate.value == pytest.approx(0.492, abs=0.0006)
    assert estimate.n_responses == 200


def test_kappa_of_cohen_1968_with_his_own_weights():
    own = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]], dtype=float)
    kinds = next(all_pairs(from_joint(COHEN_1968, "0:2"))).kinds
    value = kappa_statistic(kinds.rows, own)(kinds.times.astype(float)[np.newaxis])[0]
    assert value == pytest.approx(0.348, abs=0.0006)
    assert value == pytest.approx(0.347826087, abs=5e-9)


def test_kappa_of_the_two_abstractors_of_gwet_2014():
    estimate = cohen_kappa(from_joint(GWET_ABSTRACTORS, "ectopic,AIU,NIU"), resamples=0)
    assert estimate.value == pytest.approx(0.7964094, abs=6e-7)


def test_kappa_of_krippendorff_2011_section_a():
    """Computed; confirmed in R."""
    assert cohen_kappa(ratings(KRIPPENDORFF_A, "0:1")).value == pytest.approx(0.090909091, abs=5e-9)


# Stuart (1953); the values are those of R vcd, psych and psy.
@pytest.mark.parametrize(
    ("kappa", "value"), list(zip(KAPPAS, [0.595388828, 0.65238043, 0.702334252], strict=True))
)
def test_kappas_of_stuarts_vision_table(kappa, value):
    assert kappa(from_joint(STUART_VISION, "1:4"), resamples=0).value == pytest.approx(value, abs=5e-9)


def test_weights_come_from_values_and_not_from_places():
    """With the scores 1, 2 and 5, the last two lie three apart, also when nobody gives 3 or 4."""
    first, second = [1, 2, 5, 5, 1], [1, 5, 5, 2, 2]
    of_values = {"x": " ".join(map(str, first)), "y": " ".join(map(str, second))}
    x, y = np.array(first), np.array(second)
    moments = 2 * np.cov(x, y, bias=True)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    declared = quadratic_weighted_kappa(ratings(of_values, "1:5"))
    listed = quadratic_weighted_kappa(ratings(of_values, [1, 2, 5]))
    assert declared.value == pytest.approx(moments, abs=1e-12)
    assert listed.value == pytest.approx(moments, abs=1e-12)


@pytest.mark.parametrize("kappa", KAPPAS)
def test_one_constant_grader_gives_zero_and_both_alike_nothing(kappa):
    one = kappa(ratings({"x": "3 3 3 3 3 3", "y": "1 2 3 4 5 6"}, "0:6"))
    apart = kappa(ratings({"x": "3 3 3 3 3 3", "y": "1 1 1 1 1 1"}, "0:6"))
    alike = kappa(ratings({"x": "3 3 3 3 3 3", "y": "3 3 3 3 3 3"}, "0:6"))
    assert (one.value, one.status) == (0.0, "ok")
    assert (apart.value, apart.status) == (0.0, "ok")
    assert (alike.value, alike.status) == (None, "no_variation")


@pytest.mark.parametrize("kappa", KAPPAS)
def test_a_pair_must_be_named_among_more_than_two(kappa):
    table = ratings(KRIPPENDORFF_C, "1:5")
    assert kappa(table).status == "not_applicable"
    assert kappa(table, ("A", "B")).n_responses == 9
    with pytest.raises(RatingsProblem, match="No ratings by Z"):
        kappa(table, ("A", "Z"))
    with pytest.raises(RatingsProblem, match="two different graders"):
        kappa(table, ("A", "A"))


@pytest.mark.parametrize("graders", [3, 40])
def test_all_pairs_at_once_equal_one_by_one(graders):
    random = np.random.default_rng(graders)
    codes = random.integers(-1, 41, size=(5000, graders)).clip(-1)
    table = Ratings.from_codes(codes, scale="0:40")
    together = quadratic_weighted_kappas(table)
    one = quadratic_weighted_kappa(table, ("g1", "g3"), resamples=0).value
    assert together[0, 2] == together[2, 0] == pytest.approx(one, abs=1e-12)
