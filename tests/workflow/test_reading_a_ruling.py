"""Graders read a ruling before they go on, and a new point sheet ends what a set is good for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from ruled_items import FURTHER, ITEM, change_sheet, events_of, rule, sheet_of
from small_workspace import SmallWorkspace, write_packet

from grader_app.cli.main import cli
from grader_app.domain.events import EventKind
from grader_app.errors import NotAllowed, NotQualified
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.calibration import begin
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import receipts, reread_guidelines

Make = Callable[..., SmallWorkspace]


@pytest.fixture
def qualified(make: Make) -> SmallWorkspace:
    """Two graders who have qualified and have two answers each."""
    made = make(packets=("mee-barge-a", "mee-barge-b"), qualification="required", items=(ITEM,))
    for grader in made.graders:
        made.calibrate(grader)
    return made


def test_a_qualified_grader_reads_the_ruling_before_going_on(qualified: SmallWorkspace) -> None:
    grader = qualified.graders[0].account_id
    dealt = qualified.queue(qualified.graders[0])[0]
    rule(qualified)
    assert next_sheet_or_none(qualified.bench, grader) is None
    with pytest.raises(NotQualified, match="Read them again before you go on"):
        qualified.submit(dealt)
    reread_guidelines(qualified.bench, grader, ITEM)
    reread_guidelines(qualified.bench, grader, ITEM)
    assert qualified.count(EventKind.GUIDELINES_REREAD) == 1
    (event,) = events_of(qualified, EventKind.GUIDELINES_REREAD)
    assert (event.actor, event.subject, event.body["item"], event.body["item_version"]) == (
        grader,
        grader,
        ITEM,
        "2",
    )
    qualified.submit(dealt)
    assert next_sheet_or_none(qualified.bench, qualified.graders[1].account_id) is None, (
        "each reads for oneself"
    )
    rule(qualified, FURTHER)
    assert standing_of(qualified.bench, grader, ITEM).qualification.status == "reread"


def test_receipts_name_everyone_with_the_time_of_reading_or_none(qualified: SmallWorkspace) -> None:
    one, other = (grader.account_id for grader in qualified.graders)
    gone = qualified.add_grader("grader-3")
    disable_account(qualified.bench, qualified.actor, gone)
    with qualified.bench.record() as record:
        trained = {grader: at for (grader, _), at in record.calibration.trained.items()}
    assert dict(receipts(qualified.bench, ITEM)) == trained
    rule(qualified)
    assert dict(receipts(qualified.bench, ITEM)) == {one: None, other: None}
    reread_guidelines(qualified.bench, other, ITEM)
    (event,) = events_of(qualified, EventKind.GUIDELINES_REREAD)
    assert dict(receipts(qualified.bench, ITEM)) == {one: None, other: event.at}
    late = qualified.add_grader("grader-4")
    qualified.train(late)
    (_, at) = next(row for row in receipts(qualified.bench, ITEM) if row[0] == late.account_id)
    assert at is not None


def test_whoever_begins_a_packet_under_the_ruling_has_read_it(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,), graders=1)
    grader = made.graders[0]
    rule(made)
    judged = made.calibrate(grader).judgment
    assert judged is not None
    assert judged.outcome == "qualified", "the set made for version 1 still serves"
    assert standing_of(made.bench, grader.account_id, ITEM).may_grade


def test_a_set_does_not_serve_once_the_sheet_has_changed(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,), graders=1)
    grader = made.graders[0]
    change_sheet(made)
    register_files(made.bench, made.actor)
    assert standing_of(made.bench, grader.account_id, ITEM).qualification.status == "no_set"
    made.train(grader)
    with pytest.raises(NotAllowed, match="No attempt is left"):
        begin(made.bench, grader.account_id, ITEM)
    write_packet(made.path, "mee-barge-a", version=2, sheet_version=2)
    register_files(made.bench, made.actor)
    judged = made.calibrate(grader).judgment
    assert judged is not None
    assert judged.outcome == "qualified"


def test_check_is_clean_after_a_ruling_and_names_the_set_after_a_new_sheet(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,))
    rule(made)
    result = CliRunner().invoke(cli, ["check", str(made.path)])
    assert result.exit_code == 0, result.output
    assert "no problems" in result.stdout
    text = sheet_of(made).read_text("utf-8").replace('version: "2"', 'version: "3"', 1)
    sheet_of(made).write_text(text.replace("needs control", "needs custody"), "utf-8")
    register_files(made.bench, made.actor)
    result = CliRunner().invoke(cli, ["check", str(made.path)])
    assert result.exit_code == 1
    named = made.path / "calibration_sets" / "mee-barge-a" / "calibration_set.yaml"
    assert f"{named}:6: The references were made under version 1 of the point sheet" in result.stdout
