"""Grader standardisation: the published form worked by hand, who is refused, and a round of single reads."""

from statistics import fmean, pstdev
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.cli.scale import Asked, scale_file
from grader_app.domain.round import Round
from grader_app.errors import ScalingProblem
from grader_app.scaling.of_round import comparisons_of_record, pool_of_record, scaled_of_record
from grader_app.scaling.standardise_graders import ASSUMPTION, GraderScore, standardise_graders


def reads_of(**scores):
    return [GraderScore(f"{who}{n}", who, s) for who, found in scores.items() for n, s in enumerate(found)]


def placed(reads, fewest=5):
    return [one.standardised for one in standardise_graders(reads, "mee-1", fewest)]


def test_two_graders_a_point_apart_come_to_the_same_scores():
    """Worked by hand: M 3.9, S 1.135782 (population); A has m 3.4, B 4.4, both s 1.019804."""
    found = placed(reads_of(A=(2, 3, 3, 4, 5), B=(3, 4, 4, 5, 6)))
    by_hand = [2.3408, 3.4545, 3.4545, 4.5682, 5.6820]
    assert found == pytest.approx(by_hand * 2, abs=5e-5)


def test_raw_scores_are_kept_beside():
    found = standardise_graders(reads_of(A=(2, 3, 3, 4, 5), B=(3, 4, 4, 5, 6)), "mee-1", 5)
    assert [one.raw.score for one in found] == [2, 3, 3, 4, 5, 3, 4, 4, 5, 6]


def test_a_single_grader_changes_nothing():
    assert placed(reads_of(A=(2, 3, 3, 4, 6))) == pytest.approx([2, 3, 3, 4, 6])


def test_every_grader_takes_on_the_mean_and_sd_of_all_papers():
    reads = reads_of(A=(0, 1, 2, 2, 6), B=(3, 3, 3, 4, 6), C=(1, 1, 1, 2, 1))
    found = placed(reads)
    for start in (0, 5, 10):
        assert fmean(found[start : start + 5]) == pytest.approx(fmean(read.score for read in reads))
        assert pstdev(found[start : start + 5]) == pytest.approx(pstdev(read.score for read in reads))


def test_all_graders_that_cannot_be_standardised_are_named_with_their_n():
    reads = reads_of(A=[3, 4] * 10, B=[3, 4] * 9 + [5], C=[4] * 25)
    with pytest.raises(ScalingProblem) as refused:
        standardise_graders(reads, "mee-1")
    said = str(refused.value)
    assert "grader B has read n = 19 papers, fewer than 20" in said
    assert "grader C gave 4 to all n = 25 papers (SD 0)" in said
    assert "grader A" not in said


def test_nothing_read_is_nothing_standardised():
    assert standardise_graders([]) == ()


def test_the_assumption_is_said():
    assert "assigned to graders at random" in ASSUMPTION


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 12), min_size=3, max_size=8).filter(lambda s: len(set(s)) > 1),
    st.integers(-30, 30),
)
def test_a_harsh_twin_comes_to_the_same_scores(halves, severity):
    scores = [half / 2 for half in halves]
    found = placed(reads_of(A=scores, B=[score + severity for score in scores]), fewest=3)
    assert found[: len(scores)] == pytest.approx(found[len(scores) :], abs=1e-9)
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    assert [found[place] for place in order] == sorted(found[: len(scores)])


SCORES = {"lenient": [3, 4, 5, 6] * 5, "strict": [1, 2, 3, 4] * 5}


def a_record(scaling, doubled=()):
    """Forty papers of one item, read by two graders two points apart; some were settled by an adjudicator."""
    scores = {f"{who}-{n:02d}": (who, s) for who, found in SCORES.items() for n, s in enumerate(found)}
    item = {"item": "mee-x", "component": "mee", "weight": 1}
    data = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": [item], "scaling": scaling}
    return SimpleNamespace(
        round=Round.model_validate(data),
        rules=SimpleNamespace(decisions=()),
        inputs=SimpleNamespace(
            responses={paper: {"item": "mee-x", "candidate_id": paper} for paper in scores},
            mbe={paper: 120.0 + place for place, paper in enumerate(scores)},
        ),
        response_ids=lambda item=None: sorted(scores),
        standing=lambda paper: SimpleNamespace(
            final=5.0 if paper in doubled else float(scores[paper][1]),
            status="final",
            why="",
            settled_by="adjudication" if paper in doubled else "",
        ),
        reads=lambda paper: [SimpleNamespace(grader_id=scores[paper][0], score=float(scores[paper][1]))],
    )


def test_a_round_that_asks_for_it_is_scaled_by_standardised_reads():
    scaled = scaled_of_record(a_record({"standardise_graders": True}))
    rows = {row.candidate_id: row for row in scaled.candidates}
    assert rows["lenient-00"].written_scaled == pytest.approx(rows["strict-00"].written_scaled)
    assert (rows["lenient-00"].written_raw, rows["strict-00"].written_raw) == (3, 1)
    # M 3.5; S = sqrt(1.25 + 1) = 1.5; a grader's lowest lies 1.5 below the mean, in SDs of sqrt(1.25).
    assert rows["strict-00"].written_standardised == pytest.approx(3.5 - 1.5 * 1.5 / 1.25**0.5)
    assert scaled.warnings[0] == ASSUMPTION


def test_a_round_that_does_not_ask_keeps_the_difference():
    scaled = scaled_of_record(a_record({"rounding": "none"}))
    rows = {row.candidate_id: row.written_scaled for row in scaled.candidates}
    assert rows["lenient-00"] > rows["strict-00"]
    assert ASSUMPTION not in scaled.warnings


def test_methods_are_compared_on_the_scores_that_are_scaled():
    record = a_record({"standardise_graders": True})
    (found,) = comparisons_of_record(record)
    assert [row.first_scaled for row in found.rows] == [
        row.written_scaled for row in scaled_of_record(record).candidates
    ]


def test_an_adjudicated_score_stays_and_forms_no_constants():
    record = a_record({"standardise_graders": True}, doubled={"strict-00"})
    with pytest.raises(ScalingProblem, match="grader strict has read n = 19 papers"):
        scaled_of_record(record)


def test_the_pool_of_a_record_is_always_raw():
    pool = pool_of_record(a_record({"standardise_graders": True}))
    assert {candidate.scores["mee-x"] for candidate in pool.candidates} == {1, 2, 3, 4, 5, 6}


def test_a_pool_file_has_no_graders_to_standardise(tmp_path):
    (tmp_path / "round.yaml").write_text(
        'format: round/1\nid: r\nversion: "1"\ntitle: R\nitems:\n  - item: mee-x\n    component: mee\n'
        "    weight: 1\nscaling:\n  standardise_graders: true\n",
        encoding="utf-8",
    )
    nothing_else = Asked(None, None, None, None)
    with pytest.raises(ScalingProblem, match="does not say who graded what"):
        scale_file(tmp_path / "pool.csv", tmp_path / "round.yaml", nothing_else, "candidate_id", False)
