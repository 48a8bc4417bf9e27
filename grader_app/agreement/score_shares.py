"""How often a grader gives each score, beside the panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader_app.agreement.against_reference import places


@dataclass(frozen=True)
class ScoreShares:
    """The share of answers at each score point.

    Parameters
    ----------
    points
        Every score point, lowest first.
    grader, panel
        Share of the answers to which the grader, and the whole panel, gave it; 0 without answers.
    n, n_panel
        Answers scored by the grader, and scores given by the panel.
    """

    points: tuple[float, ...]
    grader: tuple[float, ...]
    panel: tuple[float, ...]
    n: int
    n_panel: int

    def as_dict(self) -> dict[str, Any]:
        """Return the shares as plain Python, ready for JSON."""
        rows = zip(self.points, self.grader, self.panel, strict=True)
        return {
            "n": self.n,
            "n_panel": self.n_panel,
            "shares": [{"score": point, "grader": mine, "panel": all_} for point, mine, all_ in rows],
        }


def score_shares(scores: Sequence[float], panel: Sequence[float], points: Sequence[float]) -> ScoreShares:
    """Count how scores spread over the scale.

    Parameters
    ----------
    scores, panel
        One grader's scores, and all scores of the panel.
    points
        The score points; a score between two of them counts at the nearer one.

    Examples
    --------
    >>> score_shares([1, 2, 2], [0, 1, 2, 2], [0, 1, 2]).panel
    (0.25, 0.25, 0.5)
    """
    return ScoreShares(
        tuple(points), _shares(scores, points), _shares(panel, points), len(scores), len(panel)
    )


def _shares(scores: Sequence[float], points: Sequence[float]) -> tuple[float, ...]:
    at = places(np.asarray(scores, dtype=np.float64), np.asarray(points, dtype=np.float64))
    counts = np.bincount(at, minlength=len(points)) / max(1, len(scores))
    return tuple(counts.tolist())
