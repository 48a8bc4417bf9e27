"""Question standardisation: stated mean and SD, equal effective weights, and who forms the constants."""

import json
from statistics import fmean, pstdev

import pytest
import yaml
from click.testing import CliRunner

from grader_app.cli.scale import scale
from grader_app.errors import ScalingProblem
from grader_app.scaling.effective_weights import effective_weights
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scale_pool import scale_pool
from grader_app.scaling.standardise import Target, standards_of

# q2 spreads three times as wide as q1: a plain sum follows q2 (SDs sqrt(2) and 3 sqrt(2)).
ROWS = {
    "A": (1, 7, 120.0),
    "B": (2, 13, 140.0),
    "C": (3, 1, 130.0),
    "D": (4, 4, 150.0),
    "E": (5, 10, 160.0),
}
EVEN = {"q1": 1, "q2": 1}
FIFTY = dict.fromkeys(EVEN, Target(50, 10))


def pool_of(rows=ROWS, *more):
    return Pool(
        (*(Candidate(name, {"q1": a, "q2": b}, mbe=mbe) for name, (a, b, mbe) in rows.items()), *more)
    )


def scaled(pool, targets=FIFTY, method="mean_sigma", weights=EVEN):
    return scale_pool(pool, weights, method, PoolReference(), "none", targets=targets)


def test_every_item_takes_on_the_stated_mean_and_sd():
    constants = standards_of([c.scores for c in pool_of().candidates], FIFTY)
    for item in EVEN:
        placed = [constants[item].standardised(c.scores[item]) for c in pool_of().candidates]
        assert (fmean(placed), pstdev(placed)) == pytest.approx((50, 10))


def test_the_standardised_composite_is_worked_out_by_hand():
    """A: q1 is 2 below its mean 3 (SD sqrt 2), q2 is at its mean 7: 50 - 20/sqrt 2 + 50 = 85.857864."""
    row = scaled(pool_of()).candidates[0]
    assert row.written_standardised == pytest.approx(100 - 20 / 2**0.5)
    assert row.written_raw == 8


def test_a_wide_item_no_longer_decides():
    """Raw sums put B (2 and 13) above E (5 and 10) by nothing; standardised, E leads B."""
    raw = {row.candidate_id: row.written_scaled for row in scaled(pool_of(), {}).candidates}
    placed = {row.candidate_id: row.written_scaled for row in scaled(pool_of()).candidates}
    assert raw["B"] == raw["E"]
    assert placed["E"] - placed["B"] > 10


def test_the_scaled_scores_still_take_on_the_mean_and_sd_of_the_mbe():
    placed = [row.written_scaled for row in scaled(pool_of()).candidates]
    assert (fmean(placed), pstdev(placed)) == pytest.approx((140, 200**0.5))


def test_the_common_mean_and_sd_change_no_scaled_score():
    ours = [row.written_scaled for row in scaled(pool_of()).candidates]
    theirs = [row.written_scaled for row in scaled(pool_of(), dict.fromkeys(EVEN, Target(0, 3))).candidates]
    assert ours == pytest.approx(theirs)


def test_twice_the_sd_is_twice_the_weight():
    """Delaware doubled its performance test through an SD of 14 beside 7 for an essay."""
    by_sd = scaled(pool_of(), {"q1": Target(50, 7), "q2": Target(50, 14)})
    by_weight = scaled(pool_of(), dict.fromkeys(EVEN, Target(50, 7)), weights={"q1": 1, "q2": 2})
    assert [row.written_scaled for row in by_sd.candidates] == pytest.approx(
        [row.written_scaled for row in by_weight.candidates]
    )
    assert [one.standardised_share for one in by_sd.items[None]] == pytest.approx([1 / 3, 2 / 3])


def test_effective_weights_are_given_both_ways():
    first, second = scaled(pool_of()).items[None]
    assert (first.share, second.share) == (0.5, 0.5)
    assert (first.effective_share, second.effective_share) == pytest.approx((0.25, 0.75))
    assert (first.standardised_share, second.standardised_share) == (0.5, 0.5)
    assert (first.mean, second.mean, first.sd, second.sd) == pytest.approx((3, 7, 2**0.5, 3 * 2**0.5))


def test_without_standardising_only_the_trap_is_shown():
    first, second = scaled(pool_of(), {}).items[None]
    assert (first.effective_share, second.effective_share) == pytest.approx((0.25, 0.75))
    assert first.standardised_share is None


def test_items_that_nobody_spreads_have_no_effective_weight():
    assert effective_weights([{"q1": 3}, {"q1": 3}], {"q1": 1})[0].effective_share is None
    assert effective_weights([], {"q1": 1}) == ()


def test_standardised_composites_equal_on_paper_tie_by_rank():
    """Three items of equal spread: 1, 2 and 3 in any order stand at one place, whatever the last digit."""
    rows = [(1, 2, 3), (2, 3, 1), (3, 1, 2), (0, 0, 0), (4, 4, 4)]
    pool = Pool(
        tuple(
            Candidate(f"c{n}", dict(zip("abc", scores, strict=True)), mbe=120.0 + n)
            for n, scores in enumerate(rows)
        )
    )
    targets = dict.fromkeys("abc", Target(0.1, 0.3))
    weights = {"a": 0.1, "b": 0.1, "c": 0.1}
    found = scaled(pool, targets, "equipercentile", weights).candidates
    assert [row.written_scaled for row in found] == [122, 122, 122, 120, 124]


@pytest.mark.parametrize("sd", [1e-6, 1e6])
def test_a_small_or_a_large_common_sd_loses_nothing(sd):
    ours = [row.written_scaled for row in scaled(pool_of()).candidates]
    theirs = [row.written_scaled for row in scaled(pool_of(), dict.fromkeys(EVEN, Target(0, sd))).candidates]
    assert ours == pytest.approx(theirs, abs=1e-6)


def test_an_item_that_does_not_vary_is_refused_by_name():
    flat = {name: (3, b, mbe) for name, (_, b, mbe) in ROWS.items()}
    with pytest.raises(ScalingProblem, match=r"cannot be standardised: q1 \(all 5 are 3\)"):
        scaled(pool_of(flat))
    assert len(scaled(pool_of(flat), {}).candidates) == 5


@pytest.mark.parametrize("method", ["mean_sigma", "equipercentile"])
def test_a_non_member_is_placed_and_changes_nothing(method):
    model = Candidate("model", {"q1": 6, "q2": 30}, mbe=158.0, in_scaling_group=False)
    attorney = Candidate("attorney", {"q1": 0, "q2": 0})
    late = Candidate("late", {"q1": None, "q2": 40}, mbe=170.0)
    alone, joined = (
        scaled(pool_of(), method=method),
        scaled(pool_of(ROWS, model, attorney, late), method=method),
    )
    assert joined.candidates[:5] == alone.candidates
    assert joined.constants == alone.constants
    placed = joined.candidates[5].written_standardised
    assert placed == pytest.approx(100 + 10 * (3 / 2**0.5 + 23 / (3 * 2**0.5)))
    assert [left.candidate_id for left in joined.left_out] == ["late"]


def test_groups_are_standardised_by_their_own_members():
    easy = [
        Candidate(f"{name}-easy", {"q1": a + 1, "q2": 2 * b}, mbe=mbe, group="XX")
        for name, (a, b, mbe) in ROWS.items()
    ]
    here = scaled(pool_of(ROWS, *easy))
    assert [row.written_standardised for row in here.candidates[5:]] == pytest.approx(
        [row.written_standardised for row in here.candidates[:5]]
    )


def test_a_flat_item_of_a_group_names_the_group():
    flat = [Candidate(name, {"q1": 3, "q2": n}, mbe=100.0 + n, group="XX") for n, name in enumerate("xyz")]
    with pytest.raises(ScalingProblem, match="Group XX: Items that do not vary"):
        scaled(pool_of(ROWS, *flat))


POOL = "candidate_id,mee-1,mpt-1,mbe\n" + "".join(f"{n},{a},{b},{m}\n" for n, (a, b, m) in ROWS.items())


@pytest.fixture
def run(tmp_path):
    def run_scale(scaling, *options):
        items = [{"item": f"{kind}-1", "component": kind, "weight": 1} for kind in ("mee", "mpt")]
        written = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": items}
        (tmp_path / "pool.csv").write_text(POOL, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(
            yaml.safe_dump({**written, "scaling": scaling}), encoding="utf-8"
        )
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        result = CliRunner().invoke(scale, [*places, *options])
        assert result.exit_code == 0, result.output or result.exception
        return result.stdout

    return run_scale


DELAWARE = {"standardise_items": {"mean": 50, "sd": 7, "component_sd": {"mpt": 14}}}


def test_the_command_standardises_with_an_sd_for_a_component(run):
    result = json.loads(run(DELAWARE, "--json"))
    assert result["standardise_items"] == {"mee-1": {"mean": 50, "sd": 7}, "mpt-1": {"mean": 50, "sd": 14}}
    assert [item["standardised_share"] for item in result["items"]] == pytest.approx([1 / 3, 2 / 3])
    assert result["candidates"][0]["written_raw"] == 8
    assert result["candidates"][0]["written_standardised"] == pytest.approx(100 - 14 / 2**0.5)


def test_the_command_says_nothing_new_in_json_for_a_round_without_the_key(run):
    result = json.loads(run({"rounding": "none"}, "--json", "--no-error-bars"))
    assert set(result) == {
        "method",
        "reference",
        "rounding",
        "constants",
        "candidates",
        "left_out",
        "warnings",
    }
    assert set(result["candidates"][0]) == {
        "candidate_id",
        "written_raw",
        "written_scaled",
        "total",
        "in_scaling_group",
    }


def test_the_table_shows_what_each_item_counts(run):
    assert "mee-1    50.0%    25.0%" in run({"rounding": "none"})
    assert "mpt-1    50.0%    75.0%    66.7%" in run(DELAWARE)
