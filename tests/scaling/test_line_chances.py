"""The two chances at the line are what they are called, by simulation with a fixed seed."""

import numpy as np
import pytest

from grader_app.scaling.line_chances import PoolSpread, line_chances, spread_of

READER_SD, QUESTION_SD, MBE_RELIABILITY, LINE = 0.4, 0.6, 0.92, 266


@pytest.fixture(scope="module")
def population():
    """Ability, two panels on answers to drawn questions, MBE with its own error; mean 140, unit 14."""
    random = np.random.default_rng(11)
    n = 300_000
    ability = random.normal(size=n)
    answers = ability + QUESTION_SD * random.normal(size=n)
    first, second = (answers + READER_SD * random.normal(size=n) for _ in range(2))
    true_mbe = np.sqrt(MBE_RELIABILITY) * (0.8 * ability + 0.6 * random.normal(size=n))
    mbe = true_mbe + np.sqrt(1 - MBE_RELIABILITY) * random.normal(size=n)
    sd = first.std()
    of = {
        "first": first / sd,
        "second": second / sd,
        "ability": ability / sd,
        "true_mbe": true_mbe,
        "mbe": mbe,
    }
    return {name: 140 + 14 * values for name, values in of.items()} | {"sd": sd}


def spread(population):
    unit = (14 / population["sd"]) ** 2
    readers = unit * READER_SD**2
    return spread_of(population["first"][:20_000], population["mbe"][:20_000], readers,
                     readers + unit * QUESTION_SD**2)  # fmt: skip


@pytest.mark.parametrize("total", [256, 262, 265, 266, 270, 278])
def test_of_those_with_one_total_the_stated_share_passes_with_another_panel_and_in_truth(population, total):
    reported = np.floor(population["first"] + population["mbe"] + 0.5)
    those = np.nonzero(reported == total)[0][:3000]
    pool = spread(population)
    found = [
        line_chances(
            population["first"][at],
            population["mbe"][at],
            LINE,
            "total_half_up",
            pool,
            pool.reader_variance,
            pool.error_variance,
        )
        for at in those
    ]
    again = np.floor(population["second"][those] + population["mbe"][those] + 0.5) >= LINE
    truly = population["ability"][those] + population["true_mbe"][those] >= LINE
    assert np.mean([chances.rescore for chances in found]) == pytest.approx(again.mean(), abs=0.025)
    assert np.mean([chances.true_score for chances in found]) == pytest.approx(truly.mean(), abs=0.025)


def test_halves_go_up_where_totals_are_rounded_and_not_where_they_are_not():
    pool = PoolSpread(140, 14, 140, 14, 0.7, 16.0, 60.0)
    rounded, plain = (line_chances(133, 132.6, LINE, rounding, pool, 16.0, 60.0)
                      for rounding in ("total_half_up", "none"))  # fmt: skip
    assert rounded.rescore > plain.rescore
    assert rounded.true_score == plain.true_score


def test_what_is_not_known_gives_no_chance():
    pool = PoolSpread(140, 14, 140, 14, 0.7, None, 60.0)
    chances = line_chances(133, 132, LINE, "none", pool, None, 60.0)
    assert chances.rescore is None
    assert 0 < chances.true_score < 1


def test_a_higher_score_never_has_a_smaller_chance():
    pool = PoolSpread(140, 14, 140, 14, 0.7, 16.0, 60.0)
    found = [line_chances(written, 135, LINE, "none", pool, 16.0, 60.0) for written in range(100, 180, 5)]
    assert [one.rescore for one in found] == sorted(one.rescore for one in found)
    assert [one.true_score for one in found] == sorted(one.true_score for one in found)


def test_scores_that_go_together_more_closely_than_their_reliabilities_allow_lower_no_chance():
    """From a pool of 32: correlation 0.992, where readers' error leaves room for sqrt(0.96) = 0.98.

    Held at that, the MBE score alone tells what another panel would give: 133.5625 + 0.9796 * 0.9375 +
    134.5 = 268.98, with an SD of sqrt(7.24), so that 265.5 is reached with 0.902.
    """
    pool = PoolSpread(133.5625, 10.64612, 133.5625, 10.64612, 0.992453, 4.581278, 40.0)
    found = [line_chances(written, 134.5, LINE, "total_half_up", pool, 7.241376, 40.0)
             for written in range(100, 180, 5)]  # fmt: skip
    for line in ("rescore", "true_score"):
        chances = [getattr(one, line) for one in found]
        assert chances == pytest.approx(sorted(chances), abs=1e-9)
    at_hand = line_chances(132.3714, 134.5, LINE, "total_half_up", pool, 7.241376, 40.0)
    assert at_hand.rescore == pytest.approx(0.902, abs=0.001)
