"""Random walks through everything that can happen to an answer, and where each answer then is."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable

from small_workspace import SmallWorkspace
from walker import WHY, plain_of
from walking_places import Places

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import GraderAppError, NotAllowed
from grader_app.workflow.adjudication import adjudicate, look_first, open_disputes
from grader_app.workflow.coded_answers import coded_answers, decide_code
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.monitoring import resume
from grader_app.workflow.moving import active_graders
from grader_app.workflow.printed_packets import packets, recall_packet
from grader_app.workflow.redealing import left_behind
from grader_app.workflow.referrals import (
    deal_to_another,
    open_referrals,
    other_graders,
    take_out,
)


class Walk(Places):
    """One walk through a workspace; every act is one the workbench allows, or refuses with a sentence."""

    def __init__(self, small: SmallWorkspace, seed: int) -> None:
        super().__init__(small, seed)
        self.refused: Counter[str] = Counter()
        self.acts: dict[Callable[[], None], int] = {
            self.submit: 14, self.code: 4, self.correct: 2, self.refer: 5, self.step_aside: 3,
            self.settle: 6, self.take_in: 2, self.deal_all: 3, self.even_out: 4, self.open_and_leave: 2,
            self.time_passes: 2, self.leave: 1, self.join: 1, self.hold_up: 1, self.go_on: 2,
            self.close: 1, self.reopen: 2, self.decide: 3, self.bring_back: 1, self.lift: 1,
            self.plant_extra: 2, self.reveal: 1, self.print_some: 1, self.pass_on: 1,
            self.adjudicate: 2, self.raise_one: 1, self.read_again: 2, self.call_off: 1,
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
            entry = plain_of(one.item)
            with contextlib.suppress(NotAllowed):
                look_first(self.bench, self.small.actor, one.response_id, entry)
            adjudicate(self.bench, self.small.actor, one.response_id, entry, reason=WHY)


def _plain(dealt: Assignment) -> GradeEntry:
    return plain_of(dealt.item)
