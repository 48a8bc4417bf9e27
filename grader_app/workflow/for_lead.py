"""What waits for the lead: each kind of decision with its count and the oldest one's time."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.validity_watch import standing_alarm_or_none
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.referral import RECUSAL
from grader_app.store.accounts import accounts
from grader_app.workflow.qualification import enabled_graders, standing_of
from grader_app.workflow.referrals import other_graders
from grader_app.workflow.rulings import graded_before
from grader_app.workflow.surplus import surplus_grades
from grader_app.workflow.waiting import Waiting, Why, oldest, only_or_none
from grader_app.workflow.workbench import Workbench


def for_lead(bench: Workbench) -> list[Waiting]:
    """List what waits for the lead, incidents first."""
    found = [*_referred(bench), *_standings(bench), *_questions(bench), *_alarms(bench)]
    found += [*_stopped(bench), *_earlier_versions(bench), *_surplus(bench)]
    order = list(Why)
    return sorted(found, key=lambda one: order.index(one.why))


def _referred(bench: Workbench) -> Iterator[Waiting]:
    with bench.record() as record:
        open_ones = [r for r in record.referrals.values() if r.response_id not in record.revealed]
    groups = {
        Why.INCIDENT: [r for r in open_ones if r.is_incident],
        Why.RECUSAL: [r for r in open_ones if r.reason == RECUSAL],
        Why.REFERRAL: [r for r in open_ones if not r.is_incident and r.reason != RECUSAL],
    }
    for why, group in groups.items():
        if not group:
            continue
        says = {
            Why.INCIDENT: ("incident reported", "incidents reported"),
            Why.RECUSAL: (
                "answer whose grader may know the writer",
                "answers whose graders may know the writer",
            ),
            Why.REFERRAL: ("answer that could not be graded", "answers that could not be graded"),
        }[why][len(group) != 1]
        if why is Why.RECUSAL:
            nobody = sum(not other_graders(bench, r.assignment_id) for r in group)
            says += f"; for {nobody} of them nobody else is left" if nobody else ""
        yield Waiting(why, len(group), says, oldest(r.at for r in group), only_or_none(r.item for r in group))


def _standings(bench: Workbench) -> Iterator[Waiting]:
    disputed: list[tuple[str, str | None]] = []
    coded: list[tuple[str, str | None]] = []
    unread = 0
    asks_for_thirds = bench.material().round.reading.disputes_go_to == "third_reader"
    with bench.record() as record:
        for item in record.items():
            if item in record.closed_items or item not in bench.material().items:
                continue
            for response_id in record.response_ids(item):
                if response_id in record.revealed:
                    continue
                state = record.standing(response_id)
                if state.status == "disputed" and not record.settling_of(response_id).third_waits:
                    no_third = record.third_read_or_none(response_id) is None
                    unread += no_third and record.reread_or_none(response_id) is None
                    disputed.append((item, _last_read(record, response_id)))
                elif state.for_lead is not None and not state.for_lead.decided:
                    coded.append((item, _last_read(record, response_id)))
    for why, found, one, many in (
        (Why.DISPUTE, disputed, "disputed answer", "disputed answers"),
        (Why.CODED, coded, "answer with a code for you to decide", "answers with a code for you to decide"),
    ):
        if found:
            says = one if len(found) == 1 else many
            if why is Why.DISPUTE and asks_for_thirds and unread:
                says += f"; for {unread} of them nobody is left to read a third time"
            since, only = oldest(at for _, at in found), only_or_none(item for item, _ in found)
            yield Waiting(why, len(found), says, since, only)


def _last_read(record: GradingRecord, response_id: str) -> str | None:
    return max((grade.submitted_at for grade in record.reads(response_id)), default=None)


def _questions(bench: Workbench) -> Iterator[Waiting]:
    with bench.record() as record:
        asked = [one for one in record.calibration.questions.values() if one.decision is None]
    if asked:
        says = "question on a point sheet" if len(asked) == 1 else "questions on point sheets"
        yield Waiting(
            Why.SHEET_QUESTION,
            len(asked),
            says,
            oldest(one.at for one in asked),
            only_or_none(one.item for one in asked),
        )


def _alarms(bench: Workbench) -> Iterator[Waiting]:
    names = {account.account_id: account.shown_name for account in accounts(bench.store)}
    enabled = {account.account_id for account in enabled_graders(bench)}
    with bench.record() as record:
        standing = [
            (grader_id, item, alarm.at)
            for grader_id, item in record.calibration.alarms
            if grader_id in enabled
            and item not in record.closed_items
            and (alarm := standing_alarm_or_none(record, grader_id, item)) is not None
        ]
    if standing:
        who = ", ".join(sorted({names[grader_id] for grader_id, _, _ in standing}))
        says = (
            f"alarm on a grader's scores ({who})"
            if len(standing) == 1
            else f"alarms on graders' scores ({who})"
        )
        since = oldest(at for _, _, at in standing)
        yield Waiting(Why.ALARM, len(standing), says, since, only_or_none(item for _, item, _ in standing))


def _stopped(bench: Workbench) -> Iterator[Waiting]:
    """Graders whom the gate has stopped: only a lead's leave, or a new packet, lets them grade."""
    found = []
    with bench.record() as record:
        closed = set(record.closed_items)
    for account in enabled_graders(bench):
        for item in bench.material().items:
            if item not in closed and (
                standing_of(bench, account.account_id, item).qualification.status == "stopped"
            ):
                found.append((account, item))
    if found:
        who = ", ".join(sorted({account.shown_name for account, _ in found}))
        says = f"did not qualify and {'has' if len(found) == 1 else 'have'} no attempt left ({who})"
        says = ("grader " if len(found) == 1 else "graders ") + says
        with bench.record() as record:
            since = oldest(
                one.judgment.at
                for account, item in found
                for one in record.calibration.attempts_of(account.account_id, item)[-1:]
                if one.judgment is not None
            )
        yield Waiting(Why.STOPPED, len(found), says, since, only_or_none(item for _, item in found))


def _earlier_versions(bench: Workbench) -> Iterator[Waiting]:
    with bench.record() as record:
        closed = set(record.closed_items)
        given = {a: grade.submitted_at for a, grade in record.grades.items()}
    found = [
        (item, given.get(one.assignment_id))
        for item in bench.material().items
        if item not in closed
        for one in graded_before(bench, item)
        if not one.recalled
    ]
    if found:
        says = (
            "grade given under an earlier version"
            if len(found) == 1
            else "grades given under an earlier version"
        )
        since = oldest(at for _, at in found)
        yield Waiting(Why.EARLIER_VERSION, len(found), says, since, only_or_none(item for item, _ in found))


def _surplus(bench: Workbench) -> Iterator[Waiting]:
    """Grades that came too late for their answer; they stay listed until their question is closed."""
    with bench.record() as record:
        closed = set(record.closed_items)
    found = [one.grade for one in surplus_grades(bench) if one.grade.item not in closed]
    if found:
        says = (
            "surplus grade, which counts nowhere"
            if len(found) == 1
            else "surplus grades, which count nowhere"
        )
        since, only = (
            oldest(grade.submitted_at for grade in found),
            only_or_none(grade.item for grade in found),
        )
        yield Waiting(Why.SURPLUS, len(found), says, since, only)
