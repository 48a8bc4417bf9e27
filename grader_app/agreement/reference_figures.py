"""The five figures of one grader against reference scores, each with its interval and sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from grader_app.agreement.codes import Floats
from grader_app.agreement.distinct import Distinct
from grader_app.agreement.estimate import Estimate, Interval, with_interval
from grader_app.agreement.figure import refused, value_of
from grader_app.agreement.products import dot
from grader_app.agreement.quotients import quotient
from grader_app.agreement.resampling import COVERS, Settings, Statistic, Transform, interval
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.sentences import percent
from grader_app.agreement.statuses import FEWEST_FOR_INTERVAL, FEWEST_FOR_VALUE, Reason, no_interval_remark
from grader_app.agreement.subject import counted, does, own, within

FEWEST_FOR_SLOPE = 3


@dataclass(frozen=True, eq=False)
class Papers:
    """Papers with a score and a reference score, equal ones merged.

    Parameters
    ----------
    kinds
        How often each combination occurs.
    scores, reference
        The two numbers of each combination.
    """

    kinds: Distinct
    scores: Floats
    reference: Floats

    @classmethod
    def of(cls, scores: Floats, reference: Floats) -> Papers:
        """Merge papers that are alike in both numbers."""
        both = np.column_stack([scores, reference])
        rows, times = np.unique(both, axis=0, return_counts=True)
        places = np.arange(len(rows), dtype=np.int64)[:, np.newaxis]
        return cls(Distinct(places, times.astype(np.int64)), rows[:, 0], rows[:, 1])

    @property
    def n(self) -> int:
        """How many papers there are."""
        return self.kinds.n


def papers_reason(n: int) -> Reason | None:
    """Return why so few papers allow no figure."""
    if n == 0:
        return Reason("no_overlap", "No paper has both a score and a reference score, so nothing compares.")
    if n < FEWEST_FOR_VALUE:
        return Reason("too_few", "Only one paper has a reference score, too few for any figure.")
    return None


def exact_share(papers: Papers, settings: Settings, subject: str) -> Estimate:
    """Return the share of papers with the very score of the reference."""
    equal = np.abs(papers.scores - papers.reference) <= TOLERANCE
    text = does(subject, "give") + " the reference score in {share} of papers"
    return _resampled("exact", papers, _mean_of(equal.astype(np.float64)), text, settings)


def near_share(papers: Papers, within: float, settings: Settings, subject: str) -> Estimate:
    """Return the share of papers scored at most `within` points from the reference."""
    near = np.abs(papers.scores - papers.reference) <= within + TOLERANCE
    text = does(subject, "score") + f" at most {within:g} from the reference in {{share}} of papers"
    statistic = _mean_of(near.astype(np.float64))
    return _resampled("exact_or_adjacent", papers, statistic, text, settings, within=within)


def reference_kappa(papers: Papers, settings: Settings, subject: str) -> Estimate:
    """Return the quadratic weighted kappa of grader and reference.

    Notes
    -----
    1 - n Σ(g - r)² / ΣΣ(g_i - r_j)², which is the usual kappa and also holds where a reference score
    lies between two score points.

    References
    ----------
    Cohen (1968), Weighted kappa.
    """
    name = "quadratic_weighted_kappa"
    both = np.concatenate([papers.scores, papers.reference])
    reason = papers_reason(papers.n)
    if reason is not None:
        return refused(name, reason, papers.n, settings)
    if np.ptp(both) == 0:
        says = f"All scores and reference scores are {both[0]:g}, so nothing varies and kappa is undefined."
        return refused(name, Reason("no_variation", says), papers.n, settings)
    text = own(subject, "quadratic weighted kappa with the reference") + " is {value:.2f}"
    if np.ptp(papers.scores) == 0 or np.ptp(papers.reference) == 0:
        text += ", as it must be where one of the two gives the same score throughout"
    statistic = _kappa_of(papers)
    return _resampled(name, papers, statistic, text, settings, lowest=-1.0)


def reference_severity(papers: Papers, settings: Settings, subject: str) -> Estimate:
    """Return reference mean minus grader mean, in points: positive is harsh."""
    off = papers.reference - papers.scores
    value = value_of(papers.kinds, _mean_of(off)) if papers.n else 0.0
    if abs(value) < 0.005:
        text = does(subject, "score") + " as the reference does on average"
    else:
        side = "below" if value > 0 else "above"
        text = does(subject, "score") + f" {abs(value):.2f} points {side} the reference on average"
    return _resampled("severity", papers, _mean_of(off), text, settings, "none", -math.inf)


def reference_slope(scores: Floats, reference: Floats, settings: Settings, subject: str) -> Estimate:
    """Return how many points the grader goes up where the reference goes up by one.

    Notes
    -----
    Least squares of score on reference, with Student's t(n - 2) for the interval.
    """
    n = len(scores)
    reason = papers_reason(n) or _slope_reason(n, reference)
    if reason is not None:
        return refused("slope", reason, n, settings)
    slope, left, squares = line(scores, reference)
    found = Interval(remark=no_interval_remark(n))
    error = math.sqrt(float(left @ left) / (n - 2) / squares)
    if n >= FEWEST_FOR_INTERVAL and error > TOLERANCE:
        reach = float(stdtrit(n - 2, (1 + settings.confidence) / 2)) * error
        method = f"Student's t({n - 2}) about the line of least squares ({COVERS})"
        found = Interval(slope - reach, slope + reach, method)
    elif n >= FEWEST_FOR_INTERVAL:
        found = Interval(remark="No interval is shown: all papers lie on one line.")
    text = f"Where the reference goes up by 1 point, {own(within(subject), 'scores')} go up by "
    return _estimate("slope", slope, found, n, text + "{value:.2f}", settings)


def line(scores: Floats, reference: Floats) -> tuple[float, Floats, float]:
    """Return slope, residuals and the reference's sum of squares of the line of least squares."""
    dx, dy = reference - reference.mean(), scores - scores.mean()
    squares = float(dx @ dx)
    slope = float(dx @ dy) / squares
    return slope, dy - slope * dx, squares


def _slope_reason(n: int, reference: Floats) -> Reason | None:
    if n < FEWEST_FOR_SLOPE:
        return Reason(
            "too_few", f"There are only {n} papers, too few to say how scores follow the reference."
        )
    if np.ptp(reference) == 0:
        says = f"The reference gives {reference[0]:g} to every paper, so it cannot be followed up or down."
        return Reason("no_variation", says)
    return None


def _mean_of(values: Floats) -> Statistic:
    def statistic(weights: Floats) -> Floats:
        means: Floats = dot(weights, values) / weights.sum(axis=1)
        return means

    return statistic


def _kappa_of(papers: Papers) -> Statistic:
    # About a common centre, so that squares of large scores do not swallow small differences.
    centre = float(papers.reference.mean())
    g, r = papers.scores - centre, papers.reference - centre

    def statistic(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        expected = n * dot(weights, g**2 + r**2) - 2 * dot(weights, g) * dot(weights, r)
        return 1 - quotient(n * dot(weights, (g - r) ** 2), expected, expected > TOLERANCE)

    return statistic


def _resampled(
    name: str,
    papers: Papers,
    statistic: Statistic,
    text: str,
    settings: Settings,
    transform: Transform = "log",
    lowest: float = 0.0,
    within: float | None = None,
) -> Estimate:
    reason = papers_reason(papers.n)
    if reason is not None:
        return refused(name, reason, papers.n, settings, within=within)
    found = interval(papers.kinds, statistic, settings, transform, lowest=lowest)
    value = value_of(papers.kinds, statistic)
    return _estimate(name, value, found, papers.n, text, settings, within)


def _estimate(
    name: str,
    value: float,
    found: Interval,
    n: int,
    text: str,
    settings: Settings,
    within: float | None = None,
) -> Estimate:
    made = with_interval(
        name,
        value,
        found,
        text.format(value=value, share=percent(value)) + f" ({counted(n, 'paper')}).",
        confidence=settings.confidence,
        n_responses=n,
        written=percent if "{share}" in text else "{:.2f}".format,
    )
    return replace(made, within=within)
