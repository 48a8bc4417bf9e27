"""Bang's and James' indexes and the rate against chance: by hand, by a published table, at their edges."""

from __future__ import annotations

import itertools
import math

import pytest

from grader_app.agreement.blinding_index import bang_index, james_index
from grader_app.agreement.guess_rate import right_rate
from grader_app.agreement.guesses import Guessed, counts_of
from grader_app.agreement.resampling import Settings
from grader_app.domain.blinding_check import Guess

PERSON, MODEL, CANNOT = Guess.PERSON, Guess.MODEL, Guess.CANNOT_TELL


def guesses(model: tuple[int, int, int], person: tuple[int, int, int] = (0, 0, 0)) -> list[Guessed]:
    """Right, wrong and cannot tell about models' answers and about people's, one guess an answer."""
    said = [
        *((MODEL, one, n) for one, n in zip((MODEL, PERSON, CANNOT), model, strict=True)),
        *((PERSON, one, n) for one, n in zip((PERSON, MODEL, CANNOT), person, strict=True)),
    ]
    every = itertools.chain.from_iterable([(arm, one)] * n for arm, one, n in said)
    return [Guessed(f"r{n}", arm, one) for n, (arm, one) in enumerate(every)]


def test_the_indexes_are_those_another_program_prints_for_its_example() -> None:
    """The example in the documentation of the packages BI (R) and BlindingIndex (Julia)."""
    table = guesses((48, 4, 330), (30, 22, 319))
    for arm, value, error, low, high in (
        (MODEL, 0.115, 0.018, 0.080, 0.150),
        (PERSON, 0.022, 0.019, -0.016, 0.060),
    ):
        found = bang_index(table, arm)
        assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=6e-4)
        assert found.details["standard_error"] == pytest.approx(error, abs=6e-4)
    assert james_index(table).value == pytest.approx(0.896, abs=6e-4)


def test_bangs_index_and_its_interval_worked_by_hand() -> None:
    found = bang_index(guesses((6, 2, 2)), MODEL)
    # (0.6 + 0.2 - 0.4²) / 10 = 0.064
    assert (found.value, found.n_responses) == (0.4, 10)
    assert found.details["standard_error"] == pytest.approx(math.sqrt(0.064))
    assert found.low == pytest.approx(0.4 - 1.959964 * math.sqrt(0.064), abs=1e-6)
    assert found.high == pytest.approx(0.4 + 1.959964 * math.sqrt(0.064), abs=1e-6)
    assert "standing alone" in (found.interval_method or "")
    assert found.says.startswith("Guesses about answers written by language models: 10. Right: 6. Wrong: 2.")


def test_the_other_arm_has_no_part_in_it() -> None:
    assert bang_index(guesses((6, 2, 2), (1, 30, 4)), MODEL).value == 0.4
    assert bang_index(guesses((6, 2, 2), (1, 30, 4)), PERSON).value == pytest.approx(-29 / 35)


def test_guesses_about_one_answer_are_kept_together_in_the_second_interval() -> None:
    """Ten graders who all see through the same two answers know less than twenty separate guesses."""
    answers = [("easy", MODEL)] * 8 + [(f"hard {n}", [PERSON, CANNOT][n % 2]) for n in range(8)]
    together = bang_index([Guessed(name, MODEL, said) for name, said in answers], MODEL)
    apart = bang_index([Guessed(str(n), MODEL, said) for n, (_, said) in enumerate(answers)], MODEL)
    assert together.value == apart.value
    assert (together.low, together.high) == (apart.low, apart.high)
    width = together.details["high_over_answers"] - together.details["low_over_answers"]
    assert width > apart.details["high_over_answers"] - apart.details["low_over_answers"]


def test_everyone_right_has_a_value_and_no_interval() -> None:
    found = bang_index(guesses((7, 0, 0)), MODEL)
    assert (found.value, found.low, found.high, found.status) == (1.0, None, None, "ok")
    assert "came out the same" in found.says


@pytest.mark.parametrize(
    ("said", "status"), [((0, 0, 0), "too_few"), ((1, 0, 0), "too_few"), ((1, 1, 0), "ok")]
)
def test_too_few_guesses_are_a_status_and_never_a_number(said, status) -> None:
    found = bang_index(guesses(said), MODEL)
    assert found.status == status
    assert (found.value is None) == (status != "ok")
    assert found.low is None
    assert found.says.endswith(".")


def test_those_who_cannot_tell_pull_the_index_to_0_and_never_past_it() -> None:
    values = [bang_index(guesses((6, 2, n)), MODEL).value for n in (0, 2, 20, 200)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 0.5
    assert values[-1] == pytest.approx(4 / 208)


def test_james_index_is_1_when_nobody_can_tell_and_0_when_everyone_knows() -> None:
    assert james_index(guesses((0, 0, 6), (0, 0, 6))).value == 1.0
    assert james_index(guesses((6, 0, 0), (6, 0, 0))).value == 0.0
    assert james_index(guesses((3, 3, 0), (3, 3, 0))).value == 0.5


def test_james_index_needs_both_arms_and_some_difference() -> None:
    assert james_index(guesses((6, 2, 2))).status == "not_applicable"
    assert james_index(guesses((6, 0, 0), (0, 0, 3))).status == "no_variation"
    assert james_index([]).status == "too_few"


def test_the_rate_against_chance_worked_by_hand() -> None:
    # Six guesses, three about models, four said "model": chance is (3·4 + 3·2) / 36 = 0.5, and of the 15
    # ways to deal four "model" over six answers, three have all of them right that can be.
    found = right_rate(guesses((3, 0, 5), (2, 1, 4)))
    assert found.value == pytest.approx(5 / 6)
    assert found.details["chance"] == pytest.approx(0.5)
    assert found.details["as_many_by_chance"] == pytest.approx(3 / 15)
    assert (found.details["chance_low"], found.details["chance_high"]) == pytest.approx((1 / 6, 5 / 6))
    # Clopper and Pearson for 5 of 6.
    assert (found.low, found.high) == pytest.approx((0.3588, 0.9958), abs=5e-4)
    assert found.n_responses == 6


def test_the_chance_of_the_margins_is_that_of_all_ways_to_deal_the_guesses_out() -> None:
    found = right_rate(guesses((4, 1, 0), (2, 2, 0)))
    said = [MODEL] * 6 + [PERSON] * 3
    truth = [MODEL] * 5 + [PERSON] * 4
    ways = [
        sum((at in picked) == (truth[at] is MODEL) for at in range(9)) / 9
        for picked in itertools.combinations(range(9), said.count(MODEL))
    ]
    assert found.details["chance"] == pytest.approx(sum(ways) / len(ways))
    as_many = sum(way >= found.value - 1e-12 for way in ways) / len(ways)
    assert found.details["as_many_by_chance"] == pytest.approx(as_many)


def test_a_rate_where_all_answers_have_one_kind_of_writer_is_not_applicable() -> None:
    found = right_rate(guesses((6, 2, 2)))
    assert (found.status, found.value) == ("not_applicable", None)
    assert "language models" in found.says


def test_a_rate_of_nobody_is_too_few() -> None:
    assert right_rate(guesses((0, 0, 4), (0, 0, 4))).status == "too_few"


def test_without_resamples_the_first_intervals_stay_and_the_second_are_not_there() -> None:
    settings = Settings(resamples=0)
    table = guesses((20, 5, 5), (10, 9, 3))
    for found in (bang_index(table, MODEL, settings=settings), right_rate(table, settings=settings)):
        assert found.low is not None
        assert "low_over_answers" not in found.details


def test_counts_are_of_one_arm() -> None:
    counts = counts_of(guesses((3, 2, 1), (9, 8, 7)), MODEL)
    assert (counts.right, counts.wrong, counts.cannot_tell, counts.n) == (3, 2, 1, 6)


def test_half_right_guesses_lie_in_the_interval_about_as_often_as_promised() -> None:
    """Blind guessing in simulated rounds: the interval over answers holds 0 in most of them."""
    import numpy as np

    draw = np.random.default_rng(11)
    held = 0
    for _ in range(200):
        said = draw.choice(3, size=40, p=[0.35, 0.35, 0.3])
        table = [Guessed(f"r{n}", MODEL, (MODEL, PERSON, CANNOT)[int(one)]) for n, one in enumerate(said)]
        found = bang_index(table, MODEL, settings=Settings(resamples=0))
        held += (found.low or 0) <= 0 <= (found.high or 0)
    assert 0.90 <= held / 200 <= 0.99
