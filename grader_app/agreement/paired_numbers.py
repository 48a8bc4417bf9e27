"""Two rows of numbers of the same papers, checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.errors import RatingsProblem


def paired_numbers(first: Sequence[float], second: Sequence[float]) -> tuple[Floats, Floats]:
    """Return two equally long rows of finite numbers, or refuse them.

    Parameters
    ----------
    first, second
        One number a paper each, in the same order: a grader's, and what they are held against.

    Raises
    ------
    RatingsProblem
        When they differ in length or hold something that is not a finite number.

    Examples
    --------
    >>> paired_numbers([1, 2], [2, 2])[0].tolist()
    [1.0, 2.0]
    """
    a, b = (np.asarray(numbers, dtype=np.float64) for numbers in (first, second))
    if len(a) != len(b):
        raise RatingsProblem(
            f"There are {len(a)} numbers of the grader and {len(b)} to compare with. Give one each a paper."
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise RatingsProblem("A paper lacks a number. Leave out papers that were not graded.")
    return a, b
