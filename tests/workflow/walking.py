"""Random walks through everything that can happen to an answer, and where each answer then is."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.referral import REASONS
from grader_app.errors import GraderAppError, NotAllowed
from grader_app.store.assignments import waiting_in_queue
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.adjudication import adjudicate, look_first, open_disputes, raise_dispute
from grader_app.workflow.assignment import deal
from grader_app.workflow.clock import as_text
from grader_app.workflow.coded_answers import coded_answers, decide_code
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.live_grading import next_sheet_or_none, save_draft
from grader_app.workflow.monitoring import pause, resume
from grader_app.workflow.moving import COUNTING, active_graders
from grader_app.workflow.passing_on import pass_on
from grader_app.workflow.printed_packets import packets, print_packet, recall_packet
from grader_app.workflow.recusals import lift_recusal, recusals
from grader_app.workflow.redealing import deal_left_behind, left_behind
from grader_app.workflow.referrals import (
    bring_back,
    closed_referrals,
    deal_to_another,
    exclude,
    open_referrals,
    other_graders,
    return_to_grader,
    take_out,
)

ITEMS = ("mee-barge", "rule-ferry")
WHY = "As the panel agreed."


class Walk:
    """One walk through a workspace; every act is one the workbench allows, or refuses with a sentence."""

    def __init__(self, small: SmallWorkspace, seed: int) -> None:
        self.small, self.bench = small, small.bench
        self.draw = random.Random(seed)
        self.trail: list[str] = []
        self.refused: Counter[str] = Counter()
        self.candidates: list[str] = []
        self.seen: set[str] = set()
        self.acts: dict[Callable[[], None], int] = {
            self.submit: 14, self.code: 4, self.correct: 2, self.refer: 5, self.step_aside: 3,
            self.settle: 6, self.take_in: 2, self.deal_all: 3, self.even_out: 4, self.open_and_leave: 2,
            self.time_passes: 2, self.leave: 1, self.join: 1, self.hold_up: 1, self.go_on: 2,
            self.close: 1, self.reopen: 2, self.decide: 3, self.bring_back: 1, self.lift: 1,
            self.plant_extra: 2, self.reveal: 1, self.print_some: 1, self.pass_on: 1,
            self.adjudicate: 2, self.raise_one: 1,
        }  # fmt: skip

    def step(self) -> None:
        """Do one act, or be refused."""
        (act,) = self.draw.choices(list(self.acts), weights=list(self.acts.values()))
        self.trail.append(act.__name__)
        try:
            act()
        except GraderAppError as refusal:
            self.refused[act.__name__] += 1
            self.trail[-1] += f" ({refusal})"

    # What graders do.

    def submit(self) -> None:
        self._grade(lambda dealt: self._entry(dealt))

    def code(self) -> None:
        code = self.draw.choice(["blank", "off-topic"])
        self._grade(
            lambda dealt: GradeEntry(condition_code=code) if dealt.item == ITEMS[0] else self._entry(dealt)
        )

    def correct(self) -> None:
        with self.bench.record() as record:
            graded = sorted(record.grades)
            dealt = record.assignments[self.draw.choice(graded)] if graded else None
        if dealt:
            entry = self._entry(dealt)
            token = next(self.small.tokens)
            correct_grade(self.bench, dealt.grader_id, dealt.assignment_id, entry, reason=WHY, token=token)

    def refer(self) -> None:
        self._refer(self.draw.choice([reason for reason in REASONS if reason != "conflict"]))

    def step_aside(self) -> None:
        self._refer("conflict")

    def open_and_leave(self) -> None:
        dealt = self._next()
        if dealt:
            save_draft(self.bench, dealt.grader_id, dealt.assignment_id, {"note": "later"})
            until = as_text(self.small.clock.now)
            with self.bench.store.write() as connection:
                connection.execute("INSERT OR REPLACE INTO lease VALUES (?, ?)", (dealt.assignment_id, until))

    def even_out(self) -> None:
        for grader in active_graders(self.bench):
            next_sheet_or_none(self.bench, grader.account_id)

    # What the lead does.

    def settle(self) -> None:
        waiting = open_referrals(self.bench)
        if waiting:
            self._settle(self.draw.choice(waiting).assignment_id, self.draw.choice("rdet"))

    def decide(self) -> None:
        waiting = coded_answers(self.bench) + coded_answers(self.bench, decided=True)
        if waiting:
            how = self.draw.choice(["zero", "lowest", "excluded", "scored"])
            decide_code(self.bench, self.small.actor, self.draw.choice(waiting).response_id, how)

    def deal_all(self) -> None:
        deal_left_behind(self.bench, self.small.actor)
        deal(self.bench, self.small.actor)

    def bring_back(self) -> None:
        out = [one for one in closed_referrals(self.bench) if one.can_come_back]
        if out:
            bring_back(self.bench, self.small.actor, self.draw.choice(out).assignment_id, WHY)

    def lift(self) -> None:
        held = recusals(self.bench)
        if held:
            lift_recusal(self.bench, self.small.actor, self.draw.choice(held).assignment_id, WHY)

    def print_some(self) -> None:
        token = next(self.small.tokens)
        print_packet(self.bench, self.small.actor, self._grader(), self.draw.choice(ITEMS), 2, token=token)

    def pass_on(self) -> None:
        pass_on(self.bench, self.small.actor, self._grader())

    def adjudicate(self) -> None:
        waiting = [one.response_id for part in open_disputes(self.bench) for one in part]
        if waiting:
            response_id = self.draw.choice(waiting)
            item = self._item_of(response_id)
            coded = item == ITEMS[0] and self.draw.random() < 0.4
            entry = GradeEntry(condition_code="off-topic") if coded else _plain_of(item)
            with contextlib.suppress(NotAllowed):
                look_first(self.bench, self.small.actor, response_id, entry)
            adjudicate(self.bench, self.small.actor, response_id, entry, reason=WHY)

    def raise_one(self) -> None:
        with self.bench.record() as record:
            final = [r for r in record.response_ids() if record.standing(r).status == "final"]
        if final:
            raise_dispute(self.bench, self.small.actor, self.draw.choice(final), WHY)

    def hold_up(self) -> None:
        pause(self.bench, self.small.actor, self._grader(), self.draw.choice(ITEMS))

    def go_on(self) -> None:
        with self.bench.record() as record:
            paused = sorted(record.calibration.paused)
        if paused:
            resume(self.bench, self.small.actor, *self.draw.choice(paused), WHY)

    def close(self) -> None:
        close_item(self.bench, self.small.actor, self.draw.choice(ITEMS))

    def reopen(self) -> None:
        reopen_item(self.bench, self.small.actor, self.draw.choice(ITEMS), WHY)

    # What happens around them.

    def take_in(self) -> None:
        if self.candidates and self.draw.random() < 0.6:
            self.small.take_in_of(self.draw.choice(ITEMS), self.draw.choice(self.candidates))
            return
        self.small.take_in_of_one_candidate(*ITEMS)
        with self.bench.record() as record:
            self.candidates = sorted({r["candidate_id"] for r in record.inputs.responses.values()})

    def leave(self) -> None:
        active = active_graders(self.bench)
        if len(active) > 1:
            disable_account(self.bench, self.small.actor, self.draw.choice(active))

    def join(self) -> None:
        if len(self.small.graders) < 9:
            self.small.add_grader(f"grader-{len(self.small.graders) + 1}")

    def time_passes(self) -> None:
        self.small.clock.passes(hours=self.draw.choice([1, 8, 60]))

    def plant_extra(self) -> None:
        """Put a read no score waits for before somebody: an apprentice's, or a repeat of their own."""
        grader_id, kind = self._grader(), self.draw.choice([ReadKind.APPRENTICE, ReadKind.REPEAT])
        with self.bench.record() as record:
            given = {g.response_id for g in record.grades.values() if g.grader_id == grader_id}
            had = {a.response_id for a in record.assignments.values() if a.grader_id == grader_id}
            again = {a.response_id for a in record.assignments.values() if a.kind is ReadKind.REPEAT}
            aside = {r for r in record.response_ids() if record.is_recused(grader_id, r)}
            fit = given - again if kind is ReadKind.REPEAT else set(record.response_ids()) - had
            fit -= record.revealed | aside
        if fit:
            response_id = self.draw.choice(sorted(fit))
            name, item = f"x{len(self.trail)}", self._item_of(response_id)
            self.small.plant(Assignment(name, response_id, item, grader_id, 900, 0, kind))

    def reveal(self) -> None:
        with self.bench.record() as record:
            final = [r for r in record.response_ids() if record.standing(r).status == "final"]
        if final and self.draw.random() < 0.3:
            self.small.append(EventKind.SOURCES_REVEALED, "export", response_ids=[self.draw.choice(final)])

    # Helpers.

    def _entry(self, dealt: Assignment) -> GradeEntry:
        if dealt.item == ITEMS[0]:
            return GradeEntry(score=float(self.draw.choice([3, 3, 4])))
        return GradeEntry(marks={"correctness": 1.0, "analysis": 1.0})

    def _grader(self) -> str:
        return self.draw.choice(active_graders(self.bench)).account_id

    def _item_of(self, response_id: str) -> str:
        with self.bench.record() as record:
            return str(record.inputs.responses[response_id]["item"])

    def _next(self) -> Assignment | None:
        sheet = next_sheet_or_none(self.bench, self._grader())
        if sheet is None:
            return None
        with self.bench.record() as record:
            return record.assignments[sheet.assignment_id]

    def _grade(self, entry_of: Callable[[Assignment], GradeEntry]) -> None:
        dealt = self._next()
        if dealt:
            self.small.submit(dealt, entry=entry_of(dealt))

    def _refer(self, reason: str) -> None:
        dealt = self._next()
        if dealt:
            token = next(self.small.tokens)
            refer_to_lead(self.bench, dealt.grader_id, dealt.assignment_id, reason, token=token)

    def _settle(self, assignment_id: str, how: str) -> None:
        actor = self.small.actor
        if how == "r":
            return_to_grader(self.bench, actor, assignment_id, reason=WHY)
        elif how == "e":
            exclude(self.bench, actor, assignment_id, WHY)
        elif how == "t":
            take_out(self.bench, actor, assignment_id, reason=WHY)
        elif others := other_graders(self.bench, assignment_id):
            to = self.draw.choice(others).account_id
            deal_to_another(self.bench, actor, assignment_id, to, reason=WHY)

    # What must be true.

    def places(self) -> dict[str, str]:
        """Say of each answer where it is; an answer that is nowhere fails."""
        left = {one.assignment_id for one in left_behind(self.bench)}
        queued = {
            one.assignment_id
            for grader in active_graders(self.bench)
            for one in waiting_in_queue(self.bench.store, grader.account_id)
        }
        coded = {one.response_id for one in coded_answers(self.bench)}
        with self.bench.record() as record:
            return {
                response_id: self._place(record, response_id, queued, left, coded)
                for response_id in record.response_ids()
            }

    def _place(
        self, record: GradingRecord, response_id: str, queued: set[str], left: set[str], coded: set[str]
    ) -> str:
        if response_id in record.revealed:
            return "revealed"
        if response_id in record.excluded:
            return "out of the round"
        if record.inputs.responses[response_id]["item"] in record.closed_items:
            return "closed"
        sent = [one for one in record.referrals.values() if one.response_id == response_id]
        if any(one.is_incident for one in sent):
            return "incident"
        state = record.standing(response_id)
        if state.status == "disputed":
            return "disputed"
        if state.status == "coded":
            waits = state.for_lead is not None and not state.for_lead.decided
            assert waits == (response_id in coded), self.trail
            return "coded, with the lead" if waits else "coded"
        if state.status == "final":
            return "final"
        if not record.is_dealt(response_id):
            return "not dealt"
        outstanding = [
            a
            for a in record.assignments.values()
            if a.response_id == response_id
            and a.kind in COUNTING
            and a.assignment_id not in record.released | record.grades.keys()
        ]
        assert outstanding, f"{response_id} waits for nobody: {self.trail}"
        with_lead = {one.assignment_id for one in sent}
        for one in outstanding:
            places = (queued, left, with_lead, record.printed.keys() - with_lead)
            there = [one.assignment_id in where for where in places]
            assert sum(there) == 1, f"{one} is in {there} of queue, left behind, lead, paper: {self.trail}"
        return "waiting"

    def check(self) -> None:
        """Hold the live tables to the events, and the events to what was true before."""
        with self.bench.record() as record:
            assert self.seen <= record.grades.keys(), self.trail
            self.seen |= record.grades.keys()
            for response_id in record.response_ids():
                numbers = [grade.read_number for grade in record.reads(response_id)]
                assert len(set(numbers)) == len(numbers), self.trail
            for grader in self.small.graders:
                live = {one.assignment_id for one in waiting_in_queue(self.bench.store, grader.account_id)}
                assert live == _replayed_queue(record, grader.account_id), self.trail
            for one in record.assignments.values():
                waits = (
                    one.assignment_id not in record.released | record.history.keys() | record.referrals.keys()
                )
                recused = (one.grader_id, record.candidate_of(one.response_id)) in record.recusals
                held = one.response_id in record.excluded or one.response_id in record.revealed
                assert not (waits and recused and not held), self.trail
        self.places()

    def replayed_anew(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Give the record as kept along the way, and as the whole log tells it."""
        with self.bench.record() as record:
            kept = _told(record)
        return kept, _told(GradingRecord(read_events(self.bench.store), read_inputs(self.bench.store)))

    def finish(self, rounds: int = 60) -> dict[str, str]:
        """Bring everything to its end by acts the workbench allows; give where each answer then is."""
        for _ in range(rounds):
            places = self.places()
            if not set(places.values()) & {
                "waiting",
                "incident",
                "disputed",
                "not dealt",
                "coded, with the lead",
            }:
                return places
            self._lead_clears_the_desk()
            for grader in active_graders(self.bench):
                while (sheet := next_sheet_or_none(self.bench, grader.account_id)) is not None:
                    with self.bench.record() as record:
                        dealt = record.assignments[sheet.assignment_id]
                    self.small.submit(dealt, entry=_plain(dealt))
        raise AssertionError(f"not final after {rounds} rounds: {self.places()} {self.trail}")

    def _lead_clears_the_desk(self) -> None:
        actor = self.small.actor
        with self.bench.record() as record:
            paused = sorted(record.calibration.paused)
        for grader_id, item in paused:
            resume(self.bench, actor, grader_id, item, WHY)
        for packet in packets(self.bench):
            with contextlib.suppress(NotAllowed):
                recall_packet(self.bench, actor, packet.packet.packet_id, WHY)
        for one in open_referrals(self.bench):
            if one.item in self._closed():
                continue
            if one.is_check:
                take_out(self.bench, actor, one.assignment_id, reason=WHY)
            elif others := other_graders(self.bench, one.assignment_id):
                deal_to_another(self.bench, actor, one.assignment_id, others[0].account_id, reason=WHY)
            else:
                self.small.add_grader(f"grader-{len(self.small.graders) + 1}")
        while len(active_graders(self.bench)) < 2:
            self.small.add_grader(f"grader-{len(self.small.graders) + 1}")
        self.deal_all()
        if left_behind(self.bench) or "not dealt" in self.places().values():
            self.small.add_grader(f"grader-{len(self.small.graders) + 1}")
            self.deal_all()
        for coded in coded_answers(self.bench):
            decide_code(self.bench, actor, coded.response_id, "zero")
        self._settle_disputes()

    def _closed(self) -> set[str]:
        with self.bench.record() as record:
            return set(record.closed_items)

    def _settle_disputes(self) -> None:
        """Settle what waits for the adjudicator: a look of one's own first, where that is asked for."""
        for one in open_disputes(self.bench)[0]:
            entry = _plain_of(one.item)
            with contextlib.suppress(NotAllowed):
                look_first(self.bench, self.small.actor, one.response_id, entry)
            adjudicate(self.bench, self.small.actor, one.response_id, entry, reason=WHY)


def _plain(dealt: Assignment) -> GradeEntry:
    return _plain_of(dealt.item)


def _plain_of(item: str) -> GradeEntry:
    if item == ITEMS[0]:
        return GradeEntry(score=3)
    return GradeEntry(marks={"correctness": 1.0, "analysis": 1.0})


def _replayed_queue(record: GradingRecord, grader_id: str) -> set[str]:
    """Work out from events alone what waits in a grader's queue."""
    held = {one.response_id for one in record.referrals.values() if one.is_incident}
    gone = (
        record.printed.keys()
        | record.released
        | record.referrals.keys()
        | record.history.keys()
        | set(record.excluded.values())
    )
    out = held | record.excluded.keys() | record.revealed
    known = {record.inputs.responses[r]["item"] for r in record.revealed}
    return {
        one.assignment_id
        for one in record.assignments.values()
        if one.grader_id == grader_id
        and one.assignment_id not in gone
        and one.response_id not in out
        and (one.kind in COUNTING or one.item not in known)
    }


def _told(record: GradingRecord) -> dict[str, Any]:
    told = {
        name: getattr(record, name)
        for name in (
            "assignments", "grades", "check_grades", "referrals", "settled", "recusals", "released",
            "taken_over", "excluded", "decisions", "superseded", "closed_items", "revealed", "deals",
        )
    }  # fmt: skip
    return told | {"standings": {r: record.standing(r) for r in record.response_ids()}}
