"""What a set promises about its papers, and whether they keep it."""

from __future__ import annotations

from typing import Any

import pytest
from sets_and_papers import only, packet, paper, papers, said, sentences

from grader_app.domain.calibration_set import CalibrationSet, Packet

MAKEUP = {
    "words_from": 3,
    "words_to": 3,
    "scores": [{"score": at, "papers": 1} for at in range(1, 6)],
    "matched_pairs": 0,
    "anchors": 0,
}


def promised(*held: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return packet(*held, makeup={**MAKEUP, **changes})


def test_promises_that_are_kept_are_no_problem() -> None:
    assert Packet.model_validate(promised())
    held = [*papers(1, 2, 3, 4), paper("E5", 5, feature="long-and-empty")]
    features = [{"feature": "long-and-empty", "papers": 1, "score_from": 5, "score_to": 5}]
    assert Packet.model_validate(promised(*held, features=features))


IN_MAKEUP = ("set", "makeup")


@pytest.mark.parametrize(
    ("held", "changes", "loc", "says"),
    [
        (
            [],
            {"words_from": 4, "words_to": 9},
            ("papers", 0, "text"),
            "The essay has 3 words; the set promises at least 4 and at most 9. Change",
        ),
        (
            [],
            {"words_to": 2, "words_from": None},
            ("papers", 0, "text"),
            "The essay has 3 words; the set promises at most 2.",
        ),
        (
            papers(1, 2, 3, 4, 4),
            {},
            (*IN_MAKEUP, "scores", 3, "papers"),
            "2 papers have the score 4; the set promises 1.",
        ),
        (
            papers(1, 2, 3, 4, 4),
            {},
            (*IN_MAKEUP, "scores", 4, "papers"),
            "No paper has the score 5; the set promises 1.",
        ),
        (papers(1, 2, 3, 4, 6), {}, (*IN_MAKEUP, "scores"), "One paper has the score 6, which is not among"),
        (
            [],
            {"features": [{"feature": "dull", "papers": 1}]},
            (*IN_MAKEUP, "features", 0, "papers"),
            "No paper has the feature `dull`; the set promises 1.",
        ),
        (
            [*papers(1, 2, 3, 4), paper("E5", 5, feature="dull")],
            {"features": [{"feature": "dull", "papers": 1, "score_to": 4}]},
            (*IN_MAKEUP, "features", 0, "score_to"),
            "E5, with the feature `dull`, scores 5; promised is at most 4.",
        ),
        (
            [*papers(1, 2, 3, 4), paper("E5", 5, feature="dull")],
            {"features": [{"feature": "dull", "papers": 1, "score_from": 6}]},
            (*IN_MAKEUP, "features", 0, "score_from"),
            "E5, with the feature `dull`, scores 5; promised is at least 6.",
        ),
        (
            [],
            {"matched_pairs": 1},
            (*IN_MAKEUP, "matched_pairs"),
            "The set promises 1 matched pair and has 0.",
        ),
        ([], {"anchors": 2}, (*IN_MAKEUP, "anchors"), "The set promises 2 anchors and has 0."),
        (
            [*papers(1, 2, 3, 4, 5), paper("A1", 2, anchor=True), paper("A2", 2, anchor=True)],
            {"anchors": 2},
            (*IN_MAKEUP, "anchors"),
            "The anchors A1 and A2 both have the score 2. Keep one anchor at each score.",
        ),
    ],
)
def test_promises_that_are_not_kept(
    held: list[dict[str, Any]], changes: dict[str, Any], loc: tuple[Any, ...], says: str
) -> None:
    found = sentences(Packet, promised(*held, **changes))
    assert any(at == loc and sentence.startswith(says) for at, sentence in found), found


# Lengths 1 to 5 with scores 1, 2, 3, 5, 4: r = 9 / sqrt(10 * 10) = 0.9.
@pytest.mark.parametrize(("limit", "kept"), [(0.9, True), (0.89, False), (-1, False)])
def test_length_may_not_decide_the_score(limit: float, kept: bool) -> None:
    held = [paper(f"E{n}", s, "word " * n) for n, s in zip(range(1, 6), (1, 2, 3, 5, 4), strict=True)]
    held.append(paper("A1", 1, "word " * 90, anchor=True))
    data = packet(*held, makeup={"length_correlation_at_most": limit})
    if kept:
        assert Packet.model_validate(data)
        return
    assert only(Packet, data) == (
        ("set", "makeup", "length_correlation_at_most"),
        f"Length and score correlate at 0.90; the set promises at most {limit:g}. "
        "Change the papers, or the promise.",
    )


def test_a_shorter_paper_may_be_better_whatever_was_promised() -> None:
    held = [paper(f"E{n}", 6 - n, "word " * n) for n in range(1, 6)]
    assert Packet.model_validate(packet(*held, makeup={"length_correlation_at_most": 0.1}))


def test_a_correlation_that_cannot_be_computed_is_said() -> None:
    loc, says = only(Packet, packet(makeup={"length_correlation_at_most": 0.5}))
    assert loc == ("set", "makeup", "length_correlation_at_most")
    assert says.startswith(
        "The correlation of length with score cannot be computed: lengths or scores do not vary."
    )


@pytest.mark.parametrize(
    ("makeup", "loc", "says"),
    [
        ({"words_from": 9, "words_to": 8}, ("words_to",), "The words run from 9 to 8."),
        ({"scores": [{"score": 1, "papers": 1}] * 2}, ("scores", 1, "score"), "The score `1` repeats `1`."),
        (
            {"features": [{"feature": "dull", "papers": 1}] * 2},
            ("features", 1, "feature"),
            "The feature `dull`",
        ),
        (
            {"features": [{"feature": "dull", "papers": 1, "score_from": 3, "score_to": 2}]},
            ("features", 0, "score_to"),
            "The scores run from 3 to 2.",
        ),
        ({"scores": [{"score": 1, "papers": 0}]}, ("scores", 0, "papers"), ""),
        ({"length_correlation_at_most": 1.1}, ("length_correlation_at_most",), ""),
    ],
)
def test_a_promise_makes_sense_by_itself(makeup: dict[str, Any], loc: tuple[Any, ...], says: str) -> None:
    at, found = only(CalibrationSet, said(makeup=makeup))
    assert at == ("makeup", *loc)
    assert found.startswith(says)
