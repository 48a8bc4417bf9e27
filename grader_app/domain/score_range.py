"""The numbers a score or a mark may take: lowest to highest in equal steps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

_TOLERANCE = 1e-9  # of a step; decimal steps such as 0.1 are not exact in binary


def _exact(number: float) -> Fraction:
    """Read a number as the decimal a person wrote."""
    return Fraction(repr(float(number)))


@cache
def _values(lowest: float, highest: float, step: float) -> tuple[float, ...]:
    """List the points of a scale; asked of the same few scales at every save."""
    start, by = _exact(lowest), _exact(step)
    count = (_exact(highest) - start) // by
    return tuple(float(start + number * by) for number in range(int(count) + 1))


@dataclass(frozen=True)
class ScoreRange:
    """A scale of score points.

    Parameters
    ----------
    lowest, highest
        The ends, in points; both belong to the scale.
    step
        Distance between neighbouring score points, above 0.
    """

    lowest: float
    highest: float
    step: float

    @property
    def has_whole_steps(self) -> bool:
        """Whether the highest score can be reached from the lowest in whole steps."""
        steps = (_exact(self.highest) - _exact(self.lowest)) / _exact(self.step)
        return steps >= 1 and steps.denominator == 1

    def values(self) -> tuple[float, ...]:
        """List every score point, lowest first.

        Returns
        -------
        tuple of float
            The nearest floats to the decimals meant, used or not.

        Examples
        --------
        >>> ScoreRange(0, 0.3, 0.1).values()
        (0.0, 0.1, 0.2, 0.3)
        """
        return _values(self.lowest, self.highest, self.step)

    def contains(self, value: float) -> bool:
        """Say whether a number is one of the score points.

        Parameters
        ----------
        value
            Any number, in points.

        Returns
        -------
        bool
            Whether it lies on the scale and on a step, give or take a billionth of a step.

        Examples
        --------
        >>> ScoreRange(0, 6, 0.1).contains(0.1 + 0.2)
        True
        >>> ScoreRange(0, 6, 0.25).contains(0.3)
        False
        """
        steps = (value - self.lowest) / self.step
        room = (self.highest - self.lowest) / self.step
        if not -_TOLERANCE <= steps <= room + _TOLERANCE:
            return False
        return abs(steps - round(steps)) <= _TOLERANCE * max(1.0, abs(steps))

    def nearest(self, value: float) -> float:
        """Give the score point nearest to a number, so that 0.1 + 0.2 is kept as 0.3.

        Examples
        --------
        >>> ScoreRange(0, 6, 0.1).nearest(0.1 + 0.2)
        0.3
        """
        return min(self.values(), key=lambda point: abs(point - value))

    def clamp(self, value: float) -> float:
        """Bring a number to the nearer end if it lies outside.

        Parameters
        ----------
        value
            Any number, in points.

        Returns
        -------
        float
            The number itself, or the end it passed.

        Examples
        --------
        >>> ScoreRange(0, 6, 1).clamp(-2)
        0
        """
        return min(max(value, self.lowest), self.highest)
