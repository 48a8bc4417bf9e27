"""One figure with all that must stand beside it: interval, status, sentence and n."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal[
    "ok", "no_overlap", "one_grader", "no_variation", "too_few", "disconnected", "not_applicable"
]


@dataclass(frozen=True)
class Interval:
    """The range a figure plausibly lies in, and how it was found, or why there is none.

    Parameters
    ----------
    low, high
        The ends; None when there is no interval.
    method
        How it was computed and what it covers; None when there is no interval.
    remark
        A sentence for the reader: why there is none, or what was left out.
    """

    low: float | None = None
    high: float | None = None
    method: str | None = None
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure, or the reason why there is none.

    Parameters
    ----------
    name
        The figure, as in the report.
    value
        Unrounded; None unless the status is ``ok``.
    low, high, confidence, interval_method
        The interval, its nominal coverage, and how it was computed and what it covers.
    status
        ``ok``, or why the figure cannot be computed.
    says
        The same in a sentence for a lawyer.
    n_responses
        How many responses the figure rests on.
    level, weights, within
        Alpha's level of measurement; the weights of AC2; adjacency in points.
    details
        Further numbers that belong to the figure, such as a test statistic.

    Raises
    ------
    ArithmeticError
        When a number is not finite: "not computable" must be a status.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    interval_method: str | None = None
    status: Status = "ok"
    says: str
    n_responses: int
    level: str | None = None
    weights: str | None = None
    within: float | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers = [self.value, self.low, self.high, self.within, *self.details.values()]
        if any(number is not None and not math.isfinite(number) for number in numbers):
            raise ArithmeticError(f"{self.name} holds a number that is not finite: {numbers}")

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON; those that do not apply are left out."""
        head: dict[str, object] = {"name": self.name}
        for key, value in (("level", self.level), ("weights", self.weights), ("within", self.within)):
            if value is not None:
                head[key] = value
        body: dict[str, object] = {
            "value": _plain(self.value),
            "low": _plain(self.low),
            "high": _plain(self.high),
            "confidence": float(self.confidence),
            "interval_method": self.interval_method,
            "status": self.status,
            "says": self.says,
            "n_responses": int(self.n_responses),
        }
        if self.details:
            body["details"] = {key: float(number) for key, number in self.details.items()}
        return head | body


def with_interval(
    name: str,
    value: float,
    found: Interval,
    says: str,
    *,
    confidence: float,
    n_responses: int,
    written: Callable[[float], str],
) -> Estimate:
    """Make a figure whose sentence goes on to name its interval, or to say why there is none.

    Parameters
    ----------
    name, value, n_responses
        As in `Estimate`.
    found
        The interval.
    says
        The sentence about the value.
    confidence
        Nominal coverage of the interval.
    written
        How the sentence writes a number.

    Examples
    --------
    >>> found = Interval(0.4, 0.6, "bootstrap")
    >>> with_interval("x", 0.5, found, "Half.", confidence=0.95, n_responses=9, written="{:.1f}".format).says
    'Half. 95 % interval 0.4 to 0.6.'
    """
    if found.low is not None and found.high is not None:
        says += f" {100 * confidence:g} % interval {written(found.low)} to {written(found.high)}."
    return Estimate(
        name=name,
        value=value,
        low=found.low,
        high=found.high,
        confidence=confidence,
        interval_method=found.method,
        says=f"{says} {found.remark}".rstrip(),
        n_responses=n_responses,
    )


def _plain(number: float | None) -> float | None:
    return None if number is None else float(number)
