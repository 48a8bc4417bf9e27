"""Calibration, step two: scoring the packet, and what the gate says of it."""

from __future__ import annotations

from grader_app.agreement.of_attempt import is_scored, report_of_attempt, set_content
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.response import BlindSheet
from grader_app.errors import AlreadyGraded, NotAllowed
from grader_app.store.event_log import append
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.live_grading import sheet_of
from grader_app.workflow.workbench import Workbench


def next_paper_or_none(bench: Workbench, grader_id: str, attempt_id: str) -> BlindSheet | None:
    """Give the next paper to score in the grader's own order; None when all have a score."""
    attempt = own_attempt(bench, grader_id, attempt_id)
    with bench.record() as record:
        left = [a for a in attempt.assignment_ids if a not in record.check_grades]
        dealt = record.assignments[left[0]] if left else None
    return None if dealt is None else sheet_of(bench, dealt)


def scored_so_far(bench: Workbench, grader_id: str, attempt_id: str) -> list[tuple[str, str]]:
    """List the papers of an attempt that have a score, each with what was given, in scoring order."""
    attempt = own_attempt(bench, grader_id, attempt_id)
    with bench.record() as record:
        return [
            (a, grade.condition_code or f"{grade.score:g}")
            for a in attempt.assignment_ids
            if (grade := record.check_grades.get(a)) is not None
        ]


def refuse_unless_scoring(bench: Workbench, dealt: Assignment) -> None:
    """Refuse to score a packet's paper before its papers are in order, and after the gate has spoken.

    Raises
    ------
    NotAllowed
        Step one comes first.
    AlreadyGraded
        The attempt has been judged.
    """
    if dealt.kind is not ReadKind.CALIBRATION:
        return
    with bench.record() as record:
        attempt = record.calibration.attempt_of(dealt.assignment_id)
    if attempt.judgment is not None:
        raise AlreadyGraded("This packet is finished, so its scores no longer change.")
    if attempt.order is None and attempt.purpose != "codes":
        raise NotAllowed("Put the papers in order first. Open the calibration page.")


def finish_attempt_if_scored(bench: Workbench, dealt: Assignment) -> None:
    """Record what the gate says once the last paper of a packet has its score; does nothing otherwise."""
    if dealt.kind is not ReadKind.CALIBRATION:
        return
    with bench.record() as record:
        attempt = record.calibration.attempt_of(dealt.assignment_id)
        ready = attempt.judgment is None and is_scored(record, attempt)
        panel_decides = set_content(record, attempt)["set"]["reference"] == "panel" and attempt.packet > 1
    if ready and not panel_decides:
        judge_attempt(bench, attempt.grader_id, attempt)


def finish_what_is_scored(bench: Workbench, grader_id: str) -> None:
    """Judge what a breakdown between the last score and the gate left unjudged."""
    with bench.record() as record:
        left = [
            record.assignments[attempt.assignment_ids[0]]
            for attempt in record.calibration.attempts.values()
            if attempt.grader_id == grader_id and attempt.judgment is None and is_scored(record, attempt)
        ]
    for dealt in left:
        finish_attempt_if_scored(bench, dealt)


def judge_attempt(bench: Workbench, actor: str, attempt: Attempt) -> None:
    """Record the judgment of a scored attempt, once; paused work goes on when the grader qualifies."""
    with bench.store.write() as connection:
        with bench.record() as record:
            current = record.calibration.attempts[attempt.attempt_id]
            if current.judgment is not None:
                return
            report = report_of_attempt(record, current, resamples=0)
            pause = record.calibration.paused.get((current.grader_id, current.item))
            # A packet begun before the pause says nothing about what led to it.
            paused = pause is not None and current.begun_at >= pause.at and not pause.whole
        if report.gate is not None:
            outcome = "qualified" if report.gate.passed else "not_qualified"
            conditions = [
                {"name": c.name, "value": c.value, "needed": c.needed, "met": c.met, "says": c.says}
                for c in report.gate.conditions
            ]
        else:
            outcome = "exercise" if current.purpose == "codes" else "reference"
            conditions = []
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.QUALIFICATION_JUDGED,
            subject=current.attempt_id,
            body={
                "grader_id": current.grader_id,
                "item": current.item,
                "item_hash": current.item_hash,
                "set": current.set_id,
                "set_hash": current.set_hash,
                "number": current.number,
                "outcome": outcome,
                "conditions": conditions,
            },
        )
        if outcome == "qualified" and paused:
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.GRADING_RESUMED,
                subject=current.grader_id,
                body={"item": current.item, "why": "Calibrated anew."},
            )
