"""Methods side by side: the ten candidates, who crosses, and an audit of results that were already told."""

import json
from dataclasses import replace

import pytest
import yaml
from click.testing import CliRunner

from grader_app.cli.scale import scale
from grader_app.domain.round import Cut
from grader_app.errors import ScalingProblem
from grader_app.scaling.compare import compare_scaled, comparisons, crossings
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import AssumedReference, PoolReference
from grader_app.scaling.rules import Rules
from grader_app.scaling.standardise import Target

# Written raw and MBE of an invented pool; scaled scores by both methods computed apart from the program.
TEN = {
    "E1": (39, 142.3, 147.0150, 145.3),
    "E2": (24, 128.7, 127.0790, 128.7),
    "E3": (52, 165.1, 164.2929, 165.1),
    "E4": (31, 134.9, 136.3824, 134.9),
    "E5": (40, 150.4, 148.3441, 150.4),
    "E6": (17, 118.2, 117.7755, 118.2),
    "E7": (36, 139.0, 143.0278, 139.0),
    "E8": (45, 157.6, 154.9894, 157.6),
    "E9": (25, 131.5, 128.4080, 131.5),
    "E10": (38, 145.3, 145.6859, 142.3),
}
RULES = Rules({"w": 1}, "mean_sigma", PoolReference(), "total_half_up")


def ten(*more):
    rows = (Candidate(name, {"w": raw}, mbe=mbe) for name, (raw, mbe, _, _) in TEN.items())
    return Pool((*rows, *more))


def test_both_scaled_scores_and_the_move_of_every_candidate():
    (found,) = comparisons(ten(), RULES)
    for row in found.rows:
        _, _, linear, by_rank = TEN[row.candidate_id]
        assert (row.first_scaled, row.second_scaled) == pytest.approx((linear, by_rank), abs=5e-5)
        assert row.move == pytest.approx(by_rank - linear, abs=5e-5)


def test_the_largest_and_the_mean_move():
    (found,) = comparisons(ten(), RULES)
    assert found.largest_move.candidate_id == "E7"
    assert found.largest_move.move == pytest.approx(-4.0278, abs=5e-5)
    assert max(row.move for row in found.rows) == pytest.approx(3.0920, abs=5e-5)
    assert found.mean_move == pytest.approx(0, abs=1e-9)  # both have the MBE's mean
    moves = [by_rank - linear for _, _, linear, by_rank in TEN.values()]
    assert found.mean_size == pytest.approx(sum(map(abs, moves)) / 10, abs=5e-5)


def test_who_crosses_the_line_and_in_which_direction():
    """E7 has 282 by mean and SD and 278 by rank; E9 has 260 and 263."""
    (found,) = comparisons(ten(), RULES, Cut(total=280))
    assert found.crossing == ("E7",)
    assert crossings(found.rows) == ([], ["E7"])
    (found,) = comparisons(ten(), RULES, Cut(total=262))
    assert crossings(found.rows) == (["E9"], [])


def test_without_a_line_or_a_total_nobody_crosses():
    (found,) = comparisons(ten(), RULES)
    assert found.as_json()["n_crossing"] is None
    (found,) = comparisons(ten(Candidate("attorney", {"w": 30})), RULES, Cut(total=280))
    assert found.rows[-1].crosses is None
    assert found.as_json()["n_crossing"] == 1


def test_an_assumed_reference_has_nothing_to_rank_against_and_says_so():
    (found,) = comparisons(ten(), replace(RULES, reference=AssumedReference(140, 15)))
    assert found.rows == ()
    assert "Equipercentile scaling needs the MBE scores themselves" in found.why
    assert (found.largest_move, found.mean_move, found.mean_size) == (None, None, None)


def test_a_pool_that_cannot_be_scaled_is_refused():
    with pytest.raises(ScalingProblem, match="Nobody"):
        comparisons(Pool((Candidate("a", {"w": 1}), Candidate("b", {"w": 2}))), RULES)


def test_raw_and_standardised_items_are_compared_where_items_are_standardised():
    rows = [
        ("a", 1, 7, 120.0),
        ("b", 2, 13, 140.0),
        ("c", 3, 1, 130.0),
        ("d", 4, 4, 150.0),
        ("e", 5, 10, 160.0),
    ]
    pool = Pool(tuple(Candidate(name, {"q1": one, "q2": two}, mbe=mbe) for name, one, two, mbe in rows))
    targets = {"q1": Target(50, 10), "q2": Target(50, 10)}
    rules = Rules({"q1": 1, "q2": 1}, "mean_sigma", PoolReference(), "none", targets)
    methods, items = comparisons(pool, rules)
    assert (items.first, items.second) == ("raw items", "standardised items")
    raw = {row.candidate_id: row.first_scaled for row in items.rows}
    assert raw["b"] == raw["e"]
    assert [row.second_scaled for row in items.rows] == pytest.approx(
        [row.first_scaled for row in methods.rows]
    )


def test_an_audit_finds_everybody_who_was_wrongly_told_they_failed():
    """Georgia told 45 people in July 2015 and 45 in February 2016 that they failed, by scaling wrongly.

    Here each time 45 totals lie up to five points below the line of 270 as told and on or above it once
    recomputed with the right mean; the recomputation names all of them and nobody else.
    """
    wrongly = 0
    for shift in (0.0, 0.1):
        near = {f"near-{n}": 265.0 + shift + n / 10 for n in range(45)}
        far = {f"low-{n}": 230.0 + n for n in range(30)} | {f"high-{n}": 271.0 + n for n in range(40)}
        rows = [Candidate(name, {"w": total - 130}, mbe=130.0) for name, total in {**near, **far}.items()]
        pool = Pool(tuple(rows))
        told = replace(RULES, reference=AssumedReference(*_mean_and_sd(pool)), rounding="none")
        right = replace(told, reference=AssumedReference(told.reference.mean + 5, told.reference.sd))
        rows = compare_scaled(told.scale(pool), right.scale(pool), Cut(total=270))
        gained, lost = crossings(rows)
        assert (set(gained), lost) == (set(near), [])
        assert all(row.first_total >= 265 - 1e-9 for row in rows if row.crosses)
        wrongly += len(gained)
    assert wrongly == 90


def _mean_and_sd(pool):
    raws = [candidate.scores["w"] for candidate in pool.candidates]
    mean = sum(raws) / len(raws)
    return mean, (sum((raw - mean) ** 2 for raw in raws) / len(raws)) ** 0.5


def test_scalings_of_different_candidates_are_not_compared():
    with pytest.raises(ScalingProblem, match="Scaled in one way only: late"):
        compare_scaled(RULES.scale(ten()), RULES.scale(ten(Candidate("late", {"w": 20}, mbe=130.0))))


@pytest.fixture
def run(tmp_path):
    def run_scale(*options, **more):
        items = [{"item": "mee-1", "component": "mee", "weight": 1}]
        written = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": items, **more}
        pool = "candidate_id,mee-1,mbe\n" + "".join(
            f"{n},{raw},{mbe}\n" for n, (raw, mbe, _, _) in TEN.items()
        )
        (tmp_path / "pool.csv").write_text(pool, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(yaml.safe_dump(written, sort_keys=False), encoding="utf-8")
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        result = CliRunner().invoke(scale, [*places, *options])
        assert result.exit_code == 0, result.output or result.exception
        return result.stdout

    return run_scale


def test_the_command_compares_in_json(run):
    (found,) = json.loads(run("--compare", "--json", cut={"total": 280}))["comparisons"]
    assert (found["first"], found["second"], found["why"]) == ("mean_sigma", "equipercentile", None)
    assert (found["largest_move_of"], found["n_crossing"], found["crossing"]) == ("E7", 1, ["E7"])
    assert len(found["candidates"]) == 10
    assert "comparisons" not in json.loads(run("--json"))


def test_the_table_compares(run):
    output = run("--compare", cut={"total": 280})
    assert "Largest move -4.0278 (E7), mean move +0.0000, mean size of a move" in output
    assert "Crossing the line: 1." in output
    assert "Pass only by mean_sigma: E7." in output
    assert "  E7              143.0278        139.0000   -4.0278  crosses" in output
    assert "Not compared. Equipercentile" in run("--compare", "--reference", "assumed:140,15")
