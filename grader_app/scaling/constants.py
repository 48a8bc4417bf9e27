"""The constants of one scaling group, and the scaled score they give to a raw score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from grader_app.errors import ScalingProblem
from grader_app.scaling.equipercentile import equipercentile
from grader_app.scaling.mean_sigma import Moments, mean_sigma, moments
from grader_app.scaling.reference import AssumedReference, Reference
from grader_app.scaling.smoothed_ranks import SmoothedRanks

Method = Literal["mean_sigma", "equipercentile"]
METHODS: tuple[str, ...] = get_args(Method)


class Member(NamedTuple):
    """Raw and MBE score of one member of a scaling group; no MBE only if the reference is assumed."""

    raw: float
    mbe: float | None


@dataclass(frozen=True)
class Constants:
    """What one group's scaled scores are formed from.

    Parameters
    ----------
    written
        Moments of the members' written raw scores, in weighted points.
    mbe_mean, mbe_sd
        Of the members' MBE scores, or assumed.
    mbe
        Moments of the members' MBE scores; None under an assumed reference.
    ordered_raws, ordered_mbes
        The members' scores, ascending; the MBE scores are empty under an assumed reference.
    smoothing
        For ``equipercentile``: SD of the kernel in SDs of the scores; 0 for the ranks as they are.
    """

    method: Method
    written: Moments
    mbe_mean: float
    mbe_sd: float
    mbe: Moments | None
    ordered_raws: tuple[float, ...]
    ordered_mbes: tuple[float, ...]
    smoothing: float = 0.0

    @cached_property
    def _smoothed(self) -> SmoothedRanks:
        return SmoothedRanks(self.ordered_raws, self.ordered_mbes, self.smoothing)

    def scaled(self, raw: float) -> float:
        """Return a written raw score, a member's or anyone's, in MBE points."""
        if self.method == "equipercentile" and self.smoothing:
            return self._smoothed.scaled(raw)
        if self.method == "equipercentile":
            return equipercentile(raw, self.ordered_raws, self.ordered_mbes)
        return mean_sigma(raw, self.written, self.mbe_mean, self.mbe_sd)

    @property
    def standard_errors(self) -> dict[str, float | None]:
        """Standard error of each constant over other pools of this size; None where it is assumed."""
        return {
            "mean": self.written.mean_standard_error,
            "sd": self.written.sd_standard_error,
            "mean_mbe": self.mbe.mean_standard_error if self.mbe else None,
            "sd_mbe": self.mbe.sd_standard_error if self.mbe else None,
        }

    def as_json(self) -> dict[str, object]:
        """Return n, the four constants under the names of the formula, and their standard errors."""
        return {
            "n": self.written.n,
            "mean": self.written.mean,
            "sd": self.written.sd,
            "mean_mbe": self.mbe_mean,
            "sd_mbe": self.mbe_sd,
            "standard_errors": self.standard_errors,
            **({"smoothing": self.smoothing} if self.smoothing else {}),
        }


def constants_of(
    members: Sequence[Member], method: Method, reference: Reference, smoothing: float = 0.0
) -> Constants:
    """Return the constants of one scaling group.

    Parameters
    ----------
    members
        Those with every item graded and, unless the reference is assumed, an MBE score; any order.
    method
        ``mean_sigma`` or ``equipercentile``.
    reference
        The members' own MBE scores, or an assumed mean and SD.
    smoothing
        SD of the kernel in SDs of the scores, for ``equipercentile`` alone.

    Raises
    ------
    ScalingProblem
        Written or MBE scores do not vary, or equipercentile is asked of an assumed mean and SD.

    Examples
    --------
    >>> from grader_app.scaling.reference import PoolReference
    >>> group = constants_of([Member(30, 130), Member(40, 150)], "mean_sigma", PoolReference())
    >>> group.scaled(45)
    160.0
    """
    written = moments([member.raw for member in members], "written raw scores of the scaling group")
    raws = tuple(sorted(member.raw for member in members))
    if isinstance(reference, AssumedReference):
        _refuse_equipercentile(method)
        return Constants(method, written, reference.mean, reference.sd, None, raws, ())
    mbes = tuple(sorted(member.mbe for member in members if member.mbe is not None))
    mbe = moments(mbes, "MBE scores of the scaling group")
    kernel = smoothing if method == "equipercentile" else 0.0
    return Constants(method, written, mbe.mean, mbe.sd, mbe, raws, mbes, kernel)


def _refuse_equipercentile(method: Method) -> None:
    if method == "equipercentile":
        raise ScalingProblem(
            "Equipercentile scaling needs the MBE scores themselves, and an assumed mean and SD are not "
            "scores. Use the method mean_sigma, or the reference pool."
        )
