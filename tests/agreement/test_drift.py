"""Drift: sums by hand, limits against Student's t and against graders watched one by one."""

import numpy as np
import pytest
from scipy import stats

from grader_app.agreement.drift import CusumLimit, cusum_limit, usable_sd, watch
from grader_app.agreement.drift_power import detection_delay, smallest_visible_shift
from grader_app.agreement.drift_simulation import noise_before_rounding

NOISE = 0.7
SD = float(
    np.sqrt(
        sum(
            2 * k**2 * (stats.norm.cdf((k + 0.5) / NOISE) - stats.norm.cdf((k - 0.5) / NOISE))
            for k in range(1, 8)
        )
    )
)


def watched_one_by_one(limit, shifts, n_calibration=30, times=1500, seed=5):
    """Alarms of graders who round what they see, judged by their own calibration."""
    random = np.random.default_rng(seed)
    alarms = []
    for _ in range(times):
        calibration = np.round(NOISE * random.normal(size=n_calibration))
        sd = usable_sd(float(calibration.std(ddof=1)), 1.0)
        differences = np.round(np.asarray(shifts) + NOISE * random.normal(size=len(shifts)))
        alarms.append(watch(differences.tolist(), sd, limit).alarm)
    return alarms


def test_both_sums_by_hand():
    """z = 2, -1, -3, 0 with allowance 0.5: up 1.5, 0, 0, 0; down 0, 0.5, 3, 2.5."""
    seen = watch([1.0, -0.5, -1.5, 0.0], 0.5, 3.0, 0.5)
    assert seen.harsher == (1.5, 0.0, 0.0, 0.0)
    assert seen.more_lenient == (0.0, 0.5, 3.0, 2.5)
    assert (seen.alarm, seen.direction) == (2, "more lenient")
    assert seen.says == "You have become more lenient: the alarm went off at validity paper 3 of 4."


def test_scores_below_the_reference_are_harsher():
    seen = watch([1, 1, 1], 1.0, 2.0, 0.25, subject="Reader B")
    assert (seen.alarm, seen.direction) == (2, "harsher")
    assert seen.says == "Reader B has become harsher: the alarm went off at validity paper 3 of 3."


def test_without_an_alarm_nothing_is_claimed():
    quiet = watch([0, 1, -1], 1.0, 5.0)
    assert (quiet.alarm, quiet.direction) == (None, None)
    assert quiet.says == "Your running sum has stayed below its limit over 3 validity papers: no alarm."
    empty = watch([], 1.0, 5.0)
    assert (empty.harsher, empty.says) == ((), "You await the first validity paper.")
    with pytest.raises(ValueError, match="above 0"):
        watch([1], 0.0, 5.0)


def test_half_a_step_is_the_least_standard_deviation():
    assert (usable_sd(0.0, 1.0), usable_sd(0.2, 0.5), usable_sd(0.8, 1.0)) == (0.5, 0.25, 0.8)


def test_one_paper_without_allowance_has_the_limit_of_students_t():
    """The sum is |difference| / estimated sd: t with 29 or 9 degrees of freedom, both tails."""
    assert cusum_limit(1, allowance=0, simulations=60000).limit == pytest.approx(
        stats.t.ppf(0.975, 29), abs=0.03
    )
    few = cusum_limit(1, allowance=0, n_calibration=10, false_alarm_rate=0.1, simulations=60000)
    assert few.limit == pytest.approx(stats.t.ppf(0.95, 9), abs=0.04)


def test_the_allowance_moves_the_limit_of_one_paper_by_itself():
    plain, less = (cusum_limit(1, allowance=allowance).limit for allowance in (0, 0.25))
    assert plain - less == pytest.approx(0.25, abs=0.011)


def test_rounding_leaves_a_variance_of_one():
    random = np.random.default_rng(1)
    for steps in (0.3, 1.0, 1.3, 2.0):
        seen = noise_before_rounding(steps) * random.normal(size=400_000)
        assert (steps * np.round(seen / steps)).std() == pytest.approx(1, abs=0.006)
    assert noise_before_rounding(1 / SD) * SD == pytest.approx(NOISE, abs=1e-6)


def test_good_graders_raise_the_alarm_at_the_stated_rate():
    stated = cusum_limit(15, step_over_sd=1 / SD)
    assert stated.rate <= 0.05
    found = np.mean([alarm is not None for alarm in watched_one_by_one(stated.limit, [0.0] * 15)])
    assert found == pytest.approx(stated.rate, abs=3 * np.hypot(stated.error, np.sqrt(0.05 * 0.95 / 1500)))


def test_the_limit_uses_the_rate_up():
    for n_papers in (5, 15, 40):
        assert 0.048 <= cusum_limit(n_papers, step_over_sd=1.3).rate <= 0.05
    tight = cusum_limit(15, step_over_sd=1.3, false_alarm_rate=0.01)
    assert 0.0085 <= tight.rate <= 0.01
    assert tight.limit > cusum_limit(15, step_over_sd=1.3).limit


def test_an_uncertain_standard_deviation_needs_a_higher_limit():
    limits = [cusum_limit(15, step_over_sd=1.3, n_calibration=n).limit for n in (10, 30, 200)]
    assert limits[0] > limits[1] > limits[2]


def test_the_rate_of_a_panel_is_that_of_at_least_one_alarm():
    limit = CusumLimit(6.6, 0.05, 0.0024, 15, 0.25)
    assert limit.panel_rate(6) == pytest.approx(1 - 0.95**6)
    assert limit.says() == (
        "A grader who has not moved sets off the alarm in 5.0 % of rounds of 15 validity papers."
    )
    assert limit.says(6).endswith("; with 6 graders at least one does in 26 %.")


def test_impossible_limits_are_refused():
    for bad in ({"n_papers": 0}, {"n_papers": 5, "false_alarm_rate": 0}, {"n_papers": 5, "n_calibration": 1}):
        with pytest.raises(ValueError, match="A limit needs"):
            cusum_limit(**bad)


def test_delays_are_those_of_graders_watched_one_by_one():
    limit = cusum_limit(15, step_over_sd=1 / SD).limit
    found = detection_delay(0.75, SD, limit, n_papers=15, live_per_validity=20)
    alarms = watched_one_by_one(limit, [0.75] * 15)
    delays = np.array([99 if alarm is None else alarm + 1 for alarm in alarms])
    assert found.detected == pytest.approx((delays < 99).mean(), abs=0.025)
    assert found.median == pytest.approx(np.median(delays), abs=1)
    assert found.ninetieth == pytest.approx(np.quantile(delays, 0.9), abs=2)
    assert (found.median_live, found.ninetieth_live) == (20 * found.median, 20 * found.ninetieth)
    assert "half of the time by the 9th, after about 180 live papers" in found.says


def test_a_single_paper_finds_a_shift_with_the_power_of_students_t():
    """Noncentral t with 29 degrees of freedom, both tails."""
    found = detection_delay(
        2.0, 1.0, 2.045, n_papers=1, live_per_validity=1, allowance=0, step=0, simulations=20000
    )
    expected = stats.nct.sf(2.045, 29, 2.0) + stats.nct.cdf(-2.045, 29, 2.0)
    assert found.detected == pytest.approx(expected, abs=0.015)
    assert expected < 0.5
    assert (found.median, found.ninetieth) == (None, None)


def test_half_of_graders_must_be_found_before_there_is_a_median():
    limit = cusum_limit(5, step_over_sd=1.3).limit
    small = detection_delay(0.25, SD, limit, n_papers=5, live_per_validity=20)
    assert (small.median, small.ninetieth, small.median_live) == (None, None, None)
    assert small.says.endswith("within the 5 validity papers left.")
    assert small.detected < 0.5
    left = detection_delay(0.25, SD, limit, n_papers=0, live_per_validity=20)
    assert (left.detected, left.median) == (0, None)


def test_both_directions_are_found_alike():
    there, back = (
        detection_delay(sign * 0.75, SD, 6.6, n_papers=15, live_per_validity=20) for sign in (1, -1)
    )
    assert there == back


def test_the_smallest_visible_shift_is_where_detection_reaches_four_fifths():
    limit = cusum_limit(15, step_over_sd=1 / SD).limit
    found = smallest_visible_shift(15, SD, limit)
    at, below = (
        detection_delay(found.points - less, SD, limit, n_papers=15, live_per_validity=20).detected
        for less in (0, 0.05)
    )
    assert at >= 0.8 > below
    assert found.points == 0.65
    assert found.says == (
        "With 15 validity papers a shift of 0.65 points or more is found in at least 80 % of cases; "
        "a smaller one may well go unseen."
    )


def test_too_few_papers_see_nothing():
    found = smallest_visible_shift(1, SD, 6.6, largest=2.0)
    assert found.points is None
    assert found.says == "With 1 validity paper even a shift of 2 points may well go unseen."
    assert smallest_visible_shift(0, SD, 6.6).points is None


def test_graders_who_are_alike_to_a_hundredth_share_a_limit():
    assert cusum_limit(15, step_over_sd=1.304) == cusum_limit(15, step_over_sd=1.296)
    assert cusum_limit(15, step_over_sd=9.0) == cusum_limit(15, step_over_sd=2.0)
