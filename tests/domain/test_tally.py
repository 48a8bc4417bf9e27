"""The score that the points of a sheet come to, and scores that depart from it."""

from __future__ import annotations

import pytest
from sets_and_papers import sheet

from grader_app.domain.score_range import ScoreRange
from grader_app.domain.tally import departs, point_worth, tally


# 0 to 6: bailment.rule and bailment.use 20 % or 1.2 each, care.rule 60 % or 3.6.
def test_a_tally_spreads_an_issues_weight_over_its_points() -> None:
    assert point_worth(sheet()) == {"bailment.rule": 20, "bailment.use": 20, "care.rule": 60}
    scale = ScoreRange(0, 6, 1)
    assert tally([], sheet(), scale) == 0
    assert tally(["bailment.rule"], sheet(), scale) == pytest.approx(1.2)
    assert tally(["care.rule", "bailment.use", "care.rule"], sheet(), scale) == pytest.approx(4.8)
    assert tally(["bailment.rule", "bailment.use", "care.rule"], sheet(), scale) == pytest.approx(6)
    assert tally(["care.rule"], sheet(), ScoreRange(1, 5, 0.5)) == pytest.approx(3.4)


def test_what_cannot_be_tallied_is_refused_and_is_no_zero() -> None:
    with pytest.raises(KeyError):
        tally(["care.none"], sheet(), ScoreRange(0, 6, 1))
    with pytest.raises(ValueError, match="no points to tally"):
        tally([], sheet(issues=False), ScoreRange(0, 6, 1))


@pytest.mark.parametrize(
    ("score", "tallied", "step", "expected"),
    [
        (5, 4, 1, True),
        (3, 4, 1, True),
        (5, 4.01, 1, False),
        (4.5, 4, 0.5, False),
        (6, 4.5, 2, False),
        (6, 4, 2, True),
    ],
)
def test_a_score_departs_from_one_point_or_one_step_on(
    score: float, tallied: float, step: float, expected: bool
) -> None:
    assert departs(score, tallied, ScoreRange(0, 6, step)) is expected
