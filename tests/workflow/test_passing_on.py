from __future__ import annotations

import pytest

from grader_app.domain.panel import Role
from grader_app.errors import NotAllowed
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.monitoring import pause
from grader_app.workflow.passing_on import pass_on, possible_takers, waiting_for


def test_waiting_answers_go_to_the_shortest_queues_and_graded_ones_stay(make) -> None:
    small = make(graders=3, answers=12, reading="reads: 1\nworkload: as_dealt")
    giver, one, other = small.graders
    small.submit(small.queue(giver)[0])
    small.submit(small.queue(one)[0])
    done = pass_on(small.bench, small.actor, giver.account_id)
    assert done.moved == {one.account_id: 2, other.account_id: 1}
    assert done.stayed == 0
    assert waiting_for(small.bench, giver.account_id) == []
    assert next_sheet_or_none(small.bench, giver.account_id) is None
    with small.bench.record() as record:
        assert len(record.grades) == 2
        assert all(record.expected_reads(r) == 1 for r in record.response_ids("mee-barge"))


def test_they_can_all_go_to_one_grader(make) -> None:
    small = make(graders=3, answers=12)
    giver, one, _ = small.graders
    assert pass_on(small.bench, small.actor, giver.account_id, one.account_id).moved == {one.account_id: 4}


def test_nobody_gets_an_answer_they_have_had(make) -> None:
    small = make(graders=2, answers=4, reading="reads: 2")
    giver, other = small.graders
    assert pass_on(small.bench, small.actor, giver.account_id).stayed == 4
    assert len(small.queue(other)) == 4


def test_nobody_gets_an_answer_of_a_question_they_may_not_grade_now(make) -> None:
    small = make(graders=3, answers=6)
    giver, one, other = small.graders
    pause(small.bench, small.actor, one.account_id, "mee-barge")
    assert pass_on(small.bench, small.actor, giver.account_id).moved == {other.account_id: 2}


def test_apprentices_take_nothing_over_and_give_nothing_away(make) -> None:
    small = make(graders=1, answers=4)
    apprentice, _ = add_account(small.bench, small.actor, "junior", Role.GRADER, apprentice=True)
    deal(small.bench, small.actor)
    (giver,) = small.graders
    assert possible_takers(small.bench, giver.account_id) == []
    with pytest.raises(NotAllowed, match="no other grader"):
        pass_on(small.bench, small.actor, giver.account_id)
    with pytest.raises(NotAllowed, match="No answer waits"):
        pass_on(small.bench, small.actor, apprentice.account_id)
