"""Grades given under an earlier version are listed, recalled or let stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from ruled_items import ITEM, before, change_sheet, events_of, grade_first, rule
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed
from grader_app.store.integrity import check_store
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import GradedBefore, count_before, keep_grades, recall_grades, to_grade_again


def status_of(made: SmallWorkspace, dealt: Assignment) -> str:
    with made.bench.record() as record:
        return record.standing(dealt.response_id).status


def test_grades_under_an_earlier_version_are_listed_with_what_changed_since(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4)
    assert before(small) == []
    rule(small)
    one = GradedBefore(first.assignment_id, first.response_id, first.grader_id, "1", "4", True, False)
    assert before(small) == [one]
    small.submit(second, entry=GradeEntry(condition_code="off-topic"))
    assert before(small) == [one], "what is graded under the version that stands is not listed"
    change_sheet(small, 3)
    register_files(small.bench, small.actor)
    assert [(b.assignment_id, b.version, b.gave, b.only_guidelines, b.recalled) for b in before(small)] == [
        (first.assignment_id, "1", "4", False, False),
        (second.assignment_id, "2", "off-topic", False, False),
    ]
    assert count_before(small.bench) == {ITEM: 2, "rule-ferry": 0}


def test_versions_are_listed_by_number_and_not_by_letter(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[:2]
    for version, dealt in ((2, first), (10, second)):
        change_sheet(small, version)
        register_files(small.bench, small.actor)
        small.submit(dealt)
    change_sheet(small, 11)
    register_files(small.bench, small.actor)
    assert [one.version for one in before(small)] == ["2", "10"]


def test_a_grade_recalled_makes_its_answer_wait_until_its_grader_has_looked_again(
    small: SmallWorkspace,
) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    assert status_of(small, first) == "final"
    ids = [first.assignment_id, "anone"]
    assert recall_grades(small.bench, small.actor, ITEM, ids, "The rule was wrong.") == 1
    (event,) = events_of(small, EventKind.GRADES_RECALLED)
    assert (event.subject, event.body["assignment_ids"]) == (ITEM, [first.assignment_id])
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "The rule was wrong."
    with small.bench.record() as record:
        standing = record.standing(first.response_id)
    assert (standing.status, standing.final) == ("waiting", None)
    assert standing.why == "The point sheet changed, and it is to be graded again."
    assert status_of(small, second) == "final"
    assert to_grade_again(small.bench, first.grader_id) == [(first.assignment_id, ITEM)]
    assert to_grade_again(small.bench, second.grader_id) == []
    assert [one.recalled for one in before(small) if one.assignment_id == first.assignment_id] == [True]
    entry = GradeEntry(score=2)
    correct_grade(
        small.bench, first.grader_id, first.assignment_id, entry, reason="Under the new sheet.", token="again"
    )
    assert to_grade_again(small.bench, first.grader_id) == []
    assert [one.assignment_id for one in before(small)] == [second.assignment_id]
    with small.bench.record() as record:
        assert (record.standing(first.response_id).status, record.standing(first.response_id).final) == (
            "final",
            2,
        )
    check_store(small.bench.store)


def test_a_grade_let_stand_is_listed_no_more_until_the_next_version(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    change_sheet(small)
    register_files(small.bench, small.actor)
    assert keep_grades(small.bench, small.actor, ITEM, [first.assignment_id], "It changes nothing.") == 1
    (event,) = events_of(small, EventKind.GRADES_KEPT)
    assert event.body["assignment_ids"] == [first.assignment_id]
    assert event.body["item_hash"] == small.bench.material().item(ITEM).content_hash
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "It changes nothing."
    assert before(small) == []
    assert status_of(small, first) == "final"
    change_sheet(small, 3)
    register_files(small.bench, small.actor)
    assert [one.assignment_id for one in before(small)] == [first.assignment_id]


@pytest.mark.parametrize("act", [recall_grades, keep_grades])
def test_deciding_needs_a_reason_and_decides_once(small: SmallWorkspace, act: Callable[..., int]) -> None:
    (first, _) = grade_first(small, 4)
    change_sheet(small)
    register_files(small.bench, small.actor)
    ids = [first.assignment_id]
    for reason in ("", "  "):
        with pytest.raises(GradeProblem, match="needs a reason"):
            act(small.bench, small.actor, ITEM, ids, reason)
    act(small.bench, small.actor, ITEM, ids, "The rule was wrong.")
    logged = small.kinds()
    for again in (recall_grades, keep_grades):
        with pytest.raises(NotAllowed, match="waits for a decision any more"):
            again(small.bench, small.actor, ITEM, ids, "Once more.")
    assert small.kinds() == logged


def test_grades_under_the_version_that_stands_wait_for_no_decision(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    for act in (recall_grades, keep_grades):
        with pytest.raises(NotAllowed, match="None of these grades"):
            act(small.bench, small.actor, ITEM, [first.assignment_id], "Why not.")


def test_what_nobody_could_grade_again_is_not_recalled(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    disable_account(small.bench, small.actor, small.graders[0])
    ids = [first.assignment_id, second.assignment_id]
    with pytest.raises(NotAllowed, match="no longer sign in, or the sources are known"):
        recall_grades(small.bench, small.actor, ITEM, ids[:1], "The rule was wrong.")
    assert recall_grades(small.bench, small.actor, ITEM, ids, "The rule was wrong.") == 1
    assert (status_of(small, first), status_of(small, second)) == ("final", "waiting")
    disable_account(small.bench, small.actor, small.graders[1])
    assert [one.recalled for one in before(small)] == [False, False], "the lead is to decide anew"
    assert keep_grades(small.bench, small.actor, ITEM, ids, "They have left.") == 2
    assert status_of(small, second) == "final"
    assert to_grade_again(small.bench, second.grader_id) == []


def test_answers_whose_source_is_known_and_closed_questions_are_not_recalled(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=[first.response_id])
    with pytest.raises(NotAllowed, match="sources are known"):
        recall_grades(small.bench, small.actor, ITEM, [first.assignment_id], "The rule was wrong.")
    close_item(small.bench, small.actor, ITEM)
    with pytest.raises(ItemIsClosed, match="Reopen it first"):
        recall_grades(small.bench, small.actor, ITEM, [second.assignment_id], "The rule was wrong.")
    assert small.count(EventKind.GRADES_RECALLED) == 0
    assert keep_grades(small.bench, small.actor, ITEM, [first.assignment_id], "It is out.") == 1
