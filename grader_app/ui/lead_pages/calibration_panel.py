"""Calibration, the panel: one row a grader, letting graders in or back, and when feedback is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from grader_app.agreement.estimate import Estimate
from grader_app.agreement.of_attempt import AttemptReport, panel_order_agreement, report_of_attempt
from grader_app.domain.calibration_record import Attempt, Override
from grader_app.domain.panel import Account
from grader_app.domain.qualification import attempts_allowed
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.item_sets import draw_no_set, packets_to_qualify, sets_of
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted, moment, points
from grader_app.workflow.feedback import hold_feedback
from grader_app.workflow.monitoring import resume
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.qualification import (
    Standing,
    enabled_graders,
    leaves_that_stand,
    let_all_grade,
    let_grade,
    standing_of,
    take_back_leave,
)
from grader_app.workflow.training import training_of
from grader_app.workflow.workbench import Workbench

_STATES = {
    "not_required": "open: not required",
    "qualified": "open: qualified",
    "overridden": "open: let in by a lead",
    "reread": "closed: has a ruling to read",
    "open": "closed: calibration to be done",
    "stopped": "closed: no attempt left",
    "no_set": "closed: no packet",
}
_NOT_EARNED = ("open", "stopped", "no_set")
_CONDITIONS = {
    "rank_order": "pairs in order",
    "exact_or_adjacent": "same score or next to it",
    "quadratic_weighted_kappa": "agreement beyond chance",
    "severity": "points from the reference",
}
_IN_PERCENT = ("rank_order", "exact_or_adjacent")
# A name broken over two lines is hard to find; a narrow screen scrolls the table instead.
_STYLE = "<style>div.scrolls table.plain td:first-child { white-space: nowrap; }</style>"
_LETTING_IN, _TAKING_BACK, _RESUMING = "let-in", "take-back", "resume"
_NO_NAME = "Every export prints the reason. Write no name in it."


@dataclass(frozen=True)
class AttemptFigures:
    """An attempt, how many papers of it have a score, and its report without intervals."""

    attempt: Attempt
    scored: int
    report: AttemptReport


def draw(lead_id: str, item: str) -> None:
    """Draw the panel of one question."""
    graders = enabled_graders(bench())
    if not graders:
        return
    found = _figures(item)
    standings = {grader.account_id: standing_of(bench(), grader.account_id, item) for grader in graders}
    rows = [_row(grader, item, standings[grader.account_id], found) for grader in graders]
    st.html(_STYLE)
    columns = ["Grader", "Materials read", "Attempt", "Ranked", "Scored", "Outcome", "Kind", "Live grading"]
    draw_table(columns, rows)
    if not packets_to_qualify(item):
        draw_no_set(item)
    if any(grader.simulated for grader in graders):
        draw_line("Graders marked (simulated) are invented: a program ranked and scored for them.")
    left, right = st.columns(2, gap="large")
    with left:
        _draw_orders(item)
        _draw_feedback(lead_id, item)
    with right:
        _draw_paused(lead_id, item, graders, standings)
        _draw_leaves(lead_id, item)
        _draw_letting_in(lead_id, item, graders, standings)
    _draw_every_attempt(found, {grader.account_id: grader.shown_name for grader in graders})


def outcome_in_words(attempt: Attempt) -> str | None:
    """Say how an attempt ended, with each condition that was missed; None while it is under way."""
    if attempt.judgment is None:
        return None
    if attempt.judgment.outcome == "reference":
        return "made the panel's reference"
    missed = [_missed(condition) for condition in attempt.judgment.conditions if not condition["met"]]
    return f"not qualified: {'; '.join(missed)}" if missed else "qualified"


def _missed(condition: Mapping[str, Any]) -> str:
    name, value, needed = _CONDITIONS[condition["name"]], condition["value"], condition["needed"]
    if value is None:
        return f"{name} not computable"
    at_most = condition["name"] == "severity"
    shown, asked = _apart(abs(value), needed, in_percent=condition["name"] in _IN_PERCENT)
    return f"{name} {shown} ({'at most' if at_most else 'at least'} {asked})"


def _apart(value: float, needed: float, *, in_percent: bool) -> tuple[str, str]:
    """Write two figures with as many decimals as it takes to see which one is larger.

    Examples
    --------
    >>> _apart(0.8466, 0.85, in_percent=True), _apart(0.504, 0.5, in_percent=False)
    (('84.7 %', '85.0 %'), ('0.504', '0.500'))
    """
    size, sign, fewest = (100, " %", 0) if in_percent else (1, "", 2)
    for decimals in range(fewest, fewest + 4):
        shown, asked = (f"{size * number:.{decimals}f}{sign}" for number in (value, needed))
        if shown != asked:
            break
    return shown, asked


def _figures(item: str) -> list[AttemptFigures]:
    with bench().record() as record:
        made = [
            (attempt, sum(a in record.check_grades for a in attempt.assignment_ids))
            for attempt in record.calibration.attempts.values()
            if (attempt.item, attempt.purpose) == (item, "qualify")
        ]
        last = record.last_seq
    return [
        AttemptFigures(attempt, scored, _report(bench(), attempt.attempt_id, _stamp(attempt, scored, last)))
        for attempt, scored in made
    ]


def _stamp(attempt: Attempt, scored: int, last_seq: int) -> tuple[object, ...]:
    """Name all that an attempt's report depends on: in a second packet the others' scores, so any act."""
    own = (scored, attempt.ranked_at)
    return own if attempt.packet == 1 else (*own, last_seq)


@lru_cache(maxsize=2048)
def _report(opened: Workbench, attempt_id: str, stamp: tuple[object, ...]) -> AttemptReport:
    with opened.record() as record:
        return report_of_attempt(record, record.calibration.attempts[attempt_id], resamples=0)


def _row(grader: Account, item: str, standing: Standing, found: list[AttemptFigures]) -> list[Cell]:
    own = [one for one in found if one.attempt.grader_id == grader.account_id]
    head: list[Cell] = [grader.shown_name, _materials(grader.account_id, item)]
    if not own:
        return [*head, None, None, None, None, None, _state(standing)]
    last = own[-1]
    judged = last.attempt.judgment
    failed = judged is not None and judged.outcome == "not_qualified"
    return [
        *head,
        _number(last.attempt, item),
        _day(last.attempt.ranked_at) if last.attempt.ranked_at else "under way",
        _unbroken(f"{last.scored} of {len(last.attempt.assignment_ids)}"),
        outcome_in_words(last.attempt) or "under way",
        _kind(last.report),
        _state(standing, failed_at=judged.at if judged is not None and failed else None),
    ]


def _number(attempt: Attempt, item: str) -> str:
    if not attempt.number:
        return "panel's reference"
    with bench().record() as record:
        return _unbroken(f"{attempt.number} of {attempts_allowed(record, item)}")


def _materials(grader_id: str, item: str) -> str | None:
    """Say when a grader completed the materials, and under which earlier version; or how far they are."""
    training = training_of(bench(), grader_id, item)
    if training.completed_at is not None:
        return _day(training.completed_at)
    if training.seen:
        return _unbroken(f"{len(training.seen)} of {len(training.materials)}")
    with bench().record() as record:
        earlier = [
            (at, record.inputs.files[digest]["version"])
            for (who, digest), at in record.calibration.trained.items()
            if who == grader_id and record.inputs.files[digest]["id"] == item
        ]
    if not earlier:
        return None
    at, version = max(earlier)
    return f"{_day(at)} (version {version})"


def _day(at: str) -> str:
    return _unbroken(moment(at).partition(",")[0])


def _unbroken(words: str) -> str:
    """Keep a short cell on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def _kind(report: AttemptReport) -> str | None:
    severity = report.scores.severity.value if report.scores is not None else None
    if severity is None:
        return None
    side = "below" if severity > 0 else "above"
    level = "level with it" if abs(severity) < 0.005 else f"{points(severity)} {side}"
    kind = report.kind.kind if report.kind is not None else None
    return f"{kind}, {level}" if kind else level


def _state(standing: Standing, failed_at: str | None = None) -> str:
    if standing.pause is not None:
        return "paused"
    state = _STATES[standing.qualification.status]
    reason, since = standing.qualification.reason, standing.qualification.at
    if reason and since is not None and failed_at is not None:
        # Which came first tells whether the lead knew.
        state += " before this packet" if since < failed_at else " after this packet"
    return f"{state} ({reason.rstrip('.')})" if reason else state


def _draw_orders(item: str) -> None:
    """Say how far the panel's rankings of each packet agree."""
    with bench().record() as record:
        last = record.last_seq
    found = [
        (one, _order_agreement(bench(), last, one.packet.id, one.number)) for one in packets_to_qualify(item)
    ]
    shown = [(one, figure) for one, figure in found if figure is not None]
    if not shown:
        return
    rows: list[list[Cell]] = [
        [
            one.title,
            graders,
            figure.n_responses,
            None if figure.value is None else f"{figure.value:.2f}",
            None if figure.low is None else f"{figure.low:.2f} to {figure.high:.2f}",
        ]
        for one, (graders, figure) in shown
    ]
    columns = ["Packet", "Graders", "Papers", "Agreement", "95 % interval"]
    draw_table(columns, rows, "Do the graders put papers in the same order? (1 when all do, 0 not at all)")
    draw_lines(
        dict.fromkeys(figure.says for _, (_, figure) in shown if figure.value is None),
    )
    with st.expander("How computed"):
        draw_line("Kendall's W over the rankings of each packet, corrected for ties.")
        draw_lines(dict.fromkeys(f.interval_method or "" for _, (_, f) in shown if f.interval_method))


@lru_cache(maxsize=16)
def _order_agreement(
    opened: Workbench, last_seq: int, set_id: str, number: int
) -> tuple[int, Estimate] | None:
    with opened.record() as record:
        current = record.calibration.current_sets[set_id]
        ranked = [
            attempt
            for attempt in record.calibration.attempts.values()
            if (attempt.set_hash, attempt.packet) == (current, number) and attempt.order is not None
        ]
        return (len(ranked), panel_order_agreement(record, ranked)) if ranked else None


def _draw_letting_in(lead_id: str, item: str, graders: list[Account], standings: dict[str, Standing]) -> None:
    # Whoever has only a ruling to read has earned the way in: no reason of a lead's is needed.
    waiting = [one for one in graders if standings[one.account_id].qualification.status in _NOT_EARNED]
    if not waiting:
        return
    with st.form(form_key(_LETTING_IN)):
        st.text("Let somebody grade who has not qualified")
        chosen = st.selectbox("Grader", [grader.name for grader in waiting], index=None)
        reason = st.text_input("Reason", max_chars=500)
        draw_line(_NO_NAME)
        with st.container(horizontal=True):
            one = st.form_submit_button("Let this grader grade")
            everyone = len(waiting) > 1 and st.form_submit_button(f"Let all {len(waiting)} grade")
        account = next((grader for grader in waiting if grader.name == chosen), None)
        if one and account is None:
            st.text("Choose a grader first.")
        elif one and account is not None:
            act_as_lead(partial(_let, lead_id, account, item, reason))
        elif everyone:
            act_as_lead(partial(_let_all, lead_id, item, reason))


def _let(lead_id: str, account: Account, item: str, reason: str) -> str:
    let_grade(bench(), lead_id, account.account_id, item, reason)
    empty_form(_LETTING_IN)
    return f"{account.name} may grade {_title(item)} now. Every export prints the reason."


def _let_all(lead_id: str, item: str, reason: str) -> str:
    count = let_all_grade(bench(), lead_id, item, reason)
    empty_form(_LETTING_IN)
    return f"{counted(count, 'grader')} may grade {_title(item)} now. Every export prints the reason."


def _title(item: str) -> str:
    return bench().material().item(item).title


def _draw_leaves(lead_id: str, item: str) -> None:
    """List whoever was let in, each with the reason, and take a leave back."""
    leaves = leaves_that_stand(bench(), item)
    if not leaves:
        return
    accounts = {account.account_id: account for account in all_accounts(bench())}
    names = {accounts[grader_id].name: grader_id for grader_id in leaves}
    with st.form(form_key(_TAKING_BACK)):
        st.text("Let in without having qualified")
        draw_lines(_leave_in_words(accounts[grader_id], leave) for grader_id, leave in leaves.items())
        chosen = st.selectbox("Grader let in", list(names), index=None)
        reason = st.text_input("Reason to take it back", max_chars=500)
        draw_line(f"Grades given so far stay, and exports keep naming the leave. {_NO_NAME}")
        if st.form_submit_button("Take the leave back"):
            if chosen is None:
                st.text("Choose a grader first.")
            else:
                act_as_lead(partial(_take_back, lead_id, accounts[names[chosen]], item, reason))


def _leave_in_words(account: Account, leave: Override) -> str:
    return f"{account.shown_name}, since {_day(leave.at)}: {leave.reason}"


def _take_back(lead_id: str, account: Account, item: str, reason: str) -> str:
    take_back_leave(bench(), lead_id, account.account_id, item, reason)
    empty_form(_TAKING_BACK)
    now = standing_of(bench(), account.account_id, item)
    after = "may go on, having qualified since" if now.may_grade else "no longer grades this question live"
    return f"The leave is taken back: {account.name} {after}. Exports print the reason."


def _draw_paused(lead_id: str, item: str, graders: list[Account], standings: dict[str, Standing]) -> None:
    paused = [one for one in graders if standings[one.account_id].pause is not None]
    if not paused:
        return
    with st.form(form_key(_RESUMING)):
        st.text("Let a paused grader go on")
        for one in paused:
            pause = standings[one.account_id].pause
            st.text(f"{one.shown_name}: {pause.why if pause else ''}")
        chosen = st.selectbox("Paused grader", [grader.name for grader in paused], index=None)
        reason = st.text_input("Reason to go on", max_chars=500)
        draw_line("The reason stands in the record. Write no name in it.")
        if st.form_submit_button("Let go on"):
            account = next((grader for grader in paused if grader.name == chosen), None)
            if account is None:
                st.text("Choose a grader first.")
            else:
                act_as_lead(partial(_resume, lead_id, account, item, reason))


def _resume(lead_id: str, account: Account, item: str, reason: str) -> str:
    resume(bench(), lead_id, account.account_id, item, reason)
    empty_form(_RESUMING)
    return f"{account.name} can go on with {_title(item)}."


def _draw_feedback(lead_id: str, item: str) -> None:
    packets = [packet for packet in sets_of(item) if packet.set.purpose != "validity"]
    if not packets:
        return
    st.subheader("When graders see their feedback")
    for packet in packets:
        draw_feedback_of(lead_id, packet.id, packet.set.title)


def draw_feedback_of(lead_id: str, set_id: str, title: str) -> None:
    """Draw whether the feedback on a set is held, and the button that changes it."""
    with bench().record() as record:
        held = set_id in record.calibration.held
    left, right = st.columns([3, 2], vertical_alignment="center")
    left.text(f"{title}: {'held until the meeting' if held else 'at once, when a packet is finished'}")
    label = "Release now" if held else "Hold until the meeting"
    if right.button(label, key=f"feedback:{set_id}"):
        act_as_lead(partial(_hold, lead_id, set_id, title, held=not held))


def _hold(lead_id: str, set_id: str, title: str, *, held: bool) -> str:
    hold_feedback(bench(), lead_id, set_id, held=held)
    if held:
        return f"Feedback on {title} is held: graders see it once you release it."
    return f"Feedback on {title} is released to everyone who has finished."


def _draw_every_attempt(found: list[AttemptFigures], names: dict[str, str]) -> None:
    if not found:
        draw_line("Nobody has begun a packet yet.")
        return
    rows: list[list[Cell]] = [
        [
            names.get(one.attempt.grader_id, "a grader who is disabled"),
            bench().kept_packet(one.attempt.set_hash).set.title,
            moment(one.attempt.begun_at),
            outcome_in_words(one.attempt) or "under way",
            _kind(one.report),
        ]
        for one in found
    ]
    with st.expander(f"Every attempt ({len(found)})"):
        draw_table(["Grader", "Packet", "Begun", "Outcome", "Kind"], rows)
