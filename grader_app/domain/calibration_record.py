"""Training, calibration and checks of a panel, as the log tells them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from grader_app.domain.events import Event, EventKind

MATERIALS = ("rubric", "point_sheet", "guidelines", "anchors")
"""What a grader reads before a calibration set, in this order; guidelines where the item has some."""


@dataclass(frozen=True)
class SetPaper:
    """A paper of a calibration set, under the random id by which it is dealt.

    Parameters
    ----------
    response_id
        Random id, of the same kind as an answer's.
    item
        The question it answers.
    set_id, set_hash
        The set it belongs to, and the content hash of the version registered.
    essay
        Its name in the set.
    text_hash
        Salted hash under which its text is kept.
    """

    response_id: str
    item: str
    set_id: str
    set_hash: str
    essay: str
    text_hash: str


@dataclass(frozen=True)
class Judgment:
    """What a gate said of one attempt.

    Parameters
    ----------
    event_seq, at
        The event that holds it.
    outcome
        ``qualified``, ``not_qualified``, or ``exercise`` and ``reference`` where nothing was at stake.
    conditions
        One entry a condition of the gate: ``name``, ``value`` (None where it cannot be computed), ``needed``,
        ``met``, ``says``.
    """

    event_seq: int
    at: str
    outcome: str
    conditions: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Attempt:
    """One grader's way through one packet: begun, ranked, scored, judged.

    Parameters
    ----------
    attempt_id
        Random id.
    grader_id, item
        Whose it is, for which question.
    item_hash
        Content of the item it was begun under.
    set_id, set_hash, purpose
        The calibration set, and what it is for (``qualify`` or ``codes``).
    packet
        1, or 2 for the second packet of a panel's own references.
    number
        1 for the grader's first attempt at the item; 0 where there is no gate.
    begun_at
        UTC time.
    assignment_ids
        The papers in this grader's own order for scoring.
    order
        Groups of assignment ids, best first; the papers of a group are tied. None before it was submitted.
    ranked_at
        UTC time, or None.
    judgment
        What the gate said, or None.
    """

    attempt_id: str
    grader_id: str
    item: str
    item_hash: str
    set_id: str
    set_hash: str
    purpose: str
    packet: int
    number: int
    begun_at: str
    assignment_ids: tuple[str, ...]
    order: tuple[tuple[str, ...], ...] | None = None
    ranked_at: str | None = None
    judgment: Judgment | None = None

    @property
    def ranks(self) -> dict[str, int]:
        """Rank by assignment id, 1 for the best; tied papers share a rank."""
        found: dict[str, int] = {}
        place = 1
        for group in self.order or ():
            found |= dict.fromkeys(group, place)
            place += len(group)
        return found


@dataclass(frozen=True)
class Override:
    """A lead's decision to let somebody grade who has not qualified.

    Parameters
    ----------
    grader_id, item, item_hash
        Who may grade what, under which content.
    lead_id, at, event_seq
        Who decided, when, and the event.
    reason
        As shown in every export.
    taken_back_at, taken_back_why
        When and why the decision was taken back; None and empty while it stands.
    """

    grader_id: str
    item: str
    item_hash: str
    lead_id: str
    at: str
    event_seq: int
    reason: str
    taken_back_at: str | None = None
    taken_back_why: str = ""

    @property
    def stands(self) -> bool:
        """Whether it has not been taken back."""
        return self.taken_back_at is None


@dataclass(frozen=True)
class FrozenReference:
    """A panel's consensus on one answer, which is also its final score.

    Parameters
    ----------
    response_id, set_id
        The answer, and the set for which it was drawn.
    score
        In points; None with a condition code.
    condition_code
        In place of a score, or None.
    grade_events
        Events of the grades behind it.
    reason
        Why the lead departed from the panel's middle score; empty where it did not.
    """

    response_id: str
    set_id: str
    score: float | None
    condition_code: str | None
    grade_events: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class SheetQuestion:
    """A grader's word that the point sheet is wrong.

    Parameters
    ----------
    event_seq, at
        The event.
    item, item_hash, grader_id
        What is questioned, by whom.
    note_hash
        Salted hash of the words.
    decision
        ``new_version`` or ``no_change`` once the lead has answered.
    """

    event_seq: int
    at: str
    item: str
    item_hash: str
    grader_id: str
    note_hash: str
    decision: str | None = None


@dataclass(frozen=True)
class Pause:
    """Live work of one grader on one item, stopped until it is let go on.

    Parameters
    ----------
    at, event_seq
        Since when.
    why
        A sentence.
    whole
        True when the lead paused the whole item, for everybody: nothing is held against this grader.
    """

    at: str
    event_seq: int
    why: str
    whole: bool = False


@dataclass
class CalibrationRecord:
    """What the events of training, calibration and monitoring add up to.

    Attributes
    ----------
    papers
        Papers of calibration sets by their random id, those of earlier versions too.
    current_sets
        Content hash of each set as last registered, by set id.
    seen
        Materials seen, by grader and item content, each with the UTC time of the first look.
    trained
        UTC time at which training was completed, by grader and item content.
    attempts
        By attempt id, in the order in which they were begun.
    overrides
        By grader and item, oldest first; those taken back too, since grades were given under them.
    held
        Sets whose feedback waits for the panel's meeting.
    reread
        UTC time at which a grader confirmed having read an item's guidelines anew, by grader and content.
    questions
        Questions on point sheets, by event.
    recalled
        Assignments to be graded again under a newer point sheet, each with the event that recalled it.
    kept
        Item content under which the lead let a grade stand although the point sheet changed, by assignment.
    promoted
        Live answers that serve as validity papers, with their reference.
    drawn
        Live answers drawn for a panel's packets: set id and packet, by response id.
    drawn_under
        Item content under which a set's packets were drawn, by set id.
    frozen
        The panel's references by response id.
    alarms
        ``DriftFound`` events by grader and item, oldest first.
    paused
        By grader and item.
    resumed
        Events after which live work went on again, by grader and item, oldest first.
    """

    papers: dict[str, SetPaper] = field(default_factory=dict)
    current_sets: dict[str, str] = field(default_factory=dict)
    seen: dict[tuple[str, str], dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    trained: dict[tuple[str, str], str] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    overrides: dict[tuple[str, str], list[Override]] = field(default_factory=lambda: defaultdict(list))
    held: set[str] = field(default_factory=set)
    reread: dict[tuple[str, str], str] = field(default_factory=dict)
    questions: dict[int, SheetQuestion] = field(default_factory=dict)
    recalled: dict[str, int] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    promoted: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    drawn: dict[str, tuple[str, int]] = field(default_factory=dict)
    drawn_under: dict[str, str] = field(default_factory=dict)
    frozen: dict[str, FrozenReference] = field(default_factory=dict)
    alarms: dict[tuple[str, str], list[Event]] = field(default_factory=lambda: defaultdict(list))
    paused: dict[tuple[str, str], Pause] = field(default_factory=dict)
    resumed: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    _attempt_of: dict[str, str] = field(default_factory=dict)

    def attempts_of(self, grader_id: str, item: str, purpose: str = "qualify") -> list[Attempt]:
        """List a grader's attempts at an item, first to last."""
        return [
            one
            for one in self.attempts.values()
            if (one.grader_id, one.item, one.purpose) == (grader_id, item, purpose)
        ]

    def attempt_of(self, assignment_id: str) -> Attempt:
        """Give the attempt that a paper of a packet was dealt for."""
        return self.attempts[self._attempt_of[assignment_id]]

    def replay(self, event: Event) -> None:
        """Take in one event; kinds that are not about calibration are passed over."""
        act = _REPLAY.get(event.kind)
        if act is not None:
            act(self, event)

    def _register(self, event: Event) -> None:
        body = event.body
        if body["kind"] != "calibration_set":
            return
        self.current_sets[body["id"]] = body["hash"]
        for row in body["papers"]:
            self.papers[row["response_id"]] = SetPaper(
                row["response_id"], body["item"], body["id"], body["hash"], row["essay"], row["text_hash"]
            )

    def _retire(self, event: Event) -> None:
        self.current_sets.pop(event.subject, None)

    def _see(self, event: Event) -> None:
        seen = self.seen[event.subject, event.body["item_hash"]]
        seen.setdefault(event.body["material"], event.at)

    def _train(self, event: Event) -> None:
        self.trained.setdefault((event.subject, event.body["item_hash"]), event.at)

    def _begin(self, event: Event) -> None:
        body = event.body
        ids = tuple(row["assignment_id"] for row in body["assignments"])
        self.attempts[event.subject] = Attempt(
            event.subject,
            body["grader_id"],
            body["item"],
            body["item_hash"],
            body["set"],
            body["set_hash"],
            body["purpose"],
            body["packet"],
            body["number"],
            event.at,
            ids,
        )
        self._attempt_of |= dict.fromkeys(ids, event.subject)

    def _rank(self, event: Event) -> None:
        order = tuple(tuple(group) for group in event.body["order"])
        self.attempts[event.subject] = replace(self.attempts[event.subject], order=order, ranked_at=event.at)

    def _judge(self, event: Event) -> None:
        body = event.body
        judgment = Judgment(event.seq, event.at, body["outcome"], tuple(body["conditions"]))
        self.attempts[event.subject] = replace(self.attempts[event.subject], judgment=judgment)

    def _override(self, event: Event) -> None:
        body = event.body
        self.overrides[event.subject, body["item"]].append(
            Override(
                event.subject,
                body["item"],
                body["item_hash"],
                event.actor,
                event.at,
                event.seq,
                body["reason"],
            )
        )

    def _withdraw(self, event: Event) -> None:
        key = event.subject, event.body["item"]
        self.overrides[key] = [
            replace(one, taken_back_at=event.at, taken_back_why=event.body["reason"]) if one.stands else one
            for one in self.overrides[key]
        ]

    def _hold(self, event: Event) -> None:
        self.held.add(event.subject)

    def _release(self, event: Event) -> None:
        self.held.discard(event.subject)

    def _reread(self, event: Event) -> None:
        self.reread[event.subject, event.body["item_hash"]] = event.at

    def _question(self, event: Event) -> None:
        body = event.body
        self.questions[event.seq] = SheetQuestion(
            event.seq, event.at, event.subject, body["item_hash"], event.actor, body["note_hash"]
        )

    def _answer(self, event: Event) -> None:
        asked = int(event.body["question"])
        self.questions[asked] = replace(self.questions[asked], decision=event.body["decision"])

    def _recall(self, event: Event) -> None:
        self.recalled |= dict.fromkeys(event.body["assignment_ids"], event.seq)

    def _keep(self, event: Event) -> None:
        self.kept |= dict.fromkeys(event.body["assignment_ids"], event.body["item_hash"])
        for assignment_id in event.body["assignment_ids"]:
            self.recalled.pop(assignment_id, None)

    def _corrected(self, event: Event) -> None:
        self.recalled.pop(event.subject, None)

    def _promote(self, event: Event) -> None:
        self.promoted[event.subject] = event.body

    def _draw(self, event: Event) -> None:
        if "item_hash" in event.body:
            self.drawn_under.setdefault(event.subject, event.body["item_hash"])
        self.drawn |= dict.fromkeys(event.body["response_ids"], (event.subject, event.body["packet"]))

    def _freeze(self, event: Event) -> None:
        for row in event.body["references"]:
            self.frozen[row["response_id"]] = FrozenReference(
                row["response_id"],
                event.subject,
                row["score"],
                row["condition_code"],
                tuple(row["grade_events"]),
                row["reason"],
            )

    def _alarm(self, event: Event) -> None:
        self.alarms[event.subject, event.body["item"]].append(event)

    def _pause(self, event: Event) -> None:
        self.paused[event.subject, event.body["item"]] = Pause(
            event.at, event.seq, event.body["why"], event.body.get("whole", False)
        )

    def _resume(self, event: Event) -> None:
        key = (event.subject, event.body["item"])
        self.paused.pop(key, None)
        if not event.body.get("whole", False):  # a pause of everybody says nothing about anybody's drift
            self.resumed[key].append(event.seq)


_REPLAY: dict[str, Callable[[CalibrationRecord, Event], None]] = {
    EventKind.FILE_REGISTERED: CalibrationRecord._register,
    EventKind.SET_RETIRED: CalibrationRecord._retire,
    EventKind.MATERIAL_SEEN: CalibrationRecord._see,
    EventKind.TRAINING_COMPLETED: CalibrationRecord._train,
    EventKind.CALIBRATION_BEGUN: CalibrationRecord._begin,
    EventKind.PAPERS_RANKED: CalibrationRecord._rank,
    EventKind.QUALIFICATION_JUDGED: CalibrationRecord._judge,
    EventKind.QUALIFICATION_OVERRIDDEN: CalibrationRecord._override,
    EventKind.QUALIFICATION_WITHDRAWN: CalibrationRecord._withdraw,
    EventKind.FEEDBACK_HELD: CalibrationRecord._hold,
    EventKind.FEEDBACK_RELEASED: CalibrationRecord._release,
    EventKind.GUIDELINES_REREAD: CalibrationRecord._reread,
    EventKind.SHEET_QUESTIONED: CalibrationRecord._question,
    EventKind.SHEET_QUESTION_ANSWERED: CalibrationRecord._answer,
    EventKind.GRADES_RECALLED: CalibrationRecord._recall,
    EventKind.GRADES_KEPT: CalibrationRecord._keep,
    EventKind.GRADE_CORRECTED: CalibrationRecord._corrected,
    EventKind.PAPER_PROMOTED: CalibrationRecord._promote,
    EventKind.PANEL_PACKET_DRAWN: CalibrationRecord._draw,
    EventKind.REFERENCES_FROZEN: CalibrationRecord._freeze,
    EventKind.DRIFT_FOUND: CalibrationRecord._alarm,
    EventKind.GRADING_PAUSED: CalibrationRecord._pause,
    EventKind.GRADING_RESUMED: CalibrationRecord._resume,
}
