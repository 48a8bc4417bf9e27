"""The state of a round, replayed from its events; screens and exports share this one reading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.blinding_check import (
    SOURCE_SHOWN,
    AuthorFlag,
    Guess,
    SourceGuess,
    Sureness,
    is_asked,
)
from grader_app.domain.calibration_record import CalibrationRecord
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event, EventKind
from grader_app.domain.final_score import ScoreStanding, coded_standing, standing, with_decision
from grader_app.domain.grade import Grade, grade_of
from grader_app.domain.intake_record import IntakeRecord
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.paper_record import PaperRecord
from grader_app.domain.referral import RECUSAL, CodeDecision, Referral, Settled
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.domain.scaling_rules import RulesRecord, SetRules, with_rules
from grader_app.domain.settling import Settling, SettlingRecord

MERELY_MOVED = ("balanced", "left_behind", "passed_on")
"""Why an answer went from one queue to another without a word about it or about its grader."""


@dataclass(frozen=True)
class Inputs:
    """What the events refer to: files by content hash, answers by id.

    Parameters
    ----------
    files
        Content by hash, each ``{"kind", "id", "version", "content"}``; kinds ``round``, ``rubric``, ``item``,
        ``calibration_set``.
    responses
        ``{"item", "candidate_id", "text_hash"}`` by response id.
    mbe
        MBE scaled score by candidate id.
    """

    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    responses: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    mbe: Mapping[str, float] = field(default_factory=dict)


class GradingRecord:
    """A round as its log tells it.

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
        self.history: dict[str, list[Grade]] = defaultdict(list)
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
        self._reads: dict[str, list[str]] = defaultdict(list)
        self._thirds: dict[str, list[str]] = defaultdict(list)
        self._rubrics: dict[str, Rubric] = {}
        self._rounds: dict[str, Round] = {}
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
        named = [digest for (kind, _), digest in self.current_files.items() if kind == "round"]
        if not named:
            return None
        if named[-1] not in self._rounds:
            content = self.inputs.files[named[-1]]["content"]
            self._rounds[named[-1]] = Round.model_validate_json(canonical_json(content))
        return self._rounds[named[-1]]

    def rubric(self, rubric_hash: str) -> Rubric:
        """Give a rubric by its content hash."""
        if rubric_hash not in self._rubrics:
            content = self.inputs.files[rubric_hash]["content"]
            self._rubrics[rubric_hash] = Rubric.model_validate_json(canonical_json(content))
        return self._rubrics[rubric_hash]

    def rubric_of(self, item: str) -> Rubric:
        """Give the rubric an item is graded under now."""
        sheet = self.inputs.files[self.current_files["item", item]]["content"]["sheet"]
        for digest, kept in self.inputs.files.items():
            if (kept["kind"], kept["id"], kept["version"]) == (
                "rubric",
                sheet["rubric"],
                sheet["rubric_version"],
            ):
                return self.rubric(digest)
        raise KeyError(f"{sheet['rubric']} version {sheet['rubric_version']}")

    def items(self) -> list[str]:
        """List the round's items in its order, then any other item that has answers."""
        named = [entry.item for entry in self.round.items] if self.round else []
        others = sorted({response["item"] for response in self.inputs.responses.values()} - set(named))
        return named + others

    def response_ids(self, item: str | None = None) -> list[str]:
        """List the answers in the round, sorted by id; those taken back are left out."""
        return sorted(
            response_id
            for response_id, response in self.inputs.responses.items()
            if response_id not in self.withdrawn and item in (None, response["item"])
        )

    def is_dealt(self, response_id: str) -> bool:
        """Say whether an answer has been dealt to anyone."""
        return bool(self._reads[response_id])

    def reads(self, response_id: str) -> list[Grade]:
        """List the grades of an answer that stand, in order of read number."""
        reads = self._reads[response_id]
        found = [self.grades[a] for a in reads if a in self.grades and a not in self.superseded]
        return sorted(found, key=lambda grade: (grade.read_number, grade.event_seq))

    def expected_reads(self, response_id: str) -> int:
        """Count the reads dealt for an answer, less those taken out of a queue or replaced by another."""
        gone = self.released | self.superseded
        return sum(a not in gone for a in self._reads[response_id])

    def standing(self, response_id: str) -> ScoreStanding:
        """Say which score of an answer stands."""
        if response_id in self.excluded:
            return ScoreStanding(None, None, "coded", "Taken out of the round by the lead.")
        if response_id in self.calibration.drawn:
            return self._panel_standing(response_id)
        if not self._reads[response_id]:
            return ScoreStanding(None, None, "waiting", "Not dealt yet.")
        reads = self.reads(response_id)
        rubric = self.rubric(reads[-1].rubric_hash) if reads else None
        if rubric is None or self.round is None:
            return ScoreStanding(
                None, None, "waiting", f"0 of {self.expected_reads(response_id)} reads are in."
            )
        if any(a in self.calibration.recalled for a in self._reads[response_id]):
            why = "The point sheet changed, and it is to be graded again."
            return ScoreStanding(None, None, "waiting", why)
        found = standing(
            reads,
            self.expected_reads(response_id),
            rubric,
            self.round.reading,
            self.settling_of(response_id),
            self.rubric,
        )
        return with_decision(found, self.decisions.get(response_id))

    def settling_of(self, response_id: str) -> Settling:
        """Give what bears on an answer's score beside its reads."""
        third = self.third_read_or_none(response_id)
        decided = self.decisions.get(response_id)
        # An answer that is read anew for a score is settled anew as well.
        since = decided.event_seq if decided is not None and decided.counts_as == "scored" else 0
        adjudication = self.settling.last_adjudication_or_none(response_id)
        raised = self.settling.last_raised_or_none(response_id)
        return Settling(
            third,
            third is None and self.waiting_third_or_none(response_id) is not None,
            adjudication if adjudication and adjudication.event_seq > since else None,
            raised if raised and raised.event_seq > since else None,
        )

    def third_read_or_none(self, response_id: str) -> Grade | None:
        """Give the third read of an answer as it stands."""
        return next(
            (self.third_grades[a] for a in self._thirds_of(response_id) if a in self.third_grades), None
        )

    def waiting_third_or_none(self, response_id: str) -> Assignment | None:
        """Give the third read of an answer that has been dealt and is not in."""
        waiting = (a for a in self._thirds_of(response_id) if a not in self.third_grades)
        return next((self.assignments[a] for a in waiting), None)

    def judgments(self, response_id: str) -> list[Grade]:
        """List the reads of an answer that stand, the third one last: all that bears on its score."""
        third = self.third_read_or_none(response_id)
        return [*self.reads(response_id), *([] if third is None else [third])]

    def independent_grades(self) -> list[Grade]:
        """List the live grades that figures on agreement use.

        Notes
        -----
        A grade corrected after its author heard from the lead about this answer is no longer independent:
        then the last version given before counts.
        """
        heard = {word.assignment_id: word.event_seq for word in reversed(self.settling.words)}
        return [
            grade
            if assignment_id not in heard
            else [one for one in self.history[assignment_id] if one.event_seq < heard[assignment_id]][-1]
            for assignment_id, grade in self.grades.items()
        ]

    def _thirds_of(self, response_id: str) -> list[str]:
        # Reading a defaultdict must not fill it.
        gone = self.released | self.superseded
        return [a for a in self._thirds.get(response_id, ()) if a not in gone]

    def _panel_standing(self, response_id: str) -> ScoreStanding:
        """Say which score of an answer stands that a panel calibrates on: its consensus."""
        frozen = self.calibration.frozen.get(response_id)
        if frozen is None:
            return ScoreStanding(None, None, "waiting", "The panel calibrates on this answer.")
        if frozen.condition_code is None:
            return ScoreStanding(frozen.score, frozen.score, "final", "The panel's consensus in calibration.")
        rubric = self.rubric_of(self.inputs.responses[response_id]["item"])
        return with_decision(coded_standing(frozen.condition_code, rubric), self.decisions.get(response_id))

    def _replay(self, event: Event) -> None:
        body = event.body
        self.intake.replay(event)
        self.rules.replay(event)
        self.calibration.replay(event)
        self.paper.replay(event)
        self.settling.replay(event)
        match event.kind:
            case EventKind.FILE_REGISTERED:
                self.current_files[body["kind"], body["id"]] = body["hash"]
            case EventKind.ACCOUNT_ADDED if body.get("simulated"):
                self.simulated.add(event.subject)
            case EventKind.ACCOUNT_ADDED if body.get("apprentice"):
                self.apprenticeships[event.subject] = None
            case EventKind.APPRENTICESHIP_ENDED:
                self.apprenticeships[event.subject] = event.seq
            case EventKind.ANSWERS_DEALT | EventKind.CHECKS_PLANTED | EventKind.CALIBRATION_BEGUN:
                self._deal(event)
            case EventKind.GRADE_SUBMITTED | EventKind.GRADE_CORRECTED:
                grade = self._grade(event)
                self._grades_of(self.assignments[event.subject].kind)[event.subject] = grade
                self.history[event.subject].append(grade)
                if event.kind == EventKind.GRADE_SUBMITTED and self._asks(event.subject):
                    self.asked.add(event.subject)
            case EventKind.SURPLUS_GRADE_KEPT:
                self.surplus[event.subject] = self._grade(event)
                self.surplus_why[event.subject] = body["why"]
            case EventKind.ANSWER_REFERRED:
                self._refer(event)
                if body["reason"] == SOURCE_SHOWN:
                    self._flag(event, referred=True)
            case EventKind.AUTHOR_GIVEN_AWAY:
                self._flag(event, referred=False)
            case EventKind.SOURCE_GUESSED:
                self.guesses[event.subject] = self._guess(event)
            case EventKind.ANSWER_RETURNED:
                self._settle(event)
            case EventKind.CODE_DECIDED:
                self._decide_code(event)
            case EventKind.ITEM_CLOSED:
                self.closed_items.add(event.subject)
            case EventKind.ITEM_REOPENED:
                self.closed_items.discard(event.subject)
            case EventKind.SOURCES_REVEALED:
                self.revealed.update(body["response_ids"])
            case EventKind.ANSWERS_WITHDRAWN:
                self.withdrawn.update(body["response_ids"])

    def _grades_of(self, kind: ReadKind) -> dict[str, Grade]:
        """Give the grades among which a read's grade stands: those that count, or others kept apart."""
        match kind:
            case ReadKind.LIVE:
                return self.grades
            case ReadKind.THIRD:
                return self.third_grades
            case ReadKind.APPRENTICE:
                return self.shadow_grades
        return self.check_grades

    def was_apprentice(self, grader_id: str, event_seq: int) -> bool:
        """Say whether a grader was an apprentice at an event, so that what they did then does not count."""
        if grader_id not in self.apprenticeships:
            return False
        ended = self.apprenticeships[grader_id]
        return ended is None or event_seq < ended

    def _deal(self, event: Event) -> None:
        # A third read is no part of the queue as it was dealt: its grade enters no figure on order.
        if event.kind == EventKind.ANSWERS_DEALT and any(
            row.get("kind") != ReadKind.THIRD for row in event.body["assignments"]
        ):
            self.deals[event.body["grader_id"], event.body["item"]] += 1
        for row in event.body["assignments"]:
            dealt = Assignment(
                row["assignment_id"],
                row["response_id"],
                event.body["item"],
                event.body["grader_id"],
                row["position"],
                row["read_number"],
                ReadKind(row.get("kind", ReadKind.LIVE)),
            )
            self.assignments[dealt.assignment_id] = dealt
            if dealt.kind is ReadKind.LIVE:
                self._reads[dealt.response_id].append(dealt.assignment_id)
            elif dealt.kind is ReadKind.THIRD:
                self._thirds[dealt.response_id].append(dealt.assignment_id)

    def _grade(self, event: Event) -> Grade:
        dealt = self.assignments[event.subject]
        return grade_of(
            event,
            assignment_id=dealt.assignment_id,
            response_id=dealt.response_id,
            item=dealt.item,
            grader_id=dealt.grader_id,
            read_number=dealt.read_number,
        )

    def _refer(self, event: Event) -> None:
        referral = self._referral(event)
        self.referrals[event.subject] = referral
        candidate_id = self.candidate_of(referral.response_id)
        if referral.reason == RECUSAL and candidate_id is not None:
            self.recusals.add((referral.grader_id, candidate_id))

    def candidate_of(self, response_id: str) -> str | None:
        """Give the candidate who wrote an answer; None for a paper of a set, which no candidate wrote."""
        found = self.inputs.responses.get(response_id)
        return None if found is None else str(found["candidate_id"])

    def is_recused(self, grader_id: str, response_id: str) -> bool:
        """Say whether a grader has stepped aside from what the writer of an answer wrote."""
        candidate_id = self.candidate_of(response_id)
        return candidate_id is not None and (grader_id, candidate_id) in self.recusals

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

    def _decide_code(self, event: Event) -> None:
        body = event.body
        self.decisions[event.subject] = CodeDecision(
            event.seq,
            event.at,
            event.actor,
            body["condition_code"],
            body["counts_as"],
            body.get("reason_hash"),
        )
        self.superseded.update(body.get("replaced", ()))

    def _referral(self, event: Event) -> Referral:
        dealt = self.assignments[event.subject]
        return Referral(
            event.seq,
            event.at,
            dealt.assignment_id,
            dealt.response_id,
            dealt.item,
            dealt.grader_id,
            event.body["reason"],
            event.body.get("note_hash"),
            event.body.get("along_with"),
        )

    def _asks(self, assignment_id: str) -> bool:
        """Say whether the round, as it stood when a grade was given, asks for a guess after it."""
        return self.round is not None and is_asked(self.round, self.assignments[assignment_id])

    def _flag(self, event: Event, *, referred: bool) -> None:
        """Keep the first word of a grader on a text; a second one adds nothing."""
        dealt = self.assignments[event.subject]
        flag = AuthorFlag(
            event.seq,
            event.at,
            dealt.assignment_id,
            dealt.response_id,
            dealt.item,
            dealt.grader_id,
            referred,
            event.body.get("note_hash"),
        )
        self.author_flags.setdefault(event.subject, flag)

    def _guess(self, event: Event) -> SourceGuess:
        dealt = self.assignments[event.subject]
        sure = event.body["sure"]
        return SourceGuess(
            event.seq,
            event.at,
            dealt.assignment_id,
            dealt.response_id,
            dealt.item,
            dealt.grader_id,
            Guess(event.body["guess"]),
            None if sure is None else Sureness(sure),
            event.body.get("note_hash"),
        )
