"""A packet held to the point sheet and the rubric of its item."""

from __future__ import annotations

from typing import Any

import pytest
from rubrics_and_grades import CODES, criterion, rubric
from sets_and_papers import in_context, only, packet, paper, papers, sentences, sheet

from grader_app.domain.packet_in_context import PacketInContext

CARE = ["care.rule"]  # 3.6 points


def around(*held: dict[str, Any]) -> list[dict[str, Any]]:
    """Papers that fit their points, and the ones in question."""
    fitting = [
        ("F1", 6, ["bailment.rule", "bailment.use", *CARE]),
        ("F2", 4, CARE),
        ("F3", 5, [*CARE, "bailment.use"]),
    ]
    return [*(paper(essay, score, points=points) for essay, score, points in fitting), *held]


def test_references_that_fit_their_item_hold() -> None:
    held = around(paper("E1", 1, points=["bailment.rule"]), paper("E2", 0, points=[]))
    assert PacketInContext.model_validate(in_context(*held)).departing == ()


def test_a_reason_is_for_scores_that_depart_and_one_asks_for_all() -> None:
    reason = {"departs_because": "The rule is named and never used."}
    held = around(
        paper("E1", 1, points=CARE, **reason),
        paper("E2", 1, points=CARE),
        paper("E3", 4, points=CARE, **reason),
    )
    assert sentences(PacketInContext, in_context(*held)) == [
        (
            ("papers", 4, "departs_because"),
            "E2 scores 1; its points come to 3.6. Say why under `departs_because`.",
        ),
        (
            ("papers", 5, "departs_because"),
            "E3 scores 4; its points come to 3.6. "
            "Empty `departs_because`: a score departs from one point on.",
        ),
    ]


def test_without_reasons_or_without_points_nothing_is_asked() -> None:
    assert PacketInContext.model_validate(in_context(*around(paper("E1", 1, points=CARE), paper("E2", 2))))
    assert PacketInContext.model_validate(in_context())
    assert PacketInContext.model_validate({**in_context(), "sheet": sheet(issues=False)})


def test_promised_departures_are_those_of_ranked_papers_with_a_reason() -> None:
    reason = {"departs_because": "Named and never used."}
    held = around(
        paper("E1", 1, points=CARE, **reason),
        paper("E2", 2, points=CARE, **reason),
        paper("A1", 1, points=CARE, anchor=True, **reason),
    )
    assert PacketInContext.model_validate(in_context(*held, makeup={"departures_at_least": 2}))
    assert only(PacketInContext, in_context(*held, makeup={"departures_at_least": 3})) == (
        ("set", "makeup", "departures_at_least"),
        "The set promises at least 3 scores that depart from the tally with a reason; it has 2. "
        "Change the papers, or the promise.",
    )


@pytest.mark.parametrize(
    ("held", "loc", "says"),
    [
        (paper("E6", 6.5), ("score",), "The score 6.5 is not on the scale 0 to 6 in steps of 1. Correct it."),
        (paper("E6", -1), ("score",), "The score -1 is not on the scale"),
        (
            paper("E6", points=["care.rul"]),
            ("points", 0),
            "The point sheet has no point `care.rul`. Did you mean `care.rule`?",
        ),
        (
            paper("E6", points=["x"]),
            ("points", 0),
            "The point sheet has no point `x`. Name points of the item's sheet.",
        ),
        (
            paper("E6", marks={"style": 2}),
            ("marks", "style"),
            "The mark `style` 2 is not on the scale 0 to 1 in steps of 1. Correct it.",
        ),
    ],
)
def test_references_are_held_to_the_scale_and_the_sheet(
    held: dict[str, Any], loc: tuple[Any, ...], says: str
) -> None:
    at, found = only(
        PacketInContext, in_context(*papers(1, 2, 3, 4, 5), held, of=rubric(criteria=[criterion("style")]))
    )
    assert at == ("papers", 5, *loc)
    assert found.startswith(says)


def test_an_unknown_condition_code_is_named_with_those_there_are() -> None:
    held = [paper("E1"), paper("C1", None, condition_code="blnk")]
    listed = ", ".join(code["id"] for code in CODES)
    assert only(PacketInContext, in_context(*held, purpose="codes")) == (
        ("papers", 1, "condition_code"),
        f"The rubric `small` has no condition code `blnk`. Its codes are {listed}.",
    )


def test_marks_that_make_the_score_agree_with_it() -> None:
    two = rubric("sum", [criterion("correct"), criterion("analysis")], highest=2)
    held = [
        paper(f"E{at}", s, marks={"correct": 1, "analysis": s - 1}) for at, s in enumerate((1, 2, 1, 2, 1))
    ]
    assert PacketInContext.model_validate(in_context(*held, of=two))
    held[1]["score"] = 1
    assert only(PacketInContext, in_context(*held, of=two)) == (
        ("papers", 1, "score"),
        "The marks of E1 make 2 by the rubric, but its score is 1. Correct the score or a mark.",
    )
    del held[1]["marks"]["analysis"]  # half marked: nothing to compare
    assert PacketInContext.model_validate(in_context(*held, of=two))


def test_without_sheet_and_rubric_only_the_packet_itself_is_judged() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("E6", 99, points=["no.such"])]
    assert PacketInContext.model_validate(packet(*held)).sheet is None
