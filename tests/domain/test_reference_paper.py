"""One reference paper, whose values fit each other."""

from __future__ import annotations

from typing import Any

import pytest
from sets_and_papers import only, paper

from grader_app.domain.reference_paper import ReferencePaper


def test_words_are_counted_between_spaces() -> None:
    assert (
        ReferencePaper.model_validate(paper("E1", text=" Owner's key,\n\nhanded over — at night. ")).words
        == 7
    )


@pytest.mark.parametrize(
    ("held", "key", "says"),
    [
        (
            paper("E1", None),
            "score",
            "E1 has no score. Write its score; in a set for condition codes, a score or a code.",
        ),
        (
            paper("E1", 2, condition_code="blank"),
            "condition_code",
            "E1 has the score 2 and the condition code `blank`. Keep one of the two.",
        ),
        (
            paper("E1", None, anchor=True),
            "score",
            "E1 is an anchor and has no score. Write the score it is shown with, or `no` under `anchor`.",
        ),
        (
            paper("E1", text=" \n"),
            "text",
            "The essay is empty. Write its text, or remove file and row.",
        ),
        (
            paper("E1", matched_pair="p1"),
            "matched_pair",
            "E1 belongs to the pair `p1` and has no `style`. "
            "Write `fuller` for one of the pair, `plainer` for the other.",
        ),
        (
            paper("E1", style="fuller"),
            "style",
            "E1 is fuller, but belongs to no pair. "
            "Name its pair under `matched_pair`, or leave `style` empty.",
        ),
    ],
)
def test_a_paper_whose_values_do_not_fit_each_other(held: dict[str, Any], key: str, says: str) -> None:
    assert only(ReferencePaper, held) == ((key,), says)


def test_a_point_is_made_once() -> None:
    assert only(ReferencePaper, paper("E1", points=["care.rule", "care.rule"])) == (
        ("points", 1),
        "The point `care.rule` repeats `care.rule`. Give each its own.",
    )
