"""Which score stands once a dispute was settled, by a third read or an adjudicator."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rubrics_and_grades import grade, rubric

from grader_app.domain.final_score import ScoreStanding, combine_three, standing
from grader_app.domain.grade import Grade
from grader_app.domain.round import Reading
from grader_app.domain.settling import Adjudication, RaisedDispute, Settling

CORRECTED = "A read was corrected after this was settled; confirm it or settle it again."


def reading(**changes: Any) -> Reading:
    return Reading.model_validate({"reads": 2, **changes})


def two(first: float | str, second: float | str) -> list[Grade]:
    return [judged(first, 1), judged(second, 2)]


def judged(gave: float | str, number: int, **changes: Any) -> Grade:
    score, code = (None, gave) if isinstance(gave, str) else (gave, None)
    return grade(score, code, number, **changes)


def adjudicated(gave: float | str, settles: tuple[int, ...] = (1, 2), at: int = 10) -> Adjudication:
    return Adjudication(judged(gave, 0, event_seq=at), settles)


def raised(at: int) -> RaisedDispute:
    return RaisedDispute(at, "2026-11-29T09:00:00.000Z", "p9", "r1", None)


def stands(reads: list[Grade], settling: Settling, **rules: Any) -> ScoreStanding:
    return standing(reads, 2, rubric(), reading(**rules), settling)


@pytest.mark.parametrize(
    ("reads", "third", "replace", "nearest", "mean", "higher"),
    [
        # first two, third: the third alone; with the nearer; all three; the highest
        ((2, 5), 5, 5.0, 5.0, 4.0, 5.0),
        ((2, 5), 4, 4.0, 4.5, 11 / 3, 5.0),
        ((2, 5), 2, 2.0, 2.0, 3.0, 5.0),
        ((2, 5), 0, 0.0, 1.0, 7 / 3, 5.0),
        ((5, 2), 6, 6.0, 5.5, 13 / 3, 6.0),
        # Exactly between the two it is close to neither: it stands alone, and is their mean as well.
        ((2, 6), 4, 4.0, 4.0, 4.0, 6.0),
        ((0, 3), 1.5, 1.5, 1.5, 1.5, 3.0),
        # Reads that agree and were disputed all the same, and one read alone.
        ((4, 4), 2, 2.0, 3.0, 10 / 3, 4.0),
        ((4,), 1, 1.0, 2.5, 2.5, 4.0),
    ],
)
def test_three_reads_combine_as_worked_by_hand(
    reads: tuple[float, ...], third: float, replace: float, nearest: float, mean: float, higher: float
) -> None:
    for rule, worked in {"replace": replace, "nearest": nearest, "mean": mean, "higher": higher}.items():
        found = combine_three(reads, third, reading(third_read_counts=rule))
        assert found == pytest.approx(worked), rule


def test_sums_of_steps_exactly_between_two_reads_are_between_them() -> None:
    third = 0.1 + 0.1 + 0.1
    assert combine_three([0.2, 0.4], third, reading(third_read_counts="nearest")) == third


@given(
    st.lists(st.floats(0, 6), min_size=1, max_size=2),
    st.floats(0, 6),
    st.sampled_from(["replace", "nearest", "mean", "higher"]),
)
def test_a_settled_score_lies_between_the_reads(scores: list[float], third: float, rule: str) -> None:
    found = combine_three(scores, third, reading(third_read_counts=rule))
    assert min(*scores, third) - 1e-9 <= found <= max(*scores, third) + 1e-9


@pytest.mark.parametrize(
    ("reads", "third", "rule", "final", "status"),
    [
        (("blank", 4), "blank", "nearest", 0.0, "coded"),
        (("blank", 4), 5, "nearest", 4.5, "final"),
        (("blank", 4), 5, "mean", 4.5, "final"),
        (("blank", 4), 6, "nearest", None, "disputed"),
        (("blank", 4), 6, "replace", 6.0, "final"),
        (("blank", 4), "illegible", "mean", None, "disputed"),
        (("blank", 4), "illegible", "replace", 0.0, "coded"),
        (("blank", "off-topic"), 3, "nearest", None, "disputed"),
        (("blank", "off-topic"), "off-topic", "higher", None, "coded"),
        ((2, 5), "blank", "nearest", None, "disputed"),
        ((2, 5), "blank", "replace", 0.0, "coded"),
    ],
)
def test_a_third_read_settles_codes_by_two_of_three(
    reads: tuple[float | str, float | str], third: float | str, rule: str, final: float | None, status: str
) -> None:
    found = stands(two(*reads), Settling(judged(third, 3)), third_read_counts=rule)
    assert (found.final, found.status) == (final, status)
    assert found.settled_by == ("" if status == "disputed" else "third read")


def test_raw_stays_the_reads_combined_before_settling() -> None:
    by_third = stands(two(2, 5), Settling(judged(5, 3)))
    by_adjudicator = stands(two(2, 5), Settling(adjudication=adjudicated(4)))
    assert (by_third.raw, by_third.final, by_third.status) == (3.5, 5.0, "final")
    assert (by_adjudicator.raw, by_adjudicator.final, by_adjudicator.status) == (3.5, 4, "final")
    assert stands(two("blank", 4), Settling(adjudication=adjudicated(4))).raw is None


def test_an_adjudication_comes_before_a_third_read_and_that_before_the_reads() -> None:
    third = judged(2, 3)
    settled = Settling(third, adjudication=adjudicated(5, (1, 2, 3)))
    assert stands(two(2, 6), settled).final == 5
    assert stands(two(2, 6), settled).settled_by == "adjudication"
    assert stands(two(2, 6), Settling(third)).final == 2
    assert stands(two(2, 6), Settling()).final is None


def test_an_adjudicator_may_give_a_code() -> None:
    found = stands(two(2, 5), Settling(adjudication=adjudicated("blank")))
    assert (found.raw, found.final, found.status, found.settled_by) == (3.5, 0.0, "coded", "adjudication")
    left_out = stands(two(2, 5), Settling(adjudication=adjudicated("wrong-file")))
    assert (left_out.final, left_out.status) == (None, "coded")


def test_a_zero_of_the_adjudicator_is_a_score_and_no_gap() -> None:
    found = stands(two(2, 5), Settling(adjudication=adjudicated(0)))
    assert (found.final, found.status) == (0, "final")


def test_a_correction_after_settling_makes_the_adjudication_stale() -> None:
    reads = [judged(2, 1), judged(4, 2, event_seq=11)]
    found = stands(reads, Settling(adjudication=adjudicated(4)))
    assert found == ScoreStanding(3.0, None, "disputed", CORRECTED)
    confirmed = adjudicated(4, (1, 11), at=12)
    assert stands(reads, Settling(adjudication=confirmed)).final == 4


def test_a_corrected_third_read_and_a_read_that_came_in_later_make_it_stale_as_well() -> None:
    third = judged(4, 3, event_seq=11)
    corrected = stands(two(2, 6), Settling(third, adjudication=adjudicated(5, (1, 2, 3))))
    assert (corrected.status, corrected.why) == ("disputed", CORRECTED)
    later = stands(two(2, 6), Settling(third, adjudication=adjudicated(5)))
    assert later.why == "A read came in after this was settled; confirm it or settle it again."


def test_a_raised_dispute_holds_until_it_is_answered() -> None:
    reads = two(4, 4)
    for settling in (
        Settling(raised=raised(9)),
        Settling(judged(4, 3), raised=raised(9)),
        Settling(adjudication=adjudicated(5), raised=raised(11)),
    ):
        found = stands(reads, settling)
        assert (found.final, found.status) == (None, "disputed")
        assert found.why == "The lead asked for another look at this answer."
    assert stands(reads, Settling(adjudication=adjudicated(5), raised=raised(9))).final == 5
    assert stands(reads, Settling(judged(2, 3, event_seq=10), raised=raised(9))).final == 3


def test_while_a_third_read_waits_nothing_is_final() -> None:
    disputed = stands(two(2, 5), Settling(third_waits=True))
    assert (disputed.raw, disputed.final, disputed.status) == (3.5, None, "disputed")
    assert disputed.why == "The reads are 3 points apart. A third reader has it."
    ended = stands(two(4, 5), Settling(third_waits=True))
    assert ended == ScoreStanding(None, None, "waiting", "A third read is under way.")


def test_a_missing_read_waits_whatever_was_settled_before() -> None:
    found = standing([judged(4, 1)], 2, rubric(), reading(), Settling(adjudication=adjudicated(4, (1,))))
    assert (found.final, found.status) == (None, "waiting")


def test_a_code_is_read_under_the_rubric_it_was_given_under() -> None:
    lowest_is_one = rubric(lowest=1)
    settling = Settling(adjudication=adjudicated("illegible"))
    found = standing(two(2, 5), 2, rubric(), reading(), settling, lambda _: lowest_is_one)
    assert found.final == 1.0
