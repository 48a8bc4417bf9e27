"""How often each two scores met on one answer: the table in which confusions show."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from grader_app.agreement.ratings import Ratings


def confusions(ratings: Ratings) -> dict[tuple[str, str], int]:
    """Count the pairs of scores given to the same answer.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.

    Returns
    -------
    dict
        By two scores as the scale writes them, the lower first; pairs of ratings. An answer read by
        three has three pairs.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": ["e1", "e2", "e3"], "Ann": [4, 2, 5], "Bob": [4, 3, None]})
    >>> confusions(Ratings.from_wide(table, scale="0:6"))
    {('4', '4'): 1, ('2', '3'): 1}
    """
    labels = ratings.scale.labels
    found: Counter[tuple[str, str]] = Counter()
    for row in ratings.codes:
        given = sorted(int(code) for code in row if code >= 0)
        found.update((labels[low], labels[high]) for low, high in combinations(given, 2))
    return dict(found)
