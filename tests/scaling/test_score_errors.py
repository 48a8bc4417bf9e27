"""Errors of a whole pool: groups, totals of other schemes, standardised questions, chances, papers."""

import dataclasses

import numpy as np
import pytest
from drawn_pools import ON_0_TO_6, UBE_ITEMS, drawn_pool

from grader_app.domain.reader_variance import ReaderVariance
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.pool import Pool
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.rounding import Factors, lowest_full_total, reported_total
from grader_app.scaling.scale_pool import scale_pool
from grader_app.scaling.score_errors import score_errors
from grader_app.scaling.standardise import Target

READERS = {item: ReaderVariance(0.09, 0.36, 100, 5, "From 100 answers.") for item in UBE_ITEMS}
WEIGHTS = {item: rules.weight for item, rules in UBE_ITEMS.items()}
QUICK = Settings(n_draws=400)


def errors_of(found, scaled=None, items=UBE_ITEMS, line=282.0, rule="mean"):
    return score_errors(found.pool, scaled or found.scaled, items, READERS, found.reads, line, rule, QUICK)


def test_the_bar_of_a_total_is_the_written_bar_moved_by_the_mbe():
    found = drawn_pool(n=60)
    errors = errors_of(found)
    for row, person in zip(found.scaled.candidates, found.pool.candidates, strict=True):
        written = errors.bars.by_candidate[row.candidate_id].everything
        shown = errors.shown(row, found.scaled.factors).everything
        assert (shown.low, shown.high) == (written.low + person.mbe, written.high + person.mbe)


def test_the_order_of_candidates_changes_no_bit_of_a_chance():
    found = drawn_pool(n=60)
    there = errors_of(found)
    for shift in (7, 23, 41):
        pool = Pool((*found.pool.candidates[shift:], *found.pool.candidates[:shift]))
        turned = dataclasses.replace(found, pool=pool)
        scaled = scale_pool(pool, WEIGHTS, "mean_sigma", PoolReference(), "none")
        assert errors_of(turned, scaled).chances == there.chances


def test_another_schemes_total_stretches_bar_and_chances_alike():
    found = drawn_pool(n=60)
    plain = scale_pool(found.pool, WEIGHTS, "mean_sigma", PoolReference(), "none")
    halved = scale_pool(found.pool, WEIGHTS, "mean_sigma", PoolReference(), "none", factors=Factors(0.5, 0.5))
    whole, half = errors_of(found, plain, line=282.0), errors_of(found, halved, line=141.0)
    for row in halved.candidates:
        name = row.candidate_id
        assert half.shown(row, halved.factors).everything.sd == pytest.approx(
            whole.bars.by_candidate[name].everything.sd / 2
        )
        assert half.chances[name].rescore == pytest.approx(whole.chances[name].rescore)
        assert half.chances[name].true_score == pytest.approx(whole.chances[name].true_score)
    assert [(p.candidate_id, p.item) for p in half.papers] == [(p.candidate_id, p.item) for p in whole.papers]


def test_standardised_questions_of_equal_spread_have_the_bars_of_plain_ones():
    found = drawn_pool(n=80)
    targets = {item: Target(50, 10) for item in UBE_ITEMS}
    standardised = scale_pool(found.pool, WEIGHTS, "mean_sigma", PoolReference(), "none", targets=targets)
    errors, plain = errors_of(found, standardised), errors_of(found)
    sds = np.array([[c.scores[item] for item in UBE_ITEMS] for c in found.pool.candidates]).std(axis=0)
    counted = errors.bars.weights[None]
    assert [counted[item] for item in UBE_ITEMS] == pytest.approx(
        [WEIGHTS[item] * 10 / sd for item, sd in zip(UBE_ITEMS, sds, strict=True)]
    )
    one, other = errors.bars.candidates[0].reader_variance, plain.bars.candidates[0].reader_variance
    assert one == pytest.approx(other, rel=0.1)


def test_each_group_has_its_own_constants_and_its_own_errors():
    found = drawn_pool(n=80)
    pool = Pool(
        tuple(
            dataclasses.replace(c, group="east" if at % 2 else "west", mbe=c.mbe + 20 * (at % 2))
            for at, c in enumerate(found.pool.candidates)
        )
    )
    scaled = scale_pool(pool, WEIGHTS, "mean_sigma", PoolReference(), "none")
    errors = errors_of(dataclasses.replace(found, pool=pool), scaled)
    assert set(errors.bars.items) == set(errors.spreads) == {"east", "west"}
    east = [
        errors.bars.by_candidate[c.candidate_id].reader_variance for c in pool.candidates if c.group == "east"
    ]
    slope = scaled.constants["east"].mbe_sd / scaled.constants["east"].written.sd
    assert np.mean(east) == pytest.approx(slope**2 * 14 * 0.45, rel=0.25)


def test_below_thirty_members_there_are_bars_and_no_chances_and_a_note_says_why():
    errors = errors_of(drawn_pool(n=29))
    assert errors.chances == {}
    assert any("Fewer than 30 candidates" in note for note in errors.notes)
    assert errors_of(drawn_pool(n=30)).chances


def test_every_paper_on_the_list_crosses_with_its_needed_score_and_not_with_the_one_below():
    found = drawn_pool(score_of=lambda scores: np.clip(np.rint(scores), 0, 6), rounding="total_half_up")
    errors = errors_of(found, items=ON_0_TO_6)
    slope = found.scaled.constants[None].mbe_sd / found.scaled.constants[None].written.sd
    people = {c.candidate_id: c for c in found.pool.candidates}
    rows = {row.candidate_id: row for row in found.scaled.candidates}
    assert errors.papers
    for paper in errors.papers:
        person, row = people[paper.candidate_id], rows[paper.candidate_id]

        def total(read, person=person, row=row, paper=paper):
            moved = (read - person.scores[paper.item]) / 2 * WEIGHTS[paper.item] * slope
            return reported_total(person.mbe, row.written_scaled + moved, "total_half_up")

        assert (row.total >= 282) == (paper.to_line <= 0)
        assert total(paper.needed) >= 282 > total(paper.needed - 1)
        assert 0 <= paper.needed <= 6


def test_scaling_by_rank_has_no_list_since_a_point_there_is_worth_no_fixed_amount():
    found = drawn_pool(n=60, method="equipercentile")
    assert errors_of(found).papers == ()
    assert errors_of(found).chances


@pytest.mark.parametrize(
    ("rounding", "line", "lowest"),
    [
        ("total_half_up", 266, 265.5),
        ("total_half_up", 266.5, 266.5),
        ("total_to_tenths", 143.05, 143.05),
        ("total_to_hundredths", 145, 144.995),
        ("none", 266, 266),
    ],
)
def test_the_lowest_full_total_is_the_first_whose_reported_total_reaches_the_line(rounding, line, lowest):
    assert lowest_full_total(line, rounding) == pytest.approx(lowest)
    assert reported_total(lowest, 0, rounding) >= line
    assert reported_total(lowest - 1e-6, 0, rounding) < line


def test_plain_values_name_what_each_bar_is_of():
    found = drawn_pool(n=40)
    model = dataclasses.replace(found.pool.candidates[0], candidate_id="m", mbe=None, in_scaling_group=False)
    pool = Pool((*found.pool.candidates, model))
    scaled = scale_pool(pool, WEIGHTS, "mean_sigma", PoolReference(), "none")
    rows = errors_of(dataclasses.replace(found, pool=pool), scaled).as_json(scaled)["candidates"]
    assert [row["of"] for row in rows] == ["total"] * 40 + ["written_scaled"]
    assert rows[-1]["chance_rescore"] is None
    assert rows[-1]["readers_questions_pool"]["low"] < scaled.candidates[-1].written_scaled
