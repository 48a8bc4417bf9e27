from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind, first_break
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import (
    AlreadyGraded,
    GradeProblem,
    ItemIsClosed,
    NotAllowed,
    NotDealtToYou,
    SourcesAreRevealed,
)
from grader_app.store.event_log import find_event, read_events
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.assignment import deal
from grader_app.workflow.changed_grades import changed_since_submission
from grader_app.workflow.clock import as_words
from grader_app.workflow.grade_submission import (
    LONGEST_NOTE,
    REASONS,
    Receipt,
    correct_grade,
    refer_to_lead,
    submit_grade,
)
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import get_draft_or_none, save_draft
from grader_app.workflow.referrals import deal_to_another, return_to_grader


@pytest.fixture
def dealt(small: SmallWorkspace) -> Assignment:
    return small.queue(small.graders[0])[0]


def correct(small: SmallWorkspace, dealt: Assignment, score: float, **changes: Any) -> Receipt:
    options = {"reason": "Misread the second issue.", "token": next(small.tokens), **changes}
    return correct_grade(
        small.bench, dealt.grader_id, dealt.assignment_id, GradeEntry(score=score), **options
    )


def at_once(work: Callable[[int], Any]) -> tuple[list[Any], list[BaseException]]:
    """Run ten threads; give what they returned and what they raised."""
    start = threading.Barrier(10)
    returned: list[Any] = []
    raised: list[BaseException] = []

    def run(number: int) -> None:
        start.wait()
        try:
            returned.append(work(number))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must see it
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return returned, raised


def refused(small: SmallWorkspace, dealt: Assignment, error: type[Exception], match: str, **how: Any) -> None:
    """Submit, and see that it is refused, that nothing is stored and that the draft stays."""
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5, "note": "long thought"})
    before = small.counts()
    with pytest.raises(error, match=match):
        small.submit(dealt, **how)
    assert small.counts() == before
    draft = get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id)
    assert draft is not None
    assert draft.body["note"] == "long thought"


def test_a_grade_is_one_event_with_its_values_and_its_note_apart(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5})
    entry = GradeEntry(score=5, points=("duty.rule",))
    receipt = small.submit(dealt, entry=entry, note="Sees the duty.", seconds_spent=61.26)
    event = find_event(small.bench.store, receipt.event_seq)
    assert (event.kind, event.subject, event.actor) == (
        "GradeSubmitted", dealt.assignment_id, dealt.grader_id,
    )  # fmt: skip
    assert (event.at, receipt.repeated) == (receipt.recorded_at, False)
    body = event.body
    assert (body["score"], body["points"], body["seconds_spent"]) == (5, ["duty.rule"], 61.3)
    material = small.bench.material()
    assert body["rubric_hash"] == material.rubrics["mee-barge"].content_hash
    assert body["item_hash"] == material.items["mee-barge"].content_hash
    assert "Sees the duty." not in event.as_json()
    assert get_text_or_none(small.bench.store, body["note_hash"]) == "Sees the duty."
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) is None


@pytest.mark.parametrize(
    ("seconds", "kept"), [(None, None), (-3, 0), (float("nan"), None), (float("inf"), None)]
)
def test_a_browser_whose_clock_says_nonsense_loses_no_grade(
    small: SmallWorkspace, dealt: Assignment, seconds: float | None, kept: float | None
) -> None:
    receipt = small.submit(dealt, seconds_spent=seconds)
    assert find_event(small.bench.store, receipt.event_seq).body["seconds_spent"] == kept


def test_marks_are_stored_as_entered_and_as_counted(small: SmallWorkspace) -> None:
    small.take_in("rule-ferry", 1)
    deal(small.bench, small.actor)
    (dealt,) = (one for grader in small.graders for one in small.queue(grader, "rule-ferry"))
    entry = GradeEntry(marks={"correctness": 1, "analysis": 1}, error_types=("rule-misstated",))
    body = find_event(small.bench.store, small.submit(dealt, entry=entry).event_seq).body
    assert body["marks_entered"] == {"correctness": 1, "analysis": 1}
    assert (body["marks"], body["score"]) == ({"correctness": 0, "analysis": 0}, 0)


def test_the_same_token_twice_is_one_grade(small: SmallWorkspace, dealt: Assignment) -> None:
    first = small.submit(dealt, 4, token="double")
    before = small.counts()
    again = small.submit(dealt, 4, token="double")
    assert (again.event_seq, again.recorded_at, again.repeated) == (first.event_seq, first.recorded_at, True)
    assert small.counts() == before


def test_the_same_token_with_other_content_is_not_acknowledged(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.submit(dealt, 4, token="double")
    before = small.counts()
    for score in (5, 1e300):
        with pytest.raises(AlreadyGraded, match="with other content"):
            small.submit(dealt, score, token="double")
    assert small.counts() == before | {"draft": 1}, "what was changed since waits to be confirmed"


def test_a_score_a_hair_off_its_step_is_kept_as_the_step(small: SmallWorkspace, dealt: Assignment) -> None:
    receipt = small.submit(dealt, 4.0000000001)
    assert find_event(small.bench.store, receipt.event_seq).body["score"] == 4.0


def test_ten_threads_with_one_token_make_one_grade_and_ten_receipts_for_it(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    receipts, errors = at_once(lambda _: small.submit(dealt, 4, token="same", note="n"))
    assert errors == []
    assert len({receipt.event_seq for receipt in receipts}) == 1
    assert sorted(receipt.repeated for receipt in receipts) == [False] + [True] * 9
    assert small.count(EventKind.GRADE_SUBMITTED) == 1
    assert small.counts()["submission"] == 1


def test_ten_threads_with_ten_tokens_make_one_grade_and_nine_refusals(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    receipts, errors = at_once(lambda number: small.submit(dealt, number % 7, token=f"own {number}"))
    assert len(receipts) == 1
    assert [type(error) for error in errors] == [AlreadyGraded] * 9
    assert small.count(EventKind.GRADE_SUBMITTED) == 1
    assert small.counts()["submission"] == 1
    assert first_break(read_events(small.bench.store)) is None


def test_the_second_of_two_tabs_is_told_when_the_first_submitted(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    receipt = small.submit(dealt, 4, token="tab one")
    before = small.counts()
    with pytest.raises(AlreadyGraded, match=as_words(receipt.recorded_at)):
        small.submit(dealt, 5, token="tab two", note="n")
    assert small.counts() == before | {"draft": 1}
    (changed,) = changed_since_submission(small.bench, dealt.grader_id)
    assert changed.differs == ("score 4, now 5", "the note")
    assert changed.grade.gave == "4"


def test_a_token_of_another_answer_is_refused(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.submit(first, token="used")
    refused(small, second, NotAllowed, "used for something else", token="used")


def test_a_submission_to_a_closed_item_is_refused(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.submit(first)
    close_item(small.bench, small.actor, "mee-barge")
    refused(small, second, ItemIsClosed, "Ask the lead to reopen it")


def test_a_submission_to_a_referred_answer_is_refused(small: SmallWorkspace, dealt: Assignment) -> None:
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    refused(small, dealt, NotAllowed, "You sent this answer to the panel lead")


def test_a_submission_to_an_answer_the_lead_took_out_is_refused(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    deal_to_another(small.bench, small.actor, dealt.assignment_id, small.graders[1].account_id)
    refused(small, dealt, NotAllowed, "took this answer out of your queue")


def test_a_submission_after_the_source_was_revealed_is_refused(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.append(EventKind.SOURCES_REVEALED, "w", response_ids=[dealt.response_id])
    refused(small, dealt, SourcesAreRevealed, "grading it is over")


def test_a_correction_after_the_source_was_revealed_is_refused(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.submit(dealt)
    small.append(EventKind.SOURCES_REVEALED, "w", response_ids=[dealt.response_id])
    before = small.counts()
    with pytest.raises(SourcesAreRevealed):
        correct(small, dealt, 5)
    assert small.counts() == before


def test_a_grade_that_does_not_fit_its_rubric_is_refused(small: SmallWorkspace, dealt: Assignment) -> None:
    refused(small, dealt, GradeProblem, "not on the scale", score=9)
    refused(small, dealt, GradeProblem, "keep it to 20,000", note="x" * (LONGEST_NOTE + 1))


def test_nobody_submits_corrects_or_refers_for_another_grader(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    other = small.graders[1].account_id
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5})
    before = small.counts()
    with pytest.raises(NotDealtToYou):
        submit_grade(small.bench, other, dealt.assignment_id, GradeEntry(score=1), token="t")
    with pytest.raises(NotDealtToYou):
        correct_grade(
            small.bench, other, dealt.assignment_id, GradeEntry(score=1), reason="because", token="t"
        )
    with pytest.raises(NotDealtToYou):
        refer_to_lead(small.bench, other, dealt.assignment_id, "other", token="t")
    assert small.counts() == before


def test_a_correction_names_what_it_replaces_keeps_the_earlier_grade_and_its_reason_apart(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    first = small.submit(dealt, 3)
    second = correct(small, dealt, 4)
    third = correct(small, dealt, 5, reason="Second thoughts.")
    events = {seq: find_event(small.bench.store, seq) for seq in (second.event_seq, third.event_seq)}
    assert events[second.event_seq].body["replaces"] == first.event_seq
    assert events[third.event_seq].body["replaces"] == second.event_seq
    reason = events[third.event_seq].body["reason_hash"]
    assert get_text_or_none(small.bench.store, reason) == "Second thoughts."
    assert find_event(small.bench.store, first.event_seq).body["score"] == 3
    with small.bench.record() as record:
        assert record.grades[dealt.assignment_id].score == 5
        assert [grade.score for grade in record.history[dealt.assignment_id]] == [3, 4, 5]


def test_a_correction_needs_a_reason_and_a_grade_to_correct(small: SmallWorkspace, dealt: Assignment) -> None:
    before = small.counts()
    with pytest.raises(NotAllowed, match="no grade of yours to correct"):
        correct(small, dealt, 4)
    assert small.counts() == before
    small.submit(dealt, 3)
    before = small.counts()
    for reason in ("", " \n"):
        with pytest.raises(GradeProblem, match="needs a reason"):
            correct(small, dealt, 4, reason=reason)
    with pytest.raises(GradeProblem, match="keep it to"):
        correct(small, dealt, 4, reason="x" * (LONGEST_NOTE + 1))
    assert small.counts() == before


def test_a_correction_is_recorded_once_a_token_and_not_once_the_item_is_closed(
    small: SmallWorkspace, dealt: Assignment
) -> None:
    small.submit(dealt, 3)
    first, again = (correct(small, dealt, 4, token="resend") for _ in range(2))
    assert (again.event_seq, again.repeated) == (first.event_seq, True)
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(ItemIsClosed):
        correct(small, dealt, 5)
    assert small.count(EventKind.GRADE_CORRECTED) == 1


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_every_reason_sends_an_answer_to_the_lead_with_its_note(
    small: SmallWorkspace, dealt: Assignment, reason: str
) -> None:
    save_draft(small.bench, dealt.grader_id, dealt.assignment_id, {"score": 5})
    receipt = refer_to_lead(
        small.bench, dealt.grader_id, dealt.assignment_id, reason, token="t", note="Please look."
    )
    body = find_event(small.bench.store, receipt.event_seq).body
    assert (body["reason"], get_text_or_none(small.bench.store, body["note_hash"])) == (
        reason,
        "Please look.",
    )
    assert get_draft_or_none(small.bench, dealt.grader_id, dealt.assignment_id) is None


def test_a_referral_happens_once_and_only_of_what_is_not_graded(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.submit(first)
    with pytest.raises(AlreadyGraded):
        refer_to_lead(small.bench, first.grader_id, first.assignment_id, "other", token="a")
    with pytest.raises(GradeProblem, match="no reason the workbench knows"):
        refer_to_lead(small.bench, second.grader_id, second.assignment_id, "bored", token="b")
    for token, repeated in (("c", False), ("c", True)):
        receipt = refer_to_lead(small.bench, second.grader_id, second.assignment_id, "other", token=token)
        assert receipt.repeated is repeated
    with pytest.raises(NotAllowed, match="You sent this answer"):
        refer_to_lead(small.bench, second.grader_id, second.assignment_id, "other", token="d")
    assert small.count(EventKind.ANSWER_REFERRED) == 1


def test_an_answer_the_lead_returned_can_be_graded(small: SmallWorkspace, dealt: Assignment) -> None:
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, "other", token="t")
    return_to_grader(small.bench, small.actor, dealt.assignment_id)
    assert not small.submit(dealt).repeated


def test_a_coded_grade_has_no_score(small: SmallWorkspace, dealt: Assignment) -> None:
    receipt = small.submit(dealt, entry=GradeEntry(condition_code="blank"))
    body = find_event(small.bench.store, receipt.event_seq).body
    assert (body["score"], body["condition_code"], body["marks"]) == (None, "blank", {})
