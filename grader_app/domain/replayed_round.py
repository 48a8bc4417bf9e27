"""The acts of a round replayed one after the other: what stands after each event."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from grader_app.domain.acts_in_events import (
    assignments_of,
    code_decided,
    flag_raised,
    grade_given,
    guess_made,
    referral_made,
)
from grader_app.domain.blinding_check import (
    SOURCE_SHOWN,
    AuthorFlag,
    SourceGuess,
    is_asked,
)
from grader_app.domain.calibration_record import CalibrationRecord
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.inputs import Inputs
from grader_app.domain.intake_record import IntakeRecord
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.paper_record import PaperRecord
from grader_app.domain.referral import RECUSAL, CodeDecision, Referral, Settled
from grader_app.domain.release import ReleaseRecord
from grader_app.domain.rereads import RereadRecord
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.domain.scaling_rules import RulesRecord, SetRules, with_rules
from grader_app.domain.settling import SettlingRecord

MERELY_MOVED = ("balanced", "left_behind", "passed_on")
"""Why an answer went from one queue to another without a word about it or about its grader."""


class ReplayedRound:
    """What stands after the last event; `GradingRecord` answers what follows from it.

    Parameters
    ----------
    events
        The whole log, in order.
    inputs
        What the events refer to.

    Attributes
    ----------
    assignments
        By assignment id.
    grades
        The live grade that stands, by assignment id. Nothing else counts.
    third_grades
        The same for third reads, which count for the score alone.
    check_grades
        The same for planted checks and for the papers of calibration packets.
    history
        Every grade ever given, by assignment id, oldest first.
    intake
        What was taken in.
    rules
        Rules of scaling set in place of the round's own.
    calibration
        Training, calibration and checks.
    paper
        What was printed on paper, and what has been keyed from it.
    printed
        Id of its packet for each paper that is on paper now, by assignment id; nobody else is given it.
    settling
        Adjudications, raised disputes and backreads.
    rereads
        Re-reads before release; what they gave counts for the score alone.
    release
        Whether scores were prepared for release, and released.
    surplus, surplus_why
        Grades that came after their answer had gone to another reader, by assignment id, and why it had;
        they never count.
    referrals
        Open referrals by assignment id.
    author_flags
        What graders said of texts that give their author away, by assignment id.
    asked, guesses
        Assignments after whose grade the grader was asked who wrote the answer; what was guessed, by
        assignment id.
    settled
        Every referral the lead has decided, in order of the decisions.
    recusals
        Graders who stepped aside, each with the candidate whose answers they never read.
    released, taken_over
        Assignments taken out of their queue; those of them that merely went to somebody else, which
        may come back.
    excluded
        Answers the lead has taken out of the round, by the assignment with which that was decided.
    decisions
        What the lead decided about coded answers, by response id.
    superseded
        Assignments whose grade no longer counts as a read, since another read was asked for instead.
    closed_items
        Items the lead has closed.
    revealed, withdrawn
        Response ids whose source is known; response ids taken back before dealing.
    simulated
        Account ids of simulated graders.
    shadow_grades
        The grade of each apprentice read as it stands, by assignment id. None of them counts.
    apprenticeships
        The event that ended each apprenticeship, by account id; None while it lasts.
    deals
        How many deals made up each grader's queue of each item, by (grader id, item).
    last_seq
        Place of the last event replayed.
    """

    def __init__(self, events: Iterable[Event], inputs: Inputs) -> None:
        self.inputs = inputs
        self.assignments: dict[str, Assignment] = {}
        self.grades: dict[str, Grade] = {}
        self.third_grades: dict[str, Grade] = {}
        self.check_grades: dict[str, Grade] = {}
        self.intake = IntakeRecord()
        self.rules = RulesRecord()
        self.calibration = CalibrationRecord()
        self.settling = SettlingRecord()
        self.rereads = RereadRecord()
        self.release = ReleaseRecord()
        self.history: dict[str, tuple[Grade, ...]] = {}
        self.paper = PaperRecord()
        self.printed = self.paper.printed
        self.surplus: dict[str, Grade] = {}
        self.surplus_why: dict[str, Any] = {}
        self.referrals: dict[str, Referral] = {}
        self.author_flags: dict[str, AuthorFlag] = {}
        self.asked: set[str] = set()
        self.guesses: dict[str, SourceGuess] = {}
        self.settled: list[Settled] = []
        self.recusals: set[tuple[str, str]] = set()
        self.released: set[str] = set()
        self.taken_over: set[str] = set()
        self.excluded: dict[str, str] = {}
        self.decisions: dict[str, CodeDecision] = {}
        self.superseded: set[str] = set()
        self.closed_items: set[str] = set()
        self.revealed: set[str] = set()
        self.withdrawn: set[str] = set()
        self.simulated: set[str] = set()
        self.shadow_grades: dict[str, Grade] = {}
        self.apprenticeships: dict[str, int | None] = {}
        self.current_files: dict[tuple[str, str], str] = {}
        self.deals: Counter[tuple[str, str]] = Counter()
        self._reads: dict[str, tuple[str, ...]] = defaultdict(tuple)
        self._thirds: dict[str, tuple[str, ...]] = defaultdict(tuple)
        self._rubrics: dict[str, Rubric] = {}
        self._rounds: dict[str, Round] = {}
        self._round_hash: str | None = None
        self._in_force: tuple[Round, SetRules, Round] | None = None
        self.last_seq = 0
        self.extend(events)

    def extend(self, events: Iterable[Event]) -> None:
        """Replay further events of the same log."""
        for event in events:
            self._replay(event)
            self.last_seq = event.seq

    @property
    def round(self) -> Round | None:
        """The round as last registered, with the rules of scaling that were set in place of its own."""
        registered = self.registered_round
        if registered is None or not self.rules.decisions:
            return registered
        rules = self.rules.standing
        if self._in_force is None or self._in_force[0] is not registered or self._in_force[1] is not rules:
            self._in_force = (registered, rules, with_rules(registered, rules))
        return self._in_force[2]

    @property
    def registered_round(self) -> Round | None:
        """The round as last registered."""
        digest = self._round_hash
        if digest is None:
            return None
        if digest not in self._rounds:
            content = self.inputs.files[digest]["content"]
            self._rounds[digest] = Round.model_validate_json(canonical_json(content))
        return self._rounds[digest]

    def candidate_of(self, response_id: str) -> str | None:
        """Give the candidate who wrote an answer; None for a paper of a set, which no candidate wrote."""
        found = self.inputs.responses.get(response_id)
        return None if found is None else str(found["candidate_id"])

    def _replay(self, event: Event) -> None:
        # Most of a long log; of the records below only that of printed packets goes by it.
        if event.kind == EventKind.GRADE_SUBMITTED:
            self.paper.replay(event)
            self._take(event)
            if self._asks(event.subject):
                self.asked.add(event.subject)
            return
        body = event.body
        self.intake.replay(event)
        self.rules.replay(event)
        self.calibration.replay(event)
        self.paper.replay(event)
        self.settling.replay(event)
        self.rereads.replay(event)
        self.release.replay(event)
        match event.kind:
            case EventKind.FILE_REGISTERED:
                self.current_files[body["kind"], body["id"]] = body["hash"]
                rounds = [digest for (kind, _), digest in self.current_files.items() if kind == "round"]
                self._round_hash = rounds[-1] if rounds else None
            case EventKind.ACCOUNT_ADDED if body.get("simulated"):
                self.simulated.add(event.subject)
            case EventKind.ACCOUNT_ADDED if body.get("apprentice"):
                self.apprenticeships[event.subject] = None
            case EventKind.APPRENTICESHIP_ENDED:
                self.apprenticeships[event.subject] = event.seq
            case EventKind.ANSWERS_DEALT | EventKind.CHECKS_PLANTED | EventKind.CALIBRATION_BEGUN:
                self._deal(event)
            case EventKind.GRADE_CORRECTED:
                self._take(event)
            case EventKind.SURPLUS_GRADE_KEPT:
                self.surplus[event.subject] = grade_given(event, self.assignments[event.subject])
                self.surplus_why[event.subject] = body["why"]
            case EventKind.ANSWER_REFERRED:
                self._refer(event)
                if body["reason"] == SOURCE_SHOWN:
                    self._flag(event, referred=True)
            case EventKind.AUTHOR_GIVEN_AWAY:
                self._flag(event, referred=False)
            case EventKind.SOURCE_GUESSED:
                self.guesses[event.subject] = guess_made(event, self.assignments[event.subject])
            case EventKind.ANSWER_RETURNED:
                self._settle(event)
            case EventKind.CODE_DECIDED:
                self.decisions[event.subject] = code_decided(event)
                self.superseded.update(body.get("replaced", ()))
            case EventKind.ITEM_CLOSED:
                self.closed_items.add(event.subject)
            case EventKind.ITEM_REOPENED:
                self.closed_items.discard(event.subject)
            case EventKind.SOURCES_REVEALED:
                self.revealed.update(body["response_ids"])
            case EventKind.ANSWERS_WITHDRAWN:
                self.withdrawn.update(body["response_ids"])

    def _take(self, event: Event) -> None:
        dealt = self.assignments[event.subject]
        grade = grade_given(event, dealt)
        self._grades_of(dealt.kind)[dealt.assignment_id] = grade
        before = self.history.get(dealt.assignment_id, ())
        self.history[dealt.assignment_id] = (*before, grade)

    def _grades_of(self, kind: ReadKind) -> dict[str, Grade]:
        """Give the grades among which a read's grade stands: those that count, or others kept apart."""
        match kind:
            case ReadKind.LIVE:
                return self.grades
            case ReadKind.THIRD:
                return self.third_grades
            case ReadKind.REREAD:
                return self.rereads.grades
            case ReadKind.APPRENTICE:
                return self.shadow_grades
        return self.check_grades

    def _deal(self, event: Event) -> None:
        # Third reads and re-reads are no part of the queue as it was dealt: they enter no figure on order.
        if event.kind == EventKind.ANSWERS_DEALT and any(
            row.get("kind") not in (ReadKind.THIRD, ReadKind.REREAD) for row in event.body["assignments"]
        ):
            self.deals[event.body["grader_id"], event.body["item"]] += 1
        for dealt in assignments_of(event):
            self.assignments[dealt.assignment_id] = dealt
            if dealt.kind is ReadKind.LIVE:
                self._reads[dealt.response_id] += (dealt.assignment_id,)
            elif dealt.kind is ReadKind.THIRD:
                self._thirds[dealt.response_id] += (dealt.assignment_id,)
            elif dealt.kind is ReadKind.REREAD:
                self.rereads.deal(dealt)

    def _refer(self, event: Event) -> None:
        referral = referral_made(event, self.assignments[event.subject])
        self.referrals[event.subject] = referral
        candidate_id = self.candidate_of(referral.response_id)
        if referral.reason == RECUSAL and candidate_id is not None:
            self.recusals.add((referral.grader_id, candidate_id))

    def _settle(self, event: Event) -> None:
        dealt, decision = self.assignments[event.subject], event.body["decision"]
        if decision == "recusal_lifted":
            self.recusals.discard((dealt.grader_id, str(self.candidate_of(dealt.response_id))))
            referral = next(
                (
                    one.referral
                    for one in reversed(self.settled)
                    if one.referral.assignment_id == event.subject
                ),
                self.referrals.get(event.subject),
            )
        else:
            referral = self.referrals.pop(event.subject, None)
            self._move(dealt, decision, event.body.get("why"))
        if referral is not None:
            said = event.body.get("reason_hash")
            self.settled.append(Settled(referral, decision, event.seq, event.at, event.actor, said))

    def _move(self, dealt: Assignment, decision: str, why: str | None) -> None:
        """Take an assignment out of its queue or put it back."""
        self.released.discard(dealt.assignment_id)
        self.taken_over.discard(dealt.assignment_id)
        if self.excluded.get(dealt.response_id) == dealt.assignment_id:
            del self.excluded[dealt.response_id]
        if decision == "excluded":
            self.excluded[dealt.response_id] = dealt.assignment_id
        elif decision == "taken_out":
            self.released.add(dealt.assignment_id)
            if why in MERELY_MOVED:
                self.taken_over.add(dealt.assignment_id)

    def _asks(self, assignment_id: str) -> bool:
        """Say whether the round, as it stood when a grade was given, asks for a guess after it."""
        return self.round is not None and is_asked(self.round, self.assignments[assignment_id])

    def _flag(self, event: Event, *, referred: bool) -> None:
        """Keep the first word of a grader on a text; a second one adds nothing."""
        flag = flag_raised(event, self.assignments[event.subject], referred=referred)
        self.author_flags.setdefault(event.subject, flag)
