"""One line of the protocol card: whether a step of official practice was followed, and what shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Followed = Literal["yes", "partly", "no", "not_applicable"]
MOST_EVENTS = 20
"""How many events a step lists; how many there are is said beside them."""


@dataclass(frozen=True)
class Step:
    """A step, and how far it was followed.

    Parameters
    ----------
    name, title
        For a program, and for a reader.
    followed
        ``yes`` and ``partly`` only with an event behind them; ``not_applicable`` where there was nothing
        to do.
    events
        The events that show it, oldest first.
    says
        A sentence.
    """

    name: str
    title: str
    followed: Followed
    events: tuple[int, ...]
    says: str

    def as_json(self) -> dict[str, Any]:
        """Give plain values; of many events the first stand for all."""
        return {
            "name": self.name,
            "title": self.title,
            "followed": self.followed,
            "says": self.says,
            "n_events": len(self.events),
            "events": list(self.events[:MOST_EVENTS]),
        }


def step(name: str, title: str, done: int, of: int, events: Iterable[int], says: str) -> Step:
    """Judge a step by how much of it was done.

    Parameters
    ----------
    name, title, says
        As in `Step`.
    done, of
        How many of how many cases. With no case at all the answer is no.
    events
        The events that show it. Without any the answer is no, whatever was counted.

    Examples
    --------
    >>> step("training", "Training", 2, 3, [8, 5], "2 of 3.")
    Step(name='training', title='Training', followed='partly', events=(5, 8), says='2 of 3.')
    >>> step("training", "Training", 3, 3, [], "3 of 3.").followed
    'no'
    """
    shown = tuple(sorted(set(events)))
    followed: Followed = "no"
    if shown and done:
        followed = "yes" if done >= of else "partly"
    return Step(name, title, followed, shown, says)
