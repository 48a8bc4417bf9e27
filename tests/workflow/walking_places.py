"""Where each answer is, and what must be true of it, whatever has happened."""

from __future__ import annotations

from typing import Any

from small_workspace import SmallWorkspace
from walking_acts import Acts

from grader_app.domain.grading_record import GradingRecord
from grader_app.store.assignments import waiting_in_queue
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.coded_answers import coded_answers
from grader_app.workflow.moving import COUNTING, active_graders
from grader_app.workflow.redealing import left_behind


class Places(Acts):
    """Holds the live tables to the events."""

    def __init__(self, small: SmallWorkspace, seed: int) -> None:
        super().__init__(small, seed)
        self.seen: set[str] = set()

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
            and a.assignment_id not in record.released | record.history.keys()
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
