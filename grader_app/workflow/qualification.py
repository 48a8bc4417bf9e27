"""Why a grader may or may not grade an item live: qualified, allowed by the lead, paused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader_app.domain.calibration_record import Override, Pause
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Account, Assignment, ReadKind, Role
from grader_app.domain.qualification import Qualification, qualification_of
from grader_app.errors import GradeProblem, NotAllowed, NotQualified
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.database import Connection
from grader_app.store.event_log import append, last_seq_among
from grader_app.workflow.workbench import Workbench

_SHORTEST_NAME = 3
_CHANGE_STANDING = (
    EventKind.FILE_REGISTERED,
    EventKind.CALIBRATION_BEGUN,
    EventKind.QUALIFICATION_JUDGED,
    EventKind.QUALIFICATION_OVERRIDDEN,
    EventKind.QUALIFICATION_WITHDRAWN,
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
    def is_paused_for_all(self) -> bool:
        """Whether nothing but a pause of everybody stands in the way."""
        return self.qualification.may_grade and self.pause is not None and self.pause.whole

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
    return bench.kept_while_only_graded(
        ("standing", grader_id, item), lambda: _standing(bench, grader_id, item)
    )


def _standing(bench: Workbench, grader_id: str, item: str) -> Standing:
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
        step = "" if standing.is_paused_for_all else " Open the calibration page."
        raise NotQualified(f"{standing.says}{step}")


def let_grade(bench: Workbench, actor: str, grader_id: str, item: str, reason: str) -> None:
    """Let somebody grade an item without having qualified.

    Parameters
    ----------
    reason
        Stands in the event, not in a row that can be destroyed: every export shows it.

    Raises
    ------
    GradeProblem
        No reason was given, it is too long to print, or it names somebody.
    NotAllowed
        There is no such grader, or they may grade already.
    """
    reason = printable_reason(bench, reason, "Letting somebody grade")
    item_id = bench.material().item(item).id
    account = _grader(bench, grader_id)
    with bench.store.write() as connection:
        # Looked up inside the transaction, so that a second click adds nothing.
        with bench.record() as record:
            may_grade = qualification_of(record, grader_id, item_id).may_grade
            item_hash = record.current_files["item", item_id]
        if may_grade:
            raise NotAllowed(f"{account.name} may grade this question already.")
        _append_leave(bench, connection, actor, grader_id, item_id, item_hash, reason)


def let_all_grade(bench: Workbench, actor: str, item: str, reason: str) -> int:
    """Let every enabled grader in who has not qualified for an item; give how many were let in.

    Raises
    ------
    GradeProblem
        As for `let_grade`.
    """
    reason = printable_reason(bench, reason, "Letting somebody grade")
    item_id = bench.material().item(item).id
    graders = enabled_graders(bench)
    with bench.store.write() as connection:
        with bench.record() as record:
            waiting = [one.account_id for one in graders if _waits(record, one.account_id, item_id)]
            item_hash = record.current_files["item", item_id]
        for grader_id in waiting:
            _append_leave(bench, connection, actor, grader_id, item_id, item_hash, reason)
    return len(waiting)


def take_back_leave(bench: Workbench, actor: str, grader_id: str, item: str, reason: str) -> None:
    """Take back a lead's leave to grade an item without having qualified.

    Parameters
    ----------
    reason
        Stands in the event, like the reason of the leave.

    Raises
    ------
    GradeProblem
        No reason was given, it is too long to print, or it names somebody.
    NotAllowed
        There is no such grader, or no leave stands.

    Notes
    -----
    Grades given under the leave stay, and exports keep printing it. Whoever has qualified since may go on.
    """
    reason = printable_reason(bench, reason, "Taking back a leave")
    item_id = bench.material().item(item).id
    account = _grader(bench, grader_id)
    with bench.store.write() as connection:
        with bench.record() as record:
            standing = _leave_or_none(record, grader_id, item_id)
        if standing is None:
            raise NotAllowed(f"No leave to grade this question stands for {account.name}. Reload the page.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.QUALIFICATION_WITHDRAWN,
            subject=grader_id,
            body={"item": item_id, "reason": reason},
        )


def leaves_that_stand(bench: Workbench, item: str) -> dict[str, Override]:
    """Give the leave that stands for each grader let in on an item, the latest one, by account id."""
    with bench.record() as record:
        found = {
            account.account_id: _leave_or_none(record, account.account_id, item)
            for account in accounts(bench.store)
        }
    return {grader_id: leave for grader_id, leave in found.items() if leave is not None}


def refuse_names(bench: Workbench, reason: str) -> None:
    """Refuse a reason that names somebody with an account, since exports print it.

    Raises
    ------
    GradeProblem
        Saying whom.

    Notes
    -----
    Whole words count, in capitals or not, and each part of a name in several words. Names below three
    letters are too often something else, and so are accounts called by their role.
    """
    words = set(_words_of(reason))
    for account in accounts(bench.store):
        parts = {account.name.casefold(), *_words_of(account.name)} - {role.value for role in Role}
        for part in sorted(parts):
            if len(part) >= _SHORTEST_NAME and (part in words or _stands_in(part, reason)):
                named = account.name if part == account.name.casefold() else part.capitalize()
                raise GradeProblem(
                    f"The reason names {named}; every export prints it. Write it without names."
                )


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _stands_in(name: str, reason: str) -> bool:
    """Say whether a name that is no single word, as ``grader-1``, stands in a reason."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", " ".join(reason.casefold().split()))
    return found is not None


def printable_reason(bench: Workbench, reason: str, what: str) -> str:
    """Give a reason as exports print it.

    Raises
    ------
    GradeProblem
        It is missing, too long to print, or names somebody; `what` says what needs it.
    """
    reason = " ".join(reason.split())
    if not 5 <= len(reason) <= 500:
        raise GradeProblem(f"{what} needs a reason of 5 to 500 characters; exports print it.")
    refuse_names(bench, reason)
    return reason


def _grader(bench: Workbench, grader_id: str) -> Account:
    account = get_account_or_none(bench.store, grader_id)
    if account is None or account.role is not Role.GRADER:
        raise NotAllowed("There is no such grader. Reload the page.")
    return account


def _waits(record: GradingRecord, grader_id: str, item: str) -> bool:
    return qualification_of(record, grader_id, item).status in ("open", "stopped", "no_set")


def _leave_or_none(record: GradingRecord, grader_id: str, item: str) -> Override | None:
    made = record.calibration.overrides.get((grader_id, item), ())
    return next((one for one in reversed(made) if one.stands), None)


def _append_leave(
    bench: Workbench,
    connection: Connection,
    actor: str,
    grader_id: str,
    item: str,
    item_hash: str,
    reason: str,
) -> None:
    append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.QUALIFICATION_OVERRIDDEN,
        subject=grader_id,
        body={"item": item, "item_hash": item_hash, "reason": reason},
    )


def enabled_graders(bench: Workbench) -> list[Account]:
    """List the graders whose accounts are enabled, simulated ones too."""
    return [a for a in accounts(bench.store) if a.role is Role.GRADER and not a.disabled]
