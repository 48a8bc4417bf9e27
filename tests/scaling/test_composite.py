"""Composites: published arithmetic, exact ties, and ungraded that is not zero."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.errors import ScalingProblem
from grader_app.scaling.composite import check_weights, written_raw

# Marks of GPT-4 by part, and the parts' weights: the scoring workbook of Katz et al. (2024),
# Phil. Trans. R. Soc. A 382, repository mjbommar/gpt4-passes-the-bar; sums recomputed by hand.
KATZ_QUESTIONS = [
    ([5, 5, 5], [0.35, 0.35, 0.30], 5.0),
    ([4.5, 5, 3], [0.4, 0.3, 0.3], 4.2),
    ([4.5, 4, 5], [0.4, 0.4, 0.2], 4.4),
    ([5, 4.5, 3, 3], [0.25, 0.25, 0.25, 0.25], 3.875),
    ([5, 3, 2.5], [0.3, 0.5, 0.2], 3.5),
    ([5, 4.5, 2, 4.5], [0.3, 0.3, 0.2, 0.2], 4.15),
]


def composite(scores, weights):
    items = [f"item-{number}" for number in range(len(scores))]
    return written_raw(dict(zip(items, scores, strict=True)), dict(zip(items, weights, strict=True)))


@pytest.mark.parametrize(("parts", "weights", "mark"), KATZ_QUESTIONS)
def test_part_weights_give_the_question_marks_of_katz(parts, weights, mark):
    assert composite(parts, weights) == mark


def test_the_mee_mean_of_katz_is_recomputed():
    marks = [composite(parts, weights) for parts, weights, _ in KATZ_QUESTIONS]
    assert sum(marks) / 6 == pytest.approx(4.1875)
    unweighted = [sum(parts) / len(parts) for parts, _, _ in KATZ_QUESTIONS]
    assert sum(unweighted) / 6 == pytest.approx(4.173611, abs=5e-7)


def test_the_mpt_marks_of_katz_are_recomputed():
    first, second = composite([4, 4, 5, 4], [0.25] * 4), composite([4.5, 4, 4], [1 / 3] * 3)
    assert (first, second) == pytest.approx((4.25, 4.166667), abs=5e-7)
    assert (first + second) / 2 == pytest.approx(4.208333, abs=5e-7)


def test_gpt_4_gets_its_whole_composite():
    """Six MEE questions at 1 and two MPT at 2 give 41.958333 of 60 (computed from the workbook above)."""
    scores = [mark for _, _, mark in KATZ_QUESTIONS] + [4.25, 25 / 6]
    raw = composite(scores, [1] * 6 + [2] * 2)
    assert raw == pytest.approx(41.958333, abs=5e-7)
    assert raw / 10 == pytest.approx(4.195833, abs=5e-7)


def test_delaware_adds_scaled_parts_by_weight():
    """Delaware board, July 2003 grading page: .4 x 135.13 + .6 x 148.33 = 143.05."""
    mbe, written = 0.86 * 120 + 31.93, 0.25 * 500 + 23.33
    assert (mbe, written) == pytest.approx((135.13, 148.33))
    assert composite([135.13, 148.33], [0.4, 0.6]) == pytest.approx(143.05)


def test_alaska_weighs_two_parts_equally():
    """Application of Bettine, 840 P.2d 994 (Alaska 1992): essay 141.0, MBE 136, combined 138.5."""
    assert composite([141.0, 136], [0.5, 0.5]) == 138.5


def test_composites_equal_on_paper_are_equal_here():
    assert 0.1 * 3 != 0.3 * 1  # as doubles
    assert composite([3, 0], [0.1, 0.3]) == composite([0, 1], [0.1, 0.3])


def test_an_ungraded_item_leaves_no_composite():
    assert composite([4, None], [1, 2]) is None


def test_a_score_of_zero_counts():
    assert composite([4, 0], [1, 2]) == 4


def test_items_without_a_weight_play_no_part():
    assert written_raw({"mee-1": 4, "rule-1": None}, {"mee-1": 1}) == 4


def test_an_item_absent_from_the_scores_is_refused_by_name():
    with pytest.raises(ScalingProblem, match="mpt-1"):
        written_raw({"mee-1": 4}, {"mee-1": 1, "mpt-1": 2})


def test_a_sum_beyond_any_number_is_refused():
    with pytest.raises(ScalingProblem, match="too large"):
        composite([1e308, 1e308], [1, 1])


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True])
def test_weights_must_be_finite_and_above_zero(weight):
    with pytest.raises(ScalingProblem, match="mee-1"):
        check_weights({"mee-1": weight})


def test_a_round_without_weights_is_refused():
    with pytest.raises(ScalingProblem, match="no composite"):
        check_weights({})


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 40)), min_size=1, max_size=8), st.randoms())
def test_the_order_of_items_changes_no_bit(pairs, random):
    scores = [half_points / 2 for half_points, _ in pairs]
    weights = [tenths / 10 for _, tenths in pairs]
    order = list(range(len(pairs)))
    random.shuffle(order)
    shuffled = composite([scores[i] for i in order], [weights[i] for i in order])
    assert composite(scores, weights) == shuffled
    assert shuffled == sum(h * t for h, t in pairs) / 20
