from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.integrity import check_store
from grader_app.workflow.coded_answers import coded_answers, decide_code
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.item_closing import close_item

Make = Callable[..., SmallWorkspace]
OFF_TOPIC = GradeEntry(condition_code="off-topic")


def code(small: SmallWorkspace, response_id: str, note: str = "") -> None:
    """Let every reader of an answer call it off topic."""
    for grader in small.graders:
        for dealt in small.queue(grader):
            if dealt.response_id == response_id:
                small.submit(dealt, entry=OFF_TOPIC, note=note)


@pytest.fixture
def coded(small: SmallWorkspace) -> tuple[SmallWorkspace, str]:
    response_id = small.queue(small.graders[0])[0].response_id
    code(small, response_id, "It answers another question.")
    return small, response_id


def final_of(small: SmallWorkspace, response_id: str) -> tuple[float | None, str, str]:
    with small.bench.record() as record:
        found = record.standing(response_id)
    return found.final, found.status, found.why


def test_a_code_the_rubric_leaves_to_the_lead_waits_in_a_queue_of_its_own(
    coded: tuple[SmallWorkspace, str],
) -> None:
    small, response_id = coded
    (found,) = coded_answers(small.bench)
    assert (found.response_id, found.title, found.reads) == (response_id, "Off topic", 1)
    assert found.notes == ("It answers another question.",)
    assert found.answer.startswith("Answer ")
    assert found.can_be_read
    blank = small.queue(small.graders[1])[0]
    small.submit(blank, entry=GradeEntry(condition_code="blank"))
    assert len(coded_answers(small.bench)) == 1


@pytest.mark.parametrize(
    ("counts_as", "final", "why"),
    [
        ("zero", 0, "Off topic: the lead decided that it counts as zero."),
        ("lowest", 0, "Off topic: the lead decided that it counts as the lowest score."),
        ("excluded", None, "Off topic: the lead decided that it is left out of the composite."),
    ],
)
def test_the_leads_decision_stands(
    coded: tuple[SmallWorkspace, str], counts_as: str, final: float | None, why: str
) -> None:
    small, response_id = coded
    assert decide_code(small.bench, small.actor, response_id, counts_as, "It is about another ferry.") == 0
    assert final_of(small, response_id) == (final, "coded", why)
    assert coded_answers(small.bench) == []
    (made,) = coded_answers(small.bench, decided=True)
    assert (made.decided, made.said) == (counts_as, "It is about another ferry.")
    check_store(small.bench.store)


def test_a_later_decision_replaces_the_first(coded: tuple[SmallWorkspace, str]) -> None:
    small, response_id = coded
    decide_code(small.bench, small.actor, response_id, "zero")
    decide_code(small.bench, small.actor, response_id, "excluded")
    assert final_of(small, response_id)[0] is None
    assert small.count(EventKind.CODE_DECIDED) == 2


def test_a_decision_holds_for_its_code_and_no_longer(coded: tuple[SmallWorkspace, str]) -> None:
    small, response_id = coded
    decide_code(small.bench, small.actor, response_id, "zero")
    dealt = next(d for g in small.graders for d in small.queue(g) if d.response_id == response_id)
    correct_grade(
        small.bench,
        dealt.grader_id,
        dealt.assignment_id,
        GradeEntry(score=3),
        reason="Read again.",
        token="c",
    )
    assert final_of(small, response_id)[:2] == (3, "final")


def test_an_answer_to_be_scored_goes_to_somebody_new_in_place_of_the_coded_read(
    coded: tuple[SmallWorkspace, str],
) -> None:
    small, response_id = coded
    assert decide_code(small.bench, small.actor, response_id, "scored") == 1
    assert final_of(small, response_id)[1] == "waiting"
    (fresh,) = (d for d in small.queue(small.graders[1]) if d.response_id == response_id)
    assert fresh.read_number == 1
    small.submit(fresh, 2)
    assert final_of(small, response_id)[:2] == (2, "final")
    with small.bench.record() as record:
        given = [g.condition_code for g in record.grades.values() if g.response_id == response_id]
    assert sorted(given, key=str) == [None, "off-topic"]
    check_store(small.bench.store)


def test_each_coded_read_is_replaced_as_far_as_there_are_graders(make: Make) -> None:
    small = make(graders=4, reading="reads: 2", answers=1)
    response_id = next(d.response_id for g in small.graders for d in small.queue(g))
    code(small, response_id)
    assert coded_answers(small.bench)[0].reads == 2
    assert decide_code(small.bench, small.actor, response_id, "scored") == 2
    with small.bench.record() as record:
        assert record.expected_reads(response_id) == 2


def test_with_nobody_new_to_it_the_lead_decides_how_it_counts(make: Make) -> None:
    small = make(graders=1, answers=1)
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, entry=OFF_TOPIC)
    assert not coded_answers(small.bench)[0].can_be_read
    with pytest.raises(NotAllowed, match="Add a grader, or decide how it counts"):
        decide_code(small.bench, small.actor, dealt.response_id, "scored")
    decide_code(small.bench, small.actor, dealt.response_id, "lowest")
    assert final_of(small, dealt.response_id)[0] == 0


def test_what_does_not_wait_cannot_be_decided(coded: tuple[SmallWorkspace, str]) -> None:
    small, response_id = coded
    graded = small.queue(small.graders[1])[0]
    small.submit(graded, 4)
    with pytest.raises(NotAllowed, match="no longer waits"):
        decide_code(small.bench, small.actor, graded.response_id, "zero")
    with pytest.raises(GradeProblem, match="no decision"):
        decide_code(small.bench, small.actor, response_id, "half")
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(NotAllowed, match="Reopen it first"):
        decide_code(small.bench, small.actor, response_id, "zero")
    assert small.count(EventKind.CODE_DECIDED) == 0
