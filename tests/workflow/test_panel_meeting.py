"""What the panel's meeting shows, and the feedback that graders get after it."""

from __future__ import annotations

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from panel_packets import (
    SET,
    drawn_round,  # noqa: F401 - a fixture
    freeze,
    frozen_round,  # noqa: F401 - a fixture
    judge,
    papers_of,
    read,
    undrawn_round,  # noqa: F401 - a fixture
)
from small_workspace import SmallWorkspace

from grader_app.errors import NotAllowed
from grader_app.workflow.feedback import feedback_of, meeting_of
from grader_app.workflow.panel_reference import Consensus


def test_the_meeting_names_papers_by_number_and_shows_a_reference_once_it_is_frozen(
    drawn: SmallWorkspace,
) -> None:
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    read(drawn, drawn.graders[1], 1, 4, 3, 4, 5)
    papers = meeting_of(drawn.bench, SET, 1)
    assert [paper.essay for paper in papers] == ["Paper 02", "Paper 01", "Paper 03", "Paper 04", "Paper 05"]
    assert [paper.response_id for paper in sorted(papers, key=lambda p: p.essay)] == papers_of(drawn, 1)
    assert {paper.reference for paper in papers} == {"\N{EN DASH}"}
    assert (papers[0].middle, papers[0].apart) == (2, 2)
    assert papers[0].text.startswith("control")
    freeze(drawn, 1, p02=Consensus(3, reason="Half of it is there."))
    first = meeting_of(drawn.bench, SET, 1)[0]
    assert (first.essay, first.reference, first.rationale) == ("Paper 02", "3", "Half of it is there.")
    assert meeting_of(drawn.bench, SET, 2) == ()


def test_feedback_on_the_first_packet_comes_with_what_was_frozen(drawn: SmallWorkspace) -> None:
    one = read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    read(drawn, drawn.graders[1], 1, 4, 3, 4, 5)
    assert feedback_of(drawn.bench, one.grader_id, one.attempt_id).papers == ()
    freeze(drawn, 1, p02=Consensus(3, reason="Half of it is there."))
    found = feedback_of(drawn.bench, one.grader_id, one.attempt_id).papers
    assert [(p.essay, p.gave, p.reference, p.apart) for p in found] == [
        ("Paper 02", "2", "3", -1),
        ("Paper 01", "1", "1", 0),
        ("Paper 03", "3", "3", 0),
        ("Paper 04", "4", "4", 0),
        ("Paper 05", "5", "5", 0),
    ]
    assert found[0].rationale == "Half of it is there."


def test_feedback_on_the_second_packet_waits_for_the_lead_and_shows_no_answers_id(
    frozen: SmallWorkspace,
) -> None:
    one, *_ = (read(frozen, grader, 1, 2, 3, 4, 5) for grader in frozen.graders)
    with pytest.raises(
        NotAllowed, match=r"Your scores are in\. Feedback comes once the panel lead has judged"
    ):
        feedback_of(frozen.bench, one.grader_id, one.attempt_id)
    judge(frozen)
    found = feedback_of(frozen.bench, one.grader_id, one.attempt_id)
    assert [paper.essay for paper in found.papers] == [f"Paper 0{n}" for n in range(1, 6)]
    shown = repr((found.papers, found.report))
    assert not any(r in shown for r in papers_of(frozen, 2))
