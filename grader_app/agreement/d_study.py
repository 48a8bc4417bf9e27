"""How many graders are needed: the reliability of the mean of one grader, two, three."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.agreement.estimate import Estimate, Interval
from grader_app.agreement.figure import estimated, refused
from grader_app.agreement.icc import iccs
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings
from grader_app.agreement.statuses import Reason
from grader_app.agreement.variance_components import Components, variance_components


@dataclass(frozen=True)
class DStudyRow:
    """The reliability of the mean score of so many graders.

    Parameters
    ----------
    n_graders
        How many graders read each response.
    g
        Generalizability coefficient: harshness left aside, as when all responses have the same graders.
    phi
        Dependability: harshness counted as error, as when graders differ from response to response.
    """

    n_graders: int
    g: Estimate
    phi: Estimate

    def as_dict(self) -> dict[str, object]:
        """Return the row as plain Python, ready for JSON."""
        return {"n_graders": self.n_graders, "g": self.g.as_dict(), "phi": self.phi.as_dict()}


def d_study(ratings: Ratings, most_graders: int = 6, *, confidence: float = 0.95) -> tuple[DStudyRow, ...]:
    """Return the reliability of the mean score of 1, 2, … graders.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    most_graders
        The last row of the table.
    confidence
        Nominal coverage of the intervals.

    Returns
    -------
    tuple of DStudyRow

    Notes
    -----
    G = p/(p + e/n) and Phi = p/(p + (r + e)/n) for the variances p of responses, r of graders and e
    left; negative components count as 0. The intervals are those of ICC(3,1) and ICC(2,1), stepped up.

    References
    ----------
    Brennan (2001), Generalizability Theory, ch. 3.
    """
    settings = Settings(confidence, 0, 0).checked()
    components = variance_components(ratings)
    _, absolute, consistent, *_ = iccs(ratings, confidence=confidence)
    return tuple(
        DStudyRow(
            n,
            _row("g_coefficient", components, consistent, n, settings),
            _row("phi_coefficient", components, absolute, n, settings),
        )
        for n in range(1, most_graders + 1)
    )


def graders_needed(rows: tuple[DStudyRow, ...], wanted: float) -> int | None:
    """Return the fewest graders of a D-study that reach a dependability; None when none does."""
    reached = [row.n_graders for row in rows if row.phi.value is not None and row.phi.value >= wanted]
    return min(reached, default=None)


def coefficients_by_item(components: Components, n_graders: int, n_items: int) -> tuple[float, float] | None:
    """Return G and Phi of the mean over so many graders and items.

    Parameters
    ----------
    components
        From `variance_components_by_item`.
    n_graders, n_items
        Graders who read each response, and items each candidate answers.

    Returns
    -------
    tuple or None
        None when the components could not be computed or there is no variance.
    """
    if components.status != "ok":
        return None
    part = components.counted
    response = part("response")
    relative = (
        part("response_grader") / n_graders
        + part("response_item") / n_items
        + part("residual") / (n_graders * n_items)
    )
    absolute = (
        relative
        + part("grader") / n_graders
        + part("item") / n_items
        + part("item_grader") / (n_graders * n_items)
    )
    if response + relative <= 0:
        return None
    return response / (response + relative), response / (response + absolute)


def _row(name: str, components: Components, single: Estimate, n: int, settings: Settings) -> Estimate:
    if components.status != "ok":
        return refused(name, Reason(components.status, components.says), single.n_responses, settings)
    response, residual = components.counted("response"), components.counted("residual")
    grader = components.counted("grader") if name == "phi_coefficient" else 0.0
    error = (grader + residual) / n
    if response + error <= 0:
        reason = Reason("no_variation", "Nothing varies, so reliability is undefined.")
        return refused(name, reason, single.n_responses, settings)
    value = response / (response + error)
    found = _stepped(single, n)
    if found.low is not None and found.high is not None and not found.low <= value <= found.high:
        found = Interval(remark="No interval is shown, since a component is negative and counts as 0.")
    readers = {"k": float(n)}
    return estimated(name, value, found, single.n_responses, settings, details=readers)


def _stepped(single: Estimate, n: int) -> Interval:
    """Step the interval of a single score up to the mean of n scores; a negative end counts as 0."""
    if single.low is None or single.high is None:
        return Interval()
    low, high = (n * end / (1 + (n - 1) * end) for end in (max(single.low, 0.0), max(single.high, 0.0)))
    return Interval(low, high, f"{single.interval_method}, stepped up by Spearman and Brown")
