"""What is done about an answer beyond its reads: third reads, adjudications, raised disputes, backreads."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import Grade, grade_of
from grader_app.domain.rereads import Reread


@dataclass(frozen=True)
class Adjudication:
    """A judgment by which somebody settles an answer in dispute, or looks at it first.

    Parameters
    ----------
    given
        What was judged; its grader is the adjudicator, its read number 0.
    settles
        Events of the grades it settled: each read as it stood then.
    confirms
        The earlier adjudication that it confirms unchanged, or None.
    first_look
        The event of the same adjudicator's own judgment before the reads were shown, or None.
    reason_hash
        Salted hash of the adjudicator's reason, or None.
    """

    given: Grade
    settles: tuple[int, ...]
    confirms: int | None = None
    first_look: int | None = None
    reason_hash: str | None = None

    @property
    def event_seq(self) -> int:
        """The event that holds it."""
        return self.given.event_seq


@dataclass(frozen=True)
class RaisedDispute:
    """A lead's wish to have an answer settled although its reads agree.

    Parameters
    ----------
    event_seq, at, actor
        The act.
    response_id
        The answer.
    reason_hash
        Salted hash of the reason.
    """

    event_seq: int
    at: str
    actor: str
    response_id: str
    reason_hash: str | None


@dataclass(frozen=True)
class Backread:
    """A lead's own judgment of an answer that a grader has graded; it never counts.

    Parameters
    ----------
    given
        What the lead judged; its grader is the lead, its read number 0.
    of
        The event of the grade it is held against.
    grader_id
        Whose grade that is.
    """

    given: Grade
    of: int
    grader_id: str


@dataclass(frozen=True)
class WordToGrader:
    """What a lead wrote to a grader after a backread.

    Parameters
    ----------
    event_seq, at
        The act.
    backread
        The event of the backread.
    assignment_id
        The answer, under the id its grader knows.
    note_hash
        Salted hash of the words.
    """

    event_seq: int
    at: str
    backread: int
    assignment_id: str
    note_hash: str


@dataclass(frozen=True)
class Settling:
    """What bears on the score of one answer beside its reads.

    Parameters
    ----------
    third
        The third read as it stands, or None.
    third_waits
        Whether a third read has been dealt and is not in.
    adjudication
        The last adjudication, or None.
    raised
        The last dispute raised, or None.
    reread
        The re-read before release, or None.
    before_reread
        The last adjudication before the re-read was begun, or None.
    """

    third: Grade | None = None
    third_waits: bool = False
    adjudication: Adjudication | None = None
    raised: RaisedDispute | None = None
    reread: Reread | None = None
    before_reread: Adjudication | None = None

    def without_reread(self) -> Settling:
        """Give what bore on the answer when its re-read was begun."""
        return Settling(self.third, self.third_waits, self.before_reread)

    @property
    def is_raised(self) -> bool:
        """Whether a dispute was raised that nothing has answered since."""
        if self.raised is None:
            return False
        answered = [one.event_seq for one in (self.third, self.adjudication) if one is not None]
        return self.raised.event_seq > max(answered, default=0)


NOTHING_SETTLED = Settling(None, False, None, None)
"""What bears on most answers beside their reads: nothing."""


UNSETTLED = Settling()
"""An answer about which nothing was done beyond its reads."""


class SettlingRecord:
    """Adjudications, raised disputes and backreads, replayed from the log.

    Attributes
    ----------
    adjudications
        By response id, oldest first.
    first_looks
        What adjudicators gave before the reads were shown to them, by response id, oldest first.
    raised
        Disputes raised, by response id, oldest first.
    backreads
        Oldest first.
    words
        What leads wrote to graders after backreads, oldest first.
    """

    def __init__(self) -> None:
        self.adjudications: dict[str, list[Adjudication]] = defaultdict(list)
        self.first_looks: dict[str, list[Adjudication]] = defaultdict(list)
        self.raised: dict[str, list[RaisedDispute]] = defaultdict(list)
        self.backreads: list[Backread] = []
        self.words: list[WordToGrader] = []

    def replay(self, event: Event) -> None:
        """Take in one event."""
        match event.kind:
            case EventKind.GRADE_ADJUDICATED:
                self._adjudicate(event)
            case EventKind.DISPUTE_RAISED:
                self.raised[event.subject].append(
                    RaisedDispute(
                        event.seq, event.at, event.actor, event.subject, event.body.get("reason_hash")
                    )
                )
            case EventKind.GRADE_BACKREAD:
                self._backread(event)

    def last_adjudication_or_none(
        self, response_id: str, *, after: int = 0, before: int | None = None
    ) -> Adjudication | None:
        """Give the last adjudication of an answer between two events, stale or not."""
        found = self.adjudications.get(response_id, ())
        within = (
            one for one in found if one.event_seq > after and (before is None or one.event_seq < before)
        )
        return max(within, key=lambda one: one.event_seq, default=None)

    def last_raised_or_none(self, response_id: str) -> RaisedDispute | None:
        """Give the last dispute raised about an answer."""
        found = self.raised.get(response_id)
        return found[-1] if found else None

    def _adjudicate(self, event: Event) -> None:
        body = event.body
        made = Adjudication(
            grade_of(event, response_id=event.subject, item=body["item"], grader_id=event.actor),
            tuple(body["settles"]),
            body.get("confirms"),
            body.get("first_look"),
            body.get("reason_hash"),
        )
        kept = self.first_looks if body.get("stage") == "first_look" else self.adjudications
        kept[event.subject].append(made)

    def _backread(self, event: Event) -> None:
        body = event.body
        if body.get("stage") == "word":
            word = WordToGrader(event.seq, event.at, body["backread"], event.subject, body["note_hash"])
            self.words.append(word)
            return
        given = grade_of(
            event,
            assignment_id=event.subject,
            response_id=body["response_id"],
            item=body["item"],
            grader_id=event.actor,
        )
        self.backreads.append(Backread(given, body["of"], body["grader_id"]))
