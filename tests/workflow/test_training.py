from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.errors import NotAllowed
from grader_app.store.event_log import read_events
from grader_app.workflow.calibration import begin
from grader_app.workflow.training import complete_training, see_material, training_of

Make = Callable[..., SmallWorkspace]


def test_the_materials_are_those_there_are_and_anchors_come_best_first(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    found = training_of(made.bench, made.graders[0].account_id, "mee-barge")
    assert found.materials == ("rubric", "point_sheet", "anchors")
    assert [paper.score for paper in found.anchors] == [5, 2]
    assert found.anchors_are_constructed
    (made.path / "rubrics" / "mee-barge" / "guidelines.md").write_text("1. Notes count.\n", encoding="utf-8")


def test_each_look_is_recorded_once_with_its_date_and_completion_names_what_is_left(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    grader = made.graders[0].account_id
    see_material(made.bench, grader, "mee-barge", "rubric")
    first = training_of(made.bench, grader, "mee-barge").seen["rubric"]
    see_material(made.bench, grader, "mee-barge", "rubric")
    assert training_of(made.bench, grader, "mee-barge").seen == {"rubric": first}
    with pytest.raises(NotAllowed, match="Open these first: point sheet, anchor papers"):
        complete_training(made.bench, grader, "mee-barge")
    for name in ("point_sheet", "anchors"):
        see_material(made.bench, grader, "mee-barge", name)
    complete_training(made.bench, grader, "mee-barge")
    complete_training(made.bench, grader, "mee-barge")
    assert made.count(EventKind.MATERIAL_SEEN) == 3
    assert made.count(EventKind.TRAINING_COMPLETED) == 1
    (completed,) = [e for e in read_events(made.bench.store) if e.kind == EventKind.TRAINING_COMPLETED]
    assert (completed.subject, completed.body["item"], completed.body["item_version"]) == (
        grader,
        "mee-barge",
        "1",
    )
    assert training_of(made.bench, grader, "mee-barge").completed_at == completed.at


def test_a_packet_opens_only_after_training(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    with pytest.raises(NotAllowed, match="Read the materials first"):
        begin(made.bench, made.graders[0].account_id, "mee-barge")


def test_a_material_that_is_not_there_is_refused(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required")
    with pytest.raises(NotAllowed, match="no material `references`"):
        see_material(made.bench, made.graders[0].account_id, "mee-barge", "references")
