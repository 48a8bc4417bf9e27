"""Matrix products cut so that they never wait for a second thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Floats

LARGEST_PIECE = 250_000
"""OpenBLAS starts threads above 262,144 multiplications; on a busy machine waiting for them costs far more
than they save."""

LARGEST_FACE = 2_000
"""Cells of the result computed at a time, so that a piece can be long enough to be worth a call."""


def product(left: NDArray[np.floating], right: NDArray[np.floating]) -> Floats:
    """Return ``left @ right``, summed over pieces small enough to stay on one thread.

    Parameters
    ----------
    left, right
        Tables of m by k and k by n; n is short.

    Examples
    --------
    >>> product(np.ones((2, 5)), np.ones((5, 1))).tolist()
    [[5.0], [5.0]]
    """
    columns = right.shape[1]
    if columns == 1:
        return dot(left, right[:, 0])[:, np.newaxis]
    at_once = max(1, LARGEST_FACE // max(1, columns))
    if len(left) <= at_once:
        return _long(left, right)
    starts = range(0, len(left), at_once)
    return np.concatenate([_long(left[start : start + at_once], right) for start in starts])


def dot(left: NDArray[np.floating], vector: NDArray[np.floating]) -> Floats:
    """Return ``left @ vector`` without BLAS, which would start threads for it.

    Examples
    --------
    >>> dot(np.ones((2, 5)), np.ones(5)).tolist()
    [5.0, 5.0]
    """
    result: Floats = np.einsum("ij,j->i", left, vector)
    return result


def _long(left: NDArray[np.floating], right: NDArray[np.floating]) -> Floats:
    rows, length = left.shape
    columns = right.shape[1]
    piece = max(1, LARGEST_PIECE // max(1, rows * columns))
    whole = length - length % piece if length > piece else 0
    total = np.asarray(left[:, whole:] @ right[whole:], dtype=np.float64)
    if whole:
        stacked_left = left[:, :whole].reshape(rows, -1, piece).transpose(1, 0, 2)
        stacked_right = right[:whole].reshape(-1, piece, columns)
        total += np.matmul(stacked_left, stacked_right).sum(axis=0, dtype=np.float64)
    return total
