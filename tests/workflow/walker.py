"""The workspace a random walk goes through, and the moves from which its acts are made."""

from __future__ import annotations

import random
from collections.abc import Callable

from small_workspace import SmallWorkspace

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.moving import active_graders
from grader_app.workflow.referrals import (
    deal_to_another,
    exclude,
    other_graders,
    return_to_grader,
    take_out,
)

ITEMS = ("mee-barge", "rule-ferry")
WHY = "As the panel agreed."


class Walker:
    """A workspace, a source of chance, and what happened so far."""

    def __init__(self, small: SmallWorkspace, seed: int) -> None:
        self.small, self.bench = small, small.bench
        self.draw = random.Random(seed)
        self.trail: list[str] = []
        self.candidates: list[str] = []

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


def plain_of(item: str) -> GradeEntry:
    if item == ITEMS[0]:
        return GradeEntry(score=3)
    return GradeEntry(marks={"correctness": 1.0, "analysis": 1.0})
