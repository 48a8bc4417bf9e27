"""Why a grader may or may not grade an item live: qualified, allowed by the lead, paused."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.calibration_record import Pause
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Account, Assignment, ReadKind, Role
from grader_app.domain.qualification import Qualification, qualification_of
from grader_app.errors import GradeProblem, NotAllowed, NotQualified
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.event_log import append, last_seq_among
from grader_app.workflow.workbench import Workbench

_CHANGE_STANDING = (
    EventKind.FILE_REGISTERED,
    EventKind.CALIBRATION_BEGUN,
    EventKind.QUALIFICATION_JUDGED,
    EventKind.QUALIFICATION_OVERRIDDEN,
    EventKind.GUIDELINES_REREAD,
    EventKind.GRADING_PAUSED,
    EventKind.GRADING_RESUMED,
)


@dataclass(frozen=True)
class Standing:
    """Where a grader stands with an item.

    Parameters
    ----------
    qualification
        Qualified, allowed, or not yet.
    pause
        Set while live work is stopped until the grader has been calibrated anew.
    """

    qualification: Qualification
    pause: Pause | None

    @property
    def may_grade(self) -> bool:
        """Whether live grading is open."""
        return self.qualification.may_grade and self.pause is None

    @property
    def says(self) -> str:
        """Give a sentence for the grader."""
        return self.pause.why if self.pause is not None else self.qualification.says


def standing_of(bench: Workbench, grader_id: str, item: str) -> Standing:
    """Say where a grader stands with an item of the round.

    Notes
    -----
    Asked at every draft and every submission, so the answer is kept until an event changes it.
    """
    stamp = last_seq_among(bench.store, _CHANGE_STANDING)
    kept = bench.standings.get((grader_id, item))
    if kept is None or kept[0] != stamp:
        with bench.record() as record:
            found = Standing(
                qualification_of(record, grader_id, item), record.calibration.paused.get((grader_id, item))
            )
        kept = (stamp, found)
        bench.standings[grader_id, item] = kept
    standing: Standing = kept[1]
    return standing


def open_items(bench: Workbench, grader_id: str) -> list[str]:
    """List the items a grader may grade live, in the round's order."""
    return [item for item in bench.material().items if standing_of(bench, grader_id, item).may_grade]


def is_stopped(bench: Workbench, grader_id: str, item: str) -> bool:
    """Say whether a grader did not qualify for an item and has no attempt left."""
    if item not in bench.material().items:
        return False
    return standing_of(bench, grader_id, item).qualification.status == "stopped"


def refuse_unqualified(bench: Workbench, dealt: Assignment) -> None:
    """Refuse live grading to whoever may not grade the item.

    Raises
    ------
    NotQualified
        Saying what comes first.
    """
    if dealt.kind is ReadKind.CALIBRATION or dealt.item not in bench.material().items:
        return
    standing = standing_of(bench, dealt.grader_id, dealt.item)
    if not standing.may_grade:
        raise NotQualified(f"{standing.says} Open the calibration page.")


def let_grade(bench: Workbench, actor: str, grader_id: str, item: str, reason: str) -> None:
    """Let somebody grade an item without having qualified.

    Parameters
    ----------
    reason
        Stands in the event, not in a row that can be destroyed: every export shows it.

    Raises
    ------
    GradeProblem
        No reason was given, or it is too long to print.
    NotAllowed
        There is no such grader, or they may grade already.
    """
    reason = " ".join(reason.split())
    if not 5 <= len(reason) <= 500:
        raise GradeProblem("Letting somebody grade needs a reason of 5 to 500 characters; exports print it.")
    item_id = bench.material().item(item).id
    account = get_account_or_none(bench.store, grader_id)
    if account is None or account.role is not Role.GRADER:
        raise NotAllowed("There is no such grader. Reload the page.")
    if standing_of(bench, grader_id, item_id).qualification.may_grade:
        raise NotAllowed(f"{account.name} may grade {item_id} already.")
    with bench.record() as record:
        item_hash = record.current_files["item", item_id]
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.QUALIFICATION_OVERRIDDEN,
            subject=grader_id,
            body={"item": item_id, "item_hash": item_hash, "reason": reason},
        )


def let_all_grade(bench: Workbench, actor: str, item: str, reason: str) -> int:
    """Let every enabled grader in who has not qualified for an item; give how many were let in."""
    waiting = [
        account.account_id
        for account in enabled_graders(bench)
        if standing_of(bench, account.account_id, item).qualification.status in ("open", "stopped", "no_set")
    ]
    for grader_id in waiting:
        let_grade(bench, actor, grader_id, item, reason)
    return len(waiting)


def enabled_graders(bench: Workbench) -> list[Account]:
    """List the graders whose accounts are enabled, simulated ones too."""
    return [a for a in accounts(bench.store) if a.role is Role.GRADER and not a.disabled]
