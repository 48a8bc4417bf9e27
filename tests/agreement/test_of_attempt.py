"""Figures of an attempt, worked out by hand for the packet of six papers with references 1 2 3 3 4 5."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace, write_packet

from grader_app.agreement.of_attempt import (
    AttemptReport,
    panel_order_agreement,
    references_of,
    report_of_attempt,
)
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.grade import GradeEntry
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]


@pytest.fixture
def made(make: Make) -> SmallWorkspace:
    return make(packets=("mee-barge-a",), qualification="required", graders=3)


def by_essay(made: SmallWorkspace, attempt: Attempt) -> dict[str, str]:
    return {essay: a for a, essay in made.essays(attempt).items()}


def report(made: SmallWorkspace, attempt: Attempt) -> AttemptReport:
    current = own_attempt(made.bench, attempt.grader_id, attempt.attempt_id)
    with made.bench.record() as record:
        return report_of_attempt(record, current)


def test_the_order_counts_pairs_that_the_reference_sets_apart(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    ids = by_essay(made, attempt)
    assert report(made, attempt).rank is None
    # Best first: E06 (5), then E04 and E05 tied (3 and 4), E03 (3), E01 (1), E02 (2). Of 15 pairs one
    # (E03, E04) is tied in the reference; E04 = E05 is tied by the grader; E01 over E02 is wrong: 12 of 14.
    made.rank(attempt, [[ids["E06"]], [ids["E04"], ids["E05"]], [ids["E03"]], [ids["E01"]], [ids["E02"]]])
    found = report(made, attempt)
    assert found.rank is not None
    assert (found.rank.right, found.rank.tied, found.rank.wrong, found.rank.n_pairs) == (12, 1, 1, 14)
    assert found.rank.share.value == pytest.approx(12 / 14)
    assert found.scores is None
    assert found.gate is None
    assert found.kind is None


def test_the_scores_give_the_figures_of_the_gate(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    ids = by_essay(made, attempt)
    made.rank(attempt)
    given = {"E01": 2, "E02": 2, "E03": 3, "E04": 5, "E05": 3, "E06": 5}
    for essay, score in given.items():
        submit_grade(made.bench, attempt.grader_id, ids[essay], GradeEntry(score=score), token=essay)
    found = report(made, attempt)
    assert found.scores is not None
    assert found.gate is not None
    assert found.inversions is not None
    # Differences grader - reference: 1 0 0 2 -1 0.
    assert found.scores.exact.value == pytest.approx(3 / 6)
    assert found.scores.exact_or_adjacent.value == pytest.approx(5 / 6)
    assert found.scores.severity.value == pytest.approx(-2 / 6)
    parts = found.scores.parts
    assert parts is not None
    assert parts.mean_squared_difference == pytest.approx((1 + 4 + 1) / 6)
    assert parts.level == pytest.approx((2 / 6) ** 2)
    assert parts.level + parts.spread + parts.order == pytest.approx(1.0)
    # Ranked E06 E05 (E03, E04 in some order) E02 E01; scored E04 above E05: an inversion among ranked pairs.
    assert found.inversions.inverted >= 1
    # Kappa: 1 - 6 * 6 / (6 * (76 + 64) - 2 * 20 * 18) = 1 - 36 / 120 = 0.7, which meets 0.70.
    assert found.scores.qwk.value == pytest.approx(0.7)
    assert [c.met for c in found.gate.conditions] == [True, False, True, True]
    assert not found.gate.passed


def test_a_paper_coded_though_it_has_a_score_counts_against_the_gate(made: SmallWorkspace) -> None:
    attempt = made.begin(made.graders[0])
    made.rank(attempt)
    references = made.references(attempt)
    coded, *rest = attempt.assignment_ids
    submit_grade(made.bench, attempt.grader_id, coded, GradeEntry(condition_code="blank"), token="c")
    for a in rest:
        submit_grade(made.bench, attempt.grader_id, a, GradeEntry(score=references[a]), token=a)
    found = report(made, attempt)
    assert found.coded == (made.essays(attempt)[coded],)
    assert found.gate is not None
    values = {c.name: c.value for c in found.gate.conditions}
    assert values["exact_or_adjacent"] == pytest.approx(5 / 6)
    assert not found.gate.passed


def test_a_reference_rank_separates_what_scores_do_not(make: Make) -> None:
    made = make(qualification="required")
    write_packet(made.path, "mee-barge-a")
    path = made.path / "calibration_sets" / "mee-barge-a" / "reference_scores.csv"
    ranks = {"E06": 1, "E05": 2, "E03": 3, "E04": 4, "E02": 5, "E01": 6}
    lines = path.read_text(encoding="utf-8").splitlines()
    table = ["essay,score,reference_rank,anchor,rationale"]
    for line in lines[1:]:
        essay, score, anchor, why = line.split(",", 3)
        table.append(f"{essay},{score},{ranks.get(essay, '')},{anchor},{why}")
    path.write_text("\n".join(table) + "\n", encoding="utf-8")
    register_files(made.bench, made.actor)
    attempt = made.begin(made.graders[0])
    with made.bench.record() as record:
        standing = {one.essay: one.standing for one in references_of(record, attempt).values()}
    assert standing == {essay: -rank for essay, rank in ranks.items()}
    made.rank(attempt)
    found = report(made, attempt)
    assert found.rank is not None
    assert found.rank.n_pairs == 15


def test_matched_pairs_are_scored_alike_or_not(make: Make) -> None:
    made = make(qualification="required")
    write_packet(made.path, "mee-barge-a", scores=(1, 2, 3, 3, 4, 4))
    path = made.path / "calibration_sets" / "mee-barge-a" / "reference_scores.csv"
    pairs = {"E03": "p1,fuller", "E04": "p1,plainer", "E05": "p2,fuller", "E06": "p2,plainer"}
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{pairs.get(line.split(',')[0], ',')}" for line in lines[1:]]
    path.write_text("\n".join([f"{lines[0]},matched_pair,style", *rows]) + "\n", encoding="utf-8")
    register_files(made.bench, made.actor)
    attempt = made.begin(made.graders[0])
    made.rank(attempt)
    ids = by_essay(made, attempt)
    for essay, score in {"E01": 1, "E02": 2, "E03": 4, "E04": 3, "E05": 4, "E06": 4}.items():
        submit_grade(made.bench, attempt.grader_id, ids[essay], GradeEntry(score=score), token=essay)
    likes = report(made, attempt).like_papers
    assert likes is not None
    assert (likes.same, likes.n_pairs, likes.effect.value) == (1, 2, 0.5)


def test_kendalls_w_of_the_panel_matches_papers_and_not_assignments(made: SmallWorkspace) -> None:
    attempts = [made.begin(grader) for grader in made.graders]
    names = [["E06"], ["E05"], ["E04"], ["E03"], ["E02"], ["E01"]]
    for attempt in attempts:
        ids = by_essay(made, attempt)
        made.rank(attempt, [[ids[e] for e in group] for group in names])
    ranked = [own_attempt(made.bench, a.grader_id, a.attempt_id) for a in attempts]
    with made.bench.record() as record:
        assert panel_order_agreement(record, ranked).value == pytest.approx(1.0)
        assert panel_order_agreement(record, ranked[:1]).status == "one_grader"
        assert panel_order_agreement(record, []).value is None
