"""Does a score depend on its place in the queue, on the score before it, or on the answer's length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import stdtrit

from grader_app.agreement.codes import Floats
from grader_app.agreement.estimate import Status
from grader_app.agreement.statuses import FEWEST_FOR_INTERVAL, Reason
from grader_app.errors import RatingsProblem

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["place", "contrast", "length"]

UNITS: dict[Kind, str] = {
    "place": "100 answers later in the queue",
    "contrast": "point more given to the answer just before",
    "length": "100 words more",
}
DIVISORS: dict[Kind, float] = {"place": 100.0, "contrast": 1.0, "length": 100.0}


@dataclass(frozen=True)
class Effect:
    """How one grader's scores move with something that should not matter, or with length.

    Parameters
    ----------
    grader
        Whose scores.
    kind
        ``place`` in the queue, ``contrast`` with the score given just before, or ``length``.
    value
        Points a unit; None unless the status is ``ok``.
    per
        The unit.
    low, high, confidence
        The interval, by Student's t, and its nominal coverage.
    n
        How many scores it rests on.
    status, says
        Whether it can be computed, and the sentence.
    """

    grader: str
    kind: Kind
    value: float | None
    per: str
    low: float | None
    high: float | None
    confidence: float
    n: int
    status: Status
    says: str

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "grader": self.grader,
            "kind": self.kind,
            "value": self.value,
            "per": self.per,
            "low": self.low,
            "high": self.high,
            "confidence": self.confidence,
            "n": self.n,
            "status": self.status,
            "says": self.says,
        }


def order_effects(
    table: pd.DataFrame,
    grader: str = "grader_id",
    score: str = "score",
    order: str = "submitted_at",
    length: str | None = None,
    *,
    random_order: bool,
    confidence: float = 0.95,
) -> tuple[Effect, ...]:
    """Return, for each grader, the effects of place, of the score before and, if given, of length.

    Parameters
    ----------
    table
        One rating a row.
    grader, score
        Columns; scores are numbers, missing ones are left out.
    order
        Column that sorts each grader's ratings: a time or a place.
    length
        Column of lengths in words.
    random_order
        Whether each grader read in random order. If not, nothing is computed: a later answer could
        differ for its own sake.
    confidence
        Nominal coverage of the intervals.

    Returns
    -------
    tuple of Effect

    Raises
    ------
    RatingsProblem
        When a column is missing or holds no numbers.

    Notes
    -----
    Slopes of the score by least squares. Contrast is negative when a good answer makes the next one
    look worse; among n answers it is -1/(n - 1) by chance alone, which is added back.
    An effect of length is no fault in itself: longer answers may be better.

    References
    ----------
    Meadows & Billington (2005), A review of the literature on marking reliability, on order and contrast.
    """
    for column in (grader, score, order, *([length] if length else [])):
        if column not in table.columns:
            raise RatingsProblem(
                f"There is no column {column}. Columns found: {', '.join(map(str, table.columns))}."
            )
    rated = table[table[score].notna() & (table[score].astype(str).str.strip() != "")]
    effects: list[Effect] = []
    for name, part in rated.groupby(grader, sort=True):
        ordered = part.sort_values(order, kind="stable")
        scores = _numbers(ordered, score)
        lengths = _numbers(ordered, length) if length else None
        effects += _of_grader(str(name), scores, lengths, random_order=random_order, confidence=confidence)
    return tuple(effects)


def _numbers(table: pd.DataFrame, column: str) -> Floats:
    try:
        numbers: Floats = np.asarray(table[column].astype(float), dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if not np.isfinite(numbers).all():
        raise RatingsProblem(f"Column {column} holds something that is not a number. Give numbers only.")
    return numbers


def _of_grader(
    name: str, scores: Floats, lengths: Floats | None, *, random_order: bool, confidence: float
) -> list[Effect]:
    kinds: list[tuple[Kind, Floats, Floats]] = [
        ("place", np.arange(len(scores), dtype=np.float64), scores),
        ("contrast", scores[:-1], scores[1:]),
    ]
    if lengths is not None:
        kinds.append(("length", lengths, scores))
    return [
        _effect(name, kind, cause, result, random_order=random_order, confidence=confidence)
        for kind, cause, result in kinds
    ]


def _effect(
    grader: str, kind: Kind, cause: Floats, result: Floats, *, random_order: bool, confidence: float
) -> Effect:
    n = len(result)
    reason = _reason(grader, kind, cause, result, random_order=random_order)
    if reason is not None:
        return Effect(grader, kind, None, UNITS[kind], None, None, confidence, n, reason.status, reason.says)
    slope, low, high = _slope(cause / DIVISORS[kind], result, confidence)
    if kind == "contrast":
        slope, low, high = (end + 1 / n for end in (slope, low, high))
    return Effect(
        grader,
        kind,
        slope,
        UNITS[kind],
        low,
        high,
        confidence,
        n,
        "ok",
        _says(grader, kind, slope, low, high),
    )


def _reason(grader: str, kind: Kind, cause: Floats, result: Floats, *, random_order: bool) -> Reason | None:
    if not random_order:
        return Reason(
            "not_applicable",
            f"{grader} did not read in random order, so an effect of order cannot be told from the answers.",
        )
    if len(result) < FEWEST_FOR_INTERVAL:
        return Reason("too_few", f"{grader} gave {len(result)} scores in a row, too few for an effect.")
    if np.ptp(cause) == 0 or np.ptp(result) == 0:
        return Reason(
            "no_variation", f"{grader}'s scores or their {kind} do not vary, so there is no effect."
        )
    return None


def _slope(cause: Floats, result: Floats, confidence: float) -> tuple[float, float, float]:
    n = len(result)
    dx, dy = cause - cause.mean(), result - result.mean()
    squares = float(dx @ dx)
    slope = float(dx @ dy) / squares
    left = dy - slope * dx
    error = math.sqrt(float(left @ left) / (n - 2) / squares)
    reach = float(stdtrit(n - 2, (1 + confidence) / 2)) * error
    return slope, slope - reach, slope + reach


def _says(grader: str, kind: Kind, slope: float, low: float, high: float) -> str:
    way = "up" if slope > 0 else "down"
    sure = "" if low > 0 or high < 0 else " This may well be chance."
    return f"{grader}'s scores go {way} by {abs(slope):.2f} points for each {UNITS[kind]}.{sure}"


def effects_report(effects: Sequence[Effect]) -> list[dict[str, object]]:
    """Return the effects as plain Python, ready for JSON."""
    return [effect.as_dict() for effect in effects]
