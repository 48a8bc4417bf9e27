"""What agreement figures mean, in a sentence for a lawyer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RELY, TENTATIVE = 0.800, 0.667
"""Guidance of Krippendorff (Content Analysis, 4th ed., 2018): rely from .800, tentative from .667."""

_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def alpha_of(facet: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give Krippendorff's alpha of a facet, or None."""
    return next((figure for figure in facet["figures"] if figure["name"] == "krippendorff_alpha"), None)


def headline(facet: Mapping[str, Any]) -> str:
    """Say in one line how far the grades of a facet can be trusted, judged on the interval's lower end.

    Notes
    -----
    Where there is no interval, or no figure, the line says so and claims nothing.
    """
    alpha = alpha_of(facet)
    if alpha is None or alpha["value"] is None:
        return str(alpha["says"]) if alpha else "Agreement was not computed."
    figure = f"alpha ({alpha['level']}) {alpha['value']:.2f}"
    if alpha["low"] is None:
        return f"Too few shared answers to say how far these grades can be trusted: {figure}, no interval."
    span = f"{figure}, 95 % interval {alpha['low']:.2f} to {alpha['high']:.2f}"
    if alpha["low"] >= RELY:
        return f"These grades can be relied on: {span}."
    if alpha["low"] >= TENTATIVE:
        return f"Usable with care: {span}."
    if alpha["high"] < TENTATIVE:
        return f"The graders do not agree well enough: {span}."
    return f"Not yet shown to be reliable: {span}. More shared answers would narrow the interval."


def reliability_sentence(one: Mapping[str, Any], chosen: Mapping[str, Any], readers: int) -> str:
    """Say what another reader for each paper would bring.

    Parameters
    ----------
    one, chosen
        Dependability of the score of one reader, and of the mean of the number chosen.
    readers
        The number chosen.
    """
    first = f"One reader a paper gives a reliability of {one['value']:.2f}{_span(one)}"
    if readers == 1:
        return f"{first}. Harshness that differs between readers counts as error."
    return f"{first}; {_WORDS.get(readers, str(readers))} give {chosen['value']:.2f}{_span(chosen)}."


def _span(figure: Mapping[str, Any]) -> str:
    return "" if figure["low"] is None else f" ({figure['low']:.2f} to {figure['high']:.2f})"


def interval_of(figure: Mapping[str, Any]) -> str | None:
    """Write an interval; None where there is none."""
    return None if figure["low"] is None else f"{figure['low']:.2f} to {figure['high']:.2f}"
