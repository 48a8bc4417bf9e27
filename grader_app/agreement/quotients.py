"""Division that says "undefined" instead of warning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Floats


def quotient(top: Floats, bottom: Floats, defined: NDArray[np.bool_]) -> Floats:
    """Return ``top / bottom`` where it is defined, and nan elsewhere.

    Examples
    --------
    >>> quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([True, False])).tolist()
    [0.5, nan]
    """
    result = np.full(np.broadcast(top, bottom).shape, np.nan)
    np.divide(top, bottom, out=result, where=defined)
    return result
