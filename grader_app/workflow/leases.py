"""Who has an answer on the desk: while a lease runs, it is given to nobody else."""

from __future__ import annotations

from datetime import timedelta

from grader_app.store import leases
from grader_app.store.database import Connection
from grader_app.store.stages import set_aside_by_or_none
from grader_app.workflow.clock import as_text, from_text
from grader_app.workflow.workbench import Workbench

# A lease is written anew once this share of it has gone by, so that a page that asks often writes seldom.
_RENEWED_AFTER = 0.1


def is_leased(connection: Connection, assignment_id: str, now: str) -> bool:
    """Say whether an answer is on its grader's desk, so that it may not be given to somebody else.

    Parameters
    ----------
    connection
        Of an open transaction.
    assignment_id
        The answer as dealt to its grader.
    now
        UTC time as recorded, from `Workbench.now`.

    Notes
    -----
    An answer nobody has opened has no lease. One whose lease has run out stays in its grader's queue
    until somebody else is given it.
    """
    until = leases.expires_at_or_none(connection, assignment_id)
    return until is not None and now < until


def hold_or_none(bench: Workbench, assignment_id: str) -> str | None:
    """Hold an answer for its grader from now on, and say until when.

    Returns
    -------
    str or None
        UTC time at which the lease runs out; None when the answer is no longer in its grader's queue.
    """
    now, minutes = bench.now(), bench.material().round.reading.lease_minutes
    with bench.store.connection() as connection:
        until = leases.expires_at_or_none(connection, assignment_id)
        if until is not None and until >= _later(now, minutes * (1 - _RENEWED_AFTER)):
            return until
    with bench.store.write() as connection:
        # Looked at inside the transaction: whoever moves answers between queues asks `is_leased` in theirs.
        if set_aside_by_or_none(connection, assignment_id) is not None:
            return None
        return renew(bench, connection, assignment_id, now)


def renew(bench: Workbench, connection: Connection, assignment_id: str, now: str) -> str:
    """Hold an answer anew inside an open transaction, and say until when."""
    until = _later(now, bench.material().round.reading.lease_minutes)
    leases.hold(connection, assignment_id, until)
    return until


def _later(now: str, minutes: float) -> str:
    return as_text(from_text(now) + timedelta(minutes=minutes))
