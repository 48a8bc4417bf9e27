"""What agreement figures mean, in a sentence for a lawyer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


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
