from __future__ import annotations

import pytest

from grader_app.agreement.validity_watch import restarted_after
from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, NotAllowed, NotQualified
from grader_app.workflow.board import board_of
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.monitoring import pause
from grader_app.workflow.pausing import PAUSED_FOR_ALL, let_everybody_go_on, pause_everybody, paused_for_all
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.waiting import Why


def test_a_paused_question_takes_no_grade_from_anybody_until_all_go_on(small) -> None:
    assert pause_everybody(small.bench, small.actor, "mee-barge") == 2
    assert paused_for_all(small.bench) == ["mee-barge"]
    for grader in small.graders:
        assert standing_of(small.bench, grader.account_id, "mee-barge").says == PAUSED_FOR_ALL
        with pytest.raises(NotQualified, match="paused this question for everybody"):
            small.submit(small.queue(grader)[0])
    assert let_everybody_go_on(small.bench, small.actor, "mee-barge") == 2
    assert paused_for_all(small.bench) == []
    for grader in small.graders:
        small.submit(small.queue(grader)[0])


def test_the_whole_round_is_paused_but_for_closed_questions(small) -> None:
    small.submit(small.queue(small.graders[0])[0])
    close_item(small.bench, small.actor, "mee-barge")
    assert pause_everybody(small.bench, small.actor, None, "Back at two.") == 2
    assert paused_for_all(small.bench) == ["rule-ferry"]
    assert let_everybody_go_on(small.bench, small.actor, None) == 2


def test_the_board_tells_a_pause_of_everybody_from_one_graders(small) -> None:
    pause(small.bench, small.actor, small.graders[0].account_id, "mee-barge")
    pause_everybody(small.bench, small.actor, "mee-barge")
    found = {one.why: one for one in board_of(small.bench).stuck}
    assert (found[Why.PAUSED].count, found[Why.PAUSED_FOR_ALL].count) == (2, 2)
    assert "for grader-1, paused on" in found[Why.PAUSED].says


def test_a_grader_paused_alone_stays_paused_when_everybody_goes_on(small) -> None:
    alone, other = small.graders
    pause(small.bench, small.actor, alone.account_id, "mee-barge")
    assert pause_everybody(small.bench, small.actor, "mee-barge") == 1
    let_everybody_go_on(small.bench, small.actor, "mee-barge")
    assert next_sheet_or_none(small.bench, alone.account_id) is None
    assert next_sheet_or_none(small.bench, other.account_id) is not None


def test_a_pause_of_everybody_does_not_start_the_watch_on_drift_again(small) -> None:
    grader_id = small.graders[0].account_id
    pause_everybody(small.bench, small.actor, "mee-barge")
    let_everybody_go_on(small.bench, small.actor, "mee-barge")
    with small.bench.record() as record:
        assert restarted_after(record, grader_id, "mee-barge") == 0


def test_nothing_is_recorded_twice_nor_with_a_name(small) -> None:
    with pytest.raises(GradeProblem, match="names grader-1"):
        pause_everybody(small.bench, small.actor, "mee-barge", "grader-1 is ill")
    with pytest.raises(GradeProblem, match="keep it to"):
        pause_everybody(small.bench, small.actor, "mee-barge", "x" * 501)
    with pytest.raises(NotAllowed, match="No question is paused"):
        let_everybody_go_on(small.bench, small.actor, "mee-barge")
    pause_everybody(small.bench, small.actor, "mee-barge")
    with pytest.raises(NotAllowed, match="paused already"):
        pause_everybody(small.bench, small.actor, "mee-barge")
    assert small.count(EventKind.GRADING_PAUSED) == 2


def test_calibrating_does_not_end_a_pause_of_everybody(make) -> None:
    small = make(graders=1, qualification="required", packets=("heron-set",))
    (grader,) = small.graders
    pause_everybody(small.bench, small.actor, "mee-barge")
    assert small.calibrate(grader).judgment.outcome == "qualified"
    assert not standing_of(small.bench, grader.account_id, "mee-barge").may_grade
