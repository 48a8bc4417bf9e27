"""One component of those whose total reaches a floor, from two normal curves that go together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, pi, sqrt

from scipy.integrate import quad
from scipy.special import ndtr

from grader_app.errors import ScalingProblem
from grader_app.scaling.standing import NoNumber

_FARTHEST = 12.0  # in SDs; beyond it a normal curve holds less than any digit printed


@dataclass(frozen=True)
class PassersByTotal:
    """A component of examinees whose two components, alike in mean and SD, add up to a floor at least.

    Parameters
    ----------
    mean, sd
        Of either component among all examinees.
    total_floor
        The lowest total in the group.
    correlation
        Of the two components among all examinees, between -1 and 1.

    Raises
    ------
    ScalingProblem
        A number cannot be used, or hardly anybody reaches the floor.

    Notes
    -----
    With A and B the components, P(A < x, A + B >= T) is the integral over A of its density times the
    chance that B makes up what is missing. It is taken piece by piece on both sides of the score where
    that chance is one half.

    Examples
    --------
    >>> round(PassersByTotal(143.8, 17.7, 270, 0.65).percent_below(158), 2)
    70.17
    """

    mean: float
    sd: float
    total_floor: float
    correlation: float

    def __post_init__(self) -> None:
        if not -1 < self.correlation < 1:
            raise ScalingProblem(
                f"A correlation of {self.correlation:g} cannot be used. "
                "Give one between -1 and 1, for example 0.65."
            )
        if not (isfinite(self.mean) and isfinite(self.total_floor) and isfinite(self.sd) and self.sd > 0):
            raise ScalingProblem("Mean, SD and floor must be finite numbers, the SD above 0.")
        if self._reach_floor < 1e-9:
            raise ScalingProblem(f"Hardly anybody on these curves reaches a total of {self.total_floor:g}.")

    @property
    def _reach_floor(self) -> float:
        sd_of_total = self.sd * sqrt(2 * (1 + self.correlation))
        return float(ndtr((2 * self.mean - self.total_floor) / sd_of_total))

    def why_none(self, score: float) -> NoNumber | None:
        """See `Standing`: a high other component makes up for any score."""
        return None

    def percent_below(self, score: float) -> float:
        """See `Standing`."""
        upper = min((score - self.mean) / self.sd, _FARTHEST)
        turn = (self.total_floor / self.sd - 2 * self.mean / self.sd) / (1 + self.correlation)
        edges = sorted(
            {-_FARTHEST, upper, *(edge for edge in self._edges(turn) if -_FARTHEST < edge < upper)}
        )
        if upper <= -_FARTHEST:
            return 0.0
        below = sum(self._between(lower, higher) for lower, higher in pairwise(edges))
        return min(max(100 * below / self._reach_floor, 0.0), 100.0)

    def percent_level(self, score: float) -> float:
        """See `Standing`; a curve has no ties."""
        return 0.0

    def notes(self, score: float) -> tuple[str, ...]:
        """See `Standing`."""
        return ()

    def _edges(self, turn: float) -> tuple[float, ...]:
        """Places where the integrand may bend: around 0, and around the turn, in its own width."""
        width = sqrt((1 - self.correlation) / (1 + self.correlation))
        return (-4, 0, 4, *(turn + width * step for step in (-8, -3, 0, 3, 8)))

    def _between(self, lower: float, upper: float) -> float:
        missing = (self.total_floor - 2 * self.mean) / self.sd
        rest = sqrt(1 - self.correlation**2)

        def density(z: float) -> float:
            makes_up = ndtr(((1 + self.correlation) * z - missing) / rest)
            return float(_bell(z) * makes_up)

        area, _ = quad(density, lower, upper, epsabs=1e-13, epsrel=1e-11)
        return float(area)


def _bell(z: float) -> float:
    return exp(-z * z / 2) / sqrt(2 * pi)
