"""Has a grader moved, looking back over all validity papers of a round at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from grader_app.agreement.drift import Direction
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.figure import refused
from grader_app.agreement.resampling import Settings
from grader_app.agreement.statuses import FEWEST_FOR_VALUE, Reason
from grader_app.agreement.subject import YOU, counted, does


@dataclass(frozen=True)
class Moved:
    """Severity on the validity papers of a round, and whether it differs from none.

    Parameters
    ----------
    severity
        Mean of reference minus score, in points, with its interval: positive is harsh.
    direction
        Which way, where the interval leaves zero out; otherwise None.
    """

    severity: Estimate
    direction: Direction | None


def moved(
    differences: Sequence[float],
    sd: float,
    n_calibration: int,
    *,
    confidence: float = 0.95,
    subject: str = YOU,
) -> Moved:
    """Say how severe a grader was on validity papers, and whether that is more than chance.

    Parameters
    ----------
    differences
        Reference minus score of each validity paper, one a paper.
    sd
        Sample standard deviation of these differences in calibration.
    n_calibration
        Papers it was estimated from; 0 or 1 leaves it out.
    confidence
        Nominal coverage of the interval.
    subject
        Of the sentence: "You", or a grader's name.

    Returns
    -------
    Moved
        Refused below two papers.

    Notes
    -----
    Student's t with the variance pooled over calibration and validity papers, so that a few papers
    are judged by how much the grader scatters in general. A grader who has not moved is said to have
    moved in 1 - `confidence` of rounds: the question is put once, at the end, and not at every paper as the
    cumulative sum does. That finds more (`tests/benchmarks/calibration_simulation.py`), but later.

    Examples
    --------
    >>> found = moved([1, 0, 1, 1, 0, 1, 1, 0], 0.7, 30)
    >>> found.severity.value, found.direction
    (0.625, 'harsher')
    """
    settings = Settings(confidence).checked()
    d = np.asarray(differences, dtype=np.float64)
    n = len(d)
    if n < FEWEST_FOR_VALUE:
        says = f"{counted(n, 'validity paper').capitalize()} cannot show whether anybody has moved."
        return Moved(refused("severity", Reason("too_few", says), n, settings), None)
    mean = float(d.mean())
    prior = max(0, n_calibration - 1)
    freedom = n - 1 + prior
    pooled = math.sqrt((float(((d - mean) ** 2).sum()) + prior * sd**2) / freedom)
    reach = float(stdtrit(freedom, (1 + confidence) / 2)) * pooled / math.sqrt(n)
    low, high = mean - reach, mean + reach
    direction: Direction | None = None
    if reach > 0 and (low > 0 or high < 0):
        direction = "harsher" if low > 0 else "more lenient"
    side = "below" if mean > 0 else "above"
    said = (
        "as the reference does on average"
        if abs(mean) < 0.005
        else f"{abs(mean):.2f} points {side} the reference"
    )
    tail = (
        f"{100 * confidence:g} % interval {low:.2f} to {high:.2f}."
        if direction is None
        else f"{100 * confidence:g} % interval {low:.2f} to {high:.2f}, which leaves 0 out: {direction}."
    )
    estimate = Estimate(
        name="severity",
        value=mean,
        low=low,
        high=high,
        confidence=confidence,
        interval_method=f"Student's t({freedom}), variance pooled over calibration and validity papers",
        says=f"{does(subject, 'score')} {said} on {counted(n, 'validity paper')}. {tail}",
        n_responses=n,
    )
    return Moved(estimate, direction)
