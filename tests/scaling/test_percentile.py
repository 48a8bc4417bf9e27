"""The percent of a group below a score: curves, floors, totals, charts, ranks and intervals."""

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from grader_app.domain.reference_population import ChartPoint
from grader_app.errors import ScalingProblem
from grader_app.scaling.chart_points import ChartPoints
from grader_app.scaling.distribution_table import Bin, DistributionTable
from grader_app.scaling.normal_group import NormalGroup, sd_from_pass_rate
from grader_app.scaling.passers_by_total import PassersByTotal
from grader_app.scaling.percentile import percentile_of

CHART = ChartPoints(
    [
        ChartPoint(component="mbe", score=150, percentile=70, source="a chart"),
        ChartPoint(component="mbe", score=158, percentile=86, source="a chart", approximate=True),
    ]
)
SINGLE = DistributionTable((Bin(3, 3, 20), Bin(4, 4, 30), Bin(5, 5, 50)))
GROUPS = {
    "curve": NormalGroup(143.8, 17.7),
    "floor": NormalGroup(143.8, 17.7, 135),
    "total": PassersByTotal(143.8, 17.7, 270, 0.65),
    "bins": DistributionTable((Bin(120, 130, 3), Bin(130, 140, 0), Bin(140, 140, 4), Bin(145, 160, 9))),
    "chart": CHART,
}
SCORES = st.floats(min_value=0, max_value=400)


@pytest.mark.parametrize("name", GROUPS)
@given(one=SCORES, other=SCORES)
def test_a_higher_score_never_stands_lower(name, one, other):
    group, (lower, higher) = GROUPS[name], sorted((one, other))
    for rank in ("below", "mid"):
        found = [percentile_of(score, group, rank=rank).percentile for score in (lower, higher)]
        if None not in found:
            assert found[0] <= found[1] + 1e-9


@pytest.mark.parametrize("name", GROUPS)
@given(score=SCORES | st.sampled_from([135.0, 140.0, 150.0]), sem=st.floats(0.01, 100))
def test_percentiles_lie_between_0_and_100_with_mid_not_under_below_and_inside_the_interval(name, score, sem):
    below = percentile_of(score, GROUPS[name], sem=sem)
    mid = percentile_of(score, GROUPS[name], rank="mid").percentile
    if below.percentile is None:
        assert (mid, below.low, below.high) == (None, None, None)
        return
    assert 0 <= below.percentile <= mid <= 100
    if below.low is not None:
        assert 0 <= below.low <= below.percentile + 1e-9
        assert below.percentile - 1e-9 <= below.high <= 100


def test_the_mean_of_a_curve_stands_at_half():
    assert percentile_of(143.8, NormalGroup(143.8, 17.7)).percentile == 50


def test_a_floor_counts_only_those_above_it():
    curve = NormalDist(143.8, 17.7)
    expected = 100 * (curve.cdf(158) - curve.cdf(135)) / (1 - curve.cdf(135))
    assert percentile_of(158, NormalGroup(143.8, 17.7, 135)).percentile == pytest.approx(expected, abs=1e-10)


def test_the_floor_itself_has_nobody_below_it_and_anything_under_it_no_number():
    group = NormalGroup(143.8, 17.7, 135)
    assert (percentile_of(135, group).percentile, percentile_of(135, group).status) == (0, "ok")
    under = percentile_of(134.9, group)
    assert (under.percentile, under.status) == (None, "outside_group")
    assert under.says == "Nobody in this group has a score under 135, so 134.9 has no percentile in it."


def test_a_floor_ten_sds_up_loses_no_digits():
    found = percentile_of(10.5, NormalGroup(0, 1, 10)).percentile
    assert found == pytest.approx(99.43, abs=0.01)  # 1 - exp(-5.1657), by the tail's asymptotic series


def test_a_floor_nobody_reaches_is_refused():
    with pytest.raises(ScalingProblem, match="Nobody reaches a cut of 5"):
        NormalGroup(0, 1e-300, 5)


@pytest.mark.parametrize(("rate", "sd"), [(78, 27.97), (75, 32.02), (73.5, 34.40), (85, 20.84)])
def test_a_pass_rate_gives_an_sd(rate, sd):
    assert sd_from_pass_rate(266, 287.6, rate) == pytest.approx(sd, abs=0.006)


@pytest.mark.parametrize(("cut", "rate"), [(266, 40), (300, 75), (266, 50), (266, 100), (287.6, 50)])
def test_a_pass_rate_that_fits_no_curve_is_refused(cut, rate):
    with pytest.raises(ScalingProblem, match="No normal curve of mean 287"):
        sd_from_pass_rate(cut, 287.6, rate)


@pytest.mark.parametrize("correlation", [-0.5, 0.0, 0.65, 0.8, 0.9, 0.99])
@pytest.mark.parametrize("score", [110, 131, 140, 158, 185])
def test_passers_by_total_agree_with_a_bivariate_normal(score, correlation):
    covariance = 17.7**2 * (1 + correlation)  # of a component with the negative total
    joint = multivariate_normal([143.8, -287.6], [[17.7**2, -covariance], [-covariance, 2 * covariance]])
    reach = NormalDist(287.6, (2 * covariance) ** 0.5).cdf(2 * 287.6 - 270)
    found = percentile_of(score, PassersByTotal(143.8, 17.7, 270, correlation)).percentile
    assert found == pytest.approx(100 * joint.cdf([score, -270]) / reach, abs=1e-6)


def test_with_components_that_go_together_the_total_is_a_floor_of_half():
    together = percentile_of(158, PassersByTotal(143.8, 17.7, 270, 0.999999)).percentile
    assert together == pytest.approx(percentile_of(158, NormalGroup(143.8, 17.7, 135)).percentile, abs=0.01)


def test_components_that_hardly_ever_or_always_go_together_are_integrated_without_a_warning():
    for correlation in (-0.999999999, -0.99, 1 - 1e-15):
        found = [PassersByTotal(143.8, 17.7, 270, correlation).percent_below(at) for at in (0, 135, 150, 1e9)]
        assert found == sorted(found)
        assert found[-1] == pytest.approx(100, abs=1e-6)


@pytest.mark.parametrize("correlation", [1, -1, 1.2, float("nan")])
def test_a_correlation_that_is_none_is_refused(correlation):
    with pytest.raises(ScalingProblem, match="Give one between -1 and 1"):
        PassersByTotal(143.8, 17.7, 270, correlation)


def test_a_total_nobody_reaches_is_refused():
    with pytest.raises(ScalingProblem, match="Hardly anybody"):
        PassersByTotal(143.8, 1, 400, 0.65)


def test_a_chart_is_exact_at_its_points_and_says_so_of_what_lies_between():
    assert percentile_of(158, CHART).percentile == 86
    assert percentile_of(158, CHART).notes == ("At 158 the chart has 86, approximately: a chart.",)
    between = percentile_of(154, CHART)
    assert between.percentile == 78
    assert "straight line between 150 and 158" in between.notes[0]


@pytest.mark.parametrize("score", [149.9, 158.1])
def test_beyond_its_points_a_chart_gives_no_number(score):
    found = percentile_of(score, CHART)
    assert (found.percentile, found.status) == (None, "not_published")
    assert found.says == f"The points known of this chart stand from 150 to 158; {score} lies outside."


def test_an_interval_that_leaves_the_chart_is_none():
    found = percentile_of(154, CHART, sem=5)
    assert (found.percentile, found.low, found.high) == (78, None, None)
    assert "reaches beyond the points known" in found.notes[-1]


def test_mid_adds_half_of_those_level():
    assert percentile_of(4, SINGLE).percentile == 20
    assert percentile_of(4, SINGLE, rank="mid").percentile == 35
    assert percentile_of(4.5, SINGLE, rank="mid").percentile == 50


def test_on_a_curve_mid_is_below_and_says_so():
    found = percentile_of(158, NormalGroup(143.8, 17.7), rank="mid")
    assert found.percentile == percentile_of(158, NormalGroup(143.8, 17.7)).percentile
    assert "--rank mid gives what below gives" in found.notes[0]


def test_the_interval_is_that_of_the_scores_two_standard_errors_away():
    found = percentile_of(140, NormalGroup(140, 10), sem=5)
    assert (found.low, found.high) == (pytest.approx(16.3548, abs=1e-4), pytest.approx(83.6452, abs=1e-4))
    assert found.notes[0] == "95 % interval: the percentiles of 130.2 and 149.8, 1.96 times 5 either way."


def test_an_interval_that_reaches_under_the_floor_begins_at_0_and_says_so():
    found = percentile_of(140, NormalGroup(143.8, 17.7, 135), sem=5)
    assert found.low == 0
    assert "reaches below the lowest score of the group" in found.notes[-1]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_refused(number):
    group = NormalGroup(140, 10)
    for attempt in (
        lambda: percentile_of(number, group),
        lambda: percentile_of(140, group, sem=number),
        lambda: NormalGroup(number, 10),
        lambda: NormalGroup(140, number),
        lambda: NormalGroup(140, 10, number),
        lambda: PassersByTotal(140, 10, number, 0.5),
    ):
        with pytest.raises(ScalingProblem):
            attempt()


@pytest.mark.parametrize("sem", [0, -3])
def test_an_error_of_measurement_must_be_above_0(sem):
    with pytest.raises(ScalingProblem, match="finite number above 0"):
        percentile_of(140, NormalGroup(140, 10), sem=sem)
