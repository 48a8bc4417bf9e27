from __future__ import annotations

from collections.abc import Callable

import pytest
from reads_of_one_answer import ADJUDICATED, THIRD, an_answer, correct, judged, live_reads, read, standing
from small_workspace import SmallWorkspace

from grader_app.agreement.of_round import ratings_of_record
from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Role
from grader_app.domain.reader_order import in_shown_order
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed, SourcesAreRevealed
from grader_app.store.integrity import check_store
from grader_app.workflow import accounts
from grader_app.workflow.adjudication import (
    adjudicate,
    confirm,
    find_case,
    hidden_from,
    look_first,
    open_disputes,
    raise_dispute,
    settled_answers,
)
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.papers import find_paper

CONFIRM = "A read was corrected after this was settled; confirm it or settle it again."


@pytest.fixture
def panel(make: Callable[..., SmallWorkspace]) -> SmallWorkspace:
    return make(graders=3, answers=12, reading=ADJUDICATED)


@pytest.fixture
def lead(panel: SmallWorkspace) -> str:
    return accounts.add_account(panel.bench, panel.actor, "lead", Role.LEAD)[0].account_id


@pytest.fixture
def disputed(panel: SmallWorkspace) -> str:
    """An answer read as 2 and 5."""
    read(panel, an_answer(panel), 2, 5)
    return an_answer(panel)


def settle(panel: SmallWorkspace, lead: str, response_id: str, gave: float | str) -> None:
    look_first(panel.bench, lead, response_id, judged(gave))
    adjudicate(panel.bench, lead, response_id, judged(gave))


def test_the_reads_are_hidden_until_the_adjudicator_has_given_a_score(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    case = find_case(panel.bench, lead, disputed)
    assert (case.hidden, case.reads, case.why, case.kind) == (True, (), "", "The reads differ")
    assert case.text.startswith("Answer ")
    with pytest.raises(NotAllowed, match="a score of your own first"):
        adjudicate(panel.bench, lead, disputed, judged(4))
    look_first(panel.bench, lead, disputed, judged(4))
    case = find_case(panel.bench, lead, disputed)
    assert case.hidden is False
    assert sorted(read.gave for read in case.reads) == ["2", "5"]
    assert case.first_look is not None
    assert (case.first_look.gave, case.why) == ("4", "The reads are 3 points apart.")


def test_another_adjudicator_has_to_look_first_as_well(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    second = accounts.add_account(panel.bench, panel.actor, "lead-2", Role.LEAD)[0].account_id
    look_first(panel.bench, lead, disputed, judged(4))
    assert find_case(panel.bench, second, disputed).hidden
    assert hidden_from(panel.bench, second) == {disputed}
    assert hidden_from(panel.bench, lead) == set()


def test_a_round_may_show_the_reads_at_once(make: Callable[..., SmallWorkspace]) -> None:
    small = make(graders=2, answers=2, reading=f"{ADJUDICATED}\nprior_scores: shown")
    read(small, an_answer(small), 2, 5)
    assert sorted(one.gave for one in find_case(small.bench, small.actor, an_answer(small)).reads) == [
        "2",
        "5",
    ]
    assert hidden_from(small.bench, small.actor) == set()
    adjudicate(small.bench, small.actor, an_answer(small), judged(3))
    assert standing(small, an_answer(small)).final == 3


def test_the_first_score_settles_nothing_is_given_once_and_stays_in_the_log(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    look_first(panel.bench, lead, disputed, judged(4))
    assert standing(panel, disputed).status == "disputed"
    with pytest.raises(NotAllowed, match="already"):
        look_first(panel.bench, lead, disputed, judged(5))
    adjudicate(panel.bench, lead, disputed, judged(4))
    with panel.bench.record() as record:
        (made,) = record.settling.adjudications[disputed]
        (look,) = record.settling.first_looks[disputed]
        assert made.first_look == look.event_seq
        assert made.settles == tuple(one.event_seq for one in record.reads(disputed))


def test_a_decision_that_differs_from_the_first_score_needs_a_reason(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    look_first(panel.bench, lead, disputed, judged(4))
    with pytest.raises(GradeProblem, match="Say in a few words why"):
        adjudicate(panel.bench, lead, disputed, judged(5))
    adjudicate(panel.bench, lead, disputed, judged(5), reason="Reader 2 saw the gift.")
    (settled,) = settled_answers(panel.bench)
    assert (settled.gave, settled.changed, settled.reason) == ("5", True, "Reader 2 saw the gift.")


def test_a_settled_answer_leaves_the_queue_and_a_second_click_changes_nothing(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    settle(panel, lead, disputed, 4)
    found = standing(panel, disputed)
    assert (found.raw, found.final, found.status, found.settled_by) == (3.5, 4, "final", "adjudication")
    assert open_disputes(panel.bench) == ([], [])
    before = panel.count(EventKind.GRADE_ADJUDICATED)
    with pytest.raises(NotAllowed, match="no longer in dispute"):
        adjudicate(panel.bench, lead, disputed, judged(4))
    assert panel.count(EventKind.GRADE_ADJUDICATED) == before
    check_store(panel.bench.store)


def test_an_adjudicator_may_give_a_code(panel: SmallWorkspace, lead: str, disputed: str) -> None:
    settle(panel, lead, disputed, "blank")
    assert (standing(panel, disputed).final, standing(panel, disputed).status) == (0.0, "coded")


def test_a_score_off_the_scale_is_refused_and_nothing_is_stored(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    with pytest.raises(GradeProblem, match="not on the scale"):
        look_first(panel.bench, lead, disputed, GradeEntry(score=7))
    with pytest.raises(GradeProblem, match="No score was given"):
        look_first(panel.bench, lead, disputed, GradeEntry())
    assert panel.count(EventKind.GRADE_ADJUDICATED) == 0


def test_a_correction_makes_it_stale_and_one_click_confirms(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    settle(panel, lead, disputed, 4)
    correct(panel, live_reads(panel, disputed)[0], 3)
    assert (standing(panel, disputed).why, standing(panel, disputed).final) == (CONFIRM, None)
    case = find_case(panel.bench, lead, disputed)
    assert case.can_confirm
    assert case.earlier is not None
    assert (case.earlier.gave, case.kind) == ("4", "Corrected after it was settled")
    confirm(panel.bench, lead, disputed)
    assert standing(panel, disputed).final == 4
    with panel.bench.record() as record:
        first, second = record.settling.adjudications[disputed]
        assert second.confirms == first.event_seq
    with pytest.raises(NotAllowed, match="no longer in dispute"):
        confirm(panel.bench, lead, disputed)


def test_a_stale_decision_can_be_made_anew(panel: SmallWorkspace, lead: str, disputed: str) -> None:
    settle(panel, lead, disputed, 4)
    correct(panel, live_reads(panel, disputed)[0], 3)
    adjudicate(panel.bench, lead, disputed, judged(3), reason="Both now see it.")
    assert standing(panel, disputed).final == 3


def test_a_correction_between_look_and_click_is_shown_first(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    look_first(panel.bench, lead, disputed, judged(4))
    seen = find_case(panel.bench, lead, disputed).seen
    correct(panel, live_reads(panel, disputed)[1], 6)
    with pytest.raises(NotAllowed, match="corrected meanwhile"):
        adjudicate(panel.bench, lead, disputed, judged(4), seen=seen)


def test_nothing_can_be_confirmed_that_was_never_settled(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    with pytest.raises(NotAllowed, match="no decision"):
        confirm(panel.bench, lead, disputed)


def test_a_reader_of_an_answer_never_settles_it(panel: SmallWorkspace, disputed: str) -> None:
    for one in live_reads(panel, disputed):
        for act in (look_first, adjudicate):
            with pytest.raises(NotAllowed, match="You have read this answer"):
                act(panel.bench, one.grader_id, disputed, judged(4))


def test_closed_questions_known_sources_and_waiting_third_reads_are_refused(
    panel: SmallWorkspace, lead: str, disputed: str, make: Callable[..., SmallWorkspace]
) -> None:
    close_item(panel.bench, panel.actor, "mee-barge")
    with pytest.raises(ItemIsClosed, match="Reopen it"):
        look_first(panel.bench, lead, disputed, judged(4))
    assert open_disputes(panel.bench) == ([], [])
    panel.append(EventKind.ITEM_REOPENED, "mee-barge")
    panel.append(EventKind.SOURCES_REVEALED, "x", response_ids=[disputed])
    with pytest.raises(SourcesAreRevealed):
        look_first(panel.bench, lead, disputed, judged(4))
    small = make(graders=3, answers=3, reading=THIRD)
    read(small, an_answer(small), 1, 6)
    with pytest.raises(NotAllowed, match="third reader has this answer"):
        find_case(small.bench, small.actor, an_answer(small))


def test_a_dispute_can_be_raised_about_an_answer_whose_reads_agree(panel: SmallWorkspace, lead: str) -> None:
    response_id = an_answer(panel)
    read(panel, response_id, 4, 4)
    with pytest.raises(GradeProblem, match="why"):
        raise_dispute(panel.bench, lead, response_id, "  ")
    raise_dispute(panel.bench, lead, response_id, "The gift was missed by both.")
    assert standing(panel, response_id).status == "disputed"
    with pytest.raises(NotAllowed, match="in dispute already"):
        raise_dispute(panel.bench, lead, response_id, "Again.")
    settle(panel, lead, response_id, 5)
    raise_dispute(panel.bench, lead, response_id, "On appeal.")
    case = find_case(panel.bench, lead, response_id)
    assert (case.kind, case.can_confirm) == ("A lead asked for another look", False)
    adjudicate(panel.bench, lead, response_id, judged(5))
    assert standing(panel, response_id).final == 5


def test_an_answer_that_is_not_fully_read_cannot_be_raised(panel: SmallWorkspace, lead: str) -> None:
    with pytest.raises(NotAllowed, match="reads outstanding"):
        raise_dispute(panel.bench, lead, an_answer(panel), "Why not.")
    with pytest.raises(NotAllowed, match="no answer"):
        raise_dispute(panel.bench, lead, "r-unknown", "Why not.")


def test_settling_changes_no_figure_on_agreement(panel: SmallWorkspace, lead: str, disputed: str) -> None:
    def ratings() -> list[list[int]]:
        with panel.bench.record() as record:
            return [one.ratings.codes.tolist() for one in ratings_of_record(record)]

    before = ratings()
    settle(panel, lead, disputed, 4)
    assert ratings() == before


def test_readers_stand_in_an_order_random_for_each_answer_and_the_same_at_every_look(
    panel: SmallWorkspace,
) -> None:
    first_comes_first = []
    with panel.bench.record() as record:
        ids = record.response_ids("mee-barge")
    for response_id in ids:
        read(panel, response_id, 2, 5)
        shown = [one.gave for one in find_paper(panel.bench, response_id).reads]
        assert shown == [one.gave for one in find_paper(panel.bench, response_id).reads]
        first_comes_first.append(shown == ["2", "5"])
        with panel.bench.record() as record:
            reads = record.reads(response_id)
        assert in_shown_order(reads, 11) == in_shown_order(reads, 11)
    assert 0 < sum(first_comes_first) < len(ids)


def test_a_second_adjudicator_does_not_see_how_it_was_settled_before(
    panel: SmallWorkspace, lead: str, disputed: str
) -> None:
    settle(panel, lead, disputed, 4)
    correct(panel, live_reads(panel, disputed)[0], 6)
    second = accounts.add_account(panel.bench, panel.actor, "lead-2", Role.LEAD)[0].account_id
    case = find_case(panel.bench, second, disputed)
    assert (case.hidden, case.earlier, case.can_confirm) == (True, None, False)
    with pytest.raises(NotAllowed, match="a score of your own first"):
        confirm(panel.bench, second, disputed)
    first = find_case(panel.bench, lead, disputed)
    assert first.earlier is not None
    assert first.earlier.gave == "4"


@pytest.mark.parametrize(("prior_scores", "order"), [("hidden", [0, 1, 2]), ("shown", [2, 1, 0])])
def test_a_place_in_the_queue_does_not_tell_how_far_apart_hidden_reads_are(
    make: Callable[..., SmallWorkspace], prior_scores: str, order: list[int]
) -> None:
    panel = make(graders=3, answers=12, reading=f"{ADJUDICATED}\nprior_scores: {prior_scores}")
    for place, scores in enumerate([(2, 4), (1, 5), (0, 6)]):
        read(panel, an_answer(panel, place), *scores)
    found = [one.response_id for one in open_disputes(panel.bench)[0]]
    assert found == [an_answer(panel, place) for place in order]
