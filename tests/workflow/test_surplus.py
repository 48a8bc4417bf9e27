from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment
from grader_app.errors import NotAllowed, SourcesAreRevealed, VerificationFailed
from grader_app.store.integrity import check_store
from grader_app.workflow.clock import as_words
from grader_app.workflow.desk_state import desk_state
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import get_draft_or_none, save_draft, serve_next_or_none
from grader_app.workflow.referrals import deal_to_another
from grader_app.workflow.surplus import count_surplus, surplus_grades


@pytest.fixture
def dealt(small: SmallWorkspace) -> Assignment:
    """The first answer of a queue, on its grader's desk."""
    dealt = small.queue(small.graders[0])[0]
    sheet = serve_next_or_none(small.bench, dealt.grader_id)
    assert sheet is not None
    assert sheet.assignment_id == dealt.assignment_id
    return dealt


def take_out(small: SmallWorkspace, dealt: Assignment) -> None:
    small.append(EventKind.ANSWER_RETURNED, dealt.assignment_id, decision="taken_out")


def test_a_grade_after_its_answer_went_elsewhere_is_kept_and_counts_nowhere(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.clock.passes(minutes=61)
    take_out(small, dealt)
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5})
    receipt = small.submit(dealt, 5, note="Worth keeping.")
    assert receipt.surplus is not None
    assert receipt.surplus.why == "time_ran_out"
    at = as_words(receipt.surplus.at)
    assert receipt.surplus.says.startswith(
        f"This answer went to another reader at {at}, because its time with you had run out."
    )
    assert small.count(EventKind.GRADE_SUBMITTED) == 0
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) is None
    with small.bench.record() as record:
        assert record.grades == {}
        assert record.history == {}
        assert record.surplus[dealt.assignment_id].score == 5
    (kept,) = surplus_grades(small.bench, dealt.response_id)
    assert (kept.gave, kept.why, kept.grade.grader_id) == ("5", "time_ran_out", dealt.grader_id)
    assert count_surplus(small.bench) == count_surplus(small.bench, "mee-barge") == 1
    check_store(small.bench.store)


def test_an_answer_moved_while_its_time_ran_says_so(small: SmallWorkspace, dealt: Assignment) -> None:
    take_out(small, dealt)
    receipt = small.submit(dealt, 5)
    assert receipt.surplus is not None
    assert "because it had been given to somebody else" in receipt.surplus.says


def test_a_resend_of_a_surplus_grade_is_told_the_same_and_adds_nothing(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.clock.passes(minutes=61)
    take_out(small, dealt)
    first = small.submit(dealt, 5, token="resend")
    before = small.counts()
    again = small.submit(dealt, 5, token="resend")
    assert again.repeated
    assert (again.event_seq, again.surplus) == (first.event_seq, first.surplus)
    with pytest.raises(NotAllowed, match="kept as surplus"):
        small.submit(dealt, 2, token="another")
    assert small.counts() == before


def test_an_expired_lease_strands_nothing(small: SmallWorkspace, dealt: Assignment) -> None:
    small.clock.passes(days=3)
    sheet = serve_next_or_none(small.bench, dealt.grader_id)
    assert sheet is not None
    assert sheet.assignment_id == dealt.assignment_id
    small.clock.passes(days=3)
    assert small.submit(dealt).surplus is None
    assert small.count(EventKind.GRADE_SUBMITTED) == 1


def test_what_a_grader_sent_away_is_no_surplus(small: SmallWorkspace, dealt: Assignment) -> None:
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    deal_to_another(small.bench, small.actor, dealt.assignment_id, small.graders[1].account_id)
    with pytest.raises(NotAllowed, match="out of your queue"):
        small.submit(dealt)
    assert count_surplus(small.bench) == 0


def test_a_revealed_answer_takes_no_surplus_either(small: SmallWorkspace, dealt: Assignment) -> None:
    take_out(small, dealt)
    small.append(EventKind.SOURCES_REVEALED, "w", response_ids=[dealt.response_id])
    with pytest.raises(SourcesAreRevealed):
        small.submit(dealt)


def test_a_page_that_asks_is_told_that_its_answer_went_elsewhere(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    before = desk_state(small.bench, dealt.grader_id, dealt.assignment_id, at_work=True)
    assert before.elsewhere is None
    assert before.leased_until is not None
    small.clock.passes(minutes=61)
    take_out(small, dealt)
    after = desk_state(small.bench, dealt.grader_id, dealt.assignment_id, at_work=True)
    assert after.elsewhere is not None
    assert after.elsewhere.why == "time_ran_out"
    assert after.leased_until is None
    small.submit(dealt)
    told = desk_state(small.bench, dealt.grader_id, dealt.assignment_id)
    assert told.surplus_at is not None
    assert told.submitted_at is None


def test_a_surplus_grade_whose_token_is_gone_is_a_fault(small: SmallWorkspace, dealt: Assignment) -> None:
    body = {"score": 5, "why": "moved", "taken_out_seq": 1}
    small.append(EventKind.SURPLUS_GRADE_KEPT, dealt.assignment_id, **body)
    with pytest.raises(VerificationFailed, match="submission that made event"):
        check_store(small.bench.store)
