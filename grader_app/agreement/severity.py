"""How harsh each grader is: what the others gave the same responses, minus what this grader gave."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from grader_app.agreement.codes import Floats
from grader_app.agreement.estimate import Status
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import COVERS
from grader_app.agreement.statuses import FEWEST_FOR_INTERVAL, FEWEST_FOR_VALUE, Reason, numbers_reason


@dataclass(frozen=True, kw_only=True)
class GraderSummary:
    """One grader's scores, and how they lie against the others' on the same responses.

    Parameters
    ----------
    grader
        The grader's name.
    n
        How many responses the grader scored.
    mean, sd
        Of the grader's scores; None for names, the sd also below two scores.
    severity
        Others' mean minus own, averaged over shared responses, in points; positive is harsh.
    severity_against
        What it is measured against.
    low, high, confidence, interval_method
        Its interval over responses.
    n_shared
        How many responses it rests on.
    status, says
        Whether it can be computed, and the sentence.
    """

    grader: str
    n: int
    mean: float | None
    sd: float | None
    severity: float | None
    severity_against: Literal["reference", "other_graders", "model"] = "other_graders"
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    interval_method: str | None = None
    n_shared: int = 0
    status: Status = "ok"
    says: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "grader": self.grader,
            "n": self.n,
            "mean": self.mean,
            "sd": self.sd,
            "severity": self.severity,
            "severity_against": self.severity_against,
            "low": self.low,
            "high": self.high,
            "confidence": self.confidence,
            "interval_method": self.interval_method,
            "n_shared": self.n_shared,
            "status": self.status,
            "says": self.says,
        }


def severities(ratings: Ratings, *, confidence: float = 0.95) -> tuple[GraderSummary, ...]:
    """Summarise each grader against the others.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    confidence
        Nominal coverage of the interval.

    Returns
    -------
    tuple of GraderSummary

    Notes
    -----
    For each response shared with at least one other grader: the others' mean minus the own score;
    severity is the mean of these, with Student's t for the interval. With two graders one is as harsh
    as the other is lenient.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": list("abc"), "x": [1, 2, 3], "y": [2, 3, 4]})
    >>> [grader.severity for grader in severities(Ratings.from_wide(table, scale="0:6"))]
    [1.0, -1.0]
    """
    scores = ratings.scores()
    given = ratings.codes >= 0
    filled = np.where(given, scores, 0.0)
    totals, counts = filled.sum(axis=1), given.sum(axis=1)
    summaries = []
    for place, grader in enumerate(ratings.graders):
        own = given[:, place]
        shared = own & (counts >= 2)
        others = (totals[shared] - filled[shared, place]) / (counts[shared] - 1)
        summaries.append(
            _summary(ratings, grader, filled[own, place], others - filled[shared, place], confidence)
        )
    return tuple(summaries)


def _summary(
    ratings: Ratings, grader: str, scores: Floats, differences: Floats, confidence: float
) -> GraderSummary:
    numeric = ratings.scale.is_numeric
    mean = float(scores.mean()) if numeric and len(scores) else None
    sd = float(scores.std(ddof=1)) if numeric and len(scores) > 1 else None
    n = len(differences)
    reason = _reason(ratings, grader, n)
    if reason is not None:
        return GraderSummary(
            grader=grader,
            n=len(scores),
            mean=mean,
            sd=sd,
            severity=None,
            confidence=confidence,
            n_shared=n,
            status=reason.status,
            says=reason.says,
        )
    severity = float(differences.mean())
    low, high, method = _t_interval(differences, confidence)
    return GraderSummary(
        grader=grader,
        n=len(scores),
        mean=mean,
        sd=sd,
        severity=severity,
        low=low,
        high=high,
        confidence=confidence,
        interval_method=method,
        n_shared=n,
        says=_says(grader, severity, n),
    )


def _reason(ratings: Ratings, grader: str, n_shared: int) -> Reason | None:
    if ratings.n_graders == 1:
        return Reason("one_grader", f"{grader} is the only grader, so there is nobody to compare with.")
    if n_shared == 0:
        return Reason("no_overlap", f"{grader} shares no answer with another grader. Assign shared answers.")
    if n_shared < FEWEST_FOR_VALUE:
        return Reason("too_few", f"{grader} shares one answer only with other graders, too few to judge.")
    return numbers_reason(ratings.scale)


def _t_interval(differences: Floats, confidence: float) -> tuple[float | None, float | None, str | None]:
    n = len(differences)
    if n < FEWEST_FOR_INTERVAL:
        return None, None, None
    reach = float(stdtrit(n - 1, (1 + confidence) / 2)) * float(differences.std(ddof=1)) / math.sqrt(n)
    mean = float(differences.mean())
    return mean - reach, mean + reach, f"Student's t({n - 1}) over responses ({COVERS})"


def _says(grader: str, severity: float, n: int) -> str:
    if abs(severity) < 0.005:
        return f"{grader} scores as the other graders do on the same answers ({n} answers)."
    side = "below" if severity > 0 else "above"
    return f"{grader} scores {abs(severity):.2f} points {side} the others on the same answers ({n} answers)."
