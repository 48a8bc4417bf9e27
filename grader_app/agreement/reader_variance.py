"""The error of one read: how far graders differ in severity, and what is left, over all items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.of_round import ratings_of_record
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.variance_components import variance_components
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_variance import ReaderVariance

FEW = 30
"""Below this many doubly read answers the sentence warns that the variances are rough."""


@dataclass(frozen=True)
class _OfItem:
    severity: float | None
    together: float
    n_responses: int
    n_graders: int


def reader_variance(items: Mapping[str, Ratings]) -> dict[str, ReaderVariance]:
    """Return the variance of one read for each item, from all items with doubly read answers together.

    Parameters
    ----------
    items
        Independent ratings by item; answers read once tell nothing here.

    Returns
    -------
    dict
        By item, in that item's points. Empty where no answer was read twice.

    Notes
    -----
    Severity plus residual is half the mean squared difference of two reads of one answer, over all pairs.
    The part of severity comes from the variance components of the item, where its graders are
    connected. Items are pooled in units of their scale's width, weighted by doubly read answers (for
    severity by graders less one), since one item alone rests on few graders.

    References
    ----------
    Brennan (2001), Generalizability Theory, ch. 3.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"r": ["a", "b", "c", "d"], "X": [1, 3, 4, 6], "Y": [2, 3, 5, 6]})
    >>> found = reader_variance({"mee-1": Ratings.from_wide(table, scale="0:6")})["mee-1"]
    >>> found.severity + found.residual, found.n_responses
    (0.25, 4)
    """
    parts = {item: part for item, ratings in items.items() if (part := _of_item(ratings)) is not None}
    if not parts:
        return {}
    weights = [part.n_responses for part in parts.values()]
    together = float(np.average([part.together for part in parts.values()], weights=weights))
    known = [part for part in parts.values() if part.severity is not None]
    severity = 0.0
    if known:
        by_graders = [part.n_graders - 1 for part in known]
        severity = float(np.average([part.severity or 0.0 for part in known], weights=by_graders))
    severity = min(severity, together)
    says = _says(sum(weights), len(parts), bool(known))
    graders = {name for item in parts for name in items[item].graders}
    return {
        item: ReaderVariance(
            severity * _width(ratings) ** 2,
            (together - severity) * _width(ratings) ** 2,
            sum(weights),
            len(graders),
            says,
        )
        for item, ratings in items.items()
    }


def reader_variance_of_record(record: GradingRecord) -> dict[str, ReaderVariance]:
    """Return the variance of one read for each item of a round; see `reader_variance`."""
    rated = {of.item: of.ratings for of in ratings_of_record(record) if of.facet == "score"}
    return reader_variance(rated)


def _of_item(ratings: Ratings) -> _OfItem | None:
    if not ratings.scale.is_numeric:
        return None
    squares, pairs, n_responses = _squared_differences(ratings)
    if not n_responses:
        return None
    width = _width(ratings)
    components = variance_components(ratings)
    severity = components.counted("grader") / width**2 if components.status == "ok" else None
    return _OfItem(severity, squares / pairs / 2 / width**2, n_responses, len(ratings.graders))


def _width(ratings: Ratings) -> float:
    return float(ratings.scale.numbers[-1] - ratings.scale.numbers[0])


def _squared_differences(ratings: Ratings) -> tuple[float, int, int]:
    """Sum squared differences over all pairs of reads of one answer; count pairs and answers."""
    given = ratings.codes >= 0
    counts = given.sum(axis=1)
    several = counts > 1
    if not several.any():
        return 0.0, 0, 0
    scores = np.where(given, ratings.scale.numbers[ratings.codes], 0.0)[several]
    n = counts[several]
    squares = n * (scores**2).sum(axis=1) - scores.sum(axis=1) ** 2
    return float(squares.sum()), int((n * (n - 1) // 2).sum()), int(several.sum())


def _says(n_responses: int, n_items: int, severity_known: bool) -> str:
    on = f"From {n_responses} answers with two independent reads, on {n_items} " + (
        "question." if n_items == 1 else "questions."
    )
    rough = f" Fewer than {FEW} make it rough." if n_responses < FEW else ""
    apart = (
        ""
        if severity_known
        else " How much of it is harshness cannot be told, since no shared answers connect the graders."
    )
    return on + rough + apart
