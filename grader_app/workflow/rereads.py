"""Beginning re-reads before release, and calling one off."""

from __future__ import annotations

from collections.abc import Iterable

from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.rereads import REREAD
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.event_log import append
from grader_app.store.texts import keep_text
from grader_app.workflow.reread_plan import Paper, RereadPlan, plan_band, plan_picked
from grader_app.workflow.reread_readers import deal_again
from grader_app.workflow.returns import record_return
from grader_app.workflow.workbench import Workbench


def plan_rereads(bench: Workbench, papers: Iterable[Paper] | None = None) -> RereadPlan:
    """Say what `begin_rereads` would do; records nothing.

    Parameters
    ----------
    papers
        Single papers, by candidate and item; None for all papers of the candidates in the band.
    """
    with bench.record() as record:
        return _plan(bench, record, papers)


def begin_rereads(bench: Workbench, actor: str, papers: Iterable[Paper] | None = None) -> RereadPlan:
    """Send papers to be read again by graders who never had them; all of them or none.

    Parameters
    ----------
    papers
        As in `plan_rereads`.

    Raises
    ------
    NotAllowed
        Re-reads cannot begin now, nothing is to be read, or for some answer no grader is left.

    Notes
    -----
    The rule is written into the event, so that it holds whatever the round says later.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            plan = _plan(bench, record, papers)
            _refuse(plan)
            items = {r: str(record.inputs.responses[r]["item"]) for r in plan.readers}
            rows = [{"response_id": r, "settles": _settled(record, r)} for r in sorted(plan.readers)]
            round_id = record.round.id if record.round else ""
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.REREADS_BEGUN,
            subject=round_id,
            body={"rule": plan.rule.rule, "gap": plan.rule.gap, "picked": plan.picked, "papers": rows},
        )
        deal_again(bench, connection, actor, plan.readers, items, REREAD)
    return plan


def call_off_reread(bench: Workbench, actor: str, response_id: str, reason: str) -> None:
    """Take a re-read that is not in out of its queue; the first score stands again.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        No re-read of it waits, or it has been read again and waits for a third read.
    """
    if not reason.strip():
        raise GradeProblem("Calling a re-read off needs a reason; write one in a few words.")
    with bench.store.write() as connection:
        with bench.record() as record:
            reread = record.reread_or_none(response_id)
            gone = record.released | record.superseded
            waiting = record.rereads.dealt_of(response_id, gone)
            item = record.inputs.responses.get(response_id, {}).get("item")
            closed = item in record.closed_items
        if reread is None or not reread.waits:
            raise NotAllowed("No re-read of this answer waits any more. Reload the page.")
        if reread.second is not None:
            raise NotAllowed("This answer has been read again, and that counts. Let it be read a third time.")
        if closed:
            raise NotAllowed("This question is closed, so its scores no longer change. Reopen it first.")
        body = {"decision": "taken_out", "why": "called_off", "reason_hash": keep_text(connection, reason)}
        for one in waiting:
            record_return(bench, connection, actor, one.assignment_id, body)


def _plan(bench: Workbench, record: GradingRecord, papers: Iterable[Paper] | None) -> RereadPlan:
    return plan_band(bench, record) if papers is None else plan_picked(bench, record, papers)


def _refuse(plan: RereadPlan) -> None:
    if plan.nobody:
        raise NotAllowed(
            f"For {len(plan.nobody)} of {len(plan.nobody) + len(plan.readers)} answers no grader is left who "
            "is new to them and may grade the question. Nothing was dealt; add a grader, or qualify one."
        )
    if not plan.readers:
        where = "Nothing was picked" if plan.picked else "No total in the band has papers left"
        raise NotAllowed(f"{where} to read again.")


def _settled(record: GradingRecord, response_id: str) -> list[int]:
    """List the events that made the first score: the reads, a third read, and an adjudication over them."""
    seqs = [one.event_seq for one in record.judgments(response_id)]
    adjudication = record.settling_of(response_id).adjudication
    return [*seqs, *([] if adjudication is None else [adjudication.event_seq])]
