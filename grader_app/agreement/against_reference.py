"""One grader against reference scores on the same papers: how near, and what the distance is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.codes import Floats, Integers
from grader_app.agreement.error_parts import ErrorParts, error_parts
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.paired_numbers import paired_numbers
from grader_app.agreement.reference_figures import (
    FEWEST_FOR_SLOPE,
    Papers,
    exact_share,
    line,
    near_share,
    reference_kappa,
    reference_severity,
    reference_slope,
)
from grader_app.agreement.resampling import Settings
from grader_app.agreement.subject import YOU
from grader_app.domain.score_range import ScoreRange


@dataclass(frozen=True, kw_only=True)
class BucketUse:
    """The share of papers at one score point.

    Parameters
    ----------
    score
        The score point.
    grader, reference
        Share of papers to which each gives it; 0 when there are no papers.
    """

    score: float
    grader: float
    reference: float


@dataclass(frozen=True, kw_only=True)
class AgainstReference:
    """How one grader's scores lie against the reference.

    Parameters
    ----------
    n
        How many papers both scored.
    scale
        The scale of the scores.
    scores, reference
        The scores themselves, one a paper, in the same order.
    exact, exact_or_adjacent
        Share of papers with the reference score, or within 1 point of it (one step if larger).
    qwk
        Quadratic weighted kappa of grader and reference.
    severity
        Reference mean minus grader mean, in points: positive is harsh.
    slope
        Points the grader goes up where the reference goes up by one.
    table
        Counts: reference score in rows, grader's score in columns, over all score points.
    bucket_use
        How often each score point is used by grader and by reference.
    parts
        The mean squared difference and its parts; None without papers.
    residual_sd
        Standard deviation about the line of least squares (n - 2); None where there is no line.
    difference_sd
        Sample standard deviation of grader minus reference; None below two papers.
    """

    n: int
    scale: ScoreRange
    scores: tuple[float, ...]
    reference: tuple[float, ...]
    exact: Estimate
    exact_or_adjacent: Estimate
    qwk: Estimate
    severity: Estimate
    slope: Estimate
    table: tuple[tuple[int, ...], ...]
    bucket_use: tuple[BucketUse, ...]
    parts: ErrorParts | None
    residual_sd: float | None
    difference_sd: float | None

    @property
    def figures(self) -> tuple[Estimate, ...]:
        """The five estimates, in the order of the report."""
        return (self.exact, self.exact_or_adjacent, self.qwk, self.severity, self.slope)

    def as_dict(self) -> dict[str, object]:
        """Return the figures as plain Python, ready for JSON; single scores are left out."""
        return {
            "n": self.n,
            "figures": [figure.as_dict() for figure in self.figures],
            "table": {"scores": list(self.scale.values()), "counts": [list(row) for row in self.table]},
            "bucket_use": [
                {"score": use.score, "grader": use.grader, "reference": use.reference}
                for use in self.bucket_use
            ],
            "parts": None if self.parts is None else self.parts.as_dict(),
            "residual_sd": self.residual_sd,
            "difference_sd": self.difference_sd,
        }


def against_reference(
    scores: Sequence[float],
    reference: Sequence[float],
    scale: ScoreRange,
    *,
    subject: str = YOU,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> AgainstReference:
    """Compare one grader's scores with reference scores of the same papers.

    Parameters
    ----------
    scores, reference
        One number a paper, in the same order. A reference that is a mean of several graders may lie
        between score points; the table then counts it at the nearest one.
    scale
        The scale of the scores.
    subject
        Subject of the sentences: "You", or a grader's name.
    confidence, resamples, seed
        For the intervals over papers.

    Returns
    -------
    AgainstReference

    Raises
    ------
    RatingsProblem
        When the two differ in length or hold something that is not a finite number.

    Notes
    -----
    Intervals are those of the other agreement figures: percentile bootstrap over papers from 30 papers
    on, jackknife below, none below five; Student's t for the slope.

    Examples
    --------
    >>> found = against_reference([2, 3, 4, 3], [3, 4, 5, 3], ScoreRange(0, 6, 1))
    >>> found.severity.value, found.exact.value, found.exact_or_adjacent.value
    (0.75, 0.25, 1.0)
    """
    settings = Settings(confidence, resamples, seed).checked()
    g, r = paired_numbers(scores, reference)
    papers = Papers.of(g, r)
    return AgainstReference(
        n=len(g),
        scale=scale,
        scores=tuple(g.tolist()),
        reference=tuple(r.tolist()),
        exact=exact_share(papers, settings, subject),
        exact_or_adjacent=near_share(papers, max(1.0, scale.step), settings, subject),
        qwk=reference_kappa(papers, settings, subject),
        severity=reference_severity(papers, settings, subject),
        slope=reference_slope(g, r, settings, subject),
        table=_table(g, r, scale),
        bucket_use=_bucket_use(g, r, scale),
        parts=error_parts(g, r) if len(g) else None,
        residual_sd=_residual_sd(g, r),
        difference_sd=float((g - r).std(ddof=1)) if len(g) > 1 else None,
    )


def _table(scores: Floats, reference: Floats, scale: ScoreRange) -> tuple[tuple[int, ...], ...]:
    points = np.asarray(scale.values())
    counts = np.zeros((len(points), len(points)), dtype=np.int64)
    np.add.at(counts, (places(reference, points), places(scores, points)), 1)
    return tuple(tuple(row) for row in counts.tolist())


def places(numbers: Floats, points: Floats) -> Integers:
    """Return the place of the score point nearest to each number."""
    distances = np.abs(numbers[:, np.newaxis] - points[np.newaxis, :])
    nearest: Integers = distances.argmin(axis=1).astype(np.int64)
    return nearest


def _bucket_use(scores: Floats, reference: Floats, scale: ScoreRange) -> tuple[BucketUse, ...]:
    points = np.asarray(scale.values())
    n = max(1, len(scores))
    ours, theirs = (
        np.bincount(places(numbers, points), minlength=len(points)) / n for numbers in (scores, reference)
    )
    return tuple(
        BucketUse(score=point, grader=float(own), reference=float(other))
        for point, own, other in zip(scale.values(), ours, theirs, strict=True)
    )


def _residual_sd(scores: Floats, reference: Floats) -> float | None:
    if len(scores) < FEWEST_FOR_SLOPE or np.ptp(reference) == 0:
        return None
    left = line(scores, reference)[1]
    return math.sqrt(float(left @ left) / (len(scores) - 2))
