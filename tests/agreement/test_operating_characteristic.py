"""Chances of passing: closed forms where there are any, else the program's own figures one by one."""

import numpy as np
import pytest
from scipy.stats import norm

from grader_app.agreement.against_reference import against_reference
from grader_app.agreement.gate import judge
from grader_app.agreement.operating_characteristic import operating_characteristic
from grader_app.agreement.rank_gate import pairs_in_order
from grader_app.agreement.suggested_gates import suggest_gates
from grader_app.domain.score_range import ScoreRange

SIX = ScoreRange(0, 6, 1)
PACKET = np.repeat([1, 2, 3, 4, 5, 6], [2, 5, 8, 8, 5, 2]).astype(float)
SMALL = np.repeat([1, 2, 3, 4, 5, 6], [1, 2, 4, 5, 2, 1]).astype(float)
GATES = {
    "rank_order_at_least": 0.85,
    "exact_or_adjacent_at_least": 0.90,
    "quadratic_weighted_kappa_at_least": 0.70,
    "severity_within": 0.50,
}


def chance(found, noise, level=0.0, slope=1.0):
    return next(one for one in found.chances if (one.noise, one.level, one.slope) == (noise, level, slope))


def test_all_papers_within_a_point_has_a_closed_form():
    """Ten papers at 3: the chance that no error exceeds 1.5 points is (1 - 2 Φ(-1.5 / noise))^10."""
    found = operating_characteristic([3] * 10, SIX, exact_or_adjacent_at_least=1.0, simulations=20000)
    for noise in (0.5, 0.7, 0.9, 1.2):
        one = chance(found, noise)
        assert one.passes == pytest.approx((1 - 2 * norm.cdf(-1.5 / noise)) ** 10, abs=4 * one.error + 1e-9)
    harsh = chance(found, 0.7, 0.5)
    expected = (norm.cdf(2.0 / 0.7) - norm.cdf(-1.0 / 0.7)) ** 10
    assert harsh.passes == pytest.approx(expected, abs=4 * harsh.error)


def test_two_papers_one_point_apart_are_put_in_order_with_a_known_chance():
    """Φ(1 / (√2 noise))."""
    found = operating_characteristic([3, 4], SIX, rank_order_at_least=1.0, simulations=20000)
    for noise in (0.5, 0.7, 0.9, 1.2):
        one = chance(found, noise)
        assert one.passes == pytest.approx(norm.cdf(1 / (np.sqrt(2) * noise)), abs=4 * one.error)
    assert chance(found, 0.7, 0.75).passes == chance(found, 0.7).passes


def test_severity_alone_is_the_mean_of_rounded_errors():
    """100 papers at 0 of a wide scale, level 0.5: the mean error is near normal about 0.5."""
    wide = ScoreRange(-20, 20, 1)
    found = operating_characteristic([0] * 100, wide, severity_within=0.5, simulations=8000)
    points = np.arange(-10, 11)
    shares = norm.cdf((points + 0.5 + 0.75) / 0.7) - norm.cdf((points - 0.5 + 0.75) / 0.7)
    mean = shares @ points
    sd = np.sqrt((shares @ points**2 - mean**2) / 100)
    # Sums are whole, so the border lies half a hundredth beyond the gate.
    expected = norm.cdf((0.505 + mean) / sd)
    one = chance(found, 0.7, 0.75)
    assert one.passes == pytest.approx(expected, abs=4 * one.error + 0.001)
    assert chance(found, 0.7, -0.75).passes == pytest.approx(one.passes, abs=4 * one.error + 0.004)


@pytest.mark.parametrize(
    ("noise", "level", "slope"), [(0.9, 0, 1), (0.7, -0.5, 1), (0.7, 0, 0.6)], ids=["noise", "level", "slope"]
)
def test_all_gates_agree_with_the_programs_own_figures(noise, level, slope):
    random = np.random.default_rng(8)
    middle = PACKET.mean()
    passed = 0
    for _ in range(300):
        ranks = -(PACKET + noise * random.normal(size=30))
        seen = middle + slope * (PACKET - middle) - level + noise * random.normal(size=30)
        report = against_reference(seen.round().clip(0, 6), PACKET, SIX, resamples=0)
        passed += judge(pairs_in_order(ranks, PACKET, resamples=0), report, **GATES).passed
    one = chance(operating_characteristic(PACKET, SIX, **GATES), noise, level, slope)
    assert one.passes == pytest.approx(passed / 300, abs=3.5 * np.sqrt(one.passes * (1 - one.passes) / 300))


def test_each_standard_error_is_that_of_a_share():
    found = operating_characteristic(PACKET, SIX, **GATES, simulations=1000)
    one = chance(found, 0.9)
    assert one.error == pytest.approx(np.sqrt(one.passes * (1 - one.passes) / 1000))
    assert (found.simulations, found.n_papers) == (1000, 30)


def test_the_rows_are_noise_then_level_both_ways_then_slope():
    found = operating_characteristic(PACKET, SIX, severity_within=0.5, simulations=50)
    assert [(one.noise, one.level, one.slope) for one in found.chances] == [
        (0.5, 0, 1),
        (0.7, 0, 1),
        (0.9, 0, 1),
        (1.2, 0, 1),
        (0.7, 0.25, 1),
        (0.7, -0.25, 1),
        (0.7, 0.5, 1),
        (0.7, -0.5, 1),
        (0.7, 0.75, 1),
        (0.7, -0.75, 1),
        (0.7, 0, 0.6),
    ]
    assert found.chances[8].says.startswith(
        "A grader whose scores lie 0.75 points below the reference passes"
    )


def test_gates_that_are_not_set_are_skipped_and_unattainable_ones_never_met():
    assert {one.passes for one in operating_characteristic(PACKET, SIX, simulations=50).chances} == {1.0}
    same = [4.0] * 8
    for gate in ("rank_order_at_least", "quadratic_weighted_kappa_at_least"):
        found = operating_characteristic(same, SIX, **{gate: 0.1}, simulations=50)
        assert {one.passes for one in found.chances} == {0.0}


def test_the_verdict_follows_from_the_rows():
    found = operating_characteristic(PACKET, SIX, **GATES | {"severity_within": 0.45})
    verdict = found.verdict
    assert verdict.good_fails == pytest.approx(1 - chance(found, 0.7).passes)
    assert verdict.level_passes == max(chance(found, 0.7, sign * 0.75).passes for sign in (1, -1))
    assert verdict.noise_passes == chance(found, 1.2).passes
    assert verdict.adequate
    assert verdict.says.endswith(
        "With 30 papers these gates tell good graders from the others, each error at most 10 %."
    )


def test_a_packet_that_does_not_do_says_whether_it_is_too_strict_too_loose_or_too_small():
    strict = operating_characteristic(
        PACKET, SIX, exact_or_adjacent_at_least=1.0, severity_within=0.3
    ).verdict
    assert not strict.adequate
    assert "These gates are too strict for 30 papers" in strict.says
    loose = operating_characteristic(PACKET, SIX, **GATES | {"severity_within": None}).verdict
    assert (loose.adequate, loose.level_passes > 0.1, loose.noise_passes < 0.1) == (False, True, True)
    assert "too loose for 30 papers: graders who score too low or too high pass" in loose.says
    small = operating_characteristic(SMALL, SIX, **GATES).verdict
    assert not small.adequate
    assert "15 papers are too few for these gates" in small.says


def test_suggested_gates_do_what_they_promise():
    found = suggest_gates(PACKET, SIX)
    assert found is not None
    gates = dict(zip(GATES, found[:4], strict=True))
    verdict = operating_characteristic(PACKET, SIX, **gates).verdict
    assert verdict.adequate
    assert found.good_fails == pytest.approx(verdict.good_fails)
    assert found.level_passes == pytest.approx(verdict.level_passes)
    assert found.noise_passes == pytest.approx(verdict.noise_passes)
    default = operating_characteristic(PACKET, SIX, **GATES).verdict
    assert max(found[4:]) <= max(default.good_fails, default.level_passes, default.noise_passes)


def test_no_gates_are_suggested_for_too_small_a_packet():
    assert suggest_gates(SMALL, SIX) is None


def test_same_seed_same_chances():
    one, two = (operating_characteristic(PACKET, SIX, **GATES, simulations=500, seed=3) for _ in range(2))
    assert one == two
    assert operating_characteristic(PACKET, SIX, **GATES, simulations=500, seed=4) != one


def test_nothing_to_simulate_is_refused():
    with pytest.raises(ValueError, match="at least one paper"):
        operating_characteristic([], SIX)
