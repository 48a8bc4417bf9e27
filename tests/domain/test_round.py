from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from grader_app.domain.round import Round


def grading_round(**changes: Any) -> dict[str, Any]:
    items = [
        {"item": "mee-barge", "component": "mee", "weight": 1},
        {"item": "rule-hearsay", "component": "rule_application"},
    ]
    return {"format": "round/1", "id": "july", "version": "1", "title": "July", "items": items, **changes}


def breaches(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    with pytest.raises(ValidationError) as caught:
        Round.model_validate(data)
    return [detail["loc"] for detail in caught.value.errors()]


def test_a_round_of_items_alone_has_stated_defaults() -> None:
    read = Round.model_validate(grading_round())
    assert read.qualification == "not_required"
    assert (read.reading.reads, read.reading.overlap_percent, read.reading.combine) == (1, 0, "mean")
    assert (read.reading.overlap_counts, read.reading.resolve_when_apart_by_more_than) == ("first", 1)
    assert (read.reading.disputes_go_to, read.reading.third_read_counts) == ("adjudicator", "nearest")
    assert read.reading.prior_scores == "hidden"
    assert (read.checks.validity_paper_every, read.checks.self_repeat_every) == (None, None)
    assert (read.checks.false_alarm_rate, read.checks.on_alarm) == (0.05, "tell_lead")
    assert (read.scaling.method, read.scaling.reference) == ("mean_sigma", "pool")
    assert (read.scaling.rounding, read.cut, read.seed) == ("total_half_up", None, 0)


def test_rule_application_never_enters_a_composite() -> None:
    assert Round.model_validate(grading_round()).weights == {"mee-barge": 1}
    items = [{"item": "rule-hearsay", "component": "rule_application", "weight": 1}]
    assert ("items", 0, "weight") in breaches(grading_round(items=items))


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "3"])
def test_a_weight_is_a_finite_number_above_zero(weight: object) -> None:
    items = [{"item": "mee-barge", "component": "mee", "weight": weight}]
    assert ("items", 0, "weight") in breaches(grading_round(items=items))


def test_parts_have_an_id_of_their_own_and_a_weight_and_rule_application_has_none() -> None:
    parts = [{"part": "a", "weight": 1}, {"part": "b", "weight": 0.5}]
    whole = {"item": "mee-barge", "component": "mee", "weight": 1}
    assert Round.model_validate(grading_round(items=[{**whole, "parts": parts}])).part_weights == {
        "mee-barge": {"a": 1, "b": 0.5}
    }
    twice = [{**whole, "parts": [parts[0], parts[0]]}]
    assert ("items", 0, "parts", 1, "part") in breaches(grading_round(items=twice))
    assert ("items", 0, "parts") in breaches(grading_round(items=[{**whole, "parts": []}]))
    rules = {"item": "rule-hearsay", "component": "rule_application", "parts": parts}
    assert ("items", 0, "parts") in breaches(grading_round(items=[rules]))


def test_an_assumed_reference_is_stated_whole() -> None:
    read = Round.model_validate(grading_round(scaling={"reference": "assumed", "mean": 140, "sd": 15.5}))
    assert (read.scaling.mean, read.scaling.sd) == (140, 15.5)
    assert breaches(grading_round(scaling={"reference": "assumed"})) == [("scaling", "reference")] * 2


def test_a_band_is_whole_and_in_order() -> None:
    cut = {"total": 266, "reread_from": 262, "reread_to": 265}
    assert Round.model_validate(grading_round(cut=cut)).cut is not None
    assert breaches(grading_round(cut={**cut, "reread_to": 261})) == [("cut", "reread_to")]
    assert breaches(grading_round(cut={"total": 266, "reread_from": 262})) == [("cut", "reread_from")]


BAND = {"total": 266, "reread_from": 262, "reread_to": 269}
THIRD = "mean_unless_apart_then_third"


def test_a_re_read_rule_has_its_gap_and_no_other_rule_has_one() -> None:
    read = Round.model_validate(grading_round(cut=BAND, reread={"rule": THIRD, "gap": 1}))
    assert read.reread is not None
    assert (read.reread.rule, read.reread.gap, read.reread.all_papers) == (THIRD, 1, True)
    assert breaches(grading_round(cut=BAND, reread={"rule": THIRD})) == [("reread", "rule")]
    assert breaches(grading_round(cut=BAND, reread={"rule": "mean", "gap": 1})) == [("reread", "gap")]
    assert breaches(grading_round(cut=BAND, reread={"rule": "lower"})) == [("reread", "rule")]
    assert breaches(grading_round(cut=BAND, reread={"rule": THIRD, "gap": -1})) == [("reread", "gap")]


def test_reading_all_papers_of_a_band_again_needs_a_band_and_picked_papers_need_none() -> None:
    assert breaches(grading_round(reread={"rule": "mean"})) == [("reread",)]
    assert breaches(grading_round(cut={"total": 266}, reread={"rule": "mean"})) == [("reread",)]
    picked = Round.model_validate(grading_round(reread={"rule": "mean", "all_papers": False}))
    assert picked.cut is None


@pytest.mark.parametrize(
    ("block", "key", "value"),
    [
        ("reading", "reads", 3),
        ("reading", "reads", True),
        ("reading", "reads", 1.0),
        ("reading", "overlap_percent", 101),
        ("reading", "combine", "lower"),
        ("reading", "disputes_go_to", "lead"),
        ("reading", "third_read_counts", "first"),
        ("reading", "prior_scores", True),
        ("checks", "self_repeat_every", 0),
        ("checks", "validity_paper_every", 1),
        ("checks", "false_alarm_rate", 0),
        ("checks", "false_alarm_rate", 1),
        ("checks", "false_alarm_rate", float("nan")),
        ("checks", "on_alarm", "stop"),
        ("scaling", "rounding", "half_even"),
    ],
)
def test_values_out_of_bounds_are_refused(block: str, key: str, value: object) -> None:
    assert breaches(grading_round(**{block: {key: value}})) == [(block, key)]


def test_a_round_says_how_often_an_alarm_may_be_false_and_what_follows_from_it() -> None:
    checks = {"validity_paper_every": 20, "false_alarm_rate": 0.01, "on_alarm": "pause"}
    read = Round.model_validate(grading_round(checks=checks)).checks
    assert (read.validity_paper_every, read.self_repeat_every) == (20, None)
    assert (read.false_alarm_rate, read.on_alarm) == (0.01, "pause")


@pytest.mark.parametrize("rule", ["mean", "higher"])
def test_a_first_score_that_is_never_disclosed_must_not_be_worked_out_from_the_rest(rule: str) -> None:
    near = {"cut": {"total": 266, "reread_from": 262, "reread_to": 265}, "release": {"redaction": "new_york"}}
    assert breaches(grading_round(reread={"rule": rule}, **near)) == [("reread", "rule")]
    assert Round.model_validate(grading_round(reread={"rule": "replace"}, **near)).reread is not None


def test_smoothing_is_for_ranks_alone() -> None:
    assert breaches(grading_round(scaling={"smoothing": 0.3})) == [("scaling", "smoothing")]
    ranks = grading_round(scaling={"method": "equipercentile", "smoothing": 0.3})
    assert Round.model_validate(ranks).scaling.smoothing == 0.3


def test_no_items_and_a_negative_seed_are_refused() -> None:
    assert breaches(grading_round(items=[], seed=-1)) == [("items",), ("seed",)]


def test_a_round_comes_back_from_json_with_the_same_hash() -> None:
    first = Round.model_validate(grading_round(seed=7, cut={"total": 266.5}))
    again = Round.model_validate_json(first.model_dump_json())
    assert (again, again.content_hash) == (first, first.content_hash)
