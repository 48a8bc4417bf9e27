from __future__ import annotations

from collections.abc import Callable

import pytest
from reads_of_one_answer import an_answer, judged, standing
from small_workspace import SmallWorkspace

from grader_app.agreement.of_round import ratings_of_record
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Account
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.integrity import check_store
from grader_app.workflow.adjudication import raise_dispute
from grader_app.workflow.backreads import (
    PaperToBackread,
    backread,
    backread_figures,
    backreads_by,
    compare,
    longest_unchecked_or_none,
    next_to_backread,
    words_to,
    write_to_grader,
)
from grader_app.workflow.grade_submission import correct_grade


@pytest.fixture
def panel(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    """Two graders who have graded all of their four answers, the first with 4 and the second with 2."""
    small = make(answers=8)
    for grader, score in zip(small.graders, (4, 2), strict=True):
        for dealt in small.queue(grader):
            small.submit(dealt, score)
    return small


@pytest.fixture
def first(panel: SmallWorkspace) -> Account:
    return panel.graders[0]


def drawn(panel: SmallWorkspace, grader: Account) -> PaperToBackread:
    found = next_to_backread(panel.bench, panel.actor, grader.account_id, "mee-barge")
    assert found is not None
    return found


def look(panel: SmallWorkspace, grader: Account, gave: float | str) -> int:
    return backread(panel.bench, panel.actor, drawn(panel, grader).assignment_id, judged(gave))


def test_the_draw_is_the_same_at_every_look_and_holds_no_grade(panel: SmallWorkspace, first: Account) -> None:
    paper = drawn(panel, first)
    assert drawn(panel, first) == paper
    assert paper.assignment_id in {one.assignment_id for one in panel.queue(first)}
    assert set(vars(paper)) == {"assignment_id", "response_id", "item", "grader_id", "text"}


def test_every_answer_is_drawn_once_and_then_there_is_none(panel: SmallWorkspace, first: Account) -> None:
    seen = []
    for _ in range(4):
        seen.append(drawn(panel, first).assignment_id)
        look(panel, first, 4)
    assert sorted(seen) == sorted(one.assignment_id for one in panel.queue(first))
    assert next_to_backread(panel.bench, panel.actor, first.account_id, "mee-barge") is None


def test_a_backread_shows_both_afterwards_and_changes_nothing(panel: SmallWorkspace, first: Account) -> None:
    paper = drawn(panel, first)
    before = standing(panel, paper.response_id)
    with panel.bench.record() as record:
        ratings = [one.ratings.codes.tolist() for one in ratings_of_record(record)]
    seq = look(panel, first, 5)
    both = compare(panel.bench, seq)
    assert (both.theirs.gave, both.own.gave, both.status) == ("4", "5", "final")
    assert backreads_by(panel.bench, panel.actor) == [(seq, paper.assignment_id)]
    assert standing(panel, paper.response_id) == before
    with panel.bench.record() as record:
        assert [one.ratings.codes.tolist() for one in ratings_of_record(record)] == ratings
    check_store(panel.bench.store)


def test_an_answer_is_backread_once(panel: SmallWorkspace, first: Account) -> None:
    paper = drawn(panel, first)
    look(panel, first, 5)
    with pytest.raises(NotAllowed, match="cannot be read back"):
        backread(panel.bench, panel.actor, paper.assignment_id, judged(4))
    with pytest.raises(GradeProblem, match="not on the scale"):
        look(panel, first, 9)
    assert panel.count(EventKind.GRADE_BACKREAD) == 1


def test_the_other_read_of_an_answer_seen_is_left_out(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=1, reading="reads: 2")
    for grader in small.graders:
        small.submit(small.queue(grader)[0], 4)
    look(small, small.graders[0], 4)
    assert next_to_backread(small.bench, small.actor, small.graders[1].account_id, "mee-barge") is None


def test_figures_are_those_worked_by_hand(panel: SmallWorkspace, first: Account) -> None:
    for gave in (4, 5, 6, "blank"):
        look(panel, first, gave)
    one = next(f for f in backread_figures(panel.bench) if f.grader_id == first.account_id)
    other = next(f for f in backread_figures(panel.bench) if f.grader_id != first.account_id)
    # 4, 5 and 6 against 4 each: one exact, two within a point, on average one point above.
    assert (one.graded, one.n, one.scored) == (4, 4, 3)
    assert (one.exact, one.exact_or_adjacent, one.difference) == (
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
        1,
    )
    assert (other.n, other.exact, other.difference) == (0, None, None)


def test_whoever_was_not_checked_longest_comes_first(panel: SmallWorkspace) -> None:
    asked = []
    for _ in range(4):
        found = longest_unchecked_or_none(panel.bench, panel.actor)
        assert found is not None
        asked.append(found[0])
        look(panel, next(g for g in panel.graders if g.account_id == found[0]), 4)
    assert asked[:2] == asked[2:]
    assert len(set(asked)) == 2


def test_with_nothing_graded_there_is_nobody_to_check(make: Callable[..., SmallWorkspace]) -> None:
    assert longest_unchecked_or_none(make().bench, "p-lead") is None


def test_a_word_reaches_the_grader_only_if_it_is_written(panel: SmallWorkspace, first: Account) -> None:
    paper = drawn(panel, first)
    seq = look(panel, first, 5)
    assert words_to(panel.bench, first.account_id) == []
    with pytest.raises(GradeProblem):
        write_to_grader(panel.bench, panel.actor, seq, " ")
    write_to_grader(panel.bench, panel.actor, seq, "Look at the gift once more.")
    ((assignment_id, _, words),) = words_to(panel.bench, first.account_id)
    assert (assignment_id, words) == (paper.assignment_id, "Look at the gift once more.")
    assert words_to(panel.bench, panel.graders[1].account_id) == []
    assert compare(panel.bench, seq).word == words
    with pytest.raises(NotAllowed, match="already"):
        write_to_grader(panel.bench, panel.actor, seq, "Again.")
    check_store(panel.bench.store)


def test_agreement_uses_the_grade_given_before_the_word(panel: SmallWorkspace, first: Account) -> None:
    paper = drawn(panel, first)
    write_to_grader(panel.bench, panel.actor, look(panel, first, 6), "Think of the gift.")
    correct_grade(
        panel.bench, first.account_id, paper.assignment_id, judged(6), reason="The gift.", token="correction"
    )
    assert standing(panel, paper.response_id).final == 6
    with panel.bench.record() as record:
        given = {grade.assignment_id: grade.score for grade in record.independent_grades()}
    assert given[paper.assignment_id] == 4


def test_a_backread_can_bring_the_answer_before_the_adjudicator(
    panel: SmallWorkspace, first: Account
) -> None:
    paper = drawn(panel, first)
    seq = look(panel, first, 1)
    raise_dispute(panel.bench, panel.actor, paper.response_id, "Three points apart.", backread=seq)
    assert standing(panel, paper.response_id).status == "disputed"
    assert compare(panel.bench, seq).status == "disputed"


def test_an_answer_without_a_grade_cannot_be_backread(make: Callable[..., SmallWorkspace]) -> None:
    small = make()
    ungraded = small.queue(small.graders[0])[0]
    with pytest.raises(NotAllowed, match="cannot be read back"):
        backread(small.bench, small.actor, ungraded.assignment_id, judged(4))
    with pytest.raises(NotAllowed, match="no such backread"):
        compare(small.bench, 1)
    assert standing(small, an_answer(small)).status == "waiting"
