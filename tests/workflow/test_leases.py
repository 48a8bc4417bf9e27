import pytest

from grader_app.store import leases as kept
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.leases import hold_or_none, is_leased
from grader_app.workflow.referrals import deal_to_another


def leased(small, dealt):
    with small.bench.store.write() as connection:
        return is_leased(connection, dealt.assignment_id, small.bench.now())


@pytest.fixture
def dealt(small):
    return small.queue(small.graders[0])[0]


def test_an_answer_nobody_has_opened_has_no_lease(small, dealt):
    assert not leased(small, dealt)


def test_an_answer_on_the_desk_is_held_for_an_hour(small, dealt):
    hold_or_none(small.bench, dealt.assignment_id)
    small.clock.passes(minutes=59)
    assert leased(small, dealt)
    small.clock.passes(minutes=1)
    assert not leased(small, dealt)


def test_the_round_says_how_long_an_answer_is_held(make):
    small = make(reading="reads: 1\nlease_minutes: 5")
    dealt = small.queue(small.graders[0])[0]
    hold_or_none(small.bench, dealt.assignment_id)
    small.clock.passes(minutes=4)
    assert leased(small, dealt)
    small.clock.passes(minutes=1)
    assert not leased(small, dealt)


def test_looking_again_holds_it_anew(small, dealt):
    first = hold_or_none(small.bench, dealt.assignment_id)
    assert hold_or_none(small.bench, dealt.assignment_id) == first, "a lease just taken is not written again"
    small.clock.passes(minutes=50)
    assert hold_or_none(small.bench, dealt.assignment_id) > first
    small.clock.passes(minutes=50)
    assert leased(small, dealt)


def test_an_answer_out_of_the_queue_is_held_for_nobody(small, dealt):
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    assert hold_or_none(small.bench, dealt.assignment_id) is None
    deal_to_another(small.bench, small.actor, dealt.assignment_id, small.graders[1].account_id)
    assert hold_or_none(small.bench, dealt.assignment_id) is None
    assert not leased(small, dealt)


def test_letting_go_ends_a_lease(small, dealt):
    hold_or_none(small.bench, dealt.assignment_id)
    with small.bench.store.write() as connection:
        kept.let_go(connection, dealt.assignment_id)
    assert not leased(small, dealt)
