"""Today's state as data frames, for an analyst at a Python prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader_app.store.database import Store

if TYPE_CHECKING:
    import pandas as pd


def ratings(store: Store) -> pd.DataFrame:
    """Read the grades that stand, one row a rating.

    Parameters
    ----------
    store
        An open workspace's database.

    Returns
    -------
    DataFrame
        Columns ``item``, ``response_id``, ``grader_id`` (random id), ``read_number``, ``facet``
        (``score`` or a criterion), ``value`` (points; missing under a condition code),
        ``condition_code``, ``submitted_at`` (UTC). It goes as it is into ``agreement.Ratings.from_long``.
    """
    return _frame(store, "SELECT * FROM rating ORDER BY item, response_id, read_number, facet")


def workload(store: Store) -> pd.DataFrame:
    """Count what was dealt to each grader and what has a grade.

    Returns
    -------
    DataFrame
        Columns ``grader_id`` (random id), ``item``, ``dealt``, ``graded``.
    """
    return _frame(
        store,
        "SELECT a.grader_id, a.item, count(*) AS dealt, count(c.assignment_id) AS graded FROM assignment a "
        "LEFT JOIN current_grade c ON c.assignment_id = a.id GROUP BY a.grader_id, a.item "
        "ORDER BY a.grader_id, a.item",
    )


def _frame(store: Store, sql: str) -> pd.DataFrame:
    # Both libraries are slow to load, and only an analyst needs them.
    import pandas as pd
    from sqlite_utils import Database

    with store.connection() as connection:
        database = Database(connection, execute_plugins=False)
        return pd.DataFrame.from_records(list(database.query(sql)))
