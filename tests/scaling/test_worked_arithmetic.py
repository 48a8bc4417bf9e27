from __future__ import annotations

import random
import re
from decimal import ROUND_FLOOR, Decimal, getcontext
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.scaling.constants import Method
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import AssumedReference, PoolReference
from grader_app.scaling.rounding import Factors, Rounding
from grader_app.scaling.scale_pool import Scaled, scale_pool
from grader_app.scaling.standardise import Target, standards_by_group
from grader_app.scaling.worked_arithmetic import Worked, WorkedLine, digits, worked_arithmetic

WEIGHTS = {"q1": 1.0, "q2": 1.5, "mpt": 2.0}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def drawn_pool(seed: int, n: int = 60) -> Pool:
    rng = random.Random(seed)
    people = []
    for at in range(n):
        able = rng.gauss(0, 1)
        scores = {item: min(max(round(2 * (3 + able + rng.gauss(0, 0.8))) / 2, 0), 6) for item in WEIGHTS}
        if at % 7 == 0:
            scores["q1"] = (2 + 3 + 5) / 3  # a mean of three reads
        mbe = None if at % 11 == 0 else round(140 + 14 * able + rng.gauss(0, 5), 1)
        people.append(Candidate(f"c{at:03}", scores, mbe, mbe is not None))
    return Pool(tuple(people))


def worked_all(pool: Pool, scaled: Scaled) -> list[Worked]:
    people = {one.candidate_id: one for one in pool.candidates}
    return [
        worked_arithmetic(
            row.candidate_id,
            {item: score for item, score in people[row.candidate_id].scores.items() if score is not None},
            WEIGHTS,
            scaled.constants[None],
            people[row.candidate_id].mbe,
            scaled.rounding,
            (row.written_scaled, row.total),
        )
        for row in scaled.candidates
    ]


def typed(expression: str) -> Decimal:
    """Work an expression out as a calculator with 40 digits would, from nothing but what is shown."""
    getcontext().prec = 40
    wrapped = NUMBER.sub(lambda found: f"D('{found.group()}')", expression)
    for shown, meant in (("−", "-"), ("×", "*"), ("÷", "/")):
        wrapped = wrapped.replace(shown, meant)
    assert not re.search(r"[^D()'\d. +*/-]", wrapped), expression
    return Decimal(eval(wrapped, {"__builtins__": {}, "D": Decimal}))  # only digits and signs


def follows(line: WorkedLine) -> bool:
    """Say whether a line's result is what its expression gives, to the places it shows."""
    shown = Decimal(line.result.replace("−", "-"))
    if "half up" in line.what:
        places = 1 if "tenths" in line.what else 2 if "hundredths" in line.what else 0
        step = Decimal(1).scaleb(-places)
        nine = round(typed(line.expression), 9)
        return (nine / step + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * step == shown
    places = max(-int(shown.as_tuple().exponent), 4 if "four places" in line.what else 6)
    return abs(typed(line.expression) - shown) <= Decimal("0.5").scaleb(-places)


@pytest.mark.parametrize("rounding", get_args(Rounding))
@pytest.mark.parametrize("method", get_args(Method))
def test_the_digits_shown_give_the_reported_total_when_typed_in(method: Method, rounding: Rounding) -> None:
    for seed in range(3):
        pool = drawn_pool(seed)
        scaled = scale_pool(pool, WEIGHTS, method, PoolReference(), rounding)
        totals = {row.candidate_id: row for row in scaled.candidates}
        for worked in worked_all(pool, scaled):
            assert worked.reproduced, worked
            assert all(follows(line) for line in worked.lines), worked
            row, last = totals[worked.candidate_id], Decimal(worked.lines[-1].result.replace("−", "-"))
            if row.total is None:
                assert float(last) == pytest.approx(row.written_scaled, abs=1e-4)
            elif rounding == "none":
                assert float(last) == pytest.approx(row.total, abs=5.1e-5)
            else:
                assert float(last) == row.total


@pytest.mark.parametrize("method", get_args(Method))
def test_every_number_typed_in_stands_in_a_line_before_or_is_an_input(method: Method) -> None:
    pool = drawn_pool(4)
    scaled = scale_pool(pool, WEIGHTS, method, PoolReference(), "total_half_up")
    constants = scaled.constants[None]
    given_ones = {"0.5", "2", *map(digits, WEIGHTS.values()), *map(digits, constants.ordered_mbes)}
    of = (constants.written.mean, constants.written.sd, constants.mbe_mean, constants.mbe_sd)
    given_ones |= {digits(one, places) for one in of for places in (6, 8, 10, 12, 16, 20)}
    people = {one.candidate_id: one for one in pool.candidates}
    for worked in worked_all(pool, scaled):
        one = people[worked.candidate_id]
        known = given_ones | {digits(s) for s in one.scores.values() if s is not None}
        known |= {digits(one.mbe)} if one.mbe is not None else set()
        for line in worked.lines:
            # How many are below and how many are equal is said in the words of the line.
            said = set(NUMBER.findall(line.what)) if line.what.startswith("Rank") else set()
            assert set(NUMBER.findall(line.expression)) <= known | said, line
            known |= set(NUMBER.findall(line.result))


def test_a_sum_on_the_edge_of_a_half_gets_the_digits_that_round_it_as_reported() -> None:
    # 30 is a third of an SD above 29, which six places cannot carry to exactly 265.5.
    people = [Candidate(str(raw), {"q": raw}, 135 + 3.0 * (raw - 30)) for raw in (27.0, 29.0, 30.0, 34.0)]
    pool = Pool((*people, Candidate("edge", {"q": 31.0}, 127.5, False)))
    scaled = scale_pool(pool, {"q": 1.0}, "mean_sigma", PoolReference(), "total_half_up")
    row = next(one for one in scaled.candidates if one.candidate_id == "edge")
    assert (round(row.written_scaled, 9), row.total) == (138.0, 266)
    worked = worked_arithmetic(
        "edge",
        {"q": 31.0},
        {"q": 1.0},
        scaled.constants[None],
        127.5,
        "total_half_up",
        (row.written_scaled, 266),
    )
    assert worked.reproduced
    assert all(follows(line) for line in worked.lines)
    assert worked.lines[-1].result == "266"
    assert len(worked.lines[2].result) > len("0.123456")


def test_an_equipercentile_line_names_the_two_neighbours_in_the_list_of_mbe_scores() -> None:
    both = zip((17, 24, 25, 31), (118.2, 128.7, 131.5, 134.9), strict=True)
    people = [Candidate(str(raw), {"q": raw}, mbe) for raw, mbe in both]
    pool = Pool(
        (*people, Candidate("between", {"q": 24.5}, 130.0, False), Candidate("top", {"q": 60}, 130.0, False))
    )
    scaled = scale_pool(pool, {"q": 1}, "equipercentile", PoolReference(), "total_half_up")
    lines = {}
    for name, raw in (("between", 24.5), ("top", 60.0)):
        row = next(one for one in scaled.candidates if one.candidate_id == name)
        ends = (row.written_scaled, row.total)
        found = worked_arithmetic(
            name, {"q": raw}, {"q": 1}, scaled.constants[None], 130.0, "total_half_up", ends
        )
        lines[name] = [(line.expression, line.result) for line in found.lines]
    assert lines["between"] == [
        ("24.5 × 1", "24.5"),
        ("2 + 0 ÷ 2", "2"),
        ("2 + 0.5", "2.5"),
        ("(128.7 + 131.5) ÷ 2", "130.1"),
        ("130 + 130.1", "260.1"),
        ("260.1", "260"),
    ]
    assert lines["top"][3] == ("134.9", "134.9")


def test_an_assumed_reference_is_worked_out_with_its_own_mean_and_sd() -> None:
    pool = drawn_pool(2)
    scaled = scale_pool(pool, WEIGHTS, "mean_sigma", AssumedReference(143.8, 17.7), "total_half_up")
    for worked in worked_all(pool, scaled):
        assert worked.reproduced
        assert any(line.expression.endswith("× 17.7") for line in worked.lines)
        assert any(line.expression.endswith("+ 143.8") for line in worked.lines)


def test_digits_that_do_not_give_the_reported_total_say_so() -> None:
    pool = drawn_pool(1)
    scaled = scale_pool(pool, WEIGHTS, "mean_sigma", PoolReference(), "total_half_up")
    one, row = pool.candidates[1], scaled.candidates[1]
    scores = {item: score for item, score in one.scores.items() if score is not None}
    assert row.total is not None
    wrong = (row.written_scaled, row.total + 1)
    found = worked_arithmetic("c", scores, WEIGHTS, scaled.constants[None], one.mbe, "total_half_up", wrong)
    assert not found.reproduced


@given(st.floats(-1e6, 1e6, allow_nan=False))
def test_a_number_written_in_full_reads_back_as_itself(number: float) -> None:
    assert float(digits(number).replace("−", "-")) == number


@pytest.mark.parametrize("rounding", get_args(Rounding))
def test_standardised_items_and_factors_are_written_out_and_give_the_total(rounding: Rounding) -> None:
    pool, targets = drawn_pool(5), {item: Target(50, 14 if item == "mpt" else 7) for item in WEIGHTS}
    factors = Factors(0.4, 0.6)
    scaled = scale_pool(
        pool, WEIGHTS, "mean_sigma", PoolReference(), rounding, targets=targets, factors=factors
    )
    members = {row.candidate_id for row in scaled.candidates if row.in_scaling_group}
    standards = standards_by_group(pool, targets, lambda one: one.candidate_id in members)
    people = {one.candidate_id: one for one in pool.candidates}
    for row in scaled.candidates:
        person = people[row.candidate_id]
        found = worked_arithmetic(
            row.candidate_id,
            {item: float(score) for item, score in person.scores.items() if score is not None},
            WEIGHTS,
            scaled.constants[None],
            person.mbe,
            rounding,
            (row.written_scaled, row.total),
            standards[None],
            factors,
        )
        assert found.reproduced
        for line in found.lines:
            assert follows(line), line
