"""Which answers are on a grader's desk: opened or worked at, so that nobody else is given them."""

from __future__ import annotations

from grader_app.store.database import Connection


def on_the_desk(connection: Connection, now: str) -> set[str]:
    """List the assignments that somebody holds, inside an open transaction.

    Parameters
    ----------
    now
        UTC time as recorded.

    Notes
    -----
    A lease that runs holds its answer. So does a draft that was kept without a lease or after it ran out:
    its grader is back at it.
    """
    rows = connection.execute(
        "SELECT assignment_id FROM lease WHERE expires_at > ? UNION "
        "SELECT d.assignment_id FROM draft d LEFT JOIN lease l ON l.assignment_id = d.assignment_id "
        "WHERE l.expires_at IS NULL OR d.saved_at > l.expires_at",
        (now,),
    )
    return {row["assignment_id"] for row in rows}
