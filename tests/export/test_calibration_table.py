from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind
from grader_app.errors import VerificationFailed
from grader_app.export.calibration_table import check_judgments
from grader_app.export.registry import files_of
from grader_app.export.results import Results
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.qualification import let_grade, take_back_leave
from grader_app.workflow.rulings import graded_before, keep_grades, make_ruling, recall_grades

Make = Callable[..., SmallWorkspace]
REASON = "She graded this item for three years."


@pytest.fixture
def made(make: Make) -> SmallWorkspace:
    made = make(packets=("mee-barge-a",), qualification="required", items=("mee-barge",), graders=2)
    made.calibrate(made.graders[0])
    made.calibrate(made.graders[1], off=2)
    let_grade(made.bench, made.actor, made.graders[1].account_id, "mee-barge", REASON)
    for grader in made.graders:
        for dealt in made.queue(grader):
            made.submit(dealt)
    return made


def results_of(made: SmallWorkspace) -> Results:
    return Results(list(read_events(made.bench.store)), read_inputs(made.bench.store))


def rows_of(files: dict[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def test_each_attempt_stands_with_its_figures_and_each_override_with_its_reason(made: SmallWorkspace) -> None:
    rows = {row["grader_id"]: row for row in rows_of(files_of(results_of(made)), "calibration.csv")}
    good, harsh = (rows[grader.account_id] for grader in made.graders)
    assert (good["outcome"], good["graded_as"], good["reason"]) == ("qualified", "qualified", "")
    assert (good["rank_order"], good["exact_or_adjacent"], good["severity"]) == ("1", "1", "0")
    # Two points below 1 2 3 3 4 5, and never below 0: 0 0 1 1 2 3, so 11 points over 6 papers.
    assert (harsh["outcome"], harsh["graded_as"], harsh["reason"]) == ("not_qualified", "overridden", REASON)
    assert float(harsh["severity"]) == pytest.approx(11 / 6)
    assert harsh["set"] == "mee-barge-a"
    assert harsh["attempt"] == "1"


def test_every_output_prints_the_reason_and_says_how_many_had_qualified(made: SmallWorkspace) -> None:
    results = results_of(made)
    files = files_of(results)
    assert "Graders not calibrated: 1 of 2 who graded mee-barge had not qualified for it." in results.notes
    assert REASON in files["report.html"].decode()
    assert REASON in files["agreement.json"].decode()
    assert REASON in files["manifest.json"].decode()
    assert REASON in files["events.jsonl"].decode()
    assert "graders not calibrated" in rows_of(files, "scores.csv")[0]["note"]


def test_a_panel_that_qualified_is_said_to_be_calibrated(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=("mee-barge",))
    for grader in made.graders:
        made.calibrate(grader)
        for dealt in made.queue(grader):
            made.submit(dealt)
    results = results_of(made)
    assert "mee-barge: all 2 graders qualified on a calibration packet first." in results.notes
    assert "not calibrated" not in results.short_note


def test_an_outcome_that_does_not_follow_from_the_scores_is_found(made: SmallWorkspace) -> None:
    results = results_of(made)
    check_judgments(results)
    events = [
        event._replace(body_json=canonical_json({**event.body, "outcome": "qualified"}))
        if event.kind == EventKind.QUALIFICATION_JUDGED and event.body["outcome"] == "not_qualified"
        else event
        for event in results.events
    ]
    with pytest.raises(VerificationFailed, match="says qualified, but the order and the scores of attempt"):
        check_judgments(Results(events, results.inputs))


def test_a_leave_taken_back_stays_in_every_file_with_its_date(made: SmallWorkspace) -> None:
    harsh, why = made.graders[1].account_id, "There is a second packet now."
    take_back_leave(made.bench, made.actor, harsh, "mee-barge", why)
    files = files_of(results_of(made))
    row = next(row for row in rows_of(files, "calibration.csv") if row["grader_id"] == harsh)
    event = [e for e in read_events(made.bench.store) if e.kind == EventKind.QUALIFICATION_WITHDRAWN][-1]
    assert (row["graded_as"], row["reason"]) == ("overridden", REASON)
    assert (row["taken_back_at"], row["taken_back_reason"]) == (event.at, why)
    for name in ("report.html", "agreement.json", "manifest.json", "events.jsonl", "calibration.csv"):
        assert REASON in files[name].decode()
        assert why in files[name].decode()


def test_the_report_says_what_became_of_grades_given_before_a_ruling(made: SmallWorkspace) -> None:
    assert "let stand" not in files_of(results_of(made))["report.html"].decode()
    make_ruling(made.bench, made.actor, "mee-barge", "Either side of control earns the point.")
    before = [one.assignment_id for one in graded_before(made.bench, "mee-barge")]
    keep_grades(made.bench, made.actor, "mee-barge", before[:3], "They say nothing of it.")
    recall_grades(made.bench, made.actor, "mee-barge", before[3:4], "It says control.")
    page = files_of(results_of(made))["report.html"].decode()
    named = "The question of mee-barge (mee-barge)"
    assert f"<li>3 grades of {named} given under version 1 were let stand under version 2.</li>" in page
    assert f"<li>1 grade of {named} waits to be given again.</li>" in page
