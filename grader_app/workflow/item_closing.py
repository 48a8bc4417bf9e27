"""Closing an item, after which its grades no longer change, and reopening it with a reason."""

from __future__ import annotations

from grader_app.domain.events import EventKind
from grader_app.domain.release import no_regrading
from grader_app.errors import GradeProblem, NotAllowed, ScoresAreReleased
from grader_app.store.event_log import append
from grader_app.store.texts import keep_text
from grader_app.workflow.workbench import Workbench


def close_item(bench: Workbench, actor: str, item: str) -> None:
    """Close an item.

    Raises
    ------
    NotAllowed
        It is closed already, or nothing of it has been graded.
    """
    bench.material().item(item)
    # Looked at inside the transaction, so that of two leads who close it at once one is told.
    with bench.store.write() as connection, bench.record() as record:
        if item in record.closed_items:
            raise NotAllowed(f"{item} is closed already.")
        unfrozen = sum(
            record.inputs.responses[r]["item"] == item and r not in record.calibration.frozen
            for r in record.calibration.drawn
        )
        if unfrozen:
            raise NotAllowed(
                f"{unfrozen} answers to {item} were drawn for the panel's calibration and have no score yet. "
                "Freeze their references first."
            )
        if not any(grade.item == item for grade in record.grades.values()):
            raise NotAllowed(f"Nothing of {item} has been graded yet, so there is nothing to close.")
        append(connection, at=bench.now(), actor=actor, kind=EventKind.ITEM_CLOSED, subject=item)


def reopen_item(bench: Workbench, actor: str, item: str, reason: str) -> None:
    """Reopen a closed item.

    Raises
    ------
    NotAllowed
        It is not closed.
    ScoresAreReleased
        Scores have been released.
    GradeProblem
        No reason was given.
    """
    with bench.store.write() as connection, bench.record() as record:
        if record.release.released is not None:
            raise ScoresAreReleased(no_regrading(record.release.released.at))
        if item not in record.closed_items:
            raise NotAllowed(f"{item} is open already.")
        if not reason.strip():
            raise GradeProblem("Reopening needs a reason; write one in a few words.")
        body = {"reason_hash": keep_text(connection, reason)}
        append(connection, at=bench.now(), actor=actor, kind=EventKind.ITEM_REOPENED, subject=item, body=body)
