"""Graders of known harshness, spread and noise, simulated on a packet's reference scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.quotients import quotient
from grader_app.agreement.scale import TOLERANCE
from grader_app.domain.score_range import ScoreRange


class GraderError(NamedTuple):
    """How a simulated grader errs.

    Parameters
    ----------
    noise
        Standard deviation of what a grader sees about the reference, in points.
    level
        Points below the reference throughout; positive is harsh.
    slope
        Points up where the reference goes up by one, about the reference mean.
    """

    noise: float
    level: float = 0.0
    slope: float = 1.0


class Figures(NamedTuple):
    """The figures of many simulated graders, one value a grader; nan where undefined."""

    rank_share: Floats
    exact_or_adjacent: Floats
    quadratic_weighted_kappa: Floats
    severity: Floats


def simulated_scores(reference: Floats, scale: ScoreRange, error: GraderError, draws: Floats) -> Floats:
    """Return the score point nearest to what each grader sees, one row a paper, one column a grader.

    Examples
    --------
    >>> draws = np.array([[0.0], [1.0]])
    >>> simulated_scores(np.array([3.0, 6.0]), ScoreRange(0, 6, 1), GraderError(1.0), draws).tolist()
    [[3.0], [6.0]]
    """
    middle = reference.mean()
    expected = middle + error.slope * (reference - middle) - error.level
    steps = np.round((expected[:, np.newaxis] + error.noise * draws - scale.lowest) / scale.step)
    top = round((scale.highest - scale.lowest) / scale.step)
    scores: Floats = scale.lowest + scale.step * steps.clip(0, top)
    return scores


def simulated_rank_shares(reference: Floats, noise: float, draws: Floats) -> Floats:
    """Return the share of pairs set apart by the reference that each grader puts in order; nan if none.

    Notes
    -----
    A grader ranks by what it sees, without ties. Level and spread of its scores do not enter: they
    move or stretch what is seen and leave the order alone.
    """
    order = np.argsort(reference, kind="stable")
    seen = reference[order, np.newaxis] + noise * draws[order]
    below = np.searchsorted(reference[order], reference[order], side="left")
    right = np.zeros(draws.shape[1], dtype=np.int64)
    for place, n_below in enumerate(below):
        right += np.count_nonzero(seen[place] > seen[:n_below], axis=0)
    n_pairs = np.full(len(right), float(below.sum()))
    return quotient(right.astype(np.float64), n_pairs, n_pairs > 0)


def simulated_figures(
    reference: Floats, scale: ScoreRange, error: GraderError, rank_share: Floats, draws: Floats
) -> Figures:
    """Return the figures that gates look at, for every simulated grader at once.

    Notes
    -----
    Kappa as 2 cov / (var_g + var_r + severity²), which needs means and products only.
    """
    scores = simulated_scores(reference, scale, error, draws)
    within = max(1.0, scale.step) + TOLERANCE
    severity: Floats = reference.mean() - scores.mean(axis=0)
    near: Floats = (np.abs(scores - reference[:, np.newaxis]) <= within).mean(axis=0)
    off_reference = reference - reference.mean()
    covariance = np.einsum("i,ij->j", off_reference, scores) / len(reference)
    spreads = scores.var(axis=0) + off_reference.var() + severity**2
    return Figures(rank_share, near, quotient(2 * covariance, spreads, spreads > TOLERANCE), severity)


def passes(
    figures: Figures,
    rank_order_at_least: float | None,
    exact_or_adjacent_at_least: float | None,
    quadratic_weighted_kappa_at_least: float | None,
    severity_within: float | None,
) -> np.typing.NDArray[np.bool_]:
    """Say for each simulated grader whether every gate that is set is met; nan meets none."""
    met = np.ones(len(figures.severity), dtype=bool)
    for values, least in (
        (figures.rank_share, rank_order_at_least),
        (figures.exact_or_adjacent, exact_or_adjacent_at_least),
        (figures.quadratic_weighted_kappa, quadratic_weighted_kappa_at_least),
    ):
        if least is not None:
            met &= values >= least - TOLERANCE
    if severity_within is not None:
        met &= np.abs(figures.severity) <= severity_within + TOLERANCE
    return met
