"""Percentile ranks with ties, the line between order statistics, and the ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.scaling.equipercentile import equipercentile

RAWS = [39, 24, 52, 31, 40, 17, 36, 45, 25, 38]
MBES = [142.3, 128.7, 165.1, 134.9, 150.4, 118.2, 139.0, 157.6, 131.5, 145.3]


def test_ten_candidates_take_the_mbe_scores_by_rank():
    """By the definition, read off two sorted lists: mid-ranks, MBE points at (i - 0.5)/n."""
    scaled = [equipercentile(raw, sorted(RAWS), sorted(MBES)) for raw in RAWS]
    assert scaled == [145.3, 128.7, 165.1, 134.9, 150.4, 118.2, 139.0, 157.6, 131.5, 142.3]


def test_two_who_tie_share_the_middle_of_their_places():
    assert equipercentile(30, [20, 30, 30, 40], [120, 130, 140, 150]) == 135


def test_three_who_tie_take_the_middle_place():
    assert equipercentile(30, [30, 30, 30, 40], [120, 130, 140, 150]) == 130


def test_ties_among_mbe_scores_are_kept():
    assert [equipercentile(raw, [1, 2, 3], [120, 120, 150]) for raw in (1, 2, 3)] == [120, 120, 150]


def test_someone_between_two_members_gets_the_middle_of_their_scores():
    assert equipercentile(25, [20, 30], [120, 140]) == 130


@pytest.mark.parametrize(("raw", "scaled"), [(-5, 120), (99, 140)])
def test_beyond_the_group_the_score_is_clamped(raw, scaled):
    assert equipercentile(raw, [20, 30], [120, 140]) == scaled


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(100, 180)), min_size=1, max_size=25),
    st.floats(-5, 25),
    st.floats(0, 5),
)
def test_it_agrees_with_interpolation_over_shares_and_never_falls(pairs, raw, more):
    np = pytest.importorskip("numpy")
    raws, mbes = sorted(pair[0] for pair in pairs), sorted(float(pair[1]) for pair in pairs)
    n = len(raws)
    share = (sum(other < raw for other in raws) + sum(other == raw for other in raws) / 2) / n
    places = (np.arange(1, n + 1) - 0.5) / n
    assert equipercentile(raw, raws, mbes) == pytest.approx(np.interp(share, places, mbes), abs=1e-9)
    assert equipercentile(raw + more, raws, mbes) >= equipercentile(raw, raws, mbes)
