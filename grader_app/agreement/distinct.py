"""Responses that were scored alike, merged, so that resampling handles each kind once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Integers


@dataclass(frozen=True, eq=False)
class Distinct:
    """Different rows of a table, in a fixed order, and how often each occurs.

    Parameters
    ----------
    rows
        The different rows.
    times
        How often each occurs, an integer a row.
    """

    rows: Integers
    times: Integers

    @property
    def n(self) -> int:
        """How many rows there were before merging."""
        return int(self.times.sum())


def distinct_rows(table: NDArray[np.integer]) -> Distinct:
    """Merge equal rows of a table of integers from -1 upwards.

    Examples
    --------
    >>> merged = distinct_rows(np.array([[1, 0], [0, 2], [1, 0]]))
    >>> merged.rows.tolist(), merged.times.tolist()
    ([[0, 2], [1, 0]], [1, 2])

    Notes
    -----
    Columns are packed one after the other into a single number; where that would overflow, the packed
    numbers are replaced by their ranks first, so the merge is exact for any width. The order of the
    rows does not depend on the order of the table.
    """
    if not len(table):
        return Distinct(np.empty((0, table.shape[1]), dtype=np.int64), np.empty(0, dtype=np.int64))
    base = int(table.max()) + 2
    packed = np.zeros(len(table), dtype=np.uint64)
    largest = 1
    for column in table.T:
        if largest * base >= 2**63:
            ranks = np.unique(packed, return_inverse=True)[1]
            packed = ranks.astype(np.uint64)
            largest = int(ranks.max()) + 1
        packed *= np.uint64(base)
        packed += (column + 1).astype(np.uint64)
        largest *= base
    _, first, times = np.unique(packed, return_index=True, return_counts=True)
    return Distinct(table[first].astype(np.int64), times.astype(np.int64))
