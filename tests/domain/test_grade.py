from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rubrics_and_grades import criterion, grade, rubric, sheet

from grader_app.domain.grade import (
    GradeEntry,
    check_grade,
    counted_marks,
    grade_body,
    overall_score,
    warnings_for,
)
from grader_app.domain.rubric import Rubric
from grader_app.errors import GradeProblem


def rule_application(if_unmet: str = "zero", order: tuple[int, ...] = (0, 1)) -> Rubric:
    both = [
        criterion("correctness", weight=1, zero_if_any_error=True),
        criterion("analysis", weight=1, needs="correctness", if_unmet=if_unmet),
    ]
    return rubric("weighted_mean", [both[at] for at in order], highest=1)


def entered(correctness: float, analysis: float, *errors: str, **more: Any) -> GradeEntry:
    return GradeEntry(marks={"correctness": correctness, "analysis": analysis}, error_types=errors, **more)


@given(
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([0.0, 1.0]),
    st.sets(st.sampled_from(["rule-misstated", "logic-error"])),
    st.sampled_from(["zero", "warn", "ignore"]),
    st.permutations((0, 1)),
)
def test_an_error_zeroes_correctness_and_an_incorrect_answer_earns_analysis_only_where_the_rubric_lets_it(
    correctness: float, analysis: float, errors: set[str], if_unmet: str, order: list[int]
) -> None:
    made = rule_application(if_unmet, tuple(order))
    entry = entered(correctness, analysis, *errors)
    stands = 0.0 if errors else correctness
    earned = 0.0 if if_unmet == "zero" and stands == 0 else analysis
    assert counted_marks(made, entry) == {"correctness": stands, "analysis": earned}
    assert overall_score(made, entry) == (stands + earned) / 2
    assert bool(warnings_for(made, entry)) == (if_unmet == "warn" and stands == 0 and analysis == 1)
    body = grade_body(made, entry)
    assert body["marks_entered"] == {"correctness": correctness, "analysis": analysis}
    assert body["marks"] == counted_marks(made, entry)
    assert body["score"] == overall_score(made, entry)


@given(st.permutations(range(4)), st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4))
@settings(max_examples=50)
def test_a_chain_of_needs_falls_from_its_first_unmet_link_in_any_order_of_criteria(
    order: list[int], marks: list[float]
) -> None:
    names = ["first", "second", "third", "fourth"]
    linked = [criterion(name, **({"needs": names[at - 1]} if at else {})) for at, name in enumerate(names)]
    made = rubric("sum", [linked[at] for at in order], highest=4)
    expected = dict(zip(names, itertools.accumulate(marks, min), strict=True))
    counted = counted_marks(made, GradeEntry(marks=dict(zip(names, marks, strict=True))))
    assert counted == expected
    assert list(counted) == [names[at] for at in order]


def test_a_criterion_whose_scale_has_no_zero_falls_to_its_lowest_mark() -> None:
    made = rubric(
        "sum", [criterion("tone", lowest=1, highest=3, zero_if_any_error=True)], lowest=1, highest=3
    )
    assert counted_marks(made, GradeEntry(marks={"tone": 3}, error_types=("logic-error",))) == {"tone": 1}


def test_a_needed_criterion_is_unmet_at_its_lowest_mark_only() -> None:
    both = [criterion("rule", highest=2), criterion("use", highest=2, needs="rule")]
    made = rubric("sum", both, highest=4)
    assert overall_score(made, GradeEntry(marks={"rule": 1, "use": 2})) == 3
    assert overall_score(made, GradeEntry(marks={"rule": 0, "use": 2})) == 0


def test_a_coded_grade_has_no_score_and_no_counted_marks() -> None:
    made = rule_application()
    entry = entered(1, 1, condition_code="blank")
    check_grade(made, sheet(), entry)
    body = grade_body(made, entry)
    assert (body["score"], body["marks"], body["condition_code"]) == (None, {}, "blank")
    assert body["marks_entered"] == {"correctness": 1, "analysis": 1}
    assert grade(code="blank", marks={"correctness": 1.0}).value("correctness") is None


def test_the_graders_own_score_stands_where_the_grader_gives_it() -> None:
    made = rubric()
    assert overall_score(made, GradeEntry(score=4)) == 4
    assert overall_score(made, GradeEntry()) is None


def test_sum_adds_the_counted_marks_and_waits_for_the_last() -> None:
    made = rubric("sum", [criterion("rule", highest=2), criterion("use", highest=4)])
    assert overall_score(made, GradeEntry(marks={"rule": 2, "use": 3})) == 5
    assert overall_score(made, GradeEntry(marks={"rule": 2})) is None


def test_weighted_mean_weighs_the_counted_marks() -> None:
    parts = [criterion("rule", highest=6, weight=1), criterion("use", highest=6, weight=2)]
    made = rubric("weighted_mean", parts)
    # One part six and two parts three make twelve thirds.
    assert overall_score(made, GradeEntry(marks={"rule": 6, "use": 3})) == 4


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (GradeEntry(score=7), "The score 7 is not on the scale 0 to 6 in steps of 1"),
        (GradeEntry(score=-1), "The score -1 is not on the scale"),
        (GradeEntry(score=3.5), "The score 3.5 is not on the scale"),
        (GradeEntry(score=float("nan")), "The score nan is not on the scale"),
        (GradeEntry(score=float("inf")), "The score inf is not on the scale"),
        (GradeEntry(), "No score was given; choose one, or a condition code."),
        (GradeEntry(score=3, condition_code="blank"), "give one or the other"),
        (GradeEntry(condition_code="sleepy"), "There is no condition code `sleepy`"),
        (GradeEntry(score=3, marks={"charm": 1}), "There is no criterion `charm`"),
        (GradeEntry(score=3, error_types=("typo",)), "There is no error type `typo`"),
        (GradeEntry(score=3, analysis_gaps=("gap",)), "There is no analysis gap `gap`"),
        (GradeEntry(score=3, points=("duty.none",)), "There is no point `duty.none`"),
    ],
)
def test_a_grade_that_does_not_fit_is_refused_with_what_to_do(entry: GradeEntry, says: str) -> None:
    with pytest.raises(GradeProblem) as caught:
        check_grade(rubric(), sheet(), entry)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (GradeEntry(marks={"correctness": 1}), "Not marked yet: Analysis."),
        (GradeEntry(), "Not marked yet: Correctness, Analysis."),
        (entered(0.5, 1), "Correctness: 0.5 is not on the scale 0 to 1 in steps of 1"),
        (entered(1, 2), "Analysis: 2 is not on the scale"),
        (entered(1, float("nan")), "Analysis: nan is not on the scale"),
        (entered(1, float("nan"), condition_code="blank"), "Analysis: nan is not on the scale"),
        (entered(1, 1, score=1), "The score of this rubric follows from its criteria"),
    ],
)
def test_marks_that_do_not_fit_are_refused_with_what_to_do(entry: GradeEntry, says: str) -> None:
    with pytest.raises(GradeProblem) as caught:
        check_grade(rule_application(), sheet(), entry)
    assert says in str(caught.value)


def test_every_reason_is_given_at_once() -> None:
    with pytest.raises(GradeProblem) as caught:
        check_grade(rubric(), sheet(), GradeEntry(score=9, points=("duty.none",), error_types=("typo",)))
    assert all(word in str(caught.value) for word in ("score 9", "duty.none", "typo"))


@given(st.integers(0, 60))
def test_every_tenth_of_the_scale_is_a_score_however_it_was_computed(tenths: int) -> None:
    made = rubric(step=0.1)
    check_grade(made, sheet(), GradeEntry(score=sum([0.1] * tenths)))
    assert overall_score(made, GradeEntry(score=tenths / 10)) == tenths / 10


def test_a_thing_marked_twice_is_stored_once_and_in_order() -> None:
    body = grade_body(
        rubric(), GradeEntry(score=3, error_types=("rule-misstated", "logic-error", "logic-error"))
    )
    assert body["error_types"] == ["logic-error", "rule-misstated"]


def test_a_grade_gives_its_rating_by_facet_and_none_where_there_is_none() -> None:
    given_grade = grade(4.0, marks={"correctness": 1.0})
    assert given_grade.value("score") == 4
    assert given_grade.value("correctness") == 1
    assert given_grade.value("charm") is None
