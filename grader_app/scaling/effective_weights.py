"""How much each item counts in fact: its weight times its spread, beside the weight it was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from grader_app.scaling.composite import Score
from grader_app.scaling.standardise import Target


@dataclass(frozen=True)
class ItemWeight:
    """What one item counts in the written composite of one scaling group.

    Parameters
    ----------
    item, weight
        Item id, and its weight in the composite.
    mean, sd
        Of the raw scores of the members, in points; population SD.
    share
        Of the weight in the sum of the weights, 0 to 1.
    effective_share
        Of weight x SD in the sum of weight x SD over the items, raw scores; None where nothing varies.
    standardised_share
        The same with the SDs that the items take on; None without question standardisation.
    """

    item: str
    weight: float
    mean: float
    sd: float
    share: float
    effective_share: float | None
    standardised_share: float | None = None


def effective_weights(
    members: Sequence[Mapping[str, Score | None]],
    weights: Mapping[str, float],
    targets: Mapping[str, Target] | None = None,
) -> tuple[ItemWeight, ...]:
    """Return what each item counts, by weight alone and by weight times spread.

    Parameters
    ----------
    members
        Scores by item of those who form the constants, each weighted item graded.
    weights
        Item id -> weight of the composite.
    targets
        Mean and SD each item takes on, where items are standardised.

    Returns
    -------
    tuple of ItemWeight
        In the order of the weights; empty without members.

    Notes
    -----
    A sum of raw scores weighs a question by its SD: of two essays with the same weight, the one on which
    the graders spread their scores wider decides more. Standardising questions takes that away.

    Examples
    --------
    >>> rows = [{"q1": 3, "q2": 1}, {"q1": 4, "q2": 3}, {"q1": 5, "q2": 5}]
    >>> [(one.share, round(one.effective_share, 4)) for one in effective_weights(rows, {"q1": 1, "q2": 1})]
    [(0.5, 0.3333), (0.5, 0.6667)]
    """
    if not members:
        return ()
    try:
        spread = {item: _mean_and_sd([row[item] for row in members]) for item in weights}
    except OverflowError:
        return ()  # such numbers are refused wherever they are scaled
    sds = {item: sd for item, (_, sd) in spread.items()}
    by_weight = _shares(weights)
    effective = _shares({item: weight * sds[item] for item, weight in weights.items()})
    reached = sds | {item: target.sd for item, target in (targets or {}).items()}
    standardised = _shares({item: w * reached[item] for item, w in weights.items()}) if targets else {}
    return tuple(
        ItemWeight(
            item,
            weight,
            *spread[item],
            by_weight.get(item, 0.0),
            effective.get(item),
            standardised.get(item),
        )
        for item, weight in weights.items()
    )


def _mean_and_sd(scores: Sequence[Score | None]) -> tuple[float, float]:
    graded = [float(score) for score in scores if score is not None]
    mean = fsum(graded) / len(graded)
    return mean, sqrt(fsum((score - mean) ** 2 for score in graded) / len(graded))


def _shares(amounts: Mapping[str, float]) -> dict[str, float]:
    total = fsum(amounts.values())
    return {item: amount / total for item, amount in amounts.items()} if total > 0 else {}
