from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from small_workspace import SmallWorkspace, write_packet

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind
from grader_app.errors import AlreadyGraded, GradeProblem, NotAllowed, NotDealtToYou
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow.calibration import (
    begin,
    begin_exercise,
    board_of,
    own_attempt,
    save_order,
    submit_order,
)
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead, submit_grade
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]


@pytest.fixture
def made(make: Make) -> SmallWorkspace:
    return make(packets=("mee-barge-a", "mee-barge-b"), qualification="required")


def state(*groups: list[str]) -> dict[str, Any]:
    return {"piles": [{"label": "", "groups": list(groups)}]}


def board_ids(made: SmallWorkspace, attempt: Attempt) -> list[str]:
    board = board_of(made.bench, attempt.grader_id, attempt.attempt_id)
    return [paper.assignment_id for paper in board.papers]


def test_a_packet_holds_every_paper_but_the_anchors_under_ids_of_its_own(made: SmallWorkspace) -> None:
    one, two = (made.begin(grader) for grader in made.graders)
    assert sorted(made.essays(one).values()) == ["E01", "E02", "E03", "E04", "E05", "E06"]
    assert not set(one.assignment_ids) & set(two.assignment_ids)
    assert (one.set_id, one.number, one.purpose, one.packet) == ("mee-barge-a", 1, "qualify", 1)
    check_store(made.bench.store)


def test_ranking_and_scoring_have_orders_of_their_own_that_differ_between_graders(make: Make) -> None:
    made = make(graders=3, qualification="required")
    write_packet(made.path, "mee-barge-a", scores=tuple([1, 2, 3, 4, 5, 6] * 5))
    register_files(made.bench, made.actor)
    orders = set()
    for grader in made.graders:
        attempt = made.begin(grader)
        essays = made.essays(attempt)
        ranking = tuple(essays[a] for a in board_ids(made, attempt))
        scoring = tuple(essays[a] for a in attempt.assignment_ids)
        assert board_ids(made, attempt) == board_ids(made, attempt)
        orders |= {ranking, scoring}
    assert len(orders) == 6


def test_the_board_shows_numbers_and_texts_and_neither_name_nor_score_of_a_paper(
    made: SmallWorkspace,
) -> None:
    attempt = made.begin(made.graders[0])
    board = board_of(made.bench, attempt.grader_id, attempt.attempt_id)
    assert [paper.label for paper in board.papers] == ["1", "2", "3", "4", "5", "6"]
    assert (board.piles, board.pile_labels, board.state, board.revision) == (6, (), None, 0)
    assert {field for field in vars(board.papers[0])} == {"assignment_id", "label", "answer"}
    said = {field for field in vars(board)}
    assert said == {
        *("attempt_id", "item", "title", "prompt", "guidelines", "levels", "papers"),
        *("piles", "pile_labels", "state", "revision", "saved_at"),
    }


def test_piles_are_the_sets_choice(make: Make) -> None:
    made = make(qualification="required")
    labels = "piles: 2\npile_labels:\n  - Above\n  - Below\n"
    write_packet(made.path, "mee-barge-a", more=labels)
    register_files(made.bench, made.actor)
    attempt = made.begin(made.graders[0])
    board = board_of(made.bench, attempt.grader_id, attempt.attempt_id)
    assert (board.piles, board.pile_labels) == (2, ("Above", "Below"))


def test_every_move_is_kept_and_a_second_tab_is_told(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    who, name = attempt.grader_id, attempt.attempt_id
    ids = board_ids(made, attempt)
    first = save_order(made.bench, who, name, state([ids[0]]), 0)
    assert first.revision == 1
    board = board_of(made.bench, who, name)
    assert (board.state, board.revision, board.saved_at) == (state([ids[0]]), 1, first.saved_at)
    again = save_order(made.bench, who, name, state([ids[0]]), 0)
    assert (again.revision, again.saved_at) == (1, first.saved_at), "sent again after a lost answer"
    with pytest.raises(AlreadyGraded, match="another tab"):
        save_order(made.bench, who, name, state([ids[1]]), 0)
    assert save_order(made.bench, who, name, state([ids[1]], [ids[0]]), 1).revision == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda ids: {},
        lambda ids: {"piles": []},
        lambda ids: {"piles": [{"groups": []}] * 11},
        lambda ids: {"piles": [{"label": 3, "groups": []}]},
        lambda ids: {"piles": [{"label": "", "groups": [[]]}]},
        lambda ids: {"piles": [{"label": "", "groups": ["a"]}]},
        lambda ids: state([ids[0], ids[0]]),
        lambda ids: state([ids[0]], [ids[0]]),
        lambda ids: state(["a2345678923"]),
    ],
)
def test_an_order_that_is_none_is_refused_and_nothing_kept(made: SmallWorkspace, spoil: Any) -> None:
    attempt = made.begin(made.graders[0])
    with pytest.raises(GradeProblem):
        save_order(made.bench, attempt.grader_id, attempt.attempt_id, spoil(board_ids(made, attempt)), 0)
    assert board_of(made.bench, attempt.grader_id, attempt.attempt_id).state is None


def test_an_order_is_submitted_once_and_whole(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    who, name = attempt.grader_id, attempt.attempt_id
    ids = board_ids(made, attempt)
    with pytest.raises(GradeProblem, match="1 of the papers"):
        submit_order(made.bench, who, name, state(ids[:5]), token="t1")
    groups = [[ids[3]], [ids[0], ids[1]], [ids[2], ids[4], ids[5]]]
    at = submit_order(made.bench, who, name, state(*groups), token="t1")
    assert submit_order(made.bench, who, name, state(*groups), token="t1") == at, "a double click"
    with pytest.raises(AlreadyGraded, match="no longer changes"):
        submit_order(made.bench, who, name, state(*groups), token="t2")
    with pytest.raises(AlreadyGraded):
        save_order(made.bench, who, name, state(*groups), 0)
    found = own_attempt(made.bench, who, name)
    assert found.ranks == {ids[3]: 1, ids[0]: 2, ids[1]: 2, ids[2]: 4, ids[4]: 4, ids[5]: 4}
    (event,) = [e for e in read_events(made.bench.store) if e.kind == EventKind.PAPERS_RANKED]
    assert event.body["order"] == groups
    check_store(made.bench.store)


def test_another_graders_packet_is_nobody_elses(made: SmallWorkspace) -> None:
    attempt, other = made.begin(made.graders[0]), made.graders[1].account_id
    for act in (
        lambda: board_of(made.bench, other, attempt.attempt_id),
        lambda: save_order(made.bench, other, attempt.attempt_id, state(), 0),
        lambda: submit_order(made.bench, other, attempt.attempt_id, state(), token="t"),
        lambda: submit_grade(made.bench, other, attempt.assignment_ids[0], GradeEntry(score=3), token="u"),
        lambda: board_of(made.bench, other, "knone"),
    ):
        with pytest.raises(NotDealtToYou):
            act()


def test_scoring_waits_for_the_order_and_ends_with_the_gate(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    paper = attempt.assignment_ids[0]
    with pytest.raises(NotAllowed, match="in order first"):
        submit_grade(made.bench, attempt.grader_id, paper, GradeEntry(score=3), token="early")
    with pytest.raises(NotAllowed, match="scored or coded"):
        refer_to_lead(made.bench, attempt.grader_id, paper, "other", token="refer")
    made.rank(attempt)
    submit_grade(made.bench, attempt.grader_id, paper, GradeEntry(score=0), token="s")
    correct_grade(made.bench, attempt.grader_id, paper, GradeEntry(score=6), reason="Slip.", token="c")
    for a in attempt.assignment_ids[1:]:
        submit_grade(made.bench, attempt.grader_id, a, GradeEntry(score=3), token=f"s{a}")
    judged = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id).judgment
    assert judged is not None
    with pytest.raises(AlreadyGraded, match="finished"):
        correct_grade(made.bench, attempt.grader_id, paper, GradeEntry(score=1), reason="No.", token="d")
    assert made.count(EventKind.QUALIFICATION_JUDGED) == 1


def test_live_grading_opens_with_the_gate_and_not_before(made: SmallWorkspace) -> None:
    grader = made.graders[0].account_id
    assert next_sheet_or_none(made.bench, grader) is None
    judged = made.calibrate(made.graders[0]).judgment
    assert judged is not None
    assert judged.outcome == "qualified"
    sheet = next_sheet_or_none(made.bench, grader)
    assert sheet is not None
    assert sheet.item == "mee-barge"
    assert next_sheet_or_none(made.bench, made.graders[1].account_id) is None


def test_the_conditions_are_recorded_with_their_figures(made: SmallWorkspace) -> None:
    judged = made.calibrate(made.graders[0], off=1).judgment
    assert judged is not None
    assert judged.outcome == "not_qualified"
    found = {c["name"]: (c["value"], c["needed"], c["met"]) for c in judged.conditions}
    # Every score a point below its reference (1 2 3 3 4 5 gives 0 1 2 2 3 4): all adjacent, a point harsh.
    assert found["rank_order"] == (1, 0.85, True)
    assert found["exact_or_adjacent"] == (1, 0.9, True)
    assert found["severity"] == (1, 0.4, False)


def test_a_second_set_comes_next_and_then_nothing(made: SmallWorkspace) -> None:
    grader = made.graders[0]
    assert made.calibrate(grader, off=2).set_id == "mee-barge-a"
    second = made.calibrate(grader, off=2)
    assert (second.set_id, second.number) == ("mee-barge-b", 2)
    with pytest.raises(NotAllowed, match="No attempt is left"):
        begin(made.bench, grader.account_id, "mee-barge")


def test_only_one_packet_at_a_time(made: SmallWorkspace) -> None:
    made.begin(made.graders[0])
    with pytest.raises(NotAllowed, match="under way"):
        begin(made.bench, made.graders[0].account_id, "mee-barge")


def test_packets_are_no_part_of_the_live_queue(made: SmallWorkspace) -> None:
    grader = made.graders[0]
    before = made.queue(grader)
    made.calibrate(grader)
    assert made.queue(grader) == before
    with made.bench.record() as record:
        kinds = {record.assignments[a].kind for a in record.check_grades}
        assert kinds == {ReadKind.CALIBRATION}
        assert record.grades == {}


def test_an_exercise_on_codes_is_judged_by_nobody(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    place = made.path / "calibration_sets" / "mee-barge-codes"
    write_packet(made.path, "mee-barge-codes", scores=(), anchors=(), purpose="codes")
    (place / "reference_scores.csv").write_text(
        "essay,condition_code,anchor,rationale\nC1,blank,no,Empty.\nC2,off-topic,no,Elsewhere.\n",
        encoding="utf-8",
    )
    for name in ("C1", "C2"):
        (place / "essays" / f"{name}.md").write_text(
            f"{name} is as it is in a codes exercise.\n", encoding="utf-8"
        )
    register_files(made.bench, made.actor)
    grader = made.graders[0].account_id
    made.train(made.graders[0])
    attempt = own_attempt(made.bench, grader, begin_exercise(made.bench, grader, "mee-barge"))
    for a in attempt.assignment_ids:
        submit_grade(made.bench, grader, a, GradeEntry(condition_code="blank"), token=f"c{a}")
    done = own_attempt(made.bench, grader, attempt.attempt_id)
    assert done.judgment is not None
    assert done.judgment.outcome == "exercise"
    assert next_sheet_or_none(made.bench, grader) is None, "it opens nothing"
    with pytest.raises(NotAllowed, match="no exercise on codes left"):
        begin_exercise(made.bench, grader, "mee-barge")
    assert made.calibrate(made.graders[0]).number == 1
