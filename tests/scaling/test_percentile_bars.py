"""Percentiles of a pool's scores among a group, with the score's error and the group's."""

from dataclasses import replace

import pytest
from drawn_pools import UBE_ITEMS, drawn_pool

from grader_app.domain.reader_variance import ReaderVariance
from grader_app.files.reference_populations import load_reference_populations
from grader_app.scaling.error_bars import Bar, Settings
from grader_app.scaling.normal_group import NormalGroup
from grader_app.scaling.percentile_bars import GROUP_SAYS, NO_RANGE_SAYS, place_pool
from grader_app.scaling.reference_populations import ChosenGroup, Switches, choose_group
from grader_app.scaling.score_errors import score_errors

READERS = {item: ReaderVariance(0.09, 0.36, 100_000, 5, "From 100,000 answers.") for item in UBE_ITEMS}


@pytest.fixture(scope="module")
def pool():
    found = drawn_pool(n=60)
    return found.scaled, score_errors(
        found.pool, found.scaled, UBE_ITEMS, READERS, found.reads, settings=Settings(n_draws=4000)
    )


def exact(mean=141.0, sd=14.0, **more):
    return ChosenGroup("own", "own", NormalGroup(mean, sd), (), **more)


def test_the_ends_of_a_bar_are_the_ends_of_its_percentile(pool):
    scaled, errors = pool
    curve = NormalGroup(141.0, 14.0)
    for row, placed in zip(
        scaled.candidates, place_pool(scaled, errors, exact(), "written").candidates, strict=True
    ):
        bar = errors.bars.by_candidate[row.candidate_id].everything
        assert placed.percentile == curve.percent_below(row.written_scaled)
        assert placed.everything == (curve.percent_below(bar.low), curve.percent_below(bar.high))


def test_a_group_known_exactly_adds_no_error_of_its_own(pool):
    scaled, errors = pool
    placed = place_pool(scaled, errors, exact(), "written")
    assert placed.notes == (NO_RANGE_SAYS,)
    for one in placed.candidates:
        assert one.with_group == pytest.approx(one.everything, abs=0.2)


def test_a_lopsided_bar_stays_so_beside_a_group_known_exactly(pool):
    scaled, errors = pool
    row = scaled.candidates[0]
    bars = errors.bars.by_candidate[row.candidate_id]
    # Further up than down, and wider than the SD of the draws, as few graders make it.
    wide = Bar(row.written_scaled - 6.0, row.written_scaled + 18.0, 5.0)
    lopsided = replace(bars, readers=None, everything=wide)
    others = tuple(one for one in errors.bars.candidates if one.candidate_id != row.candidate_id)
    found = replace(errors, bars=replace(errors.bars, candidates=(lopsided, *others)))
    placed = place_pool(scaled, found, exact(), "written").candidates[0]
    curve = NormalGroup(141.0, 14.0)
    ends = (curve.percent_below(wide.low), curve.percent_below(wide.high))
    assert placed.with_group == pytest.approx(ends, abs=0.2)


def test_the_groups_own_error_is_what_its_ends_differ_by_where_the_score_is_exact(pool):
    scaled, errors = pool
    ends = (NormalGroup(120.0, 10.0), NormalGroup(120.0, 40.0))
    group = ChosenGroup("own", "own", NormalGroup(120.0, 20.0), (), range_ends=ends)
    placed = place_pool(scaled, errors, group, "written")
    assert placed.notes == (GROUP_SAYS,)
    wider = [one.with_group[1] - one.with_group[0] > one.everything[1] - one.everything[0] + 3
             for one, row in zip(placed.candidates, scaled.candidates, strict=True)
             if row.written_scaled > 135]  # fmt: skip
    assert wider
    assert all(wider)


def test_totals_are_set_against_a_group_of_totals_and_fall_out_below_its_floor(pool):
    scaled, errors = pool
    group = choose_group(load_reference_populations(), "qualified", "ube", Switches())
    for row, placed in zip(
        scaled.candidates, place_pool(scaled, errors, group, "ube").candidates, strict=True
    ):
        if row.total < 270:
            assert placed.percentile is None
            assert "under 270" in placed.says
        else:
            assert placed.percentile == group.standing.percent_below(row.total)
            assert 0 <= placed.with_group[0] <= placed.percentile + 1e-9
            assert placed.percentile <= placed.with_group[1] <= 100
