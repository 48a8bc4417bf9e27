"""Has a grader moved since calibration: validity papers, self-repeats, pace and scores, grader by grader."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from grader_app.agreement.checks_of_round import GraderChecks
from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages import monitor_grader
from grader_app.ui.parts.figure import draw_figure
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import draw_notice
from grader_app.ui.parts.question_choice import choose_question
from grader_app.ui.parts.shares_chart import SHARES_STYLE, shares_svg
from grader_app.ui.parts.spoken import counted, day, duration, moment, points
from grader_app.workflow.monitoring import Monitor, MonitorRow, monitor_of, validity_left

_MOST_AT_ONCE = 8
"""Graders up to which all are drawn one by one."""

_HOW_TO_PLANT = """\
checks:
  validity_paper_every: 20
  self_repeat_every: 50
  false_alarm_rate: 0.05
  on_alarm: tell_lead
"""

# Short cells stay on one line; a narrow screen scrolls the table instead.
_STYLE = "<style>div.scrolls table.plain td { white-space: nowrap; }</style>"

_SEVERE_ALL_ALONG = (
    "A grader who was severe or lenient in calibration is so here too, and may set off the alarm without "
    "having changed. Look at the packet on the calibration page first."
)
_AGAINST_REFERENCE = (
    "The sums run against the reference scores. They rise for a grader who has moved, and in time also for "
    "one who was a little off all along; the packet's severity on the calibration page tells the two apart."
)


def page() -> None:
    """Draw what checks show of one question, and the acts that follow from it."""
    lead = me(Role.LEAD).account
    st.header("Has a grader moved?")
    draw_notice()
    item = _chosen_item()
    found = monitor_of(bench(), item)
    st.html(_STYLE)
    draw_line(_headline(found), "headline")
    _draw_what_is_missing(found)
    if not found.rows:
        return
    _draw_overview(found)
    _draw_sight(found)
    _draw_graders(found, lead.account_id)
    _draw_shares(found)


def _chosen_item() -> str:
    return choose_question({item.id: item.title for item in bench().material().items.values()})


def _headline(found: Monitor) -> str:
    if not found.rows:
        return "No answer of this question has been dealt yet, so there is nothing to watch."
    paused = [row.account.shown_name for row in found.rows if row.pause is not None]
    stopped = f" Live work is paused for {', '.join(paused)}." if paused else ""
    return _of_panel(found) + stopped


def _of_panel(found: Monitor) -> str:
    """Say each alarm with the papers it rests on; without one, what so few papers could not show."""
    alarms = [
        (row.account.shown_name, row.checks.alarm) for row in found.rows if row.checks.alarm is not None
    ]
    if not alarms:
        return found.panel.says if not _blind_spot(found) else f"No alarm. {_blind_spot(found)}"
    said = [
        f"{name} may have become {alarm.direction} (since {day(alarm.at)}, "
        f"{counted(alarm.n_validity, 'validity paper')})"
        for name, alarm in alarms
        if alarm is not None
    ]
    return f"{counted(len(alarms), 'alarm')}: {'; '.join(said)}."


def _blind_spot(found: Monitor) -> str:
    """Say what could go unseen of those who have read a validity paper; empty while nobody has.

    Notes
    -----
    The scatter of a grader who has calibrated on no packet and read nothing is assumed, so that grader's
    figure says nothing of the others.
    """
    watched = [row.checks for row in found.rows if row.checks.sight is not None]
    read = [one for one in watched if one.validity.reads]
    if not read:
        return ""
    some = replace(found.panel, graders=tuple(read))
    said = some.blind_spot_says
    none_yet = len(watched) - len(read)
    if none_yet:
        said += f" {counted(none_yet, 'grader has', 'graders have')} read none yet."
    return said


def _draw_what_is_missing(found: Monitor) -> None:
    planted = any(row.checks.validity.planted or row.checks.repeats_planted for row in found.rows)
    checks = found.checks
    if checks.validity_paper_every is None and checks.self_repeat_every is None:
        also = " from now on" if planted else ""
        draw_line(
            f"This round plants no checks{also}. Write the spacing, in live papers, into a new version of "
            "round.yaml; checks are planted among the answers that are dealt after that."
        )
        # Without colors: those of the highlighter stand out too little from the page.
        st.code(_HOW_TO_PLANT, language=None)
    elif checks.validity_paper_every is not None and not found.has_validity_papers:
        draw_line(
            "There is no validity paper for this question as it stands. Add a set with `purpose: validity` "
            "to calibration_sets/, or promote answers that three readers scored alike."
        )
        draw_link("Calibration", "/calibration")
    said = [found.panel.false_alarms_say]
    if any(row.checks.alarm is not None for row in found.rows):
        said += [_SEVERE_ALL_ALONG, _blind_spot(found)]
    elif not _blind_spot(found) and found.panel.blind_spot_says not in found.panel.says:
        said.append(f"For graders who have read none: {_lowered(found.panel.blind_spot_says)}")
    said += [left.warning for left in validity_left(bench(), found.item)]
    draw_lines(sentence for sentence in said if sentence)


def _lowered(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"


def _draw_overview(found: Monitor) -> None:
    rows: list[list[Cell]] = [
        [
            row.account.shown_name,
            f"{len(row.checks.validity.reads)} of {row.checks.validity.planted}",
            _severity(row.checks),
            _interval(row.checks),
            _alarm(row.checks),
            _repeats(row.checks),
            _seconds(row.checks.pace.seconds),
            _seconds(row.checks.pace.first_third),
            _seconds(row.checks.pace.last_third),
            "paused" if row.pause is not None else "open",
        ]
        for row in found.rows
    ]
    columns = ["Grader", "Validity papers", "Against the reference", "95 % interval, + is harsh", "Alarm"]
    columns += ["Same score twice", "Median a paper", "First third", "Last third", "Live work"]
    draw_table(columns, rows)
    if any(row.account.simulated for row in found.rows):
        draw_line("Graders marked (simulated) are invented: a program drew their grades and times.")
    draw_line(
        "Idle time is left out of the times. Checks never count: no score and no figure on agreement uses "
        "them, and the first grade of a check is the one shown."
    )


def _severity(checks: GraderChecks) -> str | None:
    value = checks.validity.severity.value
    if value is None:
        return None
    if abs(value) < 0.005:
        return "level"
    return f"{points(value)} {'below (harsh)' if value > 0 else 'above (lenient)'}"


def _interval(checks: GraderChecks) -> str | None:
    found = checks.validity.severity
    if found.low is None or found.high is None:
        return None
    return f"{found.low:+.2f} to {found.high:+.2f}"


def _alarm(checks: GraderChecks) -> str:
    alarm = checks.alarm
    if alarm is not None:
        return f"{alarm.direction}, {moment(alarm.at)}"
    if not checks.validity.planted:
        return "not watched"
    return "none now, " + counted(len(checks.alarms), "earlier one") if checks.alarms else "none"


def _repeats(checks: GraderChecks) -> str | None:
    found = checks.consistency
    if found.n == 0:
        return None
    same = round((found.exact.value or 0) * found.n) if found.exact.value is not None else None
    return f"{same} of {found.n}" if same is not None else f"{found.n} read"


def _seconds(seconds: float | None) -> str | None:
    return None if seconds is None else duration(seconds)


def _draw_sight(found: Monitor) -> None:
    watched = [row for row in found.rows if row.checks.sight is not None]
    if not watched:
        return
    rows: list[list[Cell]] = []
    for row in watched:
        seen = row.checks.sight
        if seen is None:
            continue
        delay, visible = seen.delay, seen.visible
        rows.append(
            [
                row.account.shown_name,
                row.checks.validity.planted,
                "none" if visible.points is None else points(visible.points),
                f"{100 * delay.detected:.0f} %",
                None if delay.median is None else delay.median,
                None if delay.median_live is None else round(delay.median_live),
                None if delay.ninetieth is None else delay.ninetieth,
                None if delay.ninetieth_live is None else round(delay.ninetieth_live),
            ]
        )
    with st.expander("What these papers can and cannot show"):
        shift = points(watched[0].checks.sight.delay.shift_points) if watched[0].checks.sight else ""
        columns = ["Grader", "Validity papers", "Smallest change seen", f"{shift} is found"]
        columns += ["Half found by paper", "in live papers", "Nine in ten by paper", "in live papers"]
        draw_table(columns, rows)
        draw_line(
            "By simulation of graders who change with the first validity paper. A change is called seen when "
            "it is found in at least 80 % of cases within the papers planted; smaller ones may well go "
            "unseen. A dash: not found so often within these papers."
        )
        draw_line(_AGAINST_REFERENCE)


def _draw_graders(found: Monitor, lead_id: str) -> None:
    st.subheader("Grader by grader")
    rows = _rows_to_draw(found.rows)
    for at in range(0, len(rows), 2):
        for column, row in zip(st.columns(2, gap="medium"), rows[at : at + 2], strict=False):
            with column, st.container(border=True):
                monitor_grader.draw_grader(found.item, row, lead_id)


def _rows_to_draw(rows: tuple[MonitorRow, ...]) -> list[MonitorRow]:
    """Give everyone of a small panel; of a large one those who need the lead, and whoever is chosen."""
    if len(rows) <= _MOST_AT_ONCE:
        return list(rows)
    urgent = [row for row in rows if row.checks.alarm is not None or row.pause is not None]
    others = {row.account.shown_name: row for row in rows if row not in urgent}
    if not urgent:
        draw_line("Nobody has an alarm, and nobody is paused.")
    chosen = st.selectbox("Show another grader", list(others), index=None)
    return [*urgent, *([others[chosen]] if chosen else [])]


def _draw_shares(found: Monitor) -> None:
    given = [
        (row.account.shown_name, row.checks.shares)
        for row in found.rows
        if row.checks.shares is not None and row.checks.shares.n
    ]
    if not given:
        return
    top = max(share for _, shares in given for share in (*shares.grader, *shares.panel))
    drawn = [shares_svg(shares, name, top) for name, shares in given]
    st.subheader("Scores given to live answers")
    draw_line(
        "Bars: the grader's share of each score, in per cent. Marks: the whole panel's. Graders read "
        "different answers, so small differences mean nothing."
    )
    markup = f'<div class="multiples">{"".join(drawn)}</div>'
    draw_figure("score_shares", markup, SHARES_STYLE, key="score-shares")
