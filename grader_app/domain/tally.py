"""What the points of a paper alone would come to, were a score no more than a tally."""

from __future__ import annotations

from collections.abc import Iterable

from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.score_range import ScoreRange

_TOLERANCE = 1e-9


def point_worth(sheet: PointSheet) -> dict[str, float]:
    """Give each point's part of the whole, in percent.

    Parameters
    ----------
    sheet
        The item's point sheet.

    Returns
    -------
    dict
        Percent by point id; an issue's ``weight_percent`` is spread evenly over its points.
    """
    return {
        point.id: issue.weight_percent / len(issue.points) for issue in sheet.issues for point in issue.points
    }


def tally(points: Iterable[str], sheet: PointSheet, score_range: ScoreRange) -> float:
    """Turn the points a paper makes into the score they come to.

    Parameters
    ----------
    points
        Ids of the points made; one named twice counts once.
    sheet
        The item's point sheet, with at least one issue.
    score_range
        The scale of the rubric's score.

    Returns
    -------
    float
        In points, not rounded to a step.

    Raises
    ------
    KeyError
        If the sheet has no such point.
    ValueError
        If the sheet has no issues: then nothing can be tallied, which is not a score of nothing.

    Notes
    -----
    lowest + (share of weight) · (highest - lowest). The grading desk shows the tally beside the score,
    which is the grader's own, and asks where the two lie apart; packets use it to tell which reference
    scores depart from it.
    """
    worth = point_worth(sheet)
    if not worth:
        raise ValueError(f"the point sheet {sheet.id} has no points to tally")
    share = sum(worth[point] for point in dict.fromkeys(points)) / 100
    return score_range.lowest + share * (score_range.highest - score_range.lowest)


def departs(score: float, tallied: float, score_range: ScoreRange) -> bool:
    """Say whether a score departs from the tally.

    Parameters
    ----------
    score, tallied
        In points.
    score_range
        The scale.

    Returns
    -------
    bool
        Whether they lie at least one point apart, or one step where a step is larger.

    Examples
    --------
    >>> departs(5, 4, ScoreRange(0, 6, 1)), departs(5, 4.1, ScoreRange(0, 6, 1))
    (True, False)
    """
    return abs(score - tallied) >= max(1.0, score_range.step) - _TOLERANCE
