from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace, write_item, write_round

from grader_app.domain.events import EventKind
from grader_app.domain.response import BlindSheet
from grader_app.errors import AlreadyGraded, ItemIsClosed, NotAllowed, NotDealtToYou
from grader_app.workflow.assignment import deal
from grader_app.workflow.clock import as_words
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import (
    get_draft_or_none,
    next_sheet_or_none,
    save_draft,
    sheet_to_correct,
)
from grader_app.workflow.registration import register_files


def shown(small: SmallWorkspace, grader: int = 0) -> BlindSheet | None:
    return next_sheet_or_none(small.bench, small.graders[grader].account_id)


def test_a_queue_is_worked_off_in_its_own_order_and_ends_with_none(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(reading="reads: 1\nworkload: as_dealt")
    queue = small.queue(small.graders[0])
    for dealt in queue:
        sheet = shown(small)
        assert sheet is not None
        assert sheet.assignment_id == dealt.assignment_id
        assert shown(small) == sheet
        small.submit(dealt)
    assert shown(small) is None
    assert shown(small, 1) is not None


def test_a_sheet_holds_the_answer_and_no_trace_of_who_wrote_it(small: SmallWorkspace) -> None:
    sheet = shown(small)
    assert sheet is not None
    assert sheet.answer.startswith("Answer ")
    assert sheet.prompt == "Discuss mee-barge."
    dealt = small.queue(small.graders[0])[0]
    text = repr(dataclasses.asdict(sheet))
    with small.bench.record() as record:
        response = record.inputs.responses[dealt.response_id]
    for hidden in (dealt.response_id, response["candidate_id"], response["text_hash"]):
        assert hidden not in text


def test_items_come_in_the_rounds_order_and_closed_ones_are_passed_over(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(answers=2, items=("rule-ferry", "mee-barge"))
    small.take_in("rule-ferry", 2)
    deal(small.bench, small.actor)
    sheet = shown(small)
    assert sheet is not None
    assert sheet.item == "rule-ferry"
    small.append(EventKind.ITEM_CLOSED, "rule-ferry")
    sheet = shown(small)
    assert sheet is not None
    assert sheet.item == "mee-barge"


def test_revealed_answers_are_passed_over(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.append(EventKind.SOURCES_REVEALED, "w", response_ids=[first.response_id])
    sheet = shown(small)
    assert sheet is not None
    assert sheet.assignment_id == second.assignment_id


def test_only_the_graders_own_answers_are_shown_or_drafted(small: SmallWorkspace) -> None:
    mine, theirs = small.queue(small.graders[0])[0], small.queue(small.graders[1])[0]
    me = mine.grader_id
    for assignment_id in (theirs.assignment_id, "anone", ""):
        for act in (
            lambda a: sheet_to_correct(small.bench, me, a),
            lambda a: get_draft_or_none(small.bench, me, a),
            lambda a: save_draft(small.bench, me, a, {"score": 1}),
        ):
            with pytest.raises(NotDealtToYou):
                act(assignment_id)
    assert small.counts()["draft"] == 0


def test_a_drafts_revision_grows_and_what_was_entered_comes_back(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    saved = [
        save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"note": note}) for note in ("a", "ab")
    ]
    assert [draft.revision for draft in saved] == [1, 2]
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) == saved[1]


def test_a_draft_after_submission_is_refused_and_says_when(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 2})
    receipt = small.submit(dealt)
    with pytest.raises(AlreadyGraded, match=as_words(receipt.recorded_at)):
        save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 3})
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) is None
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 3, "correcting": True})
    assert small.counts()["draft"] == 1


def test_a_graded_answer_can_be_looked_at_to_correct_until_its_item_is_closed(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt)
    assert sheet_to_correct(small.bench, dealt.grader_id, dealt.assignment_id).assignment_id == (
        dealt.assignment_id
    )
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(ItemIsClosed, match="reopen"):
        sheet_to_correct(small.bench, dealt.grader_id, dealt.assignment_id)


def test_a_referred_answer_leaves_the_queue(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    refer_to_lead(small.bench, first.grader_id, first.assignment_id, "conflict", token="t")
    sheet = shown(small)
    assert sheet is not None
    assert sheet.assignment_id == second.assignment_id


def test_an_item_that_a_new_round_dropped_is_not_shown_and_says_so_when_asked_for(
    small: SmallWorkspace,
) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt)
    write_item(small.path, "mee-crane")
    write_round(small.path, version=2, items=("mee-crane", "rule-ferry"))
    register_files(small.bench, small.actor)
    assert shown(small) is None
    with pytest.raises(NotAllowed, match="no item `mee-barge`"):
        sheet_to_correct(small.bench, dealt.grader_id, dealt.assignment_id)
