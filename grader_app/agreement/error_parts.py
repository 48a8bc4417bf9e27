"""What a grader's distance from the reference is made of: level, spread and order."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.scale import TOLERANCE


@dataclass(frozen=True)
class ErrorParts:
    """The mean squared difference from the reference, and its three parts.

    Parameters
    ----------
    mean_squared_difference
        In squared points; the three parts add up to it.
    level
        What a grader loses by being harsh or lenient throughout.
    spread
        What a grader loses by using the scale more widely or more narrowly.
    order
        What a grader loses by putting papers in another order.
    level_share, spread_share, order_share
        The same as shares of the whole, adding up to 1; None when the whole is 0.
    """

    mean_squared_difference: float
    level: float
    spread: float
    order: float
    level_share: float | None
    spread_share: float | None
    order_share: float | None

    def as_dict(self) -> dict[str, float | None]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "mean_squared_difference": self.mean_squared_difference,
            "level": self.level,
            "spread": self.spread,
            "order": self.order,
            "level_share": self.level_share,
            "spread_share": self.spread_share,
            "order_share": self.order_share,
        }


def error_parts(scores: Floats, reference: Floats) -> ErrorParts:
    """Split the mean squared difference of scores and reference.

    Parameters
    ----------
    scores, reference
        One number a paper, in the same order; at least one paper.

    Returns
    -------
    ErrorParts

    Notes
    -----
    mean (g - r)² = (mean g - mean r)² + (s_g - s_r)² + 2 s_g s_r (1 - c), with population standard
    deviations s and correlation c. Where either side does not vary the last part is 0.

    References
    ----------
    Kobayashi & Salam (2000), Agronomy Journal 92:345-352.

    Examples
    --------
    >>> parts = error_parts(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0]))
    >>> parts.mean_squared_difference, parts.level, parts.level_share
    (1.0, 1.0, 1.0)
    """
    off_scores, off_reference = scores - scores.mean(), reference - reference.mean()
    spread_scores = math.sqrt(float((off_scores**2).mean()))
    spread_reference = math.sqrt(float((off_reference**2).mean()))
    level = float(scores.mean() - reference.mean()) ** 2
    spread = (spread_scores - spread_reference) ** 2
    # The product s_g s_r c is the covariance, so nothing is divided by a spread of 0.
    order = max(0.0, 2 * (spread_scores * spread_reference - float((off_scores * off_reference).mean())))
    whole = level + spread + order
    if np.abs(scores - reference).max() < TOLERANCE:
        return ErrorParts(0.0, 0.0, 0.0, 0.0, None, None, None)
    return ErrorParts(whole, level, spread, order, level / whole, spread / whole, order / whole)
