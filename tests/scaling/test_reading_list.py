"""The list of papers a further read could move across the line."""

import math

import pytest
from scipy.stats import norm

from grader_app.scaling.reading_list import ExpectedRead, reading_list

READ = ExpectedRead("mee-1", 3.0, 1, 3.2, 0.8, 2.0, (0, 6), 1)


def only(read, full, line=265.5, rule="mean"):
    found = reading_list({"c1": (math.floor(full + 0.5), full, [read])}, line, rule)
    return found[0] if found else None


def test_below_the_line_the_needed_score_moves_the_mean_of_two_reads_across():
    paper = only(READ, 264.1)
    assert paper.needed == 5
    assert (3 + paper.needed) / 2 * 2 - 3 * 2 + 264.1 >= 265.5
    assert (3 + paper.needed - 1) / 2 * 2 - 3 * 2 + 264.1 < 265.5
    assert paper.chance == pytest.approx(norm.sf(4.5, 3.2, 0.8))


def test_above_the_line_a_read_below_the_needed_score_moves_across():
    paper = only(READ, 266.4)
    assert paper.to_line == pytest.approx(-0.9)
    assert paper.needed == 3
    assert (3 + 2) / 2 * 2 - 6 + 266.4 < 265.5 <= (3 + 3) / 2 * 2 - 6 + 266.4
    assert paper.chance == pytest.approx(norm.cdf(2.5, 3.2, 0.8))


def test_a_read_that_replaces_moves_twice_as_far_as_one_that_is_averaged():
    assert only(READ, 264.1, rule="replace").needed == 4
    assert only(READ, 264.1, rule="replace").chance > only(READ, 264.1).chance


def test_taking_the_higher_of_two_moves_nobody_down():
    assert only(READ, 266.4, rule="higher") is None
    assert only(READ, 264.1, rule="higher").needed == 4


def test_what_no_score_of_the_scale_can_reach_is_not_listed():
    assert only(READ, 250.0) is None
    assert only(READ._replace(ends=None, step=0.0, sd=9.0), 262.0) is not None


def test_steps_count_from_the_lowest_score_of_the_scale():
    assert only(READ._replace(ends=(0.5, 6.5), score=3.5), 264.1).needed == 5.5


def test_the_most_valuable_paper_comes_first_and_equal_ones_by_name():
    near, far = READ._replace(item="mpt-1", per_point=4.0), READ._replace(item="mee-2")
    found = reading_list({"c2": (264, 264.1, [READ]), "c1": (264, 264.1, [far, near, READ])}, 265.5, "mean")
    assert [(paper.candidate_id, paper.item) for paper in found] == [
        ("c1", "mpt-1"),
        ("c1", "mee-1"),
        ("c1", "mee-2"),
        ("c2", "mee-1"),
    ]


def test_more_reads_behind_a_score_make_a_further_one_count_less():
    assert only(READ._replace(n_reads=2), 264.7).needed > only(READ, 264.7).needed
