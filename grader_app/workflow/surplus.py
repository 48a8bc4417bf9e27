"""Grades of answers that had gone to another reader: kept, told to their author, and never counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grader_app.domain.grade import Grade
from grader_app.store import leases
from grader_app.store.database import Connection
from grader_app.store.event_log import find_event
from grader_app.store.stages import taken_out_or_none
from grader_app.workflow.clock import as_words
from grader_app.workflow.workbench import Workbench

Why = Literal["time_ran_out", "moved"]

_BECAUSE = {
    "time_ran_out": "because its time with you had run out",
    "moved": "because it had been given to somebody else",
}


@dataclass(frozen=True)
class WentElsewhere:
    """How an answer went to another reader while it was on its grader's desk.

    Parameters
    ----------
    event_seq, at
        The act that took it out of the grader's queue.
    why
        ``time_ran_out`` (its lease had ended) or ``moved`` (the lead gave it to somebody else).
    """

    event_seq: int
    at: str
    why: Why

    @property
    def because(self) -> str:
        """The reason, as part of a sentence for the grader."""
        return _BECAUSE[self.why]

    @property
    def says(self) -> str:
        """What a grader is told whose grade came too late."""
        return (
            f"This answer went to another reader at {as_words(self.at)}, {self.because}. "
            "Your grade is kept as surplus and does not count."
        )


@dataclass(frozen=True)
class SurplusGrade:
    """A grade that came after its answer had gone to another reader, as the lead sees it.

    Parameters
    ----------
    grade
        What was given, by whom and when.
    why
        As in `WentElsewhere`.
    """

    grade: Grade
    why: Why

    @property
    def gave(self) -> str:
        """Score or condition code."""
        return self.grade.condition_code or f"{self.grade.score:g}"


def went_elsewhere_or_none(connection: Connection, assignment_id: str) -> WentElsewhere | None:
    """Say how an answer left the desk it is still on, inside an open transaction.

    Returns
    -------
    WentElsewhere or None
        None while it is in its grader's queue, and where the grader had sent it away.
    """
    taken = taken_out_or_none(connection, assignment_id)
    if taken is None or taken.was_sent:
        return None
    until = leases.expires_at_or_none(connection, assignment_id)
    ran_out = until is not None and until <= taken.at
    return WentElsewhere(taken.event_seq, taken.at, "time_ran_out" if ran_out else "moved")


def kept_as_surplus(bench: Workbench, event_seq: int) -> WentElsewhere:
    """Say of a surplus grade how its answer had gone to another reader."""
    body = find_event(bench.store, event_seq).body
    return WentElsewhere(
        body["taken_out_seq"], find_event(bench.store, body["taken_out_seq"]).at, body["why"]
    )


def surplus_grades(bench: Workbench, response_id: str | None = None) -> list[SurplusGrade]:
    """List the surplus grades of an answer, or all, in the order in which they came."""
    with bench.record() as record:
        found = [
            SurplusGrade(grade, record.surplus_why[assignment_id])
            for assignment_id, grade in record.surplus.items()
            if response_id in (None, grade.response_id)
        ]
    return sorted(found, key=lambda one: one.grade.event_seq)


def count_surplus(bench: Workbench, item: str | None = None) -> int:
    """Count the surplus grades of an item, or all."""
    with bench.record() as record:
        return sum(item in (None, grade.item) for grade in record.surplus.values())
