"""A text that gives its author away: said at any time, once, without a way out of grading."""

from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.errors import GradeProblem, NotAllowed, NotDealtToYou, SourcesAreRevealed
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow.author_flags import LONGEST_WORDS, flag_author, flagged_at_or_none
from grader_app.workflow.blind_watch import given_away
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import get_draft_or_none, next_sheet_or_none, save_draft


def flag(small: SmallWorkspace, dealt, token: str = "t", words: str = "") -> object:
    return flag_author(small.bench, dealt.grader_id, dealt.assignment_id, token=token, words=words)


def test_before_grading_it_keeps_the_draft_and_the_place_in_the_queue(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 4.0})
    flag(small, dealt, words="It signs itself.")
    sheet = next_sheet_or_none(small.bench, dealt.grader_id)
    assert sheet is not None
    assert sheet.assignment_id == dealt.assignment_id
    draft = get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id)
    assert draft is not None
    assert draft.body == {"score": 4.0}
    small.submit(dealt, 4)
    assert small.count(EventKind.GRADE_SUBMITTED) == 1


def test_after_grading_and_after_closing_it_changes_no_grade(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[:2]
    small.submit(first, 4)
    small.submit(second, 2)
    flag(small, first)
    close_item(small.bench, small.actor, "mee-barge")
    flag(small, second, token="t2")
    with small.bench.record() as record:
        assert [record.grades[a.assignment_id].score for a in (first, second)] == [4, 2]
        assert set(record.author_flags) == {first.assignment_id, second.assignment_id}


def test_it_is_on_record_once_with_its_words_apart_from_the_event(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    first, again = flag(small, dealt, words="It signs itself."), flag(small, dealt, words="It signs itself.")
    assert (first.repeated, again.repeated) == (False, True)
    assert first.event_seq == again.event_seq
    with pytest.raises(NotAllowed, match="on record once"):
        flag(small, dealt, token="another")
    (event,) = [e for e in read_events(small.bench.store) if e.kind == EventKind.AUTHOR_GIVEN_AWAY]
    assert set(event.body) == {"item", "response_id", "note_hash"}
    assert "signs" not in event.as_json()
    assert flagged_at_or_none(small.bench, dealt.grader_id, dealt.assignment_id) == event.at
    check_store(small.bench.store)


def test_a_token_of_another_act_is_refused(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, 4, token="used")
    with pytest.raises(NotAllowed, match="something else"):
        flag(small, dealt, token="used")


def test_only_its_own_grader_can_say_so_and_not_at_any_length(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    other = small.graders[1].account_id
    with pytest.raises(NotDealtToYou):
        flag_author(small.bench, other, dealt.assignment_id, token="t")
    with pytest.raises(NotDealtToYou):
        flagged_at_or_none(small.bench, other, dealt.assignment_id)
    with pytest.raises(GradeProblem, match="characters"):
        flag(small, dealt, words="x" * (LONGEST_WORDS + 1))
    assert small.count(EventKind.AUTHOR_GIVEN_AWAY) == 0


def test_once_the_source_is_known_there_is_nothing_left_to_give_away(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.append(EventKind.SOURCES_REVEALED, "w", response_ids=[dealt.response_id])
    with pytest.raises(SourcesAreRevealed):
        flag(small, dealt)


def test_a_paper_of_a_packet_cannot_be_flagged(make) -> None:
    small = make(packets=("mee-barge-a",), answers=0)
    attempt = small.begin(small.graders[0])
    with small.bench.record() as record:
        paper = record.assignments[attempt.assignment_ids[0]]
    with pytest.raises(NotAllowed, match="calibration packet"):
        flag(small, paper)


def test_the_lead_sees_each_paper_once_with_all_that_was_said(make) -> None:
    small = make(reading="reads: 2", answers=2)
    one = small.queue(small.graders[0])[0]
    two = next(d for d in small.queue(small.graders[1]) if d.response_id == one.response_id)
    other = next(d for d in small.queue(small.graders[1]) if d.response_id != one.response_id)
    flag(small, one, words="It names a school.")
    refer_to_lead(small.bench, two.grader_id, two.assignment_id, "source-shown", token="r", note="Signed.")
    flag(small, other, token="o")
    latest, first = given_away(small.bench)
    assert (latest.response_id, [words for _, words in latest.said], latest.referred) == (
        other.response_id, [""], 0,
    )  # fmt: skip
    assert [words for _, words in first.said] == ["It names a school.", "Signed."]
    assert (first.referred, first.is_check, first.cut_off) == (1, False, False)
    assert first.text.startswith("Answer ")


def test_a_correction_after_the_flag_is_an_ordinary_correction(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, 4)
    flag(small, dealt)
    correct_grade(
        small.bench, dealt.grader_id, dealt.assignment_id, GradeEntry(score=3), reason="Misread.", token="c"
    )
    with small.bench.record() as record:
        assert record.grades[dealt.assignment_id].score == 3
