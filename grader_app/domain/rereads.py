"""Re-reads before release: who begins them, of which answers, by which rule, and what they gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.panel import Assignment
from grader_app.domain.reread_rule import RereadRule

REREAD, REREAD_THIRD = 4, 5
"""Read numbers of a re-read, and of the third read that a rule with a gap may ask for."""


@dataclass(frozen=True)
class RereadsBegun:
    """The act by which a lead had papers read again.

    Parameters
    ----------
    event_seq, at, actor
        The act.
    rule, gap
        As the round had them then; a later version of the round changes nothing here.
    picked
        True when the lead picked single papers, False when all in the band were taken.
    settles
        By response id, the events of the grades whose score is read against.
    """

    event_seq: int
    at: str
    actor: str
    rule: RereadRule
    gap: float | None
    picked: bool
    settles: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Reread:
    """The re-read of one answer as it stands.

    Parameters
    ----------
    begun
        The act that asked for it.
    second, third
        The re-read, and the third read after it; None where it is not in, or not asked for.
    waits
        Whether one of them has been dealt and is not in.
    """

    begun: RereadsBegun
    second: Grade | None = None
    third: Grade | None = None
    waits: bool = False

    @property
    def given(self) -> tuple[Grade, ...]:
        """What is in, in order."""
        return tuple(one for one in (self.second, self.third) if one is not None)


class RereadRecord:
    """Re-reads, replayed from the log.

    Attributes
    ----------
    begun
        Every such act, oldest first.
    last_of
        The last act that named an answer, by response id.
    grades
        The grade of each re-read as it stands, by assignment id. They count for the score alone.
    """

    def __init__(self) -> None:
        self.begun: list[RereadsBegun] = []
        self.last_of: dict[str, RereadsBegun] = {}
        self.grades: dict[str, Grade] = {}
        self._dealt: dict[str, list[Assignment]] = defaultdict(list)

    def replay(self, event: Event) -> None:
        """Take in one event."""
        if event.kind != EventKind.REREADS_BEGUN:
            return
        body = event.body
        settles = {row["response_id"]: tuple(row["settles"]) for row in body["papers"]}
        made = RereadsBegun(
            event.seq, event.at, event.actor, body["rule"], body["gap"], body["picked"], settles
        )
        self.begun.append(made)
        self.last_of.update(dict.fromkeys(settles, made))

    def deal(self, dealt: Assignment) -> None:
        """Take in one re-read that was dealt."""
        self._dealt[dealt.response_id].append(dealt)

    def dealt_of(self, response_id: str, gone: Collection[str] = ()) -> list[Assignment]:
        """List the re-reads of an answer, but for those that are gone from their queues."""
        return [one for one in self._dealt.get(response_id, ()) if one.assignment_id not in gone]

    def of_or_none(self, response_id: str, gone: Collection[str]) -> Reread | None:
        """Give the re-read of an answer; None where there is none, or where it was called off."""
        begun = self.last_of.get(response_id)
        dealt = self.dealt_of(response_id, gone)
        if begun is None or not dealt:
            return None
        given = {one.read_number: self.grades.get(one.assignment_id) for one in dealt}
        waits = any(one.assignment_id not in self.grades for one in dealt)
        return Reread(begun, given.get(REREAD), given.get(REREAD_THIRD), waits)
