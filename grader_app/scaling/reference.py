"""Where the MBE's mean and SD come from: the pool itself, or an assumption typed in."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from grader_app.errors import ScalingProblem


@dataclass(frozen=True)
class PoolReference:
    """The MBE scores of the scaling group itself."""

    def __str__(self) -> str:
        return "pool"


@dataclass(frozen=True)
class AssumedReference:
    """A mean and SD that somebody typed in; every output says so.

    Parameters
    ----------
    mean, sd
        In MBE points; the SD is above 0.

    Raises
    ------
    ScalingProblem
        A number is not finite, or the SD is not above 0.

    Examples
    --------
    >>> str(AssumedReference(143.8, 17.7))
    'assumed:143.8,17.7'
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        if not (isfinite(self.mean) and isfinite(self.sd) and self.sd > 0):
            raise ScalingProblem(
                f"An assumed reference of mean {self.mean!r} and SD {self.sd!r} cannot be used. "
                "Give two finite numbers, the SD above 0."
            )

    def __str__(self) -> str:
        return f"assumed:{_plain(self.mean)},{_plain(self.sd)}"

    @property
    def says(self) -> str:
        """The sentence that flags the assumption on every output."""
        return (
            f"Assumed reference: the MBE mean {_plain(self.mean)} and SD {_plain(self.sd)} were typed in, "
            "not computed from the MBE scores of this pool."
        )


Reference = PoolReference | AssumedReference


def parse_reference(text: str) -> Reference:
    """Return the reference written as ``pool`` or ``assumed:MEAN,SD``.

    Raises
    ------
    ScalingProblem
        The text is neither.

    Examples
    --------
    >>> parse_reference("pool"), parse_reference("assumed:143.8,17.7")
    (PoolReference(), AssumedReference(mean=143.8, sd=17.7))
    """
    if text == "pool":
        return PoolReference()
    kind, _, numbers = text.partition(":")
    parts = numbers.split(",")
    if kind != "assumed" or len(parts) != 2:
        raise _not_a_reference(text)
    try:
        mean, sd = (float(part) for part in parts)
    except ValueError:
        raise _not_a_reference(text) from None
    return AssumedReference(mean, sd)


def _not_a_reference(text: str) -> ScalingProblem:
    return ScalingProblem(
        f"The reference {text!r} is not understood. Write pool, or assumed:MEAN,SD with decimal points, "
        "for example assumed:143.8,17.7."
    )


def _plain(number: float) -> str:
    return repr(number).removesuffix(".0")
