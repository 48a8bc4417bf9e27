from __future__ import annotations

from collections.abc import Callable

import pytest
from rows_behind_triggers import change_rows, remove_answer
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.reconciliation import PaperCount, Reconciliation, reconcile
from grader_app.store.responses import add_mbe
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.reconciliation import reconciliation_of, unreconciled
from grader_app.workflow.referrals import exclude

Make = Callable[..., SmallWorkspace]


def counted(small: SmallWorkspace) -> Reconciliation:
    return reconciliation_of(small.bench)


def give_mbe(small: SmallWorkspace, *candidates: str) -> None:
    with small.bench.store.write() as connection:
        add_mbe(connection, [(who, 140.0) for who in candidates])
    small.append(EventKind.MBE_TAKEN_IN, "mbe", n=len(candidates))


def candidate_of(small: SmallWorkspace, response_id: str) -> str:
    with small.bench.record() as record:
        return str(record.candidate_of(response_id))


def test_every_paper_stands_in_one_column_and_the_columns_add_up(make: Make) -> None:
    small = make(answers=6)
    first, second = (small.queue(grader) for grader in small.graders)
    small.submit(first[0])
    small.submit(first[1], entry=GradeEntry(condition_code="blank"))
    refer_to_lead(small.bench, first[2].grader_id, first[2].assignment_id, "other", token="t")
    exclude(small.bench, small.actor, first[2].assignment_id, "A page is missing.")
    (late,) = small.take_in("mee-barge", 1)
    small.append(EventKind.ANSWERS_WITHDRAWN, "mee-barge", response_ids=[late])
    found = counted(small)
    (barge, ferry) = found.items
    assert barge.papers == PaperCount(final=1, coded=1, waiting=3, excluded=1, withdrawn=1)
    assert (barge.taken_in, barge.papers.there, barge.missing) == (7, 7, 0)
    assert (ferry.item, ferry.taken_in, ferry.papers.there) == ("rule-ferry", 0, 0)
    assert found.line == "Papers: 7 in = 1 graded + 1 coded + 3 waiting + 1 excluded + 1 withdrawn."
    assert found.unreconciled == ()
    assert len(second) == 3


def test_a_disputed_paper_has_its_own_column(make: Make) -> None:
    small = make(answers=1, reading="reads: 2\nresolve_when_apart_by_more_than: 1")
    for grader, score in zip(small.graders, (1, 5), strict=True):
        small.submit(small.queue(grader)[0], score)
    assert counted(small).papers == PaperCount(disputed=1)


@pytest.mark.parametrize("dealt", [True, False])
def test_a_row_taken_away_shows_at_once(make: Make, dealt: bool) -> None:
    small = make(dealt=dealt)
    assert unreconciled(small.bench) == []
    with small.bench.record() as record:
        gone = record.response_ids("mee-barge")[0]
    remove_answer(small.bench.store.path, gone)
    said = unreconciled(small.bench)
    assert said[0] == "mee-barge: 4 papers taken in, 3 there: 1 missing."
    assert said[1:] == ([f"Dealt and no longer there: {gone}."] if dealt else [])


def test_a_paper_put_in_place_of_another_shows_although_the_count_is_right(small: SmallWorkspace) -> None:
    gone = small.queue(small.graders[0])[0].response_id
    copy = "INSERT INTO response SELECT 'rother', item, candidate_id, 99, text_hash, cut_off, row_hash "
    path = small.bench.store.path
    change_rows(path, (f"{copy} FROM response WHERE id = ?", (gone,)))
    assert unreconciled(small.bench) == ["mee-barge: 4 papers taken in, 5 there: 1 that nobody took in."]
    remove_answer(path, gone)
    assert unreconciled(small.bench) == [f"Dealt and no longer there: {gone}."]


def test_a_paper_moved_to_another_question_shows(small: SmallWorkspace) -> None:
    moved = small.queue(small.graders[0])[0].response_id
    sql = "UPDATE response SET item = 'rule-ferry' WHERE id = ?"
    change_rows(small.bench.store.path, (sql, (moved,)))
    assert unreconciled(small.bench) == [
        "mee-barge: 4 papers taken in, 3 there: 1 missing.",
        "rule-ferry: 0 papers taken in, 1 there: 1 that nobody took in.",
        f"Paper {moved} was dealt as an answer to mee-barge and stands under rule-ferry now.",
    ]


def test_an_mbe_score_taken_away_shows(small: SmallWorkspace) -> None:
    give_mbe(small, "c1", "c2")
    assert unreconciled(small.bench) == []
    change_rows(small.bench.store.path, ("DELETE FROM mbe WHERE candidate_id = ?", ("c1",)))
    assert unreconciled(small.bench) == ["MBE scores: 2 taken in, 1 there."]


def test_candidates_are_counted_by_what_they_have(make: Make) -> None:
    small = make(answers=0, items=("mee-barge", "mee-crane", "rule-ferry"))
    both, _ = small.take_in_of_one_candidate("mee-barge", "mee-crane")
    (one,) = small.take_in_of_one_candidate("mee-barge")
    small.take_in("rule-ferry", 2)
    whole, half = candidate_of(small, both), candidate_of(small, one)
    give_mbe(small, whole, "cnobody")
    found = counted(small).candidates
    assert found.items == ("mee-barge", "mee-crane")
    assert (found.all_items, found.some_items, found.no_item) == (1, 1, 2)
    assert (found.with_mbe, found.without_mbe, found.mbe_without_answer) == (1, (half,), ("cnobody",))
    assert found.remarks == (
        "1 candidate with an MBE score and no answer: cnobody.",
        "1 candidate with answers to some questions and not to all.",
        "1 candidate with answers and without an MBE score.",
    )
    assert counted(small).unreconciled == ()


def test_two_answers_of_one_candidate_to_one_question_are_named(small: SmallWorkspace) -> None:
    twice = candidate_of(small, small.queue(small.graders[0])[0].response_id)
    small.take_in_of("mee-barge", twice)
    found = counted(small).candidates
    assert [(one.candidate_id, one.item, one.n) for one in found.several] == [(twice, "mee-barge", 2)]
    assert found.remarks == (
        "1 candidate with two answers or more to one question, and so without a scaled score: "
        f"{twice} (2 to mee-barge).",
    )


def test_an_intake_that_does_not_say_how_many_is_passed_over(small: SmallWorkspace) -> None:
    small.append(EventKind.ANSWERS_TAKEN_IN, "mee-barge", item="mee-barge")
    found = counted(small)
    assert (found.items[0].taken_in, found.taken_in, found.unreconciled) == (None, 4, ())


def test_the_count_made_from_the_record_alone_is_the_same(small: SmallWorkspace) -> None:
    small.submit(small.queue(small.graders[0])[0])
    with small.bench.record() as record:
        assert reconcile(record) == reconciliation_of(small.bench)
