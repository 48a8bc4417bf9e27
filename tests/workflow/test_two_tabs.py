from __future__ import annotations

from typing import Any

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import AlreadyGraded, DraftMovedOn
from grader_app.store.drafts import Draft
from grader_app.workflow.changed_grades import changed_or_none, changed_since_submission
from grader_app.workflow.clock import as_words
from grader_app.workflow.desk_state import desk_state
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import discard_draft, get_draft_or_none, save_draft
from grader_app.workflow.own_grades import own_history

NOTHING = (0, "")


@pytest.fixture
def dealt(small: SmallWorkspace) -> Assignment:
    return small.queue(small.graders[0])[0]


def save(
    small: SmallWorkspace, dealt: Assignment, tab: str, based_on: Draft | tuple[int, str], **body: Any
) -> Draft:
    base = (based_on.revision, based_on.saved_at) if isinstance(based_on, Draft) else based_on
    said = {"tab": tab, **body}
    return save_draft(small.bench, dealt.grader_id, dealt.assignment_id, said, base)


def test_a_draft_another_tab_has_saved_since_is_not_overwritten(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    first = save(small, dealt, "one", NOTHING, note="first")
    with pytest.raises(DraftMovedOn, match=as_words(first.saved_at)):
        save(small, dealt, "two", NOTHING, note="second")
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) == first


def test_whoever_has_seen_the_other_draft_may_replace_it(small: SmallWorkspace, dealt: Assignment) -> None:
    first = save(small, dealt, "one", NOTHING, note="first")
    second = save(small, dealt, "two", first, note="second")
    with pytest.raises(DraftMovedOn):
        save(small, dealt, "one", first, note="third")
    kept = get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id)
    assert kept == second


def test_a_save_whose_acknowledgement_was_lost_is_no_other_tab(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    save(small, dealt, "one", NOTHING, note="kept, but nobody was told")
    again = save(small, dealt, "one", NOTHING, note="kept, but nobody was told, and more")
    assert again.revision == 2


def test_an_equal_revision_after_a_discard_is_not_taken_for_the_same_draft(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    first = save(small, dealt, "one", NOTHING, note="first")
    discard_draft(small.bench, dealt.grader_id, dealt.assignment_id)
    save(small, dealt, "two", NOTHING, note="other")
    with pytest.raises(DraftMovedOn):
        save(small, dealt, "one", first, note="late")


def test_a_page_that_asks_learns_of_the_grade_the_draft_and_the_referral(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    draft = save(small, first, "one", NOTHING, note="n")
    found = desk_state(small.bench, first.grader_id, first.assignment_id)
    assert (found.submitted_at, found.draft, found.sent_to_lead, found.closed) == (None, draft, False, False)
    receipt = small.submit(first, 4)
    found = desk_state(small.bench, first.grader_id, first.assignment_id)
    assert (found.submitted_at, found.gave, found.draft) == (receipt.recorded_at, "4", None)
    refer_to_lead(small.bench, second.grader_id, second.assignment_id, "other", token="t")
    assert desk_state(small.bench, second.grader_id, second.assignment_id).sent_to_lead
    close_item(small.bench, small.actor, "mee-barge")
    assert desk_state(small.bench, first.grader_id, first.assignment_id).closed


def test_changes_of_a_submitted_grade_wait_until_they_are_confirmed(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    receipt = small.submit(dealt, 4)
    over = {"correcting": True, "over": receipt.recorded_at}
    save(small, dealt, "one", NOTHING, score=4, points=["duty.rule"], **over)
    (changed,) = changed_since_submission(small.bench, dealt.grader_id)
    assert changed.differs == ("1 point more",)
    with small.bench.record() as record:
        assert record.grades[dealt.assignment_id].points == ()
    entry = GradeEntry(score=4, points=("duty.rule",))
    correct_grade(small.bench, dealt.grader_id, dealt.assignment_id, entry, reason="It is there.", token="c")
    assert changed_since_submission(small.bench, dealt.grader_id) == []
    history = own_history(small.bench, dealt.grader_id, dealt.assignment_id)
    assert [(one.gave, one.reason) for one in history] == [("4", ""), ("4", "It is there.")]


def test_a_change_taken_back_waits_for_nothing(small: SmallWorkspace, dealt: Assignment) -> None:
    receipt = small.submit(dealt, 4)
    over = {"correcting": True, "over": receipt.recorded_at}
    save(small, dealt, "one", NOTHING, score=4, **over)
    assert changed_or_none(small.bench, dealt.grader_id, dealt.assignment_id) is None
    assert changed_since_submission(small.bench, dealt.grader_id) == []


def test_a_late_draft_of_a_correction_already_made_is_refused(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    receipt = small.submit(dealt, 4)
    entry = GradeEntry(score=5)
    correct_grade(small.bench, dealt.grader_id, dealt.assignment_id, entry, reason="Misread.", token="c")
    with pytest.raises(AlreadyGraded, match="You corrected this grade"):
        save(small, dealt, "one", NOTHING, score=3, correcting=True, over=receipt.recorded_at)
    assert changed_since_submission(small.bench, dealt.grader_id) == []
