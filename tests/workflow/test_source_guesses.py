"""Guesses of the source: after the grade, once, for a drawn share, and of no consequence for the grade."""

from __future__ import annotations

import pytest
from checked_workspace import make_checked, of_kind
from small_workspace import SmallWorkspace, write_round

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.errors import GradeProblem, NotAllowed, NotDealtToYou, SourcesAreRevealed
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow.blind_watch import asked
from grader_app.workflow.registration import register_files
from grader_app.workflow.source_guesses import asks_guess, guess_source

ALL = "guesses:\n  share_percent: 100\n"


@pytest.fixture
def asking(make) -> SmallWorkspace:
    """A workspace that asks after every grade."""
    return make(more=ALL)


def guess(
    small: SmallWorkspace, dealt: Assignment, said: str = "model", sure: str | None = "sure", **options
):
    options.setdefault("token", f"guess:{dealt.assignment_id}")
    return guess_source(small.bench, dealt.grader_id, dealt.assignment_id, said, sure, **options)


def graded(small: SmallWorkspace) -> Assignment:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, 4)
    return dealt


def test_a_guess_is_recorded_and_the_grade_stays(asking: SmallWorkspace) -> None:
    dealt = graded(asking)
    assert asks_guess(asking.bench, dealt.grader_id, dealt.assignment_id)
    guess(asking, dealt, words="No candidate writes like this.")
    (event,) = [e for e in read_events(asking.bench.store) if e.kind == EventKind.SOURCE_GUESSED]
    assert event.body | {"note_hash": None} == {
        "item": "mee-barge",
        "response_id": dealt.response_id,
        "guess": "model",
        "sure": "sure",
        "note_hash": None,
    }
    assert "candidate" not in event.as_json()
    assert not asks_guess(asking.bench, dealt.grader_id, dealt.assignment_id)
    with asking.bench.record() as record:
        assert record.grades[dealt.assignment_id].score == 4
        assert len(record.history[dealt.assignment_id]) == 1
    check_store(asking.bench.store)


def test_a_guess_before_the_grade_is_refused(asking: SmallWorkspace) -> None:
    dealt = asking.queue(asking.graders[0])[0]
    with pytest.raises(NotAllowed, match="Grade this answer first"):
        guess(asking, dealt)
    assert asking.count(EventKind.SOURCE_GUESSED) == 0


def test_a_guess_about_an_answer_that_was_not_drawn_is_refused(make) -> None:
    small = make(more="guesses:\n  share_percent: 0\n")
    dealt = graded(small)
    assert not asks_guess(small.bench, dealt.grader_id, dealt.assignment_id)
    with pytest.raises(NotAllowed, match="not asked"):
        guess(small, dealt)


def test_who_cannot_tell_is_never_sure_and_an_unknown_word_is_refused(asking: SmallWorkspace) -> None:
    dealt = graded(asking)
    for said, sure in (("machine", None), ("model", "certain")):
        with pytest.raises(GradeProblem, match="no guess"):
            guess(asking, dealt, said, sure)
    guess(asking, dealt, "cannot_tell", "sure")
    with asking.bench.record() as record:
        assert record.guesses[dealt.assignment_id].sure is None


def test_a_guess_sent_twice_is_one_and_a_second_thought_is_none(asking: SmallWorkspace) -> None:
    dealt = graded(asking)
    first, again = guess(asking, dealt), guess(asking, dealt)
    assert (first.event_seq, again.repeated) == (again.event_seq, True)
    with pytest.raises(NotAllowed, match="first word stands"):
        guess(asking, dealt, "person", token="another")
    assert asking.count(EventKind.SOURCE_GUESSED) == 1


def test_the_question_has_passed_once_the_next_grade_is_in(asking: SmallWorkspace) -> None:
    dealt = graded(asking)
    asking.submit(asking.queue(asking.graders[0])[1], 3)
    with pytest.raises(NotAllowed, match="graded another answer since"):
        guess(asking, dealt)
    assert asked(asking.bench).answered == 0
    assert asked(asking.bench).asked == 2


def test_neither_another_grader_nor_a_revealed_source_leaves_room_for_a_guess(asking: SmallWorkspace) -> None:
    dealt = graded(asking)
    with pytest.raises(NotDealtToYou):
        guess_source(
            asking.bench, asking.graders[1].account_id, dealt.assignment_id, "model", None, token="t"
        )
    asking.append(EventKind.SOURCES_REVEALED, "w", response_ids=[dealt.response_id])
    with pytest.raises(SourcesAreRevealed):
        guess(asking, dealt)


def test_a_new_version_of_the_round_asks_from_then_on(small: SmallWorkspace) -> None:
    first = graded(small)
    write_round(small.path, version=2, more=ALL)
    register_files(small.bench, small.actor)
    second = small.queue(small.graders[0])[1]
    small.submit(second, 3)
    with small.bench.record() as record:
        assert record.asked == {second.assignment_id}
    assert first.assignment_id != second.assignment_id


def test_planted_checks_are_asked_about_like_any_paper_and_packets_never(tmp_path) -> None:
    small = make_checked(tmp_path / "w", checks="validity_paper_every: 4", answers=12)
    write_round(small.path, version=2, more="checks:\n  validity_paper_every: 4\n" + ALL)
    register_files(small.bench, small.actor)
    check = of_kind(small, small.graders[0], ReadKind.VALIDITY)[0]
    small.submit(check, 3)
    assert asks_guess(small.bench, check.grader_id, check.assignment_id)
    guess(small, check)
    attempt = small.begin(small.graders[0])
    with small.bench.record() as record:
        paper = record.assignments[attempt.assignment_ids[0]]
    assert not asks_guess(small.bench, paper.grader_id, paper.assignment_id)
    small.bench.store.close()
