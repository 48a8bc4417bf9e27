"""Scaling of whole pools: the ten-candidate example, who forms the constants, and what never changes them."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.errors import ScalingProblem
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import AssumedReference, PoolReference
from grader_app.scaling.scale_pool import scale_pool

ITEMS = [f"mee-{number}" for number in range(1, 7)] + ["mpt-1", "mpt-2"]
WEIGHTS = dict.fromkeys(ITEMS[:6], 1.0) | dict.fromkeys(ITEMS[6:], 2.0)

# An invented pool, its figures computed apart from the program: eight scores, MBE, raw score,
# scaled by mean and SD, total, scaled by equipercentile.
TEN = {
    "E1": ([4, 3, 5, 4, 4, 3, 4, 4], 142.3, 39, 147.0150, 289, 145.3),
    "E2": ([2, 3, 2, 3, 2, 2, 2, 3], 128.7, 24, 127.0790, 256, 128.7),
    "E3": ([5, 5, 4, 5, 6, 5, 5, 6], 165.1, 52, 164.2929, 329, 165.1),
    "E4": ([3, 3, 3, 4, 3, 3, 3, 3], 134.9, 31, 136.3824, 271, 134.9),
    "E5": ([4, 4, 3, 4, 5, 4, 4, 4], 150.4, 40, 148.3441, 299, 150.4),
    "E6": ([1, 2, 2, 1, 2, 3, 2, 1], 118.2, 17, 117.7755, 236, 118.2),
    "E7": ([3, 4, 4, 3, 4, 4, 4, 3], 139.0, 36, 143.0278, 282, 139.0),
    "E8": ([5, 4, 5, 4, 4, 5, 4, 5], 157.6, 45, 154.9894, 313, 157.6),
    "E9": ([2, 2, 3, 3, 3, 2, 3, 2], 131.5, 25, 128.4080, 260, 131.5),
    "E10": ([4, 5, 4, 4, 3, 4, 4, 3], 145.3, 38, 145.6859, 291, 142.3),
}


def ten_candidates():
    return [Candidate(name, dict(zip(ITEMS, row[0], strict=True)), mbe=row[1]) for name, row in TEN.items()]


def scaled(candidates, weights=WEIGHTS, method="mean_sigma", reference=None, rounding="total_half_up"):
    return scale_pool(Pool(tuple(candidates)), weights, method, reference or PoolReference(), rounding)


def one_item(candidate_id, score, mbe=None, **more):
    return Candidate(candidate_id, {"mee-1": score}, mbe=mbe, **more)


def test_ten_candidates_by_mean_and_sd():
    for row in scaled(ten_candidates()).candidates:
        _, _, raw, written, total, _ = TEN[row.candidate_id]
        assert row.written_raw == raw
        assert row.written_scaled == pytest.approx(written, abs=5e-5)
        assert row.total == total


def test_ten_candidates_by_equipercentile():
    for row in scaled(ten_candidates(), method="equipercentile").candidates:
        assert row.written_scaled == TEN[row.candidate_id][5]


def test_the_constants_are_population_figures_with_standard_errors():
    constants = scaled(ten_candidates()).as_json()["constants"]
    assert constants["n"] == 10
    figures = [constants[name] for name in ("mean", "sd", "mean_mbe", "sd_mbe")]
    assert figures == pytest.approx([34.7, 10.000500, 141.3, 13.291351], abs=5e-7)
    assert constants["standard_errors"]["mean"] == pytest.approx(10.000500 / 3, abs=5e-7)


def test_the_json_has_exactly_the_promised_keys():
    plain = json.loads(json.dumps(scaled(ten_candidates()).as_json()))
    assert set(plain) == {
        "method",
        "reference",
        "rounding",
        "constants",
        "candidates",
        "left_out",
        "warnings",
    }
    assert (plain["method"], plain["reference"], plain["rounding"]) == ("mean_sigma", "pool", "total_half_up")
    row = plain["candidates"][0]
    assert {"candidate_id", "written_raw", "written_scaled", "total"} <= set(row)


def test_a_pool_below_a_hundred_is_warned_of_with_standard_errors():
    (warning,) = scaled(ten_candidates()).warnings
    assert "10 candidates, fewer than 100" in warning
    assert "written mean ± 3.33, written SD ± 2.48, MBE mean ± 4.43, MBE SD ± 3.30" in warning


def test_a_pool_of_a_hundred_is_not_warned_of():
    assert not scaled([one_item(f"{n}", n, 100.0 + n) for n in range(100)], {"mee-1": 1}).warnings


def test_an_ungraded_item_leaves_a_candidate_out_of_everything():
    whole = scaled(ten_candidates())
    half_graded = Candidate("late", dict.fromkeys(ITEMS, 6.0) | {"mpt-2": None, "mee-4": None}, mbe=199.0)
    with_late = scaled([*ten_candidates(), half_graded])
    assert [(left.candidate_id, left.why) for left in with_late.left_out] == [
        ("late", "Not graded yet: mee-4, mpt-2.")
    ]
    assert with_late.candidates == whole.candidates
    assert with_late.constants == whole.constants


def test_a_candidate_without_an_mbe_is_scaled_without_a_total_and_forms_no_constant():
    whole = scaled(ten_candidates())
    attorney = Candidate("attorney", dict.fromkeys(ITEMS, 6.0))
    with_attorney = scaled([*ten_candidates(), attorney])
    row = with_attorney.candidates[-1]
    assert (row.total, row.in_scaling_group) == (None, False)
    assert row.written_scaled == pytest.approx((60 - 34.7) / 10.000500 * 13.291351 + 141.3, abs=1e-4)
    assert with_attorney.constants == whole.constants


def test_a_nonmember_with_an_mbe_gets_a_total():
    model = Candidate("model", dict.fromkeys(ITEMS, 4.0), mbe=150.0, in_scaling_group=False)
    row = scaled([*ten_candidates(), model]).candidates[-1]
    assert (row.total, row.in_scaling_group) == (298, False)  # raw 40, as E5: 148.3441 + 150


def test_groups_have_constants_of_their_own():
    rows = [
        one_item("a", 2, 130.0, group="NY"),
        one_item("b", 4, 150.0, group="NY"),
        one_item("c", 2, 120.0, group="IL"),
        one_item("d", 4, 130.0, group="IL"),
    ]
    result = scaled(rows, {"mee-1": 1})
    assert [row.written_scaled for row in result.candidates] == [130, 150, 120, 130]
    assert {group: constants["mean_mbe"] for group, constants in result.as_json()["constants"].items()} == {
        "IL": 125,
        "NY": 140,
    }


def test_a_group_nobody_belongs_to_by_mbe_is_refused_by_name():
    rows = [
        one_item("a", 2, 130.0, group="NY"),
        one_item("b", 4, 150.0, group="NY"),
        one_item("m", 3, group="XX"),
    ]
    with pytest.raises(ScalingProblem, match="Group XX: Nobody in the scaling group"):
        scaled(rows, {"mee-1": 1})


def test_a_group_without_a_complete_candidate_needs_no_constants():
    rows = [one_item("a", 2, 130.0), one_item("b", 4, 150.0), one_item("c", None, 140.0, group="XX")]
    result = scaled(rows, {"mee-1": 1})
    assert [left.candidate_id for left in result.left_out] == ["c"]
    assert list(result.constants) == [None]


@pytest.mark.parametrize("method", ["mean_sigma", "equipercentile"])
@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([("a", 4, 130.0), ("b", 4, 150.0)], "written raw scores"),
        ([("a", 3, 140.0), ("b", 4, 140.0)], "MBE scores"),
        ([("a", 3, 140.0)], "written raw scores"),
        ([("a", 3, None), ("b", 4, None)], "Nobody"),
    ],
)
def test_a_pool_in_which_nothing_varies_is_refused(method, rows, what):
    with pytest.raises(ScalingProblem, match=what):
        scaled([one_item(*row) for row in rows], {"mee-1": 1}, method)


def test_a_pool_without_a_complete_candidate_is_an_answer():
    result = scaled([one_item("a", None, 140.0), one_item("b", None, 150.0)], {"mee-1": 1})
    assert (result.candidates, result.as_json()["constants"]) == ((), {})
    assert len(result.left_out) == 2
    assert "nothing was scaled" in result.warnings[0]


def test_an_assumed_reference_replaces_the_mbe_figures_and_is_said_first():
    result = scaled(ten_candidates(), reference=AssumedReference(143.8, 17.7))
    assert result.warnings[0].startswith("Assumed reference: the MBE mean 143.8 and SD 17.7")
    assert result.candidates[0].written_scaled == pytest.approx(
        (39 - 34.7) / 10.000500 * 17.7 + 143.8, abs=1e-5
    )
    assert result.as_json()["constants"]["standard_errors"]["mean_mbe"] is None
    assert result.as_json()["reference"] == "assumed:143.8,17.7"


def test_an_assumed_reference_serves_a_pool_without_any_mbe():
    rows = [one_item("a", 2), one_item("b", 4), one_item("model", 6, in_scaling_group=False)]
    result = scaled(rows, {"mee-1": 1}, reference=AssumedReference(140, 10))
    assert [(row.written_scaled, row.total) for row in result.candidates] == [
        (130, None),
        (150, None),
        (170, None),
    ]
    assert any("Nobody in the pool has an MBE" in warning for warning in result.warnings)


def test_with_an_assumed_reference_those_without_mbe_still_form_no_constants():
    assumed = AssumedReference(140, 10)
    rows = [one_item("a", 2, 130.0), one_item("b", 4, 150.0)]
    whole = scaled(rows, {"mee-1": 1}, reference=assumed)
    assert scaled([*rows, one_item("c", 6)], {"mee-1": 1}, reference=assumed).constants == whole.constants


def test_equipercentile_has_no_assumed_reference():
    with pytest.raises(ScalingProblem, match="mean_sigma"):
        scaled(ten_candidates(), method="equipercentile", reference=AssumedReference(140, 15))


@pytest.mark.parametrize("names", [{"method": "linear"}, {"rounding": "bankers"}])
def test_unknown_names_are_refused_with_the_known_ones(names):
    with pytest.raises(ScalingProblem, match="Choose from"):
        scaled(ten_candidates(), **names)


def test_repeated_candidates_and_unusable_numbers_are_listed_together():
    with pytest.raises(ScalingProblem) as caught:
        Pool((one_item("x", 1), one_item("x", 2), one_item("y", float("nan")), one_item("z", True)))
    assert "'x' stands 2 times" in str(caught.value)
    assert "'y' has nan as mee-1" in str(caught.value)
    assert "'z' has True" in str(caught.value)


pools = st.lists(st.tuples(st.integers(0, 12), st.integers(2000, 3600)), min_size=3, max_size=20).filter(
    lambda rows: len({row[0] for row in rows}) > 1 and len({row[1] for row in rows}) > 1
)
methods = st.sampled_from(["mean_sigma", "equipercentile"])


def candidates_of(rows):
    return [one_item(f"{n:06d}", half_points / 2, mbe / 20) for n, (half_points, mbe) in enumerate(rows)]


def by_id(result):
    return {row.candidate_id: row for row in result.candidates}


@settings(max_examples=50)
@given(pools, methods, st.integers(-20, 20))
def test_a_constant_added_to_all_raw_scores_changes_nothing_scaled(rows, method, constant):
    before = by_id(scaled(candidates_of(rows), {"mee-1": 1}, method))
    after = by_id(scaled(candidates_of([(h + 2 * constant, m) for h, m in rows]), {"mee-1": 1}, method))
    for name, row in before.items():
        assert after[name].written_scaled == pytest.approx(row.written_scaled, abs=1e-9)


@settings(max_examples=50)
@given(pools, methods)
def test_a_higher_raw_score_never_scales_lower(rows, method):
    ordered = sorted(
        scaled(candidates_of(rows), {"mee-1": 1}, method).candidates, key=lambda row: row.written_raw
    )
    for lower, higher in pairwise(ordered):
        assert lower.written_scaled <= higher.written_scaled
        if lower.written_raw == higher.written_raw:
            assert lower.written_scaled == higher.written_scaled


@settings(max_examples=50)
@given(pools, methods, st.randoms())
def test_the_order_of_candidates_changes_no_bit(rows, method, random):
    candidates = candidates_of(rows)
    shuffled = candidates[:]
    random.shuffle(shuffled)
    before, after = (scaled(order, {"mee-1": 0.7}, method) for order in (candidates, shuffled))
    assert by_id(before) == by_id(after)
    assert (before.constants, before.warnings) == (after.constants, after.warnings)


@settings(max_examples=50)
@given(pools, methods, st.integers(0, 100), st.booleans())
def test_a_nonmember_never_changes_constants_or_others(rows, method, score, has_mbe):
    candidates = candidates_of(rows)
    model = one_item("model", score, 200.0 if has_mbe else None, in_scaling_group=False)
    before, after = (scaled(pool, {"mee-1": 1}, method) for pool in (candidates, [model, *candidates]))
    assert before.constants == after.constants
    assert after.candidates[1:] == before.candidates


@settings(max_examples=50)
@given(pools, methods)
def test_missing_is_never_counted_as_zero(rows, method):
    """An ungraded candidate changes nothing; the same candidate with a zero is counted."""
    candidates = candidates_of(rows)
    before = scaled(candidates, {"mee-1": 1}, method)
    missing = scaled([*candidates, one_item("new", None, 90.0)], {"mee-1": 1}, method)
    zero = scaled([*candidates, one_item("new", 0, 90.0)], {"mee-1": 1}, method)
    assert missing.candidates == before.candidates
    assert missing.constants == before.constants
    assert zero.constants[None].written.n == before.constants[None].written.n + 1
    assert by_id(zero)["new"].written_raw == 0
