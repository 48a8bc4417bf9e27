"""What graders, the lead and the world around them can do in a random walk."""

from __future__ import annotations

import contextlib

from walker import ITEMS, WHY, Walker, plain_of

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.read_again import answers_read_again
from grader_app.domain.referral import REASONS
from grader_app.domain.rereads import REREAD
from grader_app.errors import NotAllowed
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.adjudication import adjudicate, look_first, open_disputes, raise_dispute
from grader_app.workflow.assignment import deal
from grader_app.workflow.clock import as_text
from grader_app.workflow.coded_answers import coded_answers, decide_code
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.live_grading import next_sheet_or_none, save_draft
from grader_app.workflow.monitoring import pause, resume
from grader_app.workflow.moving import active_graders
from grader_app.workflow.passing_on import pass_on
from grader_app.workflow.printed_packets import print_packet
from grader_app.workflow.recusals import lift_recusal, recusals
from grader_app.workflow.redealing import deal_left_behind
from grader_app.workflow.referrals import (
    bring_back,
    closed_referrals,
    open_referrals,
)
from grader_app.workflow.reread_readers import NewReaders, deal_again
from grader_app.workflow.rereads import call_off_reread


class Acts(Walker):
    """Every act is one the workbench allows, or refuses with a sentence."""

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
            entry = GradeEntry(condition_code="off-topic") if coded else plain_of(item)
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

    def read_again(self) -> None:
        """Send a scored answer to be read again, as re-reads before release do for a whole band."""
        with self.bench.record() as record:
            rule = record.round.reread if record.round else None
            over = rule is None or record.revealed or ITEMS[0] in record.closed_items
            scored = [
                r
                for r in record.response_ids(ITEMS[0])
                if not over and record.standing(r).status == "final" and record.reread_or_none(r) is None
            ]
            response_id = self.draw.choice(scored) if scored else ""
            reader = NewReaders(self.bench, record).take_or_none(response_id, ITEMS[0]) if scored else None
            settles = [one.event_seq for one in record.judgments(response_id)] if scored else []
        if reader is None or rule is None:
            return
        papers = [{"response_id": response_id, "settles": settles}]
        by = {"rule": rule.rule, "gap": rule.gap, "picked": True}
        self.small.append(EventKind.REREADS_BEGUN, "small-round", **by, papers=papers)
        with self.bench.store.write() as connection:
            readers, items = {response_id: reader}, {response_id: ITEMS[0]}
            deal_again(self.bench, connection, self.small.actor, readers, items, REREAD)

    def call_off(self) -> None:
        with self.bench.record() as record:
            going = [r for r in answers_read_again(record) if record.standing(r).status == "waiting"]
        if going:
            call_off_reread(self.bench, self.small.actor, self.draw.choice(going), WHY)

    def reveal(self) -> None:
        with self.bench.record() as record:
            final = [r for r in record.response_ids() if record.standing(r).status == "final"]
        if final and self.draw.random() < 0.3:
            self.small.append(EventKind.SOURCES_REVEALED, "export", response_ids=[self.draw.choice(final)])
