"""Sums over the responses each pair of graders shares, for all pairs in one product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.products import product
from grader_app.agreement.ratings import Ratings


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Sums over shared responses: graders by graders, scores about the middle of the scale.

    Parameters
    ----------
    n
        How many responses both graders scored.
    own
        Sum of the first grader's scores; its transpose holds the second's.
    own_squares
        Sum of the first grader's squared scores.
    products
        Sum of the products of both.
    """

    n: Floats
    own: Floats
    own_squares: Floats
    products: Floats


def pair_moments(ratings: Ratings) -> PairMoments:
    """Return the sums for every pair of graders.

    Examples
    --------
    >>> found = pair_moments(Ratings.from_codes(np.array([[0, 2], [1, -1]]), scale="0:2"))
    >>> found.n.tolist(), found.products.tolist()
    ([[2.0, 1.0], [1.0, 1.0]], [[1.0, -1.0], [-1.0, 1.0]])
    """
    points = ratings.scale.numbers
    centred = points - (points[0] + points[-1]) / 2
    scores = _look_up(ratings, centred)
    if ratings.is_complete:
        own = np.repeat(scores.sum(axis=1)[:, np.newaxis], len(scores), axis=1)
        products = product(scores, scores.T)
        squares = np.repeat(np.diagonal(products)[:, np.newaxis], len(scores), axis=1)
        return PairMoments(np.full_like(products, scores.shape[1]), own, squares, products)
    given = (ratings.codes.T >= 0).astype(np.float64)
    scores *= given
    sums = product(np.vstack([given, scores, scores**2]), np.vstack([given, scores]).T)
    k = len(scores)
    return PairMoments(sums[:k, :k], sums[k : 2 * k, :k], sums[2 * k :, :k], sums[k : 2 * k, k:])


def _look_up(ratings: Ratings, centred: Floats) -> Floats:
    """Return one row a grader; missing cells hold some score of the scale."""
    gaps = np.diff(centred)
    if np.ptp(gaps) <= 1e-9 * gaps[0]:
        scores: Floats = ratings.codes.T.astype(np.float64)
        scores *= gaps[0]
        scores += centred[0]
        return scores
    return np.take(centred, ratings.codes.T, mode="clip")
