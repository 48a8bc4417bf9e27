"""What holds of every pool: constants, order, absence, and those who form no constants."""

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader_app.domain.published_schemes import SCHEMES
from grader_app.domain.round import Round
from grader_app.errors import ScalingProblem
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.presets import with_preset
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.rules import Rules, rules_of_round
from grader_app.scaling.standardise import Target

WEIGHTS = {"mee-1": 1.0, "mee-2": 1.0, "mpt-1": 2.0}
TARGETS = {"mee-1": Target(50, 7), "mee-2": Target(50, 7), "mpt-1": Target(50, 14)}
METHODS = ["mean_sigma", "equipercentile"]
half_points = st.integers(0, 12).map(lambda halves: halves / 2)
sittings = st.lists(
    st.tuples(half_points, half_points, half_points, st.integers(1000, 1900)), min_size=4, max_size=12
)
ways = st.tuples(st.sampled_from(METHODS), st.booleans())


def pool_of(rows):
    return Pool(
        tuple(
            Candidate(f"c{n:02d}", dict(zip(WEIGHTS, scores, strict=True)), mbe=tenths / 10)
            for n, (*scores, tenths) in enumerate(rows)
        )
    )


def rules_for(way):
    method, standardised = way
    return Rules(WEIGHTS, method, PoolReference(), "none", TARGETS if standardised else {})


def scaled_by_id(pool, rules):
    try:
        found = rules.scale(pool)
    except ScalingProblem:
        assume(False)
    return {row.candidate_id: row for row in found.candidates}


def shifted(pool, item, by):
    return Pool(tuple(replace(c, scores={**c.scores, item: c.scores[item] + by}) for c in pool.candidates))


@settings(max_examples=80, deadline=None)
@given(sittings, ways, st.sampled_from(list(WEIGHTS)), st.integers(-8, 8))
def test_a_constant_added_to_everybodys_score_of_an_item_changes_nothing_scaled(rows, way, item, by):
    pool, rules = pool_of(rows), rules_for(way)
    before, after = scaled_by_id(pool, rules), scaled_by_id(shifted(pool, item, by), rules)
    for candidate_id, row in before.items():
        assert after[candidate_id].written_raw - row.written_raw == pytest.approx(by * WEIGHTS[item])
        assert after[candidate_id].written_scaled == pytest.approx(row.written_scaled, abs=1e-6)


@settings(max_examples=80, deadline=None)
@given(sittings, ways, half_points, half_points)
def test_a_higher_score_of_somebody_outside_is_never_scaled_lower(rows, way, one, other):
    low, high = sorted((one, other))
    outside = [
        Candidate(name, {"mee-1": score, "mee-2": 3.0, "mpt-1": 3.0}, in_scaling_group=False)
        for name, score in (("low", low), ("high", high))
    ]
    found = scaled_by_id(Pool((*pool_of(rows).candidates, *outside)), rules_for(way))
    assert found["low"].written_scaled <= found["high"].written_scaled


@settings(max_examples=80, deadline=None)
@given(sittings, st.sampled_from(METHODS))
def test_members_keep_the_order_of_their_raw_scores(rows, method):
    found = list(scaled_by_id(pool_of(rows), rules_for((method, False))).values())
    for one in found:
        for other in found:
            if one.written_raw < other.written_raw:
                assert one.written_scaled <= other.written_scaled
            if one.written_raw == other.written_raw:
                assert one.written_scaled == other.written_scaled


@settings(max_examples=80, deadline=None)
@given(sittings, ways, st.integers(0, 2**32))
def test_the_order_of_the_candidates_changes_no_bit(rows, way, seed):
    pool, rules = pool_of(rows), rules_for(way)
    order = list(pool.candidates)
    random.Random(seed).shuffle(order)
    assert scaled_by_id(pool, rules) == scaled_by_id(Pool(tuple(order)), rules)


@settings(max_examples=80, deadline=None)
@given(sittings, ways, st.sampled_from(list(WEIGHTS)))
def test_a_missing_score_is_never_counted_as_zero(rows, way, item):
    """Somebody with an ungraded item has no number at all and moves nobody; with a zero they have one."""
    pool, rules = pool_of(rows), rules_for(way)
    alone = scaled_by_id(pool, rules)
    late = Candidate("late", {**dict.fromkeys(WEIGHTS, 4.0), item: None}, mbe=140.0)
    joined = rules.scale(Pool((*pool.candidates, late)))
    assert {row.candidate_id: row for row in joined.candidates} == alone
    assert [left.why for left in joined.left_out] == [f"Not graded yet: {item}."]
    nought = replace(late, scores={**late.scores, item: 0.0})
    assert "late" in {row.candidate_id for row in rules.scale(Pool((*pool.candidates, nought))).candidates}


@settings(max_examples=80, deadline=None)
@given(sittings, ways, half_points, st.none() | st.floats(100, 190))
def test_a_non_member_changes_nothing(rows, way, score, mbe):
    pool, rules = pool_of(rows), rules_for(way)
    alone = scaled_by_id(pool, rules)
    model = Candidate("model", dict.fromkeys(WEIGHTS, score), mbe=mbe, in_scaling_group=False)
    joined = scaled_by_id(Pool((*pool.candidates, model)), rules)
    assert {name: row for name, row in joined.items() if name != "model"} == alone


@settings(max_examples=40, deadline=None)
@given(sittings, st.sampled_from(list(SCHEMES)))
def test_every_scheme_gives_the_mbes_mean_to_the_written_scores_and_its_own_formula_to_the_total(rows, name):
    items = [{"item": item, "component": item[:3], "weight": weight} for item, weight in WEIGHTS.items()]
    data = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": items}
    rules = replace(rules_of_round(with_preset(Round.model_validate(data), name)), rounding="none")
    pool = pool_of(rows)
    found = scaled_by_id(pool, rules)
    mbes = {c.candidate_id: c.mbe for c in pool.candidates}
    mean = sum(row.written_scaled for row in found.values()) / len(found)
    assert mean == pytest.approx(sum(mbes.values()) / len(mbes), abs=1e-6)
    factors = SCHEMES[name].scaling.get("total", {"mbe": 1, "written": 1})
    for candidate_id, row in found.items():
        exact = factors["mbe"] * mbes[candidate_id] + factors["written"] * row.written_scaled
        assert row.total == pytest.approx(exact)
