"""The declared scale: every score a grader may give, whether or not anybody gave it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from grader_app.errors import RatingsProblem

MOST_POINTS = 1001
"""More score points than this are refused: tables of pairs of scores would no longer fit in memory."""

TOLERANCE = 1e-9
"""How far a number may lie from a score point and still be that point (0.1 * 3 is 0.3)."""


@dataclass(frozen=True)
class Scale:
    """All scores that can be given, in order.

    Parameters
    ----------
    labels
        The score points as text, lowest first.
    values
        The same as numbers, or None when the points are names without distances.
    text
        The scale as the person wrote it, for messages.

    Examples
    --------
    >>> Scale.of("0:6").labels
    ('0', '1', '2', '3', '4', '5', '6')
    >>> Scale.of("0:1:0.25").values
    (0.0, 0.25, 0.5, 0.75, 1.0)
    >>> Scale.of("poor,fair,good").values is None
    True
    """

    labels: tuple[str, ...]
    values: tuple[float, ...] | None
    text: str

    @classmethod
    def of(cls, declared: Scale | str | Sequence[object]) -> Scale:
        """Read a scale from the command line's string or from a sequence of values in order.

        Parameters
        ----------
        declared
            ``"0:6"``, ``"0:6:0.5"``, ``"a,b,c"``, or the values themselves, lowest first.

        Returns
        -------
        Scale

        Raises
        ------
        RatingsProblem
            When the text cannot be read, a point occurs twice, numbers are out of order, or there are
            fewer than two or more than 1,001 points.
        """
        if isinstance(declared, Scale):
            return declared
        if isinstance(declared, str):
            return _of_range(declared) if ":" in declared else _of_points(_split(declared), declared)
        points = list(declared)
        return _of_points(points, ", ".join(_label(point) for point in points))

    @property
    def n_points(self) -> int:
        """How many scores the scale has."""
        return len(self.labels)

    @property
    def is_numeric(self) -> bool:
        """Whether the score points are numbers, so that differences between them mean something."""
        return self.values is not None

    @property
    def step(self) -> float:
        """The smallest distance between two neighbouring score points; 1 for names."""
        return min(float(gap) for gap in np.diff(self.numbers))

    @property
    def within(self) -> float:
        """What counts as adjacent, in points: 1, or one step where a step is larger."""
        return max(1.0, self.step)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The score points as numbers; for names, their places 0, 1, 2 …."""
        values = range(self.n_points) if self.values is None else self.values
        return np.asarray(values, dtype=np.float64)

    def code(self, value: object) -> int | None:
        """Return the place of one score on the scale, or None when it is not on it.

        Examples
        --------
        >>> Scale.of("0:1:0.1").code(0.1 * 3)
        3
        >>> Scale.of("0:6").code("7") is None
        True
        """
        if self.values is None:
            text = _label(value)
            return self.labels.index(text) if text in self.labels else None
        number = number_or_none(value)
        if number is None:
            return None
        code = int(self.codes(np.array([number]))[0])
        return code if code >= 0 else None

    def codes(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the places of many numbers on a numeric scale; -1 stands for off the scale."""
        points = self.numbers
        slack = TOLERANCE * max(1.0, float(np.abs(points).max()))
        places = np.searchsorted(points, numbers - slack).clip(0, len(points) - 1)
        return np.where(np.abs(points[places] - numbers) <= slack, places, -1)


def number_or_none(value: object) -> float | None:
    """Return a finite number for a number or its text; None for anything else, True and False included."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | str | np.number | Decimal):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _split(text: str) -> list[object]:
    return [part.strip() for part in text.split(",")]


def _label(value: object) -> str:
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    number = number_or_none(value)
    return str(value) if number is None else f"{number:.12g}"


def _of_range(text: str) -> Scale:
    try:
        low, high, step = (*(Decimal(part.strip()) for part in text.split(":")), Decimal(1))[:3]
    except (InvalidOperation, ValueError):
        raise _unreadable(text) from None
    if text.count(":") > 2 or not (low.is_finite() and high.is_finite() and step.is_finite()):
        raise _unreadable(text)
    if step <= 0 or high <= low or (high - low) % step != 0:
        raise RatingsProblem(
            f"Scale {text}: the highest score must lie a whole number of steps above the lowest. "
            "Write it as 0:6 or 0:6:0.5."
        )
    n_points = int((high - low) / step) + 1
    _check_size(n_points, text)
    values = tuple(float(low + place * step) for place in range(n_points))
    return Scale(tuple(_label(value) for value in values), values, text)


def _of_points(points: list[object], text: str) -> Scale:
    labels = [_label(point) for point in points]
    repeated = sorted({label for label in labels if labels.count(label) > 1})
    if repeated:
        raise RatingsProblem(f"Scale {text}: {', '.join(repeated)} occurs twice. Name each score once.")
    if "" in labels:
        raise RatingsProblem(f"Scale {text}: one score has no name. Remove the empty place.")
    _check_size(len(labels), text)
    numbers = [number_or_none(point) for point in points]
    if any(number is None for number in numbers):
        return Scale(tuple(labels), None, text)
    values = tuple(number for number in numbers if number is not None)
    if list(values) != sorted(values):
        raise RatingsProblem(f"Scale {text}: the numbers are out of order. Write them lowest first.")
    return Scale(tuple(labels), values, text)


def _check_size(n_points: int, text: str) -> None:
    if n_points < 2:
        raise RatingsProblem(f"Scale {text}: a scale needs at least two scores. Name every possible score.")
    if n_points > MOST_POINTS:
        raise RatingsProblem(
            f"Scale {text}: {n_points} possible scores, more than {MOST_POINTS}. Declare a coarser step."
        )


def _unreadable(text: str) -> RatingsProblem:
    return RatingsProblem(f"Scale {text!r} cannot be read. Write it as 0:6, as 0:6:0.5, or as a,b,c.")
