"""Staying calibrated: alarms as validity papers come in, pausing and going on, and papers that are left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader_app.agreement.checks_of_round import GraderChecks, ItemChecks, checks_of_item
from grader_app.agreement.validity_watch import ValidityWatch, standing_alarm_or_none, validity_watch
from grader_app.domain.calibration_record import Pause
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Account, Assignment, ReadKind, Role
from grader_app.domain.qualification import fits_current_item, next_set_or_none, set_content
from grader_app.domain.round import Checks, Reading
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store import assignments as kept
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.event_log import append
from grader_app.store.responses import undealt_in_deal_order
from grader_app.workflow.planting import places, validity_pool
from grader_app.workflow.qualification import enabled_graders, refuse_names
from grader_app.workflow.workbench import Workbench

PAUSED_UNTIL_CALIBRATED = "Your live work on this question is paused until you have calibrated again."
PAUSED_UNTIL_DECIDED = "Your live work on this question is paused. The panel lead decides how you go on."
"""What a paused grader reads; neither says which papers are checks, nor that there are any."""

LONGEST_REASON = 500


@dataclass(frozen=True)
class MonitorRow:
    """One grader on the monitor page.

    Parameters
    ----------
    account
        Who.
    checks
        All figures.
    pause
        Set while the grader's live work on the item is stopped.
    can_calibrate
        Whether a packet is left on which the grader can calibrate again.
    """

    account: Account
    checks: GraderChecks
    pause: Pause | None
    can_calibrate: bool


@dataclass(frozen=True)
class Monitor:
    """Everything the monitor page shows of one item.

    Parameters
    ----------
    item
        Which.
    checks
        The round's settings.
    panel
        The figures of the whole panel; sentences name graders as screens show them.
    rows
        One grader each, by name.
    has_validity_papers
        Whether there is a validity paper that fits the item as it stands: of a set, or a promoted answer.
    """

    item: str
    checks: Checks
    panel: ItemChecks
    rows: tuple[MonitorRow, ...]
    has_validity_papers: bool


@dataclass(frozen=True)
class ValidityLeft:
    """Whether one grader's validity papers will last.

    Parameters
    ----------
    account
        Who.
    unused
        Validity papers of the item the grader has never had.
    needed
        Validity papers that the answers not dealt yet will take at the round's spacing.
    missed
        Places in the queue as dealt at which no paper was left to plant.
    warning
        A sentence, empty where they last.
    """

    account: Account
    unused: int
    needed: int
    missed: int
    warning: str


PAPERS_BEFORE_A_PAUSE = (3, 7)
"""How many papers a grader grades between an alarm and the pause it leads to: from, to."""


def watch_after(bench: Workbench, dealt: Assignment) -> None:
    """Record an alarm that a validity paper's grade has set off, and a pause that an earlier one has led to.

    Parameters
    ----------
    dealt
        The paper that was graded.

    Notes
    -----
    Once an alarm is on record there is no second one until the sums start again. An alarm that a
    breakdown kept from being recorded is recorded after the next validity paper. A pause comes some papers
    after its alarm: at once, it would tell the grader that the paper just graded was a check.
    """
    if dealt.kind is ReadKind.VALIDITY:
        _record_alarm(bench, dealt)
    if dealt.kind is not ReadKind.CALIBRATION and bench.material().round.checks.on_alarm == "pause":
        _pause_if_due(bench, dealt)


def _pause_if_due(bench: Workbench, dealt: Assignment) -> None:
    with bench.record() as record:
        if not _is_pause_due(record, dealt):
            return
    with bench.store.write() as connection:
        with bench.record() as record:
            due = _is_pause_due(record, dealt)  # another tab may have come first
            why = _why_paused(record, dealt.grader_id, dealt.item)
        if due:
            append(
                connection,
                at=bench.now(),
                actor=dealt.grader_id,
                kind=EventKind.GRADING_PAUSED,
                subject=dealt.grader_id,
                body={"item": dealt.item, "why": why},
            )


def _is_pause_due(record: GradingRecord, dealt: Assignment) -> bool:
    key = (dealt.grader_id, dealt.item)
    alarm = standing_alarm_or_none(record, *key)
    if alarm is None or key in record.calibration.paused:
        return False
    since = sum(
        (one.grader_id, one.item) == key
        and one.kind is not ReadKind.CALIBRATION
        and a in record.history
        and record.history[a][0].event_seq > alarm.seq
        for a, one in record.assignments.items()
    )
    first, last = PAPERS_BEFORE_A_PAUSE
    return since >= first + int(alarm.hash[:8], 16) % (last - first + 1)


def _record_alarm(bench: Workbench, dealt: Assignment) -> None:
    own = kept.assignments_of(bench.store, dealt.grader_id)
    with bench.record() as record:
        if _fresh_alarm_or_none(record, dealt, own) is None:
            return
    with bench.store.write() as connection:
        with bench.record() as record:
            # Another tab may have recorded it since.
            seen = _fresh_alarm_or_none(record, dealt, own)
        if seen is None:
            return
        append(
            connection,
            at=bench.now(),
            actor=dealt.grader_id,
            kind=EventKind.DRIFT_FOUND,
            subject=dealt.grader_id,
            body=_alarm_body(seen, dealt.item),
        )


def pause(bench: Workbench, actor: str, grader_id: str, item: str, why: str = "") -> None:
    """Stop a grader's live work on an item until they have calibrated again or the lead lets them go on.

    Parameters
    ----------
    why
        A sentence for the grader; left out, one that gives no reason. It stands in the event, so no name
        belongs in it.

    Raises
    ------
    GradeProblem
        The sentence is too long, or it names somebody.
    NotAllowed
        There is no such grader, the item is not in the round, or the work is paused already.
    """
    item_id = bench.material().item(item).id
    account = _grader(bench, grader_id)
    words = " ".join(why.split())
    if len(words) > LONGEST_REASON:
        raise GradeProblem(f"The sentence has {len(words)} characters; keep it to {LONGEST_REASON}.")
    refuse_names(bench, words)
    with bench.store.write() as connection:
        with bench.record() as record:
            paused = (grader_id, item_id) in record.calibration.paused
            said = words or _why_paused(record, grader_id, item_id)
        if paused:
            raise NotAllowed(f"{account.name}'s live work on {item_id} is paused already.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADING_PAUSED,
            subject=grader_id,
            body={"item": item_id, "why": said},
        )


def resume(bench: Workbench, actor: str, grader_id: str, item: str, reason: str) -> None:
    """Let a paused grader go on with an item; the sums of the watch on drift start again.

    Parameters
    ----------
    reason
        Stands in the event, so no name belongs in it.

    Raises
    ------
    GradeProblem
        No reason was given, it is too long, or it names somebody.
    NotAllowed
        There is no such grader, the item is not in the round, or the work is not paused.
    """
    item_id = bench.material().item(item).id
    account = _grader(bench, grader_id)
    words = " ".join(reason.split())
    if not 5 <= len(words) <= LONGEST_REASON:
        raise GradeProblem(f"Letting a grader go on needs a reason of 5 to {LONGEST_REASON} characters.")
    refuse_names(bench, words)
    with bench.store.write() as connection:
        with bench.record() as record:
            paused = (grader_id, item_id) in record.calibration.paused
        if not paused:
            raise NotAllowed(f"{account.name}'s live work on {item_id} is not paused.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADING_RESUMED,
            subject=grader_id,
            body={"item": item_id, "why": words},
        )


def monitor_of(bench: Workbench, item: str) -> Monitor:
    """Give everything the monitor page shows of an item of the round."""
    checks = bench.material().round.checks
    item_id = bench.material().item(item).id
    everyone = {account.account_id: account for account in accounts(bench.store)}
    names = {account_id: account.shown_name for account_id, account in everyone.items()}
    with bench.record() as record:
        panel = checks_of_item(record, item_id, names)
        rows = [
            MonitorRow(
                everyone[one.grader_id],
                one,
                record.calibration.paused.get((one.grader_id, item_id)),
                next_set_or_none(record, one.grader_id, item_id) is not None,
            )
            for one in panel.graders
        ]
        has_papers = _has_validity_papers(record, item_id)
    rows.sort(key=lambda row: row.account.name.casefold())
    ordered = replace(panel, graders=tuple(row.checks for row in rows))
    return Monitor(item_id, checks, ordered, tuple(rows), has_papers)


def validity_left(bench: Workbench, item: str) -> list[ValidityLeft]:
    """Say for each grader whether the validity papers of an item will last, by name.

    Returns
    -------
    list of ValidityLeft
        Graders to whom answers can still be dealt; empty where the round plants no validity papers, and
        where the item has none.

    Notes
    -----
    What is still to come is shared out evenly: each answer goes to one or two of the graders. Places are
    the very ones at which dealing would plant a paper.
    """
    material = bench.material()
    item_id, every = material.item(item).id, material.round.checks.validity_paper_every
    graders = [account for account in enabled_graders(bench) if not (account.simulated or account.apprentice)]
    with bench.record() as record:
        has_papers = _has_validity_papers(record, item_id)
    if every is None or not has_papers or not graders:
        return []
    undealt = len(undealt_in_deal_order(bench.store, item_id))
    share = -(-undealt * _reads_an_answer(material.round.reading) // len(graders))
    return [_left_of(bench, account, item_id, every, round(share)) for account in graders]


def _left_of(bench: Workbench, account: Account, item: str, every: int, share: int) -> ValidityLeft:
    grader_id = account.account_id
    own = [one for one in kept.assignments_of(bench.store, grader_id) if one.item == item]
    live = sum(one.kind is ReadKind.LIVE for one in own)
    planted = sum(one.kind is ReadKind.VALIDITY for one in own)
    seed = f"{bench.material().round.seed}:{item}:{grader_id}:validity"
    due = len(list(places(every, seed, 0, live)))
    needed = len(list(places(every, seed, live, live + share)))
    unused = len(validity_pool(bench, item, grader_id))
    missed = max(0, due - planted) if unused == 0 else 0
    return ValidityLeft(account, unused, needed, missed, _warning(account.shown_name, unused, needed, missed))


def _warning(name: str, unused: int, needed: int, missed: int) -> str:
    if missed:
        return (
            f"{name}'s validity papers have run out: {missed} of the places in the queue stayed empty. "
            "Add papers to the set, or promote answers that three readers scored alike."
        )
    if unused < needed:
        return (
            f"{name}'s validity papers will run out: {unused} left, and the answers not dealt yet will take "
            f"{needed}. Add papers to the set, or promote answers that three readers scored alike."
        )
    return ""


def _reads_an_answer(reading: Reading) -> float:
    return 2.0 if reading.reads == 2 else 1 + reading.overlap_percent / 100


def _fresh_alarm_or_none(
    record: GradingRecord, dealt: Assignment, own: list[Assignment]
) -> ValidityWatch | None:
    """Give the watch on a grader if its alarm has gone off and is not on record yet."""
    if standing_alarm_or_none(record, dealt.grader_id, dealt.item) is not None:
        return None
    seen = validity_watch(record, dealt.grader_id, dealt.item, own=own)
    return seen if seen.watched is not None and seen.watched.alarm is not None else None


def _alarm_body(seen: ValidityWatch, item: str) -> dict[str, object]:
    watched = seen.watched
    if watched is None or watched.alarm is None:
        raise ValueError("There is no alarm.")
    at = watched.alarm
    return {
        "item": item,
        "assignment_id": seen.in_sums[at].assignment_id,
        "direction": watched.direction,
        "statistic": round(max(watched.harsher[at], watched.more_lenient[at]), 6),
        "limit": watched.limit,
        "n_validity": at + 1,
    }


def _why_paused(record: GradingRecord, grader_id: str, item: str) -> str:
    left = next_set_or_none(record, grader_id, item) is not None
    return PAUSED_UNTIL_CALIBRATED if left else PAUSED_UNTIL_DECIDED


def _grader(bench: Workbench, grader_id: str) -> Account:
    account = get_account_or_none(bench.store, grader_id)
    if account is None or account.role is not Role.GRADER:
        raise NotAllowed("There is no such grader. Reload the page.")
    return account


def _has_validity_papers(record: GradingRecord, item: str) -> bool:
    if any(body["item"] == item for body in record.calibration.promoted.values()):
        return True
    for digest in record.calibration.current_sets.values():
        said = set_content(record, digest)
        if (said["item"], said["purpose"]) == (item, "validity") and fits_current_item(
            record, item, said["point_sheet_version"]
        ):
            return True
    return False
