"""Matrix products of long thin tables, cut so that they never wait for a second thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.ratings import Floats

LARGEST_PIECE = 250_000
"""OpenBLAS starts threads above 262,144 multiplications; for such products that costs more than it saves."""


def thin_product(left: NDArray[np.floating], right: NDArray[np.floating]) -> Floats:
    """Return ``left @ right``, summed over pieces small enough to stay on one thread.

    Parameters
    ----------
    left, right
        Tables of m by k and k by n, with k long and m, n short.

    Examples
    --------
    >>> thin_product(np.ones((2, 5)), np.ones((5, 1))).tolist()
    [[5.0], [5.0]]
    """
    rows, length = left.shape
    columns = right.shape[1]
    piece = max(1, LARGEST_PIECE // (rows * columns))
    whole = length - length % piece if length > piece else 0
    total = left[:, whole:].astype(np.float64, copy=False) @ right[whole:].astype(np.float64, copy=False)
    if whole:
        stacked_left = left[:, :whole].reshape(rows, -1, piece).transpose(1, 0, 2)
        stacked_right = right[:whole].reshape(-1, piece, columns)
        total += np.matmul(stacked_left, stacked_right).sum(axis=0, dtype=np.float64)
    return total
