"""How far the grades of one facet can be trusted, in one honest line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RELY, TENTATIVE = 0.800, 0.667
"""Guidance of Krippendorff (Content Analysis, 4th ed., 2018): rely from .800, tentative from .667."""


def alpha_of(facet: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give Krippendorff's alpha of a report's facet, or None."""
    return next((figure for figure in facet["figures"] if figure["name"] == "krippendorff_alpha"), None)


def verdict(facet: Mapping[str, Any]) -> str:
    """Say in one line how far the grades of a facet can be trusted.

    Parameters
    ----------
    facet
        One entry of a report's ``facets``.

    Notes
    -----
    Judged on the lower end of alpha's interval. Where there is no interval, or no figure, the line
    says so and claims nothing.
    """
    alpha = alpha_of(facet)
    if alpha is None or alpha["value"] is None:
        return str(alpha["says"]) if alpha else "Agreement was not computed."
    figure = f"alpha ({alpha['level']}) {alpha['value']:.2f}"
    if alpha["low"] is None:
        return f"Too few shared answers to say how far these grades can be trusted: {figure}, no interval."
    span = f"{figure}, {100 * alpha['confidence']:g} % interval {alpha['low']:.2f} to {alpha['high']:.2f}"
    if alpha["low"] >= RELY:
        return f"These grades can be relied on: {span}."
    if alpha["low"] >= TENTATIVE:
        return f"Usable with care: {span}."
    if alpha["high"] < TENTATIVE:
        return f"The graders do not agree well enough: {span}."
    return f"Not yet shown to be reliable: {span}. More shared answers would narrow the interval."
