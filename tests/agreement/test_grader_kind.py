"""Kinds of graders: clear cases by hand, and simulated graders named right."""

import numpy as np
import pytest

from grader_app.agreement.against_reference import against_reference
from grader_app.agreement.grader_kind import FEWEST_FOR_KIND, grader_kind
from grader_app.agreement.rank_gate import pairs_in_order
from grader_app.domain.score_range import ScoreRange

SIX = ScoreRange(0, 6, 1)
PACKET = np.repeat([1, 2, 3, 4, 5, 6], [2, 5, 8, 8, 5, 2]).astype(float)


def named(scores, reference=PACKET, scale=SIX, pairs=None, **words):
    return grader_kind(against_reference(scores, reference, scale, resamples=0), pairs, **words)


def simulated(level, slope, noise, lowest, random):
    middle = PACKET.mean()
    seen = middle + slope * (PACKET - middle) - level + noise * random.normal(size=30)
    ranks = -(PACKET + noise * random.normal(size=30))
    return seen.round().clip(lowest, 6), pairs_in_order(ranks, PACKET, resamples=0)


@pytest.mark.parametrize("lowest", [0, 1])
@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("severe", (0.75, 1, 0.7)),
        ("lenient", (-0.75, 1, 0.7)),
        ("compressed", (0, 0.6, 0.7)),
        ("random", (0, 1, 1.2)),
        ("fine", (0, 1, 0.7)),
    ],
)
def test_simulated_graders_are_named_right(kind, error, lowest):
    """In 30,000 each, 95.4 % or more are; three standard errors of 150 are 5.1 points."""
    random = np.random.default_rng(11)
    right = 0
    for _ in range(150):
        scores, pairs = simulated(*error, lowest, random)
        right += named(scores, pairs=pairs).kind == kind
    assert right >= 150 * (0.954 - 0.051)


def test_one_point_below_throughout_is_severe_and_says_so_in_numbers():
    found = named((PACKET - 1).clip(0, 6))
    assert (found.kind, found.status) == ("severe", "ok")
    assert found.says == "You score 1.0 points below the reference on the same 30 papers: severe."


def test_one_point_above_is_lenient_and_a_reader_has_a_name():
    found = named((PACKET + 1).clip(0, 6), subject="Reader B")
    assert found.kind == "lenient"
    assert found.says == "Reader B scores 0.9 points above the reference on the same 30 papers: lenient."


def test_large_shifts_are_not_taken_for_noise():
    assert named((PACKET - 3).clip(0, 6)).kind == "severe"
    assert named(PACKET - 1.5, PACKET, ScoreRange(-3, 9, 0.5)).kind == "severe"


def test_half_the_spread_is_compressed():
    found = named((3.5 + (PACKET - 3.5) / 2).round())
    assert found.kind == "compressed"
    assert "Your scores go up 0.5 points where the reference goes up 1" in found.says


def test_a_grader_who_gives_one_score_is_compressed():
    found = named(np.full(30, 3.0))
    assert found.kind == "compressed"
    assert "go up 0.0 points" in found.says


def test_scores_in_another_order_are_random():
    """Also where the order is by chance rather the reverse, as with seed 2."""
    for seed in range(5):
        assert named(np.random.default_rng(seed).permutation(PACKET)).kind == "random"
    reverse = named(PACKET[::-1])
    assert reverse.kind == "random"
    assert reverse.says == (
        "Your scores scatter by 2.7 points about the reference on the same 30 papers: random."
    )


def test_the_reference_itself_is_fine():
    found = named(PACKET, subject="Reader B")
    assert found.kind == "fine"
    assert found.says.startswith("Reader B's mean is the same as the reference on the same 30 papers")


def test_a_fine_graders_mean_is_said_to_lie_above_or_below():
    """Nine of thirty papers a point off make a mean 9/30 = 0.3 off; one makes it 0.03."""
    for papers, side, sign in ((9, "above", 1), (9, "below", -1), (1, "above", 1)):
        scores = PACKET.astype(float)
        inner = np.flatnonzero((PACKET > 1) & (PACKET < 6))[:papers]
        scores[inner] += sign
        found = named(scores, pairs=pairs_in_order(-PACKET, PACKET))
        assert found.kind == "fine"
        near = "0.3" if papers == 9 else "less than 0.1"
        assert f"Your mean lies {near} points {side} the reference on the same 30 papers" in found.says


def test_the_ranking_helps_to_tell_random_from_fine():
    """Noise between the two kinds: ranking by chance tips the scale, and so does a perfect one."""
    scores = PACKET + np.tile([1, -1, 0, 1, 0, -1, 1, 0, -1, 0, 1, -1, 1, -1, 0], 2)
    perfect = pairs_in_order(-PACKET, PACKET)
    chance = pairs_in_order(np.random.default_rng(0).permutation(30), PACKET)
    assert named(scores.clip(0, 6), pairs=perfect).kind == "fine"
    found = named(scores.clip(0, 6), pairs=chance, subject="Reader B")
    assert found.kind == "random"
    assert found.says == (
        "Reader B's scores scatter by 0.8 points about the reference on the same 30 papers, and the ranking "
        "has 50 % of pairs in the right order: random."
    )


def test_pairs_ranked_equal_count_half():
    """Ranked in three piles, a quarter of the pairs tied: no sign of a random grader."""
    scores = (PACKET + 0.7 * np.random.default_rng(5).normal(size=30)).round().clip(0, 6)
    piles = pairs_in_order(-np.floor((scores - 1) / 2), PACKET)
    assert (piles.right, piles.tied, piles.wrong) == (267, 87, 3)
    assert named(scores, pairs=piles).kind == "fine"


def test_too_few_papers_name_no_kind():
    few = named(PACKET[: FEWEST_FOR_KIND - 1], PACKET[: FEWEST_FOR_KIND - 1])
    assert (few.kind, few.status) == (None, "too_few")
    assert few.says == "9 papers are too few to say what kind of grader this is; it takes 10."
    assert named([3], [3]).says.startswith("1 paper is too few to say")
    assert named(PACKET[:FEWEST_FOR_KIND], PACKET[:FEWEST_FOR_KIND]).kind == "fine"
    assert named([], []).status == "too_few"


def test_a_reference_without_variation_leaves_level_and_noise():
    same = np.full(12, 4.0)
    assert named(same, same).kind == "fine"
    assert named(same - 1, same).kind == "severe"
    assert named([0, 6] * 6, same).kind == "random"


def test_points_stretch_with_the_scale():
    """A level of 0.75 on 0 to 6 is 12.5 on 0 to 100; 3 points there are nothing."""
    hundred = ScoreRange(0, 100, 1)
    papers = PACKET * 100 / 6
    assert named((papers - 3).round(), papers.round(), hundred).kind == "fine"
    assert named((papers - 14).round(), papers.round(), hundred).kind == "severe"
