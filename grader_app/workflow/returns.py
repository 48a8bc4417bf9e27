"""Recording what became of a read that left its queue, or came back to it."""

from __future__ import annotations

from collections.abc import Mapping

from grader_app.domain.events import EventKind
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.workflow.workbench import Workbench


def record_return(
    bench: Workbench, connection: Connection, actor: str, assignment_id: str, body: Mapping[str, object]
) -> None:
    """Record a decision about a read, inside an open transaction.

    Parameters
    ----------
    body
        The ``decision`` (returned, taken_out, excluded, recusal_lifted) and what belongs to it.
    """
    append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.ANSWER_RETURNED,
        subject=assignment_id,
        body=dict(body),
    )
