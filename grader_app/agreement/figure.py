"""The way from a table to an estimate that all resampled figures share."""

from __future__ import annotations

import numpy as np

from grader_app.agreement.distinct import Distinct
from grader_app.agreement.estimate import Estimate, Interval
from grader_app.agreement.resampling import Settings, Statistic, Transform, interval
from grader_app.agreement.sentences import sentence
from grader_app.agreement.statuses import Reason


def refused(
    name: str,
    reason: Reason,
    n_responses: int,
    settings: Settings,
    *,
    level: str | None = None,
    weights: str | None = None,
    within: float | None = None,
) -> Estimate:
    """Return an estimate without a value, with its reason."""
    return Estimate(
        name=name,
        value=None,
        confidence=settings.confidence,
        status=reason.status,
        says=reason.says,
        n_responses=n_responses,
        level=level,
        weights=weights,
        within=within,
    )


def estimated(
    name: str,
    value: float,
    found: Interval,
    n_responses: int,
    settings: Settings,
    *,
    level: str | None = None,
    weights: str | None = None,
    within: float | None = None,
    details: dict[str, float] | None = None,
    note: str = "",
) -> Estimate:
    """Return an estimate with its interval and sentence."""
    parts: dict[str, object] = {"level": level, "weights": weights, "within": within, "note": note}
    return Estimate(
        name=name,
        value=value,
        low=found.low,
        high=found.high,
        confidence=settings.confidence,
        interval_method=found.method,
        says=sentence(
            name, value, n_responses, found, confidence=settings.confidence, **parts | (details or {})
        ),
        n_responses=n_responses,
        level=level,
        weights=weights,
        within=within,
        details=details or {},
    )


def value_of(kinds: Distinct, statistic: Statistic) -> float:
    """Return a statistic for the responses as they are."""
    return float(statistic(kinds.times.astype(np.float64)[np.newaxis])[0])


def resampled(
    name: str,
    kinds: Distinct,
    statistic: Statistic,
    n_responses: int,
    settings: Settings,
    *,
    transform: Transform = "log",
    lowest: float = -1.0,
    weights: str | None = None,
    within: float | None = None,
) -> Estimate:
    """Return the estimate of a statistic, with its interval by resampling."""
    return estimated(
        name,
        value_of(kinds, statistic),
        interval(kinds, statistic, settings, transform, lowest=lowest),
        n_responses,
        settings,
        weights=weights,
        within=within,
    )
