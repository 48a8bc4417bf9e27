from __future__ import annotations

from collections.abc import Callable

from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.store.assignments import waiting_in_queue
from grader_app.store.integrity import check_store
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.redealing import deal_left_behind, left_behind

Make = Callable[..., SmallWorkspace]


def test_what_waits_for_a_disabled_grader_goes_to_the_others_and_what_they_graded_stays(
    small: SmallWorkspace,
) -> None:
    leaver = small.graders[0]
    first, *rest = small.queue(leaver)
    small.submit(first)
    waiting = waiting_in_queue(small.bench.store, leaver.account_id)
    assert len(waiting) >= len(rest) > 0
    assert left_behind(small.bench) == []

    disable_account(small.bench, small.actor, leaver)
    assert {dealt.response_id for dealt in left_behind(small.bench)} == {d.response_id for d in waiting}
    taken_over = deal_left_behind(small.bench, small.actor)

    with small.bench.record() as record:
        for old in waiting:
            others = [
                a
                for a in record.assignments.values()
                if a.response_id == old.response_id and a.grader_id != leaver.account_id
            ]
            assert others, "an answer was stranded"
        assert record.grades[first.assignment_id].grader_id == leaver.account_id
        assert all(record.expected_reads(dealt.response_id) > 0 for dealt in waiting)
    assert taken_over + len(left_behind(small.bench)) == len(waiting)
    check_store(small.bench.store)


def test_nobody_is_given_an_answer_twice_and_queues_end_up_alike(small: SmallWorkspace) -> None:
    disable_account(small.bench, small.actor, small.graders[0])
    deal_left_behind(small.bench, small.actor)
    with small.bench.record() as record:
        pairs = [(a.grader_id, a.response_id) for a in record.assignments.values()]
    assert len(pairs) == len(set(pairs))


def test_taking_over_again_moves_nothing(small: SmallWorkspace) -> None:
    disable_account(small.bench, small.actor, small.graders[0])
    deal_left_behind(small.bench, small.actor)
    before = small.count(EventKind.ANSWERS_DEALT)
    assert deal_left_behind(small.bench, small.actor) == 0
    assert small.count(EventKind.ANSWERS_DEALT) == before


def test_closed_items_and_answers_with_the_lead_are_not_taken_over(small: SmallWorkspace) -> None:
    leaver = small.graders[0]
    first, second, *_ = small.queue(leaver)
    small.submit(first)
    refer_to_lead(small.bench, leaver.account_id, second.assignment_id, "other", token="r")
    close_item(small.bench, small.actor, "mee-barge")
    disable_account(small.bench, small.actor, leaver)
    left = left_behind(small.bench)
    assert second.assignment_id not in {dealt.assignment_id for dealt in left}
    assert "mee-barge" not in {dealt.item for dealt in left}


def test_answers_of_a_grader_who_is_stopped_go_to_others_and_no_more_come(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", graders=3, answers=6)
    stopped, *others = made.graders
    waiting = {dealt.response_id for dealt in made.queue(stopped)}
    assert waiting
    assert left_behind(made.bench) == []
    made.calibrate(stopped, off=2)
    made.calibrate(others[0])
    assert {dealt.response_id for dealt in left_behind(made.bench)} == waiting
    assert deal_left_behind(made.bench, made.actor) == len(waiting)
    assert left_behind(made.bench) == []
    made.take_in("mee-barge", 6)
    deal(made.bench, made.actor)
    assert {dealt.response_id for dealt in made.queue(stopped)} == waiting
    assert sum(len(made.queue(grader)) for grader in others) == 12


def test_two_reads_of_one_answer_left_behind_go_to_two_graders(make: Make) -> None:
    made = make(graders=5, answers=1, reading="reads: 2")
    (response_id,) = {dealt.response_id for grader in made.graders for dealt in made.queue(grader)}
    readers = [grader for grader in made.graders if made.queue(grader)]
    for reader in readers:
        disable_account(made.bench, made.actor, reader)
    assert deal_left_behind(made.bench, made.actor) == 2
    now = [grader for grader in made.graders if made.queue(grader) and grader not in readers]
    assert len(now) == 2
    assert [dealt.response_id for grader in now for dealt in made.queue(grader)] == [response_id] * 2
    check_store(made.bench.store)
