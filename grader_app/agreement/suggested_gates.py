"""Gates that suit a packet, found by trying a grid of them on simulated graders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.operating_characteristic import (
    BAD_LEVEL,
    BAD_NOISE,
    GOOD_NOISE,
    paired_draws,
    verdict_of,
)
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.simulated_graders import GraderError, simulated_figures, simulated_rank_shares
from grader_app.domain.score_range import ScoreRange

RANK_ORDER = (0.70, 0.75, 0.80, 0.85, 0.90)
EXACT_OR_ADJACENT = (0.80, 0.85, 0.90, 0.95)
KAPPA = (0.60, 0.65, 0.70, 0.75, 0.80)
SEVERITY = (0.30, 0.35, 0.40, 0.45, 0.50)

GOOD = GraderError(GOOD_NOISE)
BAD = (GraderError(GOOD_NOISE, BAD_LEVEL), GraderError(GOOD_NOISE, -BAD_LEVEL), GraderError(BAD_NOISE))

Met = NDArray[np.bool_]


class SuggestedGates(NamedTuple):
    """Four gates, and the chances of the three errors that they leave."""

    rank_order_at_least: float
    exact_or_adjacent_at_least: float
    quadratic_weighted_kappa_at_least: float
    severity_within: float
    good_fails: float
    level_passes: float
    noise_passes: float


def suggest_gates(
    reference: Sequence[float], scale: ScoreRange, *, simulations: int = 4000, seed: int = 0
) -> SuggestedGates | None:
    """Return the gates with the smallest largest chance of an error, or None for too small a packet.

    Parameters
    ----------
    reference
        Reference scores of the papers that are ranked and scored.
    scale
        The scale of the scores.
    simulations, seed
        As for `operating_characteristic`, whose graders and draws are used.

    Returns
    -------
    SuggestedGates or None
        None when no combination on the grid keeps all three errors at 10 % or less.

    Examples
    --------
    >>> suggest_gates([3, 3, 4], ScoreRange(0, 6, 1)) is None
    True
    """
    points = np.asarray(reference, dtype=np.float64)
    draws = paired_draws(len(points), simulations, seed)
    ranks = {noise: simulated_rank_shares(points, noise, draws[0]) for noise in (GOOD_NOISE, BAD_NOISE)}
    tables = []
    for error in (GOOD, *BAD):
        figures = simulated_figures(points, scale, error, ranks[error.noise], draws[1])
        tables.append(
            (
                _at_least(figures.rank_share, RANK_ORDER),
                _at_least(figures.exact_or_adjacent, EXACT_OR_ADJACENT),
                _at_least(figures.quadratic_weighted_kappa, KAPPA),
                _at_least(-np.abs(figures.severity), tuple(-most for most in SEVERITY)),
            )
        )
    found = min(_tried(tables), key=lambda gates: (max(gates[4:]), sum(gates[4:])))
    return found if verdict_of(*found[4:]) else None


def _at_least(values: NDArray[np.float64], thresholds: tuple[float, ...]) -> Met:
    """Return who meets each threshold, one row a threshold."""
    met: Met = values >= np.asarray(thresholds)[:, np.newaxis] - TOLERANCE
    return met


def _tried(tables: list[tuple[Met, Met, Met, Met]]) -> list[SuggestedGates]:
    chances = np.array([_pass_shares(*table) for table in tables])
    places = product(*(range(len(grid)) for grid in (RANK_ORDER, EXACT_OR_ADJACENT, KAPPA, SEVERITY)))
    return [
        SuggestedGates(
            RANK_ORDER[rank],
            EXACT_OR_ADJACENT[near],
            KAPPA[kappa],
            SEVERITY[severity],
            1 - float(chances[0, rank, near, kappa, severity]),
            float(chances[1:3, rank, near, kappa, severity].max()),
            float(chances[3, rank, near, kappa, severity]),
        )
        for rank, near, kappa, severity in places
    ]


def _pass_shares(ranks: Met, near: Met, kappa: Met, severity: Met) -> NDArray[np.float64]:
    """Return the share of graders who meet each combination of the four gates."""
    ordering = (ranks[:, np.newaxis] & near[np.newaxis]).reshape(-1, ranks.shape[1])
    scoring = (kappa[:, np.newaxis] & severity[np.newaxis]).reshape(-1, kappa.shape[1])
    both = ordering.astype(np.float32) @ scoring.astype(np.float32).T
    shape = (len(ranks), len(near), len(kappa), len(severity))
    shares: NDArray[np.float64] = both.reshape(shape).astype(np.float64) / ranks.shape[1]
    return shares
