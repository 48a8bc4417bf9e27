"""Graders question a point sheet, and the lead answers."""

from __future__ import annotations

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from ruled_items import ITEM, before, events_of, grade_first, rule, sheet_of
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems, GradeProblem, NotAllowed
from grader_app.store.event_log import read_events
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.rulings import answer_sheet_question, question_sheet, sheet_questions


def ask(made: SmallWorkspace, words: str = "Control is not what the cases ask for.") -> int:
    question_sheet(made.bench, made.graders[0].account_id, ITEM, words)
    return sheet_questions(made.bench)[-1][0].event_seq


def test_a_question_on_the_sheet_waits_for_the_lead_with_its_words(small: SmallWorkspace) -> None:
    first, second = ask(small), ask(small, "The weights cannot be right.")
    waiting = sheet_questions(small.bench)
    assert [(one.event_seq, words) for one, words in waiting] == [
        (first, "Control is not what the cases ask for."),
        (second, "The weights cannot be right."),
    ]
    asked = waiting[0][0]
    assert (asked.item, asked.grader_id) == (ITEM, small.graders[0].account_id)
    assert asked.item_hash == small.bench.material().item(ITEM).content_hash
    assert "cases" not in repr([event.body for event in read_events(small.bench.store)]), "words stand apart"


@pytest.mark.parametrize("words", ["", "  wrong!  ", "x" * 4001])
def test_a_question_says_what_is_wrong(small: SmallWorkspace, words: str) -> None:
    with pytest.raises(GradeProblem, match="10 to 4,000 characters"):
        question_sheet(small.bench, small.graders[0].account_id, ITEM, words)
    assert small.count(EventKind.SHEET_QUESTIONED) == 0


def test_no_change_is_an_answer_with_a_reason_given_once(small: SmallWorkspace) -> None:
    question = ask(small)
    for reason, decision in (("  ", "no_change"), ("Fine.", "perhaps")):
        with pytest.raises(GradeProblem):
            answer_sheet_question(small.bench, small.actor, question, decision, reason)
    answer_sheet_question(small.bench, small.actor, question, "no_change", "The cases do ask for it.")
    (event,) = events_of(small, EventKind.SHEET_QUESTION_ANSWERED)
    assert (event.subject, event.body["question"], event.body["decision"]) == (ITEM, question, "no_change")
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "The cases do ask for it."
    assert sheet_questions(small.bench) == []
    for one in (question, 999):
        with pytest.raises(NotAllowed, match="answered already"):
            answer_sheet_question(small.bench, small.actor, one, "no_change", "Again.")
    assert small.count(EventKind.SHEET_QUESTION_ANSWERED) == 1


def test_a_new_version_is_no_answer_while_the_sheet_is_as_it_was(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    question = ask(small)
    refused = r"says what it said when it was questioned \(version {} now\)\. Change .*point_sheet\.yaml"
    with pytest.raises(NotAllowed, match=refused.format(1)):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    rule(small)
    with pytest.raises(NotAllowed, match=refused.format(2)):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    assert small.count(EventKind.SHEET_QUESTION_ANSWERED) == 0
    text = sheet_of(small).read_text("utf-8").replace("needs control", "needs custody")
    sheet_of(small).write_text(text, "utf-8")
    with pytest.raises(FileProblems, match="the version is still 2"):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    sheet_of(small).write_text(text.replace('version: "2"', 'version: "3"', 1), "utf-8")
    answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    assert small.bench.material().item(ITEM).version == "3"
    assert [(one.assignment_id, one.only_guidelines) for one in before(small)] == [
        (first.assignment_id, False)
    ]
    assert sheet_questions(small.bench) == []
