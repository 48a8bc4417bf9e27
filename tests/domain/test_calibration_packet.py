"""A packet: a calibration set with its papers, their order and their matched pairs."""

from __future__ import annotations

from typing import Any

import pytest
from sets_and_papers import only, packet, paper, papers, said, sentences, sheet

from grader_app.domain.calibration_set import Packet
from grader_app.domain.item import Item


def test_a_packet_comes_back_from_json_with_the_same_hash() -> None:
    first = Packet.model_validate(
        packet(*papers(1, 2, 3, 4), paper("E5", 5, marks={"style": 1}, points=["care.rule"]))
    )
    again = Packet.model_validate_json(first.model_dump_json())
    assert (again, again.content_hash) == (first, first.content_hash)
    other = Packet.model_validate(packet(*papers(1, 2, 3, 4), paper("E5", 5, points=["care.rule"])))
    assert other.content_hash != first.content_hash


def test_anchors_and_coded_papers_are_not_ranked() -> None:
    held = [*papers(1, 2), paper("A1", 4, anchor=True), paper("C1", None, "", condition_code="blank")]
    made = Packet.model_validate(packet(*held, purpose="codes"))
    assert [one.essay for one in made.ranked] == ["E1", "E2"]
    assert [one.essay for one in made.anchors] == ["A1"]
    assert (made.id, made.version, made.item) == ("mee-barge-a", "1", "mee-barge")
    assert made.find_paper("E2").score == 2
    with pytest.raises(KeyError):
        made.find_paper("E9")


def test_a_set_for_an_earlier_version_is_stale() -> None:
    made = Packet.model_validate(packet(point_sheet_version="9"))
    stale = {v: made.is_stale(Item(sheet=sheet(v), prompt="Discuss.")) for v in ("8", "9", "10")}
    assert stale == {"8": False, "9": False, "10": True}


def test_a_gate_needs_five_papers_that_are_no_anchors() -> None:
    held = [*papers(1, 2, 3, 4), paper("A1", 5, anchor=True)]
    assert only(Packet, packet(*held)) == (
        ("papers",),
        "Papers to rank, anchors not counted: 4. A gate needs at least 5. Add papers, or change `purpose`.",
    )
    assert len(Packet.model_validate(packet(*held, purpose="validity")).ranked) == 4


def test_a_gate_needs_papers_of_different_standing() -> None:
    assert only(Packet, packet(*papers(3, 3, 3, 3, 3))) == (
        ("papers",),
        "All papers to rank have the score 3, so there is no order to find. "
        "Add papers of other scores, or change `purpose`.",
    )
    assert Packet.model_validate(packet(*papers(3, 3, 3, 3, 3), purpose="validity"))


def test_given_references_have_papers_and_those_of_the_panel_none() -> None:
    assert only(Packet, {"set": said(), "papers": []})[1].startswith("The set has no papers.")
    assert Packet.model_validate({"set": said(reference="panel", origin="panel")}).ranked == ()
    found = only(Packet, packet(reference="panel", origin="panel"))
    assert found[0] == ("set", "reference")
    assert "the papers come from live answers, but the set has its own" in found[1]


def test_names_differ_in_more_than_capitals() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("e1")]
    assert only(Packet, packet(*held)) == (
        ("papers", 5, "essay"),
        "The essay `e1` repeats `E1`. Give each its own.",
    )


def test_condition_codes_are_for_exercises() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("C1", None, condition_code="blank")]
    assert only(Packet, packet(*held)) == (
        ("papers", 5, "condition_code"),
        "C1 has a condition code, but the set's purpose is qualify. "
        "Give it a score, or write `purpose: codes`.",
    )


def test_every_paper_has_a_place_or_none() -> None:
    held = papers(5, 4, 3, 2, 1)
    held[0]["reference_rank"] = 1
    found = sentences(Packet, packet(*held))
    assert [loc for loc, _ in found] == [("papers", at, "reference_rank") for at in (1, 2, 3, 4)]
    assert (
        found[0][1]
        == "E2 has no `reference_rank`, but other papers have one. Fill the column, or leave it empty."
    )


def test_a_better_place_never_goes_with_a_lower_score() -> None:
    held = papers(5, 4, 3, 2, 1)
    for one, rank in zip(held, (1, 2, 2, 4, 3), strict=True):
        one["reference_rank"] = rank
    assert only(Packet, packet(*held)) == (
        ("papers", 3, "reference_rank"),
        "E4 scores 2 and stands behind E5, which scores 1. Correct a rank or a score; rank 1 is the best.",
    )
    held[3]["reference_rank"], held[4]["reference_rank"] = 4, 4.5
    assert Packet.model_validate(packet(*held))
    held[3]["score"] = 1  # the same score at two places is an order of its own
    assert Packet.model_validate(packet(*held))
    held[0]["reference_rank"] = 0
    assert only(Packet, packet(*held))[0] == ("papers", 0, "reference_rank")


def pair(**changes: Any) -> list[dict[str, Any]]:
    one = paper("E6", 4, matched_pair="p1", style="fuller", points=["care.rule"])
    other = paper("E7", 4, matched_pair="p1", style="plainer", points=["care.rule"])
    return [*papers(1, 2, 3, 4, 5), one, {**other, **changes}]


def test_pairs_are_named_fuller_first() -> None:
    assert Packet.model_validate(packet(*pair())).matched_pairs == (("E6", "E7"),)
    assert Packet.model_validate(packet(*reversed(pair()))).matched_pairs == (("E6", "E7"),)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"style": "fuller"}, "E6 and E7, the pair `p1`, are both fuller. Write `fuller` for one"),
        ({"score": 3}, "E6 and E7, the pair `p1`, have different scores. Give both the same score"),
        (
            {"points": ["care.rule", "bailment.use"]},
            "E6 and E7, the pair `p1`, make different points: only one of them makes bailment.use. Correct",
        ),
        (
            {"anchor": True},
            "E6 and E7, the pair `p1`, include an anchor, which nobody scores. Take the label off",
        ),
    ],
)
def test_a_pair_differs_in_style_and_in_nothing_else(changes: dict[str, Any], says: str) -> None:
    loc, found = only(Packet, packet(*pair(**changes)))
    assert loc == ("papers", 6, "matched_pair")
    assert found.startswith(says)


def test_a_label_stands_on_exactly_two_papers() -> None:
    third = paper("E8", 4, matched_pair="p1", style="fuller", points=["care.rule"])
    alone = paper("E9", 4, matched_pair="p2", style="fuller")
    found = sentences(Packet, packet(*pair(), third, alone))
    assert found == [
        (
            ("papers", 7, "matched_pair"),
            "The label `p1` is carried by E6, E7 and E8; a pair is two papers. Correct the label.",
        ),
        (
            ("papers", 8, "matched_pair"),
            "The label `p2` is carried by E9 alone; a pair is two papers. Correct the label.",
        ),
    ]
