"""Weights added up by the score they belong to, for many resamples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Floats


def summer(codes: NDArray[np.integer], n_points: int) -> Callable[[Floats], Floats]:
    """Return a function that adds up the columns of a table by their code.

    Parameters
    ----------
    codes
        One place on the scale a column.
    n_points
        How many places there are.

    Returns
    -------
    callable
        From a table (resamples by columns) to sums (resamples by places).

    Examples
    --------
    >>> summer(np.array([2, 0, 2]), 3)(np.array([[1.0, 5.0, 10.0]])).tolist()
    [[5.0, 0.0, 11.0]]
    """
    order = np.argsort(codes, kind="stable")
    used, starts = np.unique(codes[order], return_index=True)

    def sums(weights: Floats) -> Floats:
        result = np.zeros((len(weights), n_points))
        if len(used):
            result[:, used] = np.add.reduceat(weights.take(order, axis=1), starts, axis=1)
        return result

    return sums
