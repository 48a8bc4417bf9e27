from __future__ import annotations

from collections.abc import Callable

import pytest
from reads_of_one_answer import (
    ADJUDICATED,
    THIRD,
    an_answer,
    correct,
    judged,
    live_reads,
    read,
    reader,
    standing,
    third_reads,
)
from small_workspace import SmallWorkspace

from grader_app.agreement.of_round import ratings_of_record
from grader_app.domain.events import EventKind
from grader_app.domain.panel import ReadKind
from grader_app.errors import NotAllowed
from grader_app.store.assignments import count_waiting, waiting_in_queue
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.adjudication import open_disputes, raise_dispute
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none, save_draft, sheet_of
from grader_app.workflow.progress import planted_checks
from grader_app.workflow.redealing import deal_left_behind, left_behind
from grader_app.workflow.referrals import deal_to_another, open_referrals, other_graders
from grader_app.workflow.third_reads import settle_without_third, third_read_after


@pytest.fixture
def panel(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    """Four graders, eight answers read twice each, disputes to a third reader."""
    return make(graders=4, answers=8, reading=THIRD)


def test_the_submission_that_makes_a_dispute_deals_a_third_read_to_somebody_new(
    panel: SmallWorkspace,
) -> None:
    response_id = an_answer(panel)
    one, other = live_reads(panel, response_id)
    panel.submit(one, 2)
    assert third_reads(panel, response_id) == []
    panel.submit(other, 5)
    (third,) = third_reads(panel, response_id)
    assert third.grader_id not in {one.grader_id, other.grader_id}
    assert third.read_number == 3
    assert third.position == max(dealt.position for dealt in panel.queue(reader(panel, third)))
    assert standing(panel, response_id).why == "The reads are 3 points apart. A third reader has it."
    assert [dispute.response_id for dispute in open_disputes(panel.bench)[1]] == [response_id]


def test_it_goes_to_the_shortest_queue(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    readers = {one.grader_id for one in live_reads(panel, response_id)}
    idle = next(grader for grader in reversed(panel.graders) if grader.account_id not in readers)
    for dealt in panel.queue(idle):
        panel.submit(dealt, 4)
    read(panel, response_id, 1, 6)
    assert [one.grader_id for one in third_reads(panel, response_id)] == [idle.account_id]


def test_reads_that_agree_are_read_by_nobody_else(panel: SmallWorkspace) -> None:
    read(panel, an_answer(panel), 4, 5)
    assert third_reads(panel, an_answer(panel)) == []


def test_with_an_adjudicator_nothing_is_dealt(make: Callable[..., SmallWorkspace]) -> None:
    small = make(graders=3, answers=3, reading=ADJUDICATED)
    read(small, an_answer(small), 1, 6)
    assert third_reads(small, an_answer(small)) == []
    assert [one.response_id for one in open_disputes(small.bench)[0]] == [an_answer(small)]


def test_a_third_read_looks_live_and_settles_without_entering_agreement(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    one, _ = read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    sheet = sheet_of(panel.bench, third)
    plain = sheet_of(panel.bench, one)
    assert vars(sheet) == {**vars(plain), "assignment_id": third.assignment_id}
    panel.submit(third, 5)
    found = standing(panel, response_id)
    assert (found.raw, found.final, found.settled_by) == (3.5, 5, "third read")
    with panel.bench.record() as record:
        (rated,) = (r for r in ratings_of_record(record) if r.facet == "score" and r.item == "mee-barge")
        assert rated.ratings.n_ratings == 2


def test_it_is_served_and_counted_like_any_answer(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    before = count_waiting(panel.bench.store, third.grader_id, "mee-barge")
    for dealt in waiting_in_queue(panel.bench.store, third.grader_id)[:-1]:
        panel.submit(dealt, 4)
    sheet = next_sheet_or_none(panel.bench, third.grader_id)
    assert sheet is not None
    assert sheet.assignment_id == third.assignment_id
    assert count_waiting(panel.bench.store, third.grader_id, "mee-barge") == 1
    assert before == len(panel.queue(reader(panel, third)))
    assert planted_checks(panel.bench)[third.grader_id].left == 0


def test_a_correction_that_ends_the_dispute_takes_an_unread_third_read_out(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    _, other = read(panel, response_id, 2, 5)
    correct(panel, other, 3)
    (third,) = third_reads(panel, response_id)
    assert third not in waiting_in_queue(panel.bench.store, third.grader_id)
    assert (standing(panel, response_id).final, standing(panel, response_id).status) == (2.5, "final")


def test_a_third_read_on_the_desk_is_finished_and_counts(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    _, other = read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    save_draft(panel.bench, third.grader_id, third.assignment_id, {"score": 3})
    correct(panel, other, 3)
    assert standing(panel, response_id).why == "A third read is under way."
    panel.submit(third, 3)
    assert standing(panel, response_id).final == 3


def test_a_correction_that_makes_the_dispute_deals_one_and_a_second_call_adds_none(
    panel: SmallWorkspace,
) -> None:
    response_id = an_answer(panel)
    _, other = read(panel, response_id, 2, 3)
    correct(panel, other, 6)
    assert len(third_reads(panel, response_id)) == 1
    third_read_after(panel.bench, other)
    assert len(third_reads(panel, response_id)) == 1


def test_a_dispute_that_comes_back_is_dealt_to_somebody_who_never_had_it(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    _, other = read(panel, response_id, 2, 5)
    correct(panel, other, 3)
    correct(panel, other, 6)
    first, second = third_reads(panel, response_id)
    assert first.grader_id != second.grader_id


def test_without_anybody_new_the_dispute_goes_to_the_adjudicator(make: Callable[..., SmallWorkspace]) -> None:
    small = make(graders=2, answers=2, reading=THIRD)
    read(small, an_answer(small), 1, 6)
    assert third_reads(small, an_answer(small)) == []
    assert [one.response_id for one in open_disputes(small.bench)[0]] == [an_answer(small)]


def test_nobody_gets_one_who_may_not_grade(make: Callable[..., SmallWorkspace]) -> None:
    small = make(graders=3, answers=3, reading=THIRD)
    response_id = an_answer(small)
    readers = {one.grader_id for one in live_reads(small, response_id)}
    (free,) = (grader for grader in small.graders if grader.account_id not in readers)
    disable_account(small.bench, small.actor, free)
    read(small, response_id, 1, 6)
    assert third_reads(small, response_id) == []


def test_a_third_read_the_other_two_cannot_agree_with_goes_to_the_adjudicator(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    panel.submit(third, entry=judged("blank"))
    ((dispute,), with_third) = open_disputes(panel.bench)
    assert (dispute.kind, with_third) == ("A third read did not settle it", [])
    assert len(third_reads(panel, response_id)) == 1


def test_a_raised_dispute_goes_to_a_third_reader_once(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 4, 4)
    raise_dispute(panel.bench, panel.actor, response_id, "The second issue was missed.")
    (third,) = third_reads(panel, response_id)
    panel.submit(third, 2)
    assert standing(panel, response_id).final == 3
    raise_dispute(panel.bench, panel.actor, response_id, "Still.")
    assert len(third_reads(panel, response_id)) == 1
    assert [one.response_id for one in open_disputes(panel.bench)[0]] == [response_id]


def test_a_third_read_of_a_grader_who_leaves_goes_on_as_a_third_read(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    disable_account(panel.bench, panel.actor, reader(panel, third))
    assert third in left_behind(panel.bench)
    deal_left_behind(panel.bench, panel.actor)
    _, again = third_reads(panel, response_id)
    assert (again.kind, again.read_number) == (ReadKind.THIRD, 3)
    assert again.grader_id not in {one.grader_id for one in live_reads(panel, response_id)} | {
        third.grader_id
    }
    assert standing(panel, response_id).status == "disputed"


def test_a_third_read_sent_to_the_lead_goes_on_to_another_new_reader(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    refer_to_lead(panel.bench, third.grader_id, third.assignment_id, "other", token="t")
    (left,) = other_graders(panel.bench, third.assignment_id)
    deal_to_another(panel.bench, panel.actor, third.assignment_id, left.account_id)
    assert [one.kind for one in third_reads(panel, response_id)] == [ReadKind.THIRD] * 2


def test_the_lead_can_take_a_waiting_third_read_back(panel: SmallWorkspace) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 2, 5)
    (third,) = third_reads(panel, response_id)
    refer_to_lead(panel.bench, third.grader_id, third.assignment_id, "conflict", token="t")
    settle_without_third(panel.bench, panel.actor, response_id)
    assert open_referrals(panel.bench) == []
    assert [one.response_id for one in open_disputes(panel.bench)[0]] == [response_id]
    with pytest.raises(NotAllowed, match="No third read"):
        settle_without_third(panel.bench, panel.actor, response_id)


def test_a_third_read_is_dealt_in_the_log_with_its_kind(panel: SmallWorkspace) -> None:
    read(panel, an_answer(panel), 2, 5)
    with panel.bench.record() as record:
        (third,) = (one for one in record.assignments.values() if one.kind is ReadKind.THIRD)
        assert record.waiting_third_or_none(third.response_id) == third
    assert panel.count(EventKind.ANSWERS_DEALT) == 5
