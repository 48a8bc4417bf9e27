from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, Role
from grader_app.errors import NotAllowed
from grader_app.workflow.accounts import add_account, disable_account
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.referrals import deal_to_another, open_referrals, other_graders, return_to_grader


@pytest.fixture
def referred(small: SmallWorkspace) -> Assignment:
    dealt = small.queue(small.graders[0])[0]
    refer_to_lead(
        small.bench, dealt.grader_id, dealt.assignment_id, "source-shown", token="t", note="It is signed."
    )
    return dealt


def test_the_lead_sees_the_reason_in_words_the_note_and_the_answer(
    small: SmallWorkspace, referred: Assignment
) -> None:
    (found,) = open_referrals(small.bench)
    assert (found.assignment_id, found.item, found.grader_id) == (
        referred.assignment_id, "mee-barge", referred.grader_id,
    )  # fmt: skip
    assert found.reason == "The text names its writer, and I cannot grade it as if it did not"
    assert found.note == "It is signed."
    assert found.answer.startswith("Answer ")


def test_a_returned_answer_is_first_in_its_queue_again_and_waits_no_more(
    small: SmallWorkspace, referred: Assignment
) -> None:
    return_to_grader(small.bench, small.actor, referred.assignment_id, "Please grade it as it stands.")
    assert open_referrals(small.bench) == []
    sheet = next_sheet_or_none(small.bench, referred.grader_id)
    assert sheet is not None
    assert sheet.assignment_id == referred.assignment_id
    with pytest.raises(NotAllowed, match="no longer waits"):
        return_to_grader(small.bench, small.actor, referred.assignment_id)
    assert small.count(EventKind.ANSWER_RETURNED) == 1


def test_an_answer_dealt_to_another_stands_last_in_that_queue_under_a_new_id(
    small: SmallWorkspace, referred: Assignment
) -> None:
    other = small.graders[1]
    last = small.queue(other)[-1].position
    deal_to_another(small.bench, small.actor, referred.assignment_id, other.account_id)
    fresh = small.queue(other)[-1]
    assert (fresh.response_id, fresh.read_number) == (referred.response_id, referred.read_number)
    assert fresh.position == last + 1
    assert fresh.assignment_id != referred.assignment_id
    assert open_referrals(small.bench) == []
    small.submit(fresh, 4)
    with small.bench.record() as record:
        assert record.standing(referred.response_id).final == 4


def test_a_referral_is_settled_once(small: SmallWorkspace, referred: Assignment) -> None:
    other = small.graders[1].account_id
    deal_to_another(small.bench, small.actor, referred.assignment_id, other)
    before = small.counts()
    for act in (
        lambda: deal_to_another(small.bench, small.actor, referred.assignment_id, other),
        lambda: return_to_grader(small.bench, small.actor, referred.assignment_id),
        lambda: other_graders(small.bench, referred.assignment_id),
    ):
        with pytest.raises(NotAllowed, match="no longer waits"):
            act()
    assert small.counts() == before


def test_who_has_read_an_answer_or_cannot_grade_is_not_offered_it(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(graders=4, reading="reads: 2", answers=4)
    dealt = small.queue(small.graders[0])[0]
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    add_account(small.bench, small.actor, "ash", Role.GRADER, simulated=True)
    add_account(small.bench, small.actor, "lead", Role.LEAD)
    with small.bench.record() as record:
        readers = {a.grader_id for a in record.assignments.values() if a.response_id == dealt.response_id}
    free = [grader for grader in small.graders if grader.account_id not in readers]
    disable_account(small.bench, small.actor, free[0])
    assert [g.account_id for g in other_graders(small.bench, dealt.assignment_id)] == [free[1].account_id]
    for nobody in (*readers, free[0].account_id, "pnone"):
        with pytest.raises(NotAllowed, match="Choose another"):
            deal_to_another(small.bench, small.actor, dealt.assignment_id, nobody)
    assert len(open_referrals(small.bench)) == 1


def test_referrals_come_oldest_first(small: SmallWorkspace) -> None:
    order = [small.queue(small.graders[1])[1], small.queue(small.graders[0])[0]]
    for number, dealt in enumerate(order):
        refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token=f"t{number}")
    assert [found.assignment_id for found in open_referrals(small.bench)] == [
        dealt.assignment_id for dealt in order
    ]
    assert [found.note for found in open_referrals(small.bench)] == ["", ""]
