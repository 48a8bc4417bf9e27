"""A group on a normal curve, whole or cut off at a floor. Exact, not sampled."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, inf, isfinite
from statistics import NormalDist

from scipy.special import log_ndtr

from grader_app.errors import ScalingProblem
from grader_app.scaling.standing import NoNumber


@dataclass(frozen=True)
class NormalGroup:
    """Scores on a normal curve; with a floor, only those at or above it.

    Parameters
    ----------
    mean, sd
        Of the whole curve, also where it is cut off; the SD is above 0.
    floor
        The lowest score in the group, or None.

    Raises
    ------
    ScalingProblem
        A number is not finite, the SD is not above 0, or nobody on the curve reaches the floor.

    Examples
    --------
    >>> round(NormalGroup(143.8, 17.7).percent_below(158), 2)
    78.88
    >>> round(NormalGroup(143.8, 17.7, floor=135).percent_below(158), 2)
    69.41
    """

    mean: float
    sd: float
    floor: float | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.mean) and isfinite(self.sd) and self.sd > 0):
            raise ScalingProblem(
                f"A group of mean {self.mean:g} and SD {self.sd:g} cannot be used. "
                "Give two finite numbers, the SD above 0."
            )
        if self.floor is not None and not isfinite(self.floor):
            raise ScalingProblem(f"A cut of {self.floor:g} cannot be used. Give a finite number.")
        if self.floor is not None and self._log_above(self.floor) == -inf:
            raise ScalingProblem(
                f"Nobody reaches a cut of {self.floor:g} with mean {self.mean:g} and SD {self.sd:g}. "
                "Check the three."
            )

    def why_none(self, score: float) -> NoNumber | None:
        """See `Standing`."""
        if self.floor is None or score >= self.floor:
            return None
        return NoNumber(
            "outside_group",
            f"Nobody in this group has a score under {self.floor:g}, so {score:g} has no percentile in it.",
        )

    def percent_below(self, score: float) -> float:
        """See `Standing`."""
        if self.floor is None:
            return 100 * NormalDist(self.mean, self.sd).cdf(score)
        if score <= self.floor:
            return 0.0
        # 1 - (above the score) / (above the floor), by logarithms, so that a far floor loses no digits
        return -100 * expm1(self._log_above(score) - self._log_above(self.floor))

    def percent_level(self, score: float) -> float:
        """See `Standing`; a curve has no ties."""
        return 0.0

    def notes(self, score: float) -> tuple[str, ...]:
        """See `Standing`."""
        return ()

    def _log_above(self, score: float) -> float:
        return float(log_ndtr((self.mean - score) / self.sd))


def sd_from_pass_rate(cut: float, mean: float, percent_passing: float) -> float:
    """Work out the SD of a normal curve from how many reach a cut.

    Raises
    ------
    ScalingProblem
        No curve with this mean fits.

    Examples
    --------
    >>> round(sd_from_pass_rate(266, 287.6, 75), 2)
    32.02
    """
    if 0 < percent_passing < 100 and (cut - mean) * (50 - percent_passing) > 0:
        return (cut - mean) / NormalDist().inv_cdf(1 - percent_passing / 100)
    raise ScalingProblem(
        f"No normal curve of mean {mean:g} has {percent_passing:g} percent at or above {cut:g}. "
        "Check the three."
    )
