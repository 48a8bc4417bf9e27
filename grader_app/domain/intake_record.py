"""What the log says was taken in: how many answers to which item, and how many MBE scores."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.events import Event, EventKind


@dataclass(frozen=True)
class Intake:
    """One file of answers taken in.

    Parameters
    ----------
    event_seq, at
        The act.
    item
        The item its answers belong to.
    n
        How many answers were new.
    """

    event_seq: int
    at: str
    item: str
    n: int


class IntakeRecord:
    """Intakes, replayed from the log.

    Attributes
    ----------
    intakes
        Oldest first.
    mbe
        How many candidates were given an MBE score.
    uncounted
        Items of which an intake does not say how many answers it took in.
    """

    def __init__(self) -> None:
        self.intakes: list[Intake] = []
        self.mbe = 0
        self.uncounted: set[str] = set()

    def replay(self, event: Event) -> None:
        """Take in one event."""
        if event.kind == EventKind.MBE_TAKEN_IN:
            self.mbe += event.body.get("n", 0)
        elif event.kind == EventKind.ANSWERS_TAKEN_IN:
            item = event.body.get("item", event.subject)
            if "n" in event.body:
                self.intakes.append(Intake(event.seq, event.at, item, event.body["n"]))
            else:
                self.uncounted.add(item)

    def taken_in_or_none(self, item: str) -> int | None:
        """Count the answers to an item that were taken in; None where an intake does not say."""
        if item in self.uncounted:
            return None
        return sum(intake.n for intake in self.intakes if intake.item == item)
