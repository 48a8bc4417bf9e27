"""How far a candidate's score on an item would differ with other readers, or with other questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader_app.domain.reader_variance import ReaderVariance

Floats = NDArray[np.float64]
FEW = 10
"""Below this many complete candidates the spread across questions is not used."""


@dataclass(frozen=True)
class ItemReading:
    """How the final scores of an item came about.

    Parameters
    ----------
    n_reads
        How many reads make up a final score, as a harmonic mean; at least 1.
    severity_seen
        Which part of the graders' severity makes candidates differ: 0 where one grader read them all,
        near 1 where there are many graders.
    """

    n_reads: float
    severity_seen: float


@dataclass(frozen=True)
class ItemError:
    """The error variances of one item's score, in squared points of the item.

    Parameters
    ----------
    readers
        Variance of one read; None where no answer was read twice.
    questions
        Of the candidates' standing from one question to another like it, readers left aside where they
        are known; None where it cannot be told.
    questions_hold_readers
        True where `questions` still holds the readers' error, since that is not known by itself.
    says
        Where `questions` comes from, in a sentence.
    """

    readers: ReaderVariance | None
    questions: float | None
    questions_hold_readers: bool
    says: str


def item_errors(
    scores: Floats,
    items: Sequence[str],
    components: Mapping[str, str],
    readers: Mapping[str, ReaderVariance],
    reading: Mapping[str, ItemReading],
) -> dict[str, ItemError]:
    """Return the error variances of each item, from responses by items and from double reads.

    Parameters
    ----------
    scores
        Candidates of the scaling group by items, complete, in points.
    items
        The columns of `scores`.
    components
        Component of each item (``mee``, ``mpt``, …): questions of one component stand for each other.
    readers
        Variance of one read by item; empty where no answer was read twice.
    reading
        How the final scores of each item came about.

    Returns
    -------
    dict
        By item.

    Notes
    -----
    Within a component with two items or more, the residual mean square of candidates by items is the
    variance of a candidate's score from one question to the next, readers' error included. That error,
    ``(severity · seen + residual) / reads``, is taken out of it; below 0 counts as 0. A component with a
    single item borrows the value from all items together, in units of each item's SD, and says so.

    References
    ----------
    Brennan (2001), Generalizability Theory, ch. 2 and 10 (several strata).
    """
    if len(scores) < FEW:
        why = f"Fewer than {FEW} candidates are complete, so the spread across questions is not known."
        return {item: ItemError(readers.get(item), None, False, why) for item in items}
    sds = scores.std(axis=0)
    found = {}
    for at, item in enumerate(items):
        alike = [place for place, other in enumerate(items) if components[other] == components[item]]
        if len(alike) > 1:
            square = _residual_square(scores[:, alike])
            says = f"From {len(scores)} candidates on {len(alike)} questions of the same kind."
        elif len(items) > 1 and (sds > 0).all():
            square = _residual_square(scores / sds) * float(sds[at]) ** 2
            says = (
                f"Borrowed from all {len(items)} questions, in units of their spread, since the round has "
                f"one question of the kind {components[item]}."
            )
        else:
            why = "With one question, what another would give is not known."
            found[item] = ItemError(readers.get(item), None, False, why)
            continue
        found[item] = _apart(square, readers.get(item), reading[item], says)
    return found


def _apart(square: float, readers: ReaderVariance | None, reading: ItemReading, says: str) -> ItemError:
    if readers is None:
        both = f"{says} Readers' error is part of it, since no answer was read twice."
        return ItemError(None, square, True, both)
    alone = max(0.0, square - (readers.severity * reading.severity_seen + readers.residual) / reading.n_reads)
    return ItemError(readers, alone, False, says)


def _residual_square(scores: Floats) -> float:
    """Give the residual mean square of a complete two-way table."""
    rows, columns = scores.shape
    rest = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    return float((rest**2).sum() / ((rows - 1) * (columns - 1)))
