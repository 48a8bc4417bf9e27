"""The declared scale: what can be written, and what is refused."""

import pytest

from grader_app.agreement import Scale
from grader_app.errors import RatingsProblem


def test_a_range_has_every_step_and_no_rounding_error():
    scale = Scale.of("0:1:0.1")
    assert scale.values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert scale.code(0.1 + 0.2) == 3
    assert scale.code(0.35) is None


def test_a_range_may_begin_below_zero():
    assert Scale.of("-2:2").values == (-2.0, -1.0, 0.0, 1.0, 2.0)


def test_numbers_in_a_list_keep_their_values():
    assert Scale.of([1, 2, 5]).values == (1.0, 2.0, 5.0)
    assert Scale.of("1,2,5").values == (1.0, 2.0, 5.0)


def test_names_have_places_and_no_values():
    scale = Scale.of(["poor", "fair", "good"])
    assert not scale.is_numeric
    assert [scale.code(name) for name in ("good", "poor", "Good")] == [2, 0, None]


def test_nan_can_be_the_name_of_a_score():
    assert Scale.of(["nan", "yes"]).code("nan") == 0


def test_adjacent_is_one_point_or_one_larger_step():
    assert [Scale.of(text).within for text in ("0:6", "0:6:0.5", "0:100:20")] == [1.0, 1.0, 20.0]


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("6:0", "whole number of steps"),
        ("0:6:0", "whole number of steps"),
        ("0:6:0.7", "whole number of steps"),
        ("0:six", "cannot be read"),
        ("0:6:1:1", "cannot be read"),
        ("0:inf", "cannot be read"),
        ("0:10000", "coarser step"),
        ("a", "at least two"),
        ([3], "at least two"),
        ("a,b,a", "occurs twice"),
        ([1, 1.0], "occurs twice"),
        ("a,,b", "no name"),
        ([3, 1, 2], "out of order"),
    ],
)
def test_an_impossible_scale_is_refused_with_what_to_do(declared, words):
    with pytest.raises(RatingsProblem, match=words):
        Scale.of(declared)
