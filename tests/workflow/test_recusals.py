from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.assignments import assignments_of, waiting_in_queue
from grader_app.store.integrity import check_store
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.assignment import deal, record_deal
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.recusals import lift_recusal, recusals
from grader_app.workflow.referrals import (
    deal_to_another,
    open_referrals,
    other_graders,
    return_to_grader,
)

Make = Callable[..., SmallWorkspace]


def steps_aside(small: SmallWorkspace, dealt: Assignment, note: str = "") -> None:
    token = next(small.tokens)
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "conflict", token=token, note=note)


def waiting(small: SmallWorkspace, grader: int) -> list[str]:
    found = waiting_in_queue(small.bench.store, small.graders[grader].account_id)
    return [one.response_id for one in found]


@pytest.fixture
def two_answers(make: Make) -> SmallWorkspace:
    """Three graders; one candidate has answered both questions, and one grader has both answers to read."""
    small = make(graders=3, answers=0, dealt=False, reading="reads: 1\nworkload: as_dealt")
    first, second = small.take_in_of_one_candidate("mee-barge", "rule-ferry")
    small.take_in("mee-barge", 3)
    reader = small.graders[0].account_id
    for item, response_id in (("mee-barge", first), ("rule-ferry", second)):
        with small.bench.store.write() as connection:
            dealt = Assignment(f"a{item}", response_id, item, reader, 1, 1)
            record_deal(small.bench, connection, small.actor, item, reader, [dealt])
    deal(small.bench, small.actor)
    return small


def test_a_recusal_deals_the_answer_to_another_at_once_and_asks_nobody(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    steps_aside(small, dealt, "My niece, I think.")
    assert open_referrals(small.bench) == []
    assert dealt.response_id not in waiting(small, 0)
    assert waiting(small, 1)[-1] == dealt.response_id
    (held,) = recusals(small.bench)
    assert (held.assignment_id, held.note, held.waits) == (dealt.assignment_id, "My niece, I think.", False)
    check_store(small.bench.store)


def test_everything_else_the_candidate_wrote_leaves_the_queue_too(two_answers: SmallWorkspace) -> None:
    steps_aside(two_answers, two_answers.queue(two_answers.graders[0], "rule-ferry")[0])
    moved = {"amee-barge", "arule-ferry"}
    left = waiting_in_queue(two_answers.bench.store, two_answers.graders[0].account_id)
    assert moved.isdisjoint(one.assignment_id for one in left)
    with two_answers.bench.record() as record:
        responses = {record.assignments[a].response_id for a in moved}
        assert record.released == moved
    assert responses <= set(waiting(two_answers, 1) + waiting(two_answers, 2))


def test_later_answers_of_the_candidate_never_come_to_that_grader(two_answers: SmallWorkspace) -> None:
    small = two_answers
    steps_aside(small, small.queue(small.graders[0], "rule-ferry")[0])
    with small.bench.record() as record:
        ((_, candidate),) = record.recusals
    late = [small.take_in_of("mee-barge", candidate) for _ in range(6)]
    (dealt,) = deal(small.bench, small.actor, "mee-barge")
    assert (dealt.answers, dealt.held_back) == (6, 0)
    assert set(late).isdisjoint(waiting(small, 0))
    assert set(late) <= set(waiting(small, 1) + waiting(small, 2))


def test_an_answer_too_few_may_read_stays_undealt_until_somebody_joins(make: Make) -> None:
    small = make(reading="reads: 2", graders=3, answers=3)
    dealt = small.queue(small.graders[0])[0]
    steps_aside(small, dealt)
    with small.bench.record() as record:
        ((_, candidate),) = record.recusals
    disable_account(small.bench, small.actor, small.graders[2])
    late = small.take_in_of("mee-barge", candidate)
    (held,) = deal(small.bench, small.actor, "mee-barge")
    assert (held.answers, held.held_back) == (0, 1)
    joins = small.add_grader("grader-4")
    (now,) = deal(small.bench, small.actor, "mee-barge")
    assert (now.answers, now.second_reads, now.held_back) == (1, 1, 0)
    readers = {g.account_id for g in (small.graders[1], joins)}
    with small.bench.record() as record:
        assert {a.grader_id for a in record.assignments.values() if a.response_id == late} == readers


def test_with_nobody_else_it_waits_for_the_lead_and_goes_to_whoever_joins(make: Make) -> None:
    small = make(graders=1, answers=2)
    dealt = small.queue(small.graders[0])[0]
    steps_aside(small, dealt)
    (found,) = open_referrals(small.bench)
    assert found.is_recusal
    assert recusals(small.bench)[0].waits
    assert other_graders(small.bench, dealt.assignment_id) == []
    with pytest.raises(NotAllowed, match="knows, or may know"):
        return_to_grader(small.bench, small.actor, dealt.assignment_id)
    joins = small.add_grader("grader-2")
    deal_to_another(small.bench, small.actor, dealt.assignment_id, joins.account_id)
    assert open_referrals(small.bench) == []
    small.submit(small.queue(joins)[0], 3)
    with small.bench.record() as record:
        assert record.standing(dealt.response_id).final == 3


def test_the_lead_takes_a_recusal_back_with_a_reason_and_what_waits_returns(make: Make) -> None:
    small = make(graders=1, answers=2)
    dealt = small.queue(small.graders[0])[0]
    steps_aside(small, dealt)
    with pytest.raises(GradeProblem, match="needs a reason"):
        lift_recusal(small.bench, small.actor, dealt.assignment_id, " ")
    lift_recusal(small.bench, small.actor, dealt.assignment_id, "Another person of that name.")
    assert recusals(small.bench) == []
    assert open_referrals(small.bench) == []
    assert dealt.response_id in waiting(small, 0)
    with small.bench.record() as record:
        assert record.recusals == set()
    with pytest.raises(NotAllowed, match="does not hold any more"):
        lift_recusal(small.bench, small.actor, dealt.assignment_id, "Again.")
    check_store(small.bench.store)


def test_what_another_took_over_stays_there_when_a_recusal_is_taken_back(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    steps_aside(small, dealt)
    lift_recusal(small.bench, small.actor, dealt.assignment_id, "A mistake.")
    assert dealt.response_id not in waiting(small, 0)
    assert dealt.response_id in waiting(small, 1)
    assert recusals(small.bench) == []


@pytest.mark.parametrize("kind", [ReadKind.VALIDITY, ReadKind.REPEAT, ReadKind.APPRENTICE])
def test_a_read_that_never_counts_is_only_taken_out(small: SmallWorkspace, kind: ReadKind) -> None:
    reader, other = small.graders
    first = small.queue(reader)[0]
    small.submit(first)
    response_id = first.response_id if kind is ReadKind.REPEAT else small.queue(other)[0].response_id
    extra = Assignment("aextra", response_id, "mee-barge", reader.account_id, 99, 0, kind)
    small.plant(extra)
    before = small.count(EventKind.ANSWERS_DEALT)
    steps_aside(small, extra)
    assert open_referrals(small.bench) == []
    assert small.count(EventKind.ANSWERS_DEALT) == before
    with small.bench.record() as record:
        assert "aextra" in record.released
        assert first.assignment_id in record.grades


def test_a_third_read_goes_on_as_a_third_read(make: Make) -> None:
    small = make(graders=4, answers=1, reading="reads: 2")
    (response_id,) = {one.response_id for grader in small.graders for one in small.queue(grader)}
    readers = {one.grader_id for grader in small.graders for one in small.queue(grader)}
    third, fourth = (g for g in small.graders if g.account_id not in readers)
    extra = Assignment("athird", response_id, "mee-barge", third.account_id, 1, 3, ReadKind.THIRD)
    small.plant(extra)
    steps_aside(small, extra)
    (fresh,) = small.queue(fourth)
    assert (fresh.kind, fresh.read_number, fresh.response_id) == (ReadKind.THIRD, 3, response_id)


def test_the_graders_page_says_no_more_than_for_any_other_reason(two_answers: SmallWorkspace) -> None:
    small = two_answers
    grader = small.graders[0]
    steps_aside(small, small.queue(grader, "mee-barge")[0])
    sheet = next_sheet_or_none(small.bench, grader.account_id)
    assert sheet is None or sheet.assignment_id not in {"amee-barge", "arule-ferry"}
    own = {one.assignment_id for one in assignments_of(small.bench.store, grader.account_id)}
    other = small.queue(small.graders[1])
    assert own.isdisjoint(one.assignment_id for one in other)
