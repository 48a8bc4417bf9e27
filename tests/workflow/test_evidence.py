"""Words attached on the screen are the stored words, in any script and with any line ends."""

from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.domain.panel import Assignment
from grader_app.domain.shown_text import shown
from grader_app.errors import GradeProblem, NotDealtToYou
from grader_app.workflow.assignment import deal
from grader_app.workflow.evidence import places_shown, with_places_stored
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.own_grades import find_own_grade, previous_or_none
from grader_app.workflow.papers import find_paper

POINT = "duty.rule"
TEXT = "Der Kläger hat Recht.\n\n原告は勝つ。 🙂\nالحق له تماما"  # noqa: RUF001


def deal_text(small: SmallWorkspace, text: str) -> Assignment:
    """Take in one answer with this text and deal it."""
    (response_id,) = small.take_in("mee-barge", 1, said=text)
    deal(small.bench, small.actor)
    return next(one for g in small.graders for one in small.queue(g) if one.response_id == response_id)


def attached(start: int, end: int) -> GradeEntry:
    return GradeEntry(score=4, points=(POINT,), highlights=(Highlight(start, end, "point", POINT),))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("words", ["Kläger hat", "原告は", "🙂\nالحق", "Recht.\n\n原告"])  # noqa: RUF001
def test_words_chosen_on_the_screen_are_stored_by_their_place_and_come_back(
    small: SmallWorkspace, line_end: str, words: str
) -> None:
    stored = f" {line_end}{TEXT}".replace("\n", line_end) + line_end
    dealt = deal_text(small, stored)
    at = shown(stored).index(words)
    entry = with_places_stored(
        small.bench, dealt.grader_id, dealt.assignment_id, attached(at, at + len(words))
    )
    small.submit(dealt, entry=entry)
    own = find_own_grade(small.bench, dealt.grader_id, dealt.assignment_id)
    (kept,) = own.entry.highlights
    assert kept.words(stored) == words.replace("\n", line_end)
    (back,) = places_shown(small.bench, dealt.grader_id, dealt.assignment_id, own.entry).highlights
    assert (back.start, back.end) == (at, at + len(words))
    paper = find_paper(small.bench, dealt.response_id)
    assert paper.reads[0].words == {("point", POINT): (" ".join(words.split()),)}


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (4, 2), (0, 10_000)])
def test_words_outside_the_answer_are_refused_with_a_sentence(
    small: SmallWorkspace, start: int, end: int
) -> None:
    dealt = small.queue(small.graders[0])[0]
    entry = attached(start, end)
    with pytest.raises(GradeProblem, match="outside this answer"):
        with_places_stored(small.bench, dealt.grader_id, dealt.assignment_id, entry)
    with pytest.raises(GradeProblem, match="outside this answer"):
        small.submit(dealt, entry=entry)
    assert small.count(EventKind.GRADE_SUBMITTED) == 0


def test_nobody_places_words_in_an_answer_of_someone_else(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    with pytest.raises(NotDealtToYou):
        with_places_stored(small.bench, small.graders[1].account_id, dealt.assignment_id, attached(0, 3))


def test_a_correction_can_take_words_off_and_the_earlier_grade_keeps_them(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, entry=attached(0, 6))
    correct_grade(
        small.bench,
        dealt.grader_id,
        dealt.assignment_id,
        GradeEntry(score=4, points=(POINT,)),
        reason="Wrong words.",
        token=next(small.tokens),
    )
    with small.bench.record() as record:
        first, second = record.history[dealt.assignment_id]
    assert (len(first.highlights), second.highlights) == (1, ())


def test_the_answer_graded_before_is_the_way_back(small: SmallWorkspace) -> None:
    grader = small.graders[0]
    first, second = small.queue(grader)
    assert previous_or_none(small.bench, grader.account_id) is None
    small.submit(first)
    small.submit(second)
    assert previous_or_none(small.bench, grader.account_id) == second.assignment_id
    assert previous_or_none(small.bench, grader.account_id, second.assignment_id) == first.assignment_id
    assert previous_or_none(small.bench, grader.account_id, first.assignment_id) is None
    assert previous_or_none(small.bench, small.graders[1].account_id) is None


def test_there_is_no_way_back_into_a_closed_item(small: SmallWorkspace) -> None:
    grader = small.graders[0]
    small.submit(small.queue(grader)[0])
    small.append(EventKind.ITEM_CLOSED, "mee-barge", reason_hash=None)
    assert previous_or_none(small.bench, grader.account_id) is None
