"""References: the pool's own MBE scores, or an assumed mean and SD."""

import pytest

from grader_app.errors import ScalingProblem
from grader_app.scaling.reference import AssumedReference, PoolReference, parse_reference


@pytest.mark.parametrize("text", ["pool", "assumed:143.8,17.7", "assumed:140,15"])
def test_a_reference_is_written_as_it_is_read(text):
    assert str(parse_reference(text)) == text


def test_pool_and_assumed_are_told_apart():
    assert parse_reference("pool") == PoolReference()
    assert parse_reference("assumed: 143.8, 17.7") == AssumedReference(143.8, 17.7)


@pytest.mark.parametrize(
    "text", ["", "Pool", "assumed", "assumed:140", "assumed:143,8,17,7", "assumed:a,b", "x:1,2"]
)
def test_anything_else_is_refused_with_an_example(text):
    with pytest.raises(ScalingProblem, match=r"assumed:143\.8,17\.7"):
        parse_reference(text)


@pytest.mark.parametrize(("mean", "sd"), [(140, 0), (140, -1), (float("nan"), 15), (140, float("inf"))])
def test_an_assumed_sd_must_be_above_zero_and_everything_finite(mean, sd):
    with pytest.raises(ScalingProblem, match="SD above 0"):
        AssumedReference(mean, sd)


def test_the_assumption_is_said_in_a_sentence():
    assert "mean 143.8 and SD 17.7 were typed in" in AssumedReference(143.8, 17.7).says
