from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rubrics_and_grades import grade, rubric

from grader_app.domain.final_score import ScoreStanding, combine, standing
from grader_app.domain.grade import Grade
from grader_app.domain.round import Reading


def reading(**changes: Any) -> Reading:
    return Reading.model_validate({"reads": 2, **changes})


def stands(given_grades: Sequence[Grade], expected: int | None = None, **rules: Any) -> ScoreStanding:
    made = rubric(lowest=1) if rules.pop("lowest_is_one", False) else rubric()
    return standing(given_grades, len(given_grades) if expected is None else expected, made, reading(**rules))


def two(first: float | None, second: float | None, *codes: str | None) -> list[Grade]:
    one, other = codes or (None, None)
    return [grade(first, one, 1), grade(second, other, 2)]


def test_an_ungraded_answer_waits_and_is_not_zero() -> None:
    assert stands([], 2) == ScoreStanding(None, None, "waiting", "0 of 2 reads are in.")
    assert stands([], 0).status == "waiting"


def test_nothing_is_final_while_a_read_is_outstanding() -> None:
    assert stands([grade(4.0)], 2) == ScoreStanding(None, None, "waiting", "1 of 2 reads are in.")
    assert stands([grade(None, "blank")], 2).status == "waiting"


def test_one_read_of_one_is_final() -> None:
    assert stands([grade(0.0)]) == ScoreStanding(0.0, 0.0, "final", "One read.")


@pytest.mark.parametrize(("combine_by", "final"), [("mean", 3.5), ("higher", 4.0), ("replace", 3.0)])
def test_two_agreeing_reads_combine_by_the_rounds_rule(combine_by: str, final: float) -> None:
    found = stands(two(4.0, 3.0), combine=combine_by)
    assert (found.raw, found.final, found.status) == (final, final, "final")


@pytest.mark.parametrize(("counts", "final"), [("first", 4.0), ("mean", 3.5)])
def test_an_overlap_read_counts_as_the_round_says(counts: str, final: float) -> None:
    assert stands(two(4.0, 3.0), reads=1, overlap_counts=counts).final == final


def test_reads_too_far_apart_are_disputed_and_have_no_final_score() -> None:
    found = stands(two(2.0, 5.0))
    assert (found.raw, found.final, found.status) == (3.5, None, "disputed")
    assert found.why == "The reads are 3 points apart."


@given(st.sampled_from([0.1, 0.25, 0.5, 1.0]), st.integers(0, 20), st.integers(0, 8), st.integers(0, 8))
def test_exactly_the_tolerance_is_no_dispute_and_one_step_more_is(
    step: float, low: int, apart: int, tolerance: int
) -> None:
    # Sums of steps, as a criteria rubric makes them: 0.1 + 0.1 + 0.1 is not 0.3 in binary.
    first, second = sum([step] * low), sum([step] * (low + apart))
    found = stands(two(first, second), resolve_when_apart_by_more_than=tolerance * step)
    assert found.status == ("disputed" if apart > tolerance else "final")


def test_a_blank_counts_as_zero_and_the_export_can_say_so() -> None:
    found = stands(two(None, None, "blank", "blank"))
    assert (found.raw, found.final, found.status) == (None, 0.0, "coded")
    assert found.why == "Blank: counts as zero."


def test_lowest_is_the_lowest_score_of_the_scale() -> None:
    assert stands([grade(None, "illegible")], lowest_is_one=True).final == 1.0


@pytest.mark.parametrize("code", ["wrong-file", "off-topic"])
def test_a_code_that_is_left_out_or_waits_for_the_lead_has_no_number(code: str) -> None:
    found = stands([grade(None, code)])
    assert (found.raw, found.final, found.status) == (None, None, "coded")


def test_a_code_against_a_score_is_disputed_also_against_a_zero() -> None:
    for reads in (two(None, 0.0, "blank", None), two(4.0, None, None, "blank")):
        found = stands(reads)
        assert (found.raw, found.final, found.status) == (None, None, "disputed")
        assert found.why == "The readers judged differently: a score, blank."


def test_two_different_codes_are_disputed() -> None:
    assert stands(two(None, None, "blank", "off-topic")).status == "disputed"


@given(
    st.lists(st.floats(0, 6), min_size=1, max_size=4),
    st.sampled_from(["mean", "higher", "replace"]),
    st.sampled_from([1, 2]),
)
def test_a_combined_score_lies_between_its_reads(scores: list[float], rule: str, reads: int) -> None:
    combined = combine(scores, reading(reads=reads, combine=rule))
    assert min(scores) - 1e-9 <= combined <= max(scores) + 1e-9
