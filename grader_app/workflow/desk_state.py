"""What has become of the answer on a grader's desk: a page asks, so that each tab knows what another did."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.panel import ReadKind
from grader_app.store import drafts, leases
from grader_app.store.grades import graded_at_or_none, surplus_at_or_none
from grader_app.store.stages import closed_items, set_aside_by_or_none
from grader_app.workflow.leases import hold_or_none
from grader_app.workflow.live_grading import own_assignment
from grader_app.workflow.own_grades import find_own_grade
from grader_app.workflow.surplus import WentElsewhere, went_elsewhere_or_none
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class DeskState:
    """Where an answer stands for the grader who has it on the desk.

    Parameters
    ----------
    submitted_at, gave
        The grader's own grade as it stands: when it was given or last corrected, and what; None without one.
    draft
        What is kept of an unfinished grade, or None.
    leased_until
        UTC time until which nobody else is given the answer; None when it is not held.
    sent_to_lead
        True while it waits with the panel lead.
    elsewhere
        Set once it has gone to another reader.
    surplus_at
        When a grade of it was kept as surplus, or None.
    closed
        True once the lead has closed the question.
    """

    submitted_at: str | None
    gave: str | None
    draft: drafts.Draft | None
    leased_until: str | None
    sent_to_lead: bool
    elsewhere: WentElsewhere | None
    surplus_at: str | None
    closed: bool


def desk_state(bench: Workbench, grader_id: str, assignment_id: str, *, at_work: bool = False) -> DeskState:
    """Say where an answer of one's own queue stands.

    Parameters
    ----------
    at_work
        True when the grader has read or moved since the page last asked: the answer is held anew.

    Raises
    ------
    NotDealtToYou
        It is not in the queue.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    with bench.store.connection() as connection:
        graded = graded_at_or_none(connection, assignment_id) is not None
        set_aside = set_aside_by_or_none(connection, assignment_id)
        elsewhere = None if graded else went_elsewhere_or_none(connection, assignment_id)
        surplus_at = surplus_at_or_none(connection, assignment_id)
        until = leases.expires_at_or_none(connection, assignment_id)
    if at_work and not graded and set_aside is None and dealt.kind is not ReadKind.CALIBRATION:
        until = hold_or_none(bench, assignment_id)
    own = find_own_grade(bench, grader_id, assignment_id) if graded else None
    return DeskState(
        submitted_at=own.submitted_at if own else None,
        gave=own.gave if own else None,
        draft=drafts.get_draft_or_none(bench.store, assignment_id),
        leased_until=None if set_aside else until,
        sent_to_lead=set_aside == "grader",
        elsewhere=elsewhere,
        surplus_at=surplus_at,
        closed=dealt.kind is not ReadKind.CALIBRATION and dealt.item in closed_items(bench.store),
    )
