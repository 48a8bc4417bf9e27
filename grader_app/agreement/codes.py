"""Scores as places on their scale, in as few bytes as they need; -1 stands for missing."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int8] | NDArray[np.int16]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Repeats = Literal["first", "last", "mean"]


def compact(codes: NDArray[np.integer], n_points: int) -> Codes:
    """Store codes in one byte where they fit, each grader's column in one piece."""
    if n_points <= np.iinfo(np.int8).max:
        return np.asfortranarray(codes, dtype=np.int8)
    return np.asfortranarray(codes, dtype=np.int16)


def varies(codes: Codes) -> bool:
    """Whether the given scores (missing ones aside) are not all the same."""
    if not codes.size:
        return False
    highest = int(codes.max())
    # Missing is -1: as an unsigned number it is above every code, so one minimum skips it.
    lowest = int(codes.view(f"u{codes.itemsize}").min())
    return highest > lowest
