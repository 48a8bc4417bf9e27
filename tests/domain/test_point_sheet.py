from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from grader_app.domain.item import Item
from grader_app.domain.point_sheet import PointSheet


def point(name: str, **changes: Any) -> dict[str, Any]:
    return {"id": name, "part": "rule", "text": "A rule.", **changes}


def issue(name: str, weight: float, *points: dict[str, Any], **changes: Any) -> dict[str, Any]:
    held = list(points) or [point(f"{name}.rule")]
    return {"id": name, "title": name, "weight_percent": weight, "points": held, **changes}


def sheet(**changes: Any) -> dict[str, Any]:
    whole = {
        "format": "point_sheet/1",
        "id": "mee-barge",
        "version": "1",
        "item": "mee-barge",
        "kind": "mee",
        "rubric": "six",
        "rubric_version": "1",
        "title": "Barge",
        "issues": [issue("bailment", 40), issue("care", 60)],
    }
    return {**whole, **changes}


def breaches(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    with pytest.raises(ValidationError) as caught:
        PointSheet.model_validate(data)
    return [detail["loc"] for detail in caught.value.errors()]


def test_a_sheet_comes_back_from_json_with_the_same_hash() -> None:
    first = PointSheet.model_validate(sheet())
    again = PointSheet.model_validate_json(first.model_dump_json())
    assert (again, again.content_hash) == (first, first.content_hash)
    assert [each.id for each in again.points] == ["bailment.rule", "care.rule"]


@settings(max_examples=50)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=9))
def test_weights_that_add_up_to_100_within_rounding_hold(shares: list[int]) -> None:
    total = sum(shares)
    issues = [issue(f"i{at}", 100 * share / total) for at, share in enumerate(shares)]
    assert len(PointSheet.model_validate(sheet(issues=issues)).issues) == len(shares)


@pytest.mark.parametrize("weight", [59.99, 61, 60.000001])
def test_weights_that_do_not_are_refused(weight: float) -> None:
    assert breaches(sheet(issues=[issue("a", 40), issue("b", weight)])) == [("issues",)]


@pytest.mark.parametrize("weight", [0, -1, 101, float("nan"), float("inf"), True, "3"])
def test_a_weight_is_a_finite_number_above_zero_and_at_most_100(weight: object) -> None:
    assert ("issues", 0, "weight_percent") in breaches(
        sheet(issues=[{**issue("a", 1), "weight_percent": weight}])
    )


def test_ids_titles_and_references_are_judged_across_issues() -> None:
    issues = [
        issue("a", 50, point("a.rule"), point("a.use", follows_from=["a.rule", "b.none"])),
        issue("b", 50, point("a.rule", sources=["code-9"]), title="A"),
    ]
    assert breaches(sheet(issues=issues)) == [
        ("issues", 1, "title"),
        ("issues", 1, "points", 0, "id"),
        ("issues", 0, "points", 1, "follows_from", 1),
        ("issues", 1, "points", 0, "sources", 0),
    ]


def test_points_may_follow_in_chains_but_not_in_circles() -> None:
    chain = [point("a"), point("b", follows_from=["a"]), point("c", follows_from=["a", "b"])]
    assert len(PointSheet.model_validate(sheet(issues=[issue("i", 100, *chain)])).points) == 3
    circle = [point("a", follows_from=["c"]), *chain[1:]]
    assert len(breaches(sheet(issues=[issue("i", 100, *circle)]))) == 3


def test_a_library_is_for_mpt_and_its_documents_can_be_cited() -> None:
    library = [{"id": "code-12", "title": "Section 12", "holds": "A rule."}]
    issues = [issue("a", 100, point("a.rule", sources=["code-12"]))]
    read = PointSheet.model_validate(sheet(kind="mpt", issues=issues, library=library))
    assert read.library[0].id == "code-12"
    assert breaches(sheet(issues=issues, library=library)) == [("library",)]
    assert breaches(sheet(kind="mpt", library=library * 2)) == [("library", 1, "id")]


def test_gold_is_for_rule_application() -> None:
    assert PointSheet.model_validate(sheet(kind="rule_application", gold="No")).gold == "No"
    assert breaches(sheet(gold="No")) == [("gold",)]


def test_only_an_essay_scored_as_a_whole_may_have_no_issues() -> None:
    assert PointSheet.model_validate(sheet(kind="essay", issues=[])).points == ()
    assert breaches(sheet(issues=[])) == [("issues",)]


@pytest.mark.parametrize(
    ("key", "value"),
    [("kind", "MEE"), ("irac", "rules"), ("law_as_of", "2026-13"), ("version", 1), ("item", "mee_barge")],
)
def test_values_outside_the_lists_are_refused(key: str, value: object) -> None:
    assert breaches(sheet(**{key: value})) == [(key,)]


def test_an_items_hash_covers_each_of_its_texts() -> None:
    texts = {"prompt": "Discuss.", "guidelines": "G", "file": "F", "library": "L"}
    held = PointSheet.model_validate(sheet())
    item = Item(sheet=held, **texts)
    assert (item.id, item.kind, item.version, item.title) == ("mee-barge", "mee", "1", "Barge")
    hashes = {Item(sheet=held, **{**texts, name: "other"}).content_hash for name in texts}
    hashes.add(Item(sheet=PointSheet.model_validate(sheet(title="B")), **texts).content_hash)
    assert len(hashes | {item.content_hash}) == 6
    assert Item.model_validate_json(item.model_dump_json()) == item
