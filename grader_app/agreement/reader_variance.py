"""The error of one read: how far graders differ in severity, and what is left, over all items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.of_round import FacetRatings, ratings_of_record
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
    """Return the variance of one read for each item, from all items on the same scale together.

    Parameters
    ----------
    items
        Independent ratings by item; answers read once tell nothing here.

    Returns
    -------
    dict
        By item, in points. Items on a scale on which no answer was read twice are left out.

    Notes
    -----
    Severity plus residual is half the mean squared difference of two reads of one answer, over all pairs.
    The part of severity comes from the variance components of the item, where its graders are
    connected. Items on the same scale are pooled, weighted by doubly read answers (for severity by
    graders less one), since one item alone rests on few graders.

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
    by_scale: dict[tuple[float, ...], list[str]] = {}
    for item, ratings in items.items():
        if ratings.scale.is_numeric:
            by_scale.setdefault(tuple(ratings.scale.numbers.tolist()), []).append(item)
    found: dict[str, ReaderVariance] = {}
    for alike in by_scale.values():
        pooled = _pooled([items[item] for item in alike])
        if pooled is not None:
            found |= dict.fromkeys(alike, pooled)
    return {item: found[item] for item in items if item in found}


def _pooled(rated: Sequence[Ratings]) -> ReaderVariance | None:
    parts = [part for ratings in rated if (part := _of_item(ratings)) is not None]
    if not parts:
        return None
    weights = [part.n_responses for part in parts]
    together = float(np.average([part.together for part in parts], weights=weights))
    known = [(part.severity, part.n_graders - 1) for part in parts if part.severity is not None]
    severity, severity_df = 0.0, 0
    if known:
        found, by_graders = zip(*known, strict=True)
        severity = min(together, float(np.average(found, weights=by_graders)))
        severity_df = sum(by_graders)
    graders = {name for ratings in rated for name in ratings.graders}
    says = _says(sum(weights), len(parts), bool(known))
    return ReaderVariance(severity, together - severity, sum(weights), len(graders), says, severity_df)


def reader_variance_of_record(
    record: GradingRecord, rated: Iterable[FacetRatings] | None = None
) -> dict[str, ReaderVariance]:
    """Return the variance of one read for each item of a round; see `reader_variance`.

    Parameters
    ----------
    record
        The round.
    rated
        Its ratings (`ratings_of_record`), where they are there already.
    """
    every = ratings_of_record(record) if rated is None else rated
    return reader_variance({of.item: of.ratings for of in every if of.facet == "score"})


def _of_item(ratings: Ratings) -> _OfItem | None:
    squares, pairs, n_responses = _squared_differences(ratings)
    if not n_responses:
        return None
    components = variance_components(ratings)
    severity = components.counted("grader") if components.status == "ok" else None
    return _OfItem(severity, squares / pairs / 2, n_responses, len(ratings.graders))


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
    answers = "answer" if n_responses == 1 else "answers"
    questions = "question" if n_items == 1 else "questions"
    on = f"From {n_responses} {answers} with two independent reads, on {n_items} {questions}."
    rough = f" Fewer than {FEW} make it rough." if n_responses < FEW else ""
    apart = (
        ""
        if severity_known
        else " How much of it is harshness cannot be told, since no shared answers connect the graders."
    )
    return on + rough + apart
