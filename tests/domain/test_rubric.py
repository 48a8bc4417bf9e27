from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from grader_app.domain.rubric import Rubric


def rubric(**changes: Any) -> dict[str, Any]:
    score = {"lowest": 0, "highest": 6, "step": 1, "level_of_measurement": "ordinal", "given_by": "grader"}
    levels = [
        {"score": 6, "label": "Good", "means": "All."},
        {"score": 0, "label": "None", "means": "Nothing."},
    ]
    whole = {
        "format": "rubric/1",
        "id": "six",
        "version": "1",
        "title": "Six",
        "score": score,
        "levels": levels,
    }
    return {**whole, **changes}


def criterion(name: str, **changes: Any) -> dict[str, Any]:
    plain = {"id": name, "title": name.title(), "question": "Is it?", "lowest": 0, "highest": 6, "step": 1}
    return {**plain, **changes}


def scored(given_by: str) -> dict[str, Any]:
    return {**rubric()["score"], "given_by": given_by}


def breaches(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    with pytest.raises(ValidationError) as caught:
        Rubric.model_validate(data)
    return [detail["loc"] for detail in caught.value.errors()]


def test_a_rubric_comes_back_from_json_with_the_same_hash() -> None:
    first = Rubric.model_validate(rubric())
    again = Rubric.model_validate_json(first.model_dump_json())
    assert again == first
    assert again.content_hash == first.content_hash


def test_a_default_written_out_changes_no_hash_and_a_word_does() -> None:
    plain = Rubric.model_validate(rubric()).content_hash
    assert Rubric.model_validate(rubric(criteria=[], condition_codes=[])).content_hash == plain
    assert Rubric.model_validate(rubric(title="Six!")).content_hash != plain


def test_a_rubric_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Rubric.model_validate(rubric()).title = "other"  # type: ignore[misc]


def test_labels_that_differ_only_in_case_or_composition_are_the_same() -> None:
    levels = [
        {"score": 6, "label": "Caf\u00e9", "means": "All."},
        {"score": 5, "label": "CAFE\u0301", "means": "Most."},
    ]
    assert breaches(rubric(levels=levels)) == [("levels", 1, "label")]


def test_all_breaches_are_given_at_once_each_with_its_place() -> None:
    levels = [{"score": 6, "label": "A", "means": "x"}, {"score": 6.5, "label": "a", "means": "x"}]
    codes = [{"id": "blank", "title": t, "counts_as": "zero"} for t in ("Blank", "Empty")]
    assert breaches(rubric(levels=levels, condition_codes=codes)) == [
        ("levels", 1, "score"),
        ("levels", 1, "label"),
        ("condition_codes", 1, "id"),
    ]


@pytest.mark.parametrize("step", [0.5, 0.25, 0.1])
def test_levels_between_whole_scores_are_on_a_finer_scale(step: float) -> None:
    score = {**rubric()["score"], "step": step}
    levels = [{"score": 5.5 if step != 0.1 else 0.3, "label": "A", "means": "x"}]
    if step == 0.25:
        levels[0]["score"] = 5.25
    assert Rubric.model_validate(rubric(score=score, levels=levels)).levels[0].label == "A"


def test_a_weighted_mean_needs_a_weight_on_every_criterion() -> None:
    criteria = [criterion("rule", weight=2), criterion("facts")]
    assert breaches(rubric(score=scored("weighted_mean"), levels=[], criteria=criteria)) == [("criteria", 1)]


def test_a_weighted_mean_of_like_scales_holds() -> None:
    criteria = [criterion("rule", weight=2), criterion("facts", weight=0.5)]
    read = Rubric.model_validate(rubric(score=scored("weighted_mean"), levels=[], criteria=criteria))
    assert [each.weight for each in read.criteria] == [2, 0.5]


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "3"])
def test_a_weight_is_a_finite_number_above_zero(weight: object) -> None:
    criteria = [criterion("rule", weight=weight)]
    data = rubric(score=scored("weighted_mean"), levels=[], criteria=criteria)
    assert ("criteria", 0, "weight") in breaches(data)


def test_needs_may_form_a_chain_but_no_circle() -> None:
    chain = [criterion("a"), criterion("b", needs="a"), criterion("c", needs="b")]
    assert len(Rubric.model_validate(rubric(criteria=chain)).criteria) == 3
    circle = [criterion("a", needs="c"), *chain[1:]]
    assert breaches(rubric(criteria=circle)) == [("criteria", at, "needs") for at in range(3)]
    leading_in = [criterion("a", needs="b"), criterion("b", needs="b")]
    assert breaches(rubric(criteria=leading_in)) == [("criteria", 1, "needs")]


def test_the_sum_of_the_criteria_is_the_scale() -> None:
    criteria = [criterion("a", highest=1), criterion("b", highest=1)]
    assert breaches(rubric(score=scored("sum"), levels=[], criteria=criteria)) == [("score",)]
    criteria = [criterion("a", highest=2), criterion("b", highest=4)]
    assert Rubric.model_validate(rubric(score=scored("sum"), levels=[], criteria=criteria)).criteria


def test_things_are_found_by_their_ids() -> None:
    codes = [{"id": "blank", "title": "Blank", "counts_as": "zero"}]
    read = Rubric.model_validate(rubric(criteria=[criterion("rule")], condition_codes=codes))
    assert read.find_criterion("rule").title == "Rule"
    assert read.find_condition_code("blank").counts_as == "zero"
    level = read.get_level_or_none(6.0)
    assert level is not None
    assert level.label == "Good"
    assert read.get_level_or_none(3) is None
    with pytest.raises(KeyError):
        read.find_criterion("rules")
    with pytest.raises(KeyError):
        read.find_condition_code("blanc")
