from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from graded_rounds import GradedRound, grade_all, take_in

from grader_app.agreement.of_round import (
    CODED,
    OTHER_SCALE,
    ratings_of_record,
    report_of_record,
    score_points,
)
from grader_app.domain.grade import GradeEntry
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.rubric import Rubric
from grader_app.errors import ScalingProblem
from grader_app.export import folder as export_folder
from grader_app.export.field_kind import FieldKind
from grader_app.export.report_page import report_bytes
from grader_app.export.results import Results
from grader_app.export.tables import scaled_table
from grader_app.scaling.of_round import pool_of_record, scaled_of_record
from grader_app.scaling.reference import AssumedReference
from grader_app.store.assignments import assignments_of
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs, read_record
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.registration import register_files


@pytest.fixture
def record(graded: GradedRound) -> GradingRecord:
    return read_record(graded.bench.store)


def facet_of(report: dict[str, Any], item: str, facet: str = "score") -> dict[str, Any]:
    return next(one for one in report["facets"] if (one["item"], one["facet"]) == (item, facet))


def test_there_is_an_entry_for_each_item_and_facet_in_the_rounds_order(record: GradingRecord) -> None:
    report = report_of_record(record, resamples=0)
    assert [(one["item"], one["facet"]) for one in report["facets"]] == [
        ("mee-barge", "score"),
        ("mee-crane", "score"),
        ("rule-ferry", "score"),
        ("rule-ferry", "correctness"),
        ("rule-ferry", "analysis"),
    ]


def test_condition_codes_are_no_ratings_and_are_counted(record: GradingRecord) -> None:
    design = facet_of(report_of_record(record, resamples=0), "mee-barge")["design"]
    assert {"n": 2, "why": CODED} in design["left_out"]
    assert design["n_ratings"] == 12 * 2 - 2 - 1
    design = facet_of(report_of_record(record, resamples=0), "mee-crane")["design"]
    assert {"n": 3, "why": CODED} in design["left_out"]


def test_simulated_graders_count_and_are_labelled(record: GradingRecord, graded: GradedRound) -> None:
    report = report_of_record(record, resamples=0)
    graders = {one["grader"]: one.get("simulated") for one in facet_of(report, "mee-barge")["graders"]}
    assert graders == {
        graded.graders[0].account_id: None,
        graded.graders[1].account_id: None,
        graded.graders[2].account_id: True,
    }
    assert "1 of 3 graders in this round is simulated: no person gave those grades." in report["notes"]


def test_the_scale_is_the_rubrics_whatever_was_given(record: GradingRecord) -> None:
    scales = {(one.item, one.facet): one.ratings.scale.values for one in ratings_of_record(record)}
    assert scales["mee-barge", "score"] == (0, 1, 2, 3, 4, 5, 6)
    assert scales["rule-ferry", "score"] == (0, 0.5, 1), "the mean of two marks of 0 or 1"
    assert scales["rule-ferry", "analysis"] == (0, 1)


def test_a_version_with_another_scale_leaves_the_old_grades_out(own_round: GradedRound) -> None:
    grade_all(own_round)
    rubric = own_round.path / "rubrics" / "six_point.yaml"
    finer = rubric.read_text("utf-8").replace("step: 1", "step: 0.5").replace('version: "1"', 'version: "2"')
    rubric.write_text(finer, encoding="utf-8")
    for item in ("mee-barge", "mee-crane"):
        sheet = own_round.path / "rubrics" / item / "point_sheet.yaml"
        newer = sheet.read_text("utf-8").replace('version: "1"', 'version: "2"')
        sheet.write_text(newer, encoding="utf-8")
    register_files(own_round.bench, own_round.actor)
    with_one_regraded(own_round)
    report = report_of_record(read_record(own_round.bench.store), resamples=0)
    design = facet_of(report, "mee-barge")["design"]
    assert design["n_ratings"] == 1
    assert OTHER_SCALE in {left["why"] for left in design["left_out"]}


def with_one_regraded(made: GradedRound) -> None:
    record = read_record(made.bench.store)
    dealt = next(
        one
        for grader in made.graders
        for one in assignments_of(made.bench.store, grader.account_id)
        if one.item == "mee-barge" and one.assignment_id in record.grades
    )
    correct_grade(
        made.bench,
        dealt.grader_id,
        dealt.assignment_id,
        GradeEntry(score=3.5),
        reason="Finer scale.",
        token="t",
    )


def rubric_with(make: Callable[[dict[str, Any]], None], record: GradingRecord) -> Rubric:
    content = next(kept["content"] for kept in record.inputs.files.values() if kept["id"] == "two-criteria")
    changed = Rubric.model_validate(content).model_dump(mode="json")
    make(changed)
    return Rubric.model_validate(changed)


def test_a_scale_too_fine_for_figures_has_no_points(record: GradingRecord) -> None:
    def refine(content: dict[str, Any]) -> None:
        content["criteria"][0]["step"] = 0.0005

    rubric = rubric_with(refine, record)
    assert score_points(rubric, "correctness") is None
    assert score_points(rubric, "score") is None
    assert score_points(rubric, "analysis") == (0, 1)


def test_candidates_without_an_mbe_are_scaled_and_never_form_the_constants(
    record: GradingRecord, graded: GradedRound
) -> None:
    scaled = scaled_of_record(record)
    by_id = {row.candidate_id: row for row in scaled.candidates}
    last = by_id.pop(graded.candidates[-1])
    assert (last.in_scaling_group, last.total) == (False, None)
    assert scaled.constants[None].written.n == len(by_id)
    assert scaled_of_record(record, reference=AssumedReference(140, 10)).constants[None].mbe is None


def test_who_is_left_out_is_told_with_the_reason(record: GradingRecord, graded: GradedRound) -> None:
    why = {left.candidate_id: left.why for left in scaled_of_record(record).left_out}
    assert why == {
        graded.candidates[1]: "No final score for mee-barge: disputed (The reads are 4 points apart).",
        graded.candidates[2]: "No final score for mee-barge: waiting (1 of 2 reads are in).",
        graded.candidates[
            3
        ]: "No final score for mee-crane: coded (Off topic: waits for the lead's decision).",
        graded.candidates[4]: (
            "No final score for mee-crane: disputed (The readers judged differently: a score, blank)."
        ),
    }


def test_two_answers_to_one_item_are_no_score_of_the_item(own_round: GradedRound) -> None:
    grade_all(own_round)
    candidate = own_round.candidates[0]
    take_in(own_round.bench, own_round.actor, "mee-barge", [candidate], 50)
    record = read_record(own_round.bench.store)
    of = next(one for one in pool_of_record(record).candidates if one.candidate_id == candidate)
    assert of.scores["mee-barge"] is None


def test_without_mbe_scores_there_are_composites_and_no_scaled_scores(
    record: GradingRecord, graded: GradedRound
) -> None:
    results = export_folder.read_results(graded.bench.store)
    without = Results(
        results.events, type(results.inputs)(results.inputs.files, results.inputs.responses, {})
    )
    with pytest.raises(ScalingProblem):
        scaled_of_record(without.record)
    assert "constants" in without.not_scaled
    rows = scaled_table(without).rows
    assert len(rows) == 8
    assert {(row[2], row[3], row[4]) for row in rows} == {(None, None, "no")}
    assert all(row[1] is not None for row in rows)


def test_the_report_gives_each_score_its_intervals_and_what_they_cover(graded: GradedRound) -> None:
    results = Results(list(read_events(graded.bench.store)), read_inputs(graded.bench.store))
    page = report_bytes(results, frozenset(FieldKind)).decode()
    assert "How far each score could be off" in page
    assert "Readers only: Other readers of this kind; the same answers, questions and pool." in page
    assert results.errors is not None
    assert results.scaled is not None
    for row in results.scaled.candidates:
        bar = results.errors.shown(row, results.scaled.factors).readers
        assert bar is not None
        assert f"{bar.low:.1f} to {bar.high:.1f}" in page
