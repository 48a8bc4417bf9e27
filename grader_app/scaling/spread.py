"""The standard deviation of a shipped curve: which one, what it is, and where it comes from."""

from __future__ import annotations

from grader_app.domain.reference_population import (
    Curve,
    PassRate,
    ReferencePopulation,
    SourcedNumber,
    Spread,
)
from grader_app.errors import ScalingProblem
from grader_app.scaling.normal_group import sd_from_pass_rate


def find_spread(group: ReferencePopulation, curve: Curve, name: str | None) -> Spread:
    """Find a standard deviation by its name, or take the first.

    Raises
    ------
    ScalingProblem
        The curve has none of that name; the message lists those it has.
    """
    spreads = {spread.name: spread for spread in curve.spreads}
    if name is None:
        return curve.spreads[0]
    if name not in spreads:
        raise ScalingProblem(
            f"There is no SD called `{name}` for {curve.component} in {group.id}. "
            f"There is: {', '.join(spreads)}."
        )
    return spreads[name]


def sd_of(spread: Spread, mean: float) -> float:
    """Return the standard deviation, worked out from the pass rate if it comes from one."""
    if spread.sd is not None:
        return spread.sd.value
    rate = _rate(spread)
    return sd_from_pass_rate(rate.cut.value, mean, rate.percent.value)


def _rate(spread: Spread) -> PassRate:
    assert spread.pass_rate is not None, "a spread has an SD or a pass rate"
    return spread.pass_rate


def spread_sentences(spread: Spread, sd: float) -> list[str]:
    """Say where the standard deviation comes from, and which others fit as well."""
    if spread.sd is not None:
        fits = (
            f" {spread.fits_from:g} to {spread.fits_to:g} fit as well."
            if spread.fits_from and spread.fits_to
            else ""
        )
        return [sourced("SD", spread.sd) + fits]
    rate = _rate(spread)
    return [
        f"SD {sd:.2f}: inferred from the cut and the pass rate, on a normal curve.",
        sourced("Cut", rate.cut),
        sourced("Percent at or above the cut", rate.percent),
    ]


def sourced(name: str, number: SourcedNumber) -> str:
    """Say a number, how well it is known and where it comes from."""
    return f"{name} {number.value:g}: {number.status}. Source: {number.source}."
