"""Calibration that was interrupted, or met a change on its way, goes on or says why not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.workflow import calibration_scoring, grade_submission
from grader_app.workflow.calibration import own_attempt, submit_order
from grader_app.workflow.calibration_scoring import finish_what_is_scored
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.monitoring import pause, resume
from grader_app.workflow.panel_reference import draw_packets, freeze_references
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]
PANEL = """\
format: calibration_set/1
id: mee-barge-p
version: "1"
title: The panel's own
item: mee-barge
point_sheet_version: "1"
purpose: qualify
reference: panel
origin: panel
papers: 5
judged_papers: 5
"""


def test_a_breakdown_between_the_last_score_and_the_gate_is_made_good(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    grader = made.graders[0]
    attempt = made.begin(grader)
    made.rank(attempt)
    with monkeypatch.context() as broken:
        broken.setattr(grade_submission, "finish_attempt_if_scored", lambda bench, dealt: None)
        made.score(attempt)
    assert made.count(EventKind.QUALIFICATION_JUDGED) == 0
    finish_what_is_scored(made.bench, grader.account_id)
    finish_what_is_scored(made.bench, grader.account_id)
    assert made.count(EventKind.QUALIFICATION_JUDGED) == 1
    assert standing_of(made.bench, grader.account_id, "mee-barge").may_grade


def test_a_packet_begun_before_a_pause_does_not_end_it(make: Make) -> None:
    made = make(packets=("mee-barge-a", "mee-barge-b"), qualification="required")
    grader = made.graders[0]
    made.calibrate(grader)
    attempt = made.begin(grader)
    made.rank(attempt)
    pause(made.bench, made.actor, grader.account_id, "mee-barge")
    assert made.score(attempt).judgment is not None
    assert made.count(EventKind.GRADING_RESUMED) == 0
    assert not standing_of(made.bench, grader.account_id, "mee-barge").may_grade


def test_neither_a_pause_nor_its_end_keeps_a_reason_that_names_somebody(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    grader, other = made.graders[:2]
    lead = made.actor
    with pytest.raises(GradeProblem, match=f"The reason names {other.name}"):
        pause(made.bench, lead, grader.account_id, "mee-barge", f"Talk with {other.name} first.")
    assert made.count(EventKind.GRADING_PAUSED) == 0
    pause(made.bench, lead, grader.account_id, "mee-barge", "Talk with the lead first.")
    with pytest.raises(GradeProblem, match=f"The reason names {grader.name}"):
        resume(made.bench, lead, grader.account_id, "mee-barge", f"I talked with {grader.name}.")
    assert made.count(EventKind.GRADING_RESUMED) == 0


def test_a_token_used_for_a_grade_is_no_token_for_an_order(make: Make) -> None:
    made = make(packets=("mee-barge-a", "mee-barge-b"), qualification="required")
    attempt = made.begin(made.graders[0])
    made.rank(attempt)
    first = attempt.assignment_ids[0]
    submit_grade(made.bench, attempt.grader_id, first, GradeEntry(score=3), token="used")
    other = made.begin(made.graders[1])
    state = {"piles": [{"label": "", "groups": [[a] for a in other.assignment_ids]}]}
    with pytest.raises(NotAllowed, match="used for something else"):
        submit_order(made.bench, other.grader_id, other.attempt_id, state, token="used")


def test_half_a_character_in_a_piles_name_is_kept_as_one_that_can_be_stored(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    attempt = made.begin(made.graders[0])
    state = {"piles": [{"label": "a\ud800b", "groups": [[attempt.assignment_ids[0]]]}]}
    calibration_scoring.own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)
    from grader_app.workflow.calibration import board_of, save_order

    save_order(made.bench, attempt.grader_id, attempt.attempt_id, state, 0)
    kept = board_of(made.bench, attempt.grader_id, attempt.attempt_id).state
    assert kept is not None
    assert kept["piles"][0]["label"] == "a\ufffdb"


def panel(make: Make, graders: int) -> SmallWorkspace:
    made = make(graders=graders, answers=12, dealt=False, qualification="required", items=("mee-barge",))
    place = made.path / "calibration_sets" / "mee-barge-p"
    place.mkdir(parents=True)
    (place / "calibration_set.yaml").write_text(PANEL, encoding="utf-8")
    register_files(made.bench, made.actor)
    return made


def test_two_graders_are_no_panel_that_makes_its_own_references(make: Make) -> None:
    with pytest.raises(NotAllowed, match="3 graders or more"):
        draw_packets((made := panel(make, 2)).bench, made.actor, "mee-barge-p")


def test_a_question_is_not_closed_over_answers_without_a_frozen_reference(make: Make) -> None:
    made = panel(make, 3)
    draw_packets(made.bench, made.actor, "mee-barge-p")
    with pytest.raises(NotAllowed, match="10 answers to mee-barge were drawn"):
        close_item(made.bench, made.actor, "mee-barge")


def test_a_second_packet_that_too_few_finished_can_be_frozen_without_judging(make: Make) -> None:
    made = panel(make, 3)
    draw_packets(made.bench, made.actor, "mee-barge-p")
    for packet, readers in ((1, made.graders), (2, made.graders[:2])):
        for grader in readers:
            attempt = made.begin(grader)
            assert attempt.packet == packet
            groups = [[a] for a in attempt.assignment_ids]
            state = {"piles": [{"label": "", "groups": groups}]}
            submit_order(made.bench, grader.account_id, attempt.attempt_id, state, token=attempt.attempt_id)
            for a in attempt.assignment_ids:
                submit_grade(made.bench, grader.account_id, a, GradeEntry(score=4), token=a)
        freeze_references(made.bench, made.actor, "mee-barge-p", packet, {})
    with made.bench.record() as record:
        finals = {record.standing(r).final for r in record.calibration.drawn}
    assert finals == {4}


def test_a_panels_packets_serve_no_other_point_sheet(make: Make) -> None:
    made = panel(make, 3)
    draw_packets(made.bench, made.actor, "mee-barge-p")
    sheet = made.path / "rubrics" / "mee-barge" / "point_sheet.yaml"
    changed = sheet.read_text(encoding="utf-8").replace("needs control", "needs care")
    sheet.write_text(changed.replace('version: "1"\nitem', 'version: "2"\nitem'), encoding="utf-8")
    said = made.path / "calibration_sets" / "mee-barge-p" / "calibration_set.yaml"
    said.write_text(
        PANEL.replace('version: "1"\ntitle', 'version: "2"\ntitle').replace(
            'point_sheet_version: "1"', 'point_sheet_version: "2"'
        ),
        encoding="utf-8",
    )
    register_files(made.bench, made.actor)
    found = standing_of(made.bench, made.graders[0].account_id, "mee-barge").qualification
    assert found.status == "no_set"


def test_an_attempt_is_its_own_graders(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    attempt = made.begin(made.graders[0])
    assert own_attempt(made.bench, attempt.grader_id, attempt.attempt_id) == attempt
