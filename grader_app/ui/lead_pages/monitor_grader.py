"""One grader on the monitor page: the picture of the sums, the sentences, and pausing or going on."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.agreement.checks_of_round import Alarm, GraderChecks
from grader_app.agreement.self_consistency import LABEL
from grader_app.agreement.validity_watch import ValidityWatch
from grader_app.ui.current import bench
from grader_app.ui.parts.drift_chart import DRIFT_STYLE, drift_svg
from grader_app.ui.parts.figure import draw_figure
from grader_app.ui.parts.html_table import draw_line, draw_lines, draw_table
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted, duration, moment
from grader_app.workflow.monitoring import (
    PAUSED_UNTIL_CALIBRATED,
    PAUSED_UNTIL_DECIDED,
    MonitorRow,
    pause,
    resume,
)

_NO_PACKET = "There is no packet on which this grader could calibrate again, so only you can let them go on."


def draw_grader(item: str, row: MonitorRow, lead_id: str) -> None:
    """Draw one grader's figures on a question, and the acts that follow from them.

    Parameters
    ----------
    item
        The question.
    row
        From `monitor_of`.
    lead_id
        Who acts.
    """
    checks = row.checks
    draw_line(row.account.shown_name, "headline")
    if checks.validity.watched is None:
        draw_line("No validity paper is planted for this grader, so a change would not be seen.")
    else:
        draw_lines(_validity_words(checks))
        key = f"drift:{row.account.account_id}"
        draw_figure("drift_sums", drift_svg(checks.validity), DRIFT_STYLE, key=key)
    draw_lines(_words(checks))
    _draw_reads(checks)
    _draw_acts(item, row, lead_id)


def _words(checks: GraderChecks) -> list[str]:
    said = [_alarm_words(one) for one in checks.alarms]
    if checks.validity.watched is not None and checks.alarm is None:
        said.insert(0, checks.validity.watched.says)
    if checks.repeats_planted:
        said += [f"{LABEL}:", *checks.consistency.says]
    return [*said, _pace_words(checks)]


def _validity_words(checks: GraderChecks) -> list[str]:
    seen = checks.validity
    said = [seen.severity.says, *_looked_back_words(seen)]
    if seen.restarted:
        said.append(
            f"The sums started again after {counted(seen.restarted, 'validity paper')}, when the grader had "
            "calibrated again or was let go on."
        )
    if seen.coded:
        said.append(
            f"{counted(seen.coded, 'validity paper')} got a condition code instead of a score and "
            f"{'is' if seen.coded == 1 else 'are'} left out."
        )
    return said


def _looked_back_words(seen: ValidityWatch) -> list[str]:
    found = seen.looked_back
    if found.severity.status != "ok":
        return []
    many = counted(found.severity.n_responses, "validity paper")
    if found.direction is None:
        return [f"Looking back over {many} at once, nothing shows a change (5 % false alarms)."]
    return [
        f"Looking back over {many} at once, with the scatter seen in calibration: {found.severity.says} "
        "Chance alone finds as much in 5 % of rounds."
    ]


def _alarm_words(alarm: Alarm) -> str:
    ended = "" if alarm.standing else " It has been answered: the sums started again since."
    return (
        f"Alarm of {moment(alarm.at)}: {alarm.direction}, with a sum of {alarm.statistic:.2f} against a "
        f"limit of {alarm.limit:.2f} after {counted(alarm.n_validity, 'validity paper')}.{ended}"
    )


def _pace_words(checks: GraderChecks) -> str:
    found = checks.pace
    if found.seconds is None:
        return "No time has been measured yet."
    words = f"Pace: {duration(found.seconds)} a live paper (median of {counted(found.n, 'paper')})"
    if found.first_third is None or found.last_third is None:
        return f"{words}."
    return (
        f"{words}; {duration(found.first_third)} over the first third, {duration(found.last_third)} over the "
        "last."
    )


def _draw_reads(checks: GraderChecks) -> None:
    if not checks.validity.reads:
        return
    with st.expander("Validity papers read, and how computed"):
        draw_table(
            ["Paper", "Reference", "First grade", "Read", "Afterwards"],
            [
                [
                    read.paper,
                    f"{read.reference:g}",
                    f"{read.score:g}",
                    moment(read.at),
                    "corrected" if read.corrected else None,
                ]
                for read in checks.validity.reads
            ],
        )
        draw_line(checks.validity.scatter.says)
        if checks.sight is not None:
            draw_lines(checks.sight.says)
        draw_line(
            "Two-sided cumulative sums of (reference minus score) divided by this scatter; a quarter of it "
            "is forgiven at every paper (Page 1954). The limit comes from simulated graders who have not "
            "moved."
        )


def _draw_acts(item: str, row: MonitorRow, lead_id: str) -> None:
    if row.pause is not None:
        _draw_resume(item, row, lead_id)
        return
    account = row.account
    with st.expander("Pause live work on this question"):
        usual = PAUSED_UNTIL_CALIBRATED if row.can_calibrate else PAUSED_UNTIL_DECIDED
        if not row.can_calibrate:
            draw_line(_NO_PACKET)
        why = st.text_input("The grader reads", value=usual, key=f"why:{account.account_id}")
        draw_line("It stands in every export: write no name, and nothing that tells which papers are checks.")
        if st.button("Pause", key=f"pause:{account.account_id}"):
            act_as_lead(partial(_pause, lead_id, row, item, why))


def _draw_resume(item: str, row: MonitorRow, lead_id: str) -> None:
    account, stopped = row.account, row.pause
    if stopped is None:
        return
    draw_line(f"Live work is paused since {moment(stopped.at)}. The grader reads: {stopped.why}")
    if row.can_calibrate:
        draw_line("It goes on by itself once the grader has passed another packet.")
    else:
        draw_line(_NO_PACKET)
    reason = st.text_input("Reason to go on, without a name", key=f"reason:{account.account_id}")
    if st.button("Let them go on", key=f"resume:{account.account_id}"):
        act_as_lead(partial(_resume, lead_id, row, item, reason))


def _pause(lead_id: str, row: MonitorRow, item: str, why: str) -> str:
    pause(bench(), lead_id, row.account.account_id, item, why)
    return f"{row.account.name}'s live work on {_title(item)} is paused. What was graded before stays."


def _resume(lead_id: str, row: MonitorRow, item: str, reason: str) -> str:
    resume(bench(), lead_id, row.account.account_id, item, reason)
    return f"{row.account.name} may go on with {_title(item)}; the sums start again."


def _title(item: str) -> str:
    return bench().material().item(item).title
