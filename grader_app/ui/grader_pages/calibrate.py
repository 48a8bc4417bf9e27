"""Calibration: read the materials, put the packet in order, score it, look at how it went."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.domain.qualification import next_set_or_none
from grader_app.errors import GraderAppError, NotSignedIn
from grader_app.ui.current import bench, me
from grader_app.ui.grader_pages import calibration_feedback, calibration_materials
from grader_app.ui.grader_pages.earlier_reading import earlier_reading_or_none
from grader_app.ui.parts.desk import desk_data, draw_desk
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as, draw_notice
from grader_app.ui.parts.ranking import draw_ranking
from grader_app.ui.parts.ranking.data import ranking_data
from grader_app.ui.parts.spoken import about, counted, moment, roughly
from grader_app.workflow.calibration import begin, begin_exercise, board_of, own_attempt
from grader_app.workflow.calibration_scoring import (
    finish_what_is_scored,
    next_paper_or_none,
    scored_so_far,
)
from grader_app.workflow.calibration_steps import ItemCalibration, calibrations_of
from grader_app.workflow.live_grading import get_draft_or_none
from grader_app.workflow.training import packet_of

_USUAL_SECONDS = 180
_PACKET_SECONDS = 240
"""A paper of a packet takes about this long, put in order and scored."""
_STATES = {
    "not_required": "not required",
    "qualified": "qualified",
    "overridden": "allowed by the lead",
    "reread": "read the new ruling",
    "open": "calibrate first",
    "stopped": "stopped",
    "no_set": "no packet",
}


def page() -> None:
    """Draw the step that was asked for, or the list of questions."""
    grader_id = me(Role.GRADER).account.account_id
    finish_what_is_scored(bench(), grader_id)
    attempt_id, item = st.query_params.get("attempt"), st.query_params.get("item")
    try:
        if attempt_id:
            _draw_attempt(grader_id, attempt_id)
        elif item:
            calibration_materials.draw(grader_id, item)
        else:
            _draw_list(grader_id)
    except GraderAppError as refusal:
        st.text(str(refusal))
        draw_link("Back to calibration", "/calibrate")


def _draw_list(grader_id: str) -> None:
    st.header("Calibrate")
    draw_notice()
    found = calibrations_of(bench(), grader_id)
    draw_line(_headline(found), "headline")
    draw_line(
        "Before you grade a question live, you read its materials, put a packet of papers in order, then "
        "score the same papers. Both are compared with reference scores; you see them once you have finished."
    )
    rows: list[list[Cell]] = [
        [
            one.title,
            "paused" if one.standing.pause else _STATES[one.standing.qualification.status],
            _materials_read(grader_id, one),
            _attempts(one),
            Link("Read", f"/calibrate?item={one.item}"),
        ]
        for one in found
    ]
    draw_table(["Question", "Live grading", "Materials read", "Packets", "Materials"], rows)
    for one in found:
        _draw_next(grader_id, one)
    _draw_finished(found)


def _headline(found: list[ItemCalibration]) -> str:
    closed = [one for one in found if not one.standing.may_grade]
    if not closed:
        can_try = any(one.step in ("training", "begin", "rank", "score") for one in found)
        more = (
            "Calibrating is not needed, but you can try the packet." if can_try else "Nothing more is needed."
        )
        return f"You may grade every question. {more}"
    first = closed[0]
    return f"“{first.title}” is not open to you yet. {first.standing.says}"


def _materials_read(grader_id: str, one: ItemCalibration) -> str | None:
    if one.trained_at:
        return moment(one.trained_at)
    earlier = earlier_reading_or_none(grader_id, one.item)
    if earlier is None or earlier.trained_at is None:
        return None
    if earlier.reread_at:
        return f"{moment(earlier.trained_at)}; ruling read {moment(earlier.reread_at)}"
    return f"{moment(earlier.trained_at)}, before the new ruling"


def _attempts(one: ItemCalibration) -> str:
    done = sum(attempt.judgment is not None for attempt in one.attempts)
    left = f", {one.attempts_left} left" if one.attempts_left else ""
    return f"{counted(done, 'packet')} finished{left}" if one.attempts or one.attempts_left else ""


def _draw_next(grader_id: str, one: ItemCalibration) -> None:
    urgent = not one.standing.may_grade
    if one.step in ("rank", "score") and one.attempt_id:
        step = "Go on putting the papers in order" if one.step == "rank" else "Go on scoring the packet"
        draw_link(f"{one.title}: {step}", f"/calibrate?attempt={one.attempt_id}", next_step=urgent)
    elif one.step == "training":
        draw_line(_what_it_takes(grader_id, one))
        draw_link(f"{one.title}: read the materials", f"/calibrate?item={one.item}", next_step=urgent)
    elif one.step == "reread":
        draw_link(
            f"{one.title}: read the new ruling",
            f"/calibrate?item={one.item}&material=guidelines",
            next_step=True,
        )
    elif one.step == "begin":
        draw_line(_what_it_takes(grader_id, one))
        label = f"{one.title}: begin the packet"
        if st.button(label, key=f"begin:{one.item}", type="primary" if urgent else "secondary"):
            act_as(Role.GRADER, partial(_begin, grader_id, one.item))
    elif one.step == "panel":
        draw_line(f"{one.title}: your scores are in. The panel lead judges once the others have finished.")
    _draw_exercise(grader_id, one)


def _what_it_takes(grader_id: str, one: ItemCalibration) -> str:
    """Say how many papers the next packet has, and how long it takes."""
    with bench().record() as record:
        upcoming = next_set_or_none(record, grader_id, one.item)
    if upcoming is None:
        return f"{one.title}: a packet waits."
    packet = packet_of(bench(), upcoming)
    # Where a panel makes its own references, the second packet is the one each grader is judged on.
    is_second = any(attempt.set_id == upcoming for attempt in one.attempts)
    of_panel = packet.set.judged_papers if is_second else packet.set.papers
    papers = len(packet.ranked) or of_panel or 0
    return (
        f"{one.title}: the packet has {counted(papers, 'paper')}, {roughly(papers * _PACKET_SECONDS)}. "
        "You can stop at any time and go on later."
    )


def _draw_exercise(grader_id: str, one: ItemCalibration) -> None:
    if one.exercise:
        draw_link(f"{one.title}: go on with the exercise on codes", f"/calibrate?attempt={one.exercise}")
    elif one.exercise == "" and _materials_read(grader_id, one) is not None:
        label = f"{one.title}: exercise on condition codes (not judged)"
        if st.button(label, key=f"codes:{one.item}"):
            act_as(Role.GRADER, partial(_begin_exercise, grader_id, one.item))


def _begin(grader_id: str, item: str) -> str:
    st.query_params["attempt"] = begin(bench(), grader_id, item)
    return ""


def _begin_exercise(grader_id: str, item: str) -> str:
    st.query_params["attempt"] = begin_exercise(bench(), grader_id, item)
    return ""


def _draw_finished(found: list[ItemCalibration]) -> None:
    done = [(one, attempt) for one in found for attempt in one.attempts if attempt.judgment is not None]
    if not done:
        return
    st.subheader("Packets you have finished")
    outcomes = {
        "qualified": "qualified",
        "not_qualified": "not qualified",
        "reference": "made the panel's reference",
        "exercise": "exercise",
    }
    rows: list[list[Cell]] = [
        [
            one.title,
            moment(attempt.judgment.at) if attempt.judgment else None,
            outcomes[attempt.judgment.outcome] if attempt.judgment else None,
            "held until the panel's meeting"
            if attempt.set_id in one.held
            else Link("How it went", f"/calibrate?attempt={attempt.attempt_id}"),
        ]
        for one, attempt in done
    ]
    draw_table(["Question", "Finished", "Outcome", "Feedback"], rows)


def _draw_attempt(grader_id: str, attempt_id: str) -> None:
    attempt = own_attempt(bench(), grader_id, attempt_id)
    if attempt.judgment is not None:
        calibration_feedback.draw(grader_id, attempt_id)
    elif attempt.order is None and attempt.purpose != "codes":
        _ranking(attempt_id)
    else:
        _scoring(attempt_id)


@st.fragment
def _ranking(attempt_id: str) -> None:
    found = _me_or_none()
    if found is None:
        return
    attempt = own_attempt(bench(), found[0], attempt_id)
    if attempt.order is not None:
        st.rerun()
    draw_ranking(ranking_data(board_of(bench(), found[0], attempt_id), csrf_token=found[1]))


@st.fragment
def _scoring(attempt_id: str) -> None:
    found = _me_or_none()
    if found is None:
        return
    grader_id, csrf_token = found
    sheet = next_paper_or_none(bench(), grader_id, attempt_id)
    attempt = own_attempt(bench(), grader_id, attempt_id)
    if sheet is None:
        if attempt.judgment is not None:
            st.rerun()
        st.header("All scored")
        draw_line("Your scores are in. The panel lead judges once the others have finished.", "headline")
        draw_link("Back to calibration", "/calibrate")
        return
    done, total = len(scored_so_far(bench(), grader_id, attempt_id)), len(attempt.assignment_ids)
    draft = get_draft_or_none(bench(), grader_id, sheet.assignment_id)
    is_exercise = attempt.purpose == "codes"
    data = desk_data(
        sheet,
        csrf_token=csrf_token,
        draft=draft.body if draft else None,
        saved_at=draft.saved_at if draft else None,
        revision=draft.revision if draft else 0,
        progress={"done": done, "total": total, "left_text": about((total - done) * _USUAL_SECONDS)},
        calibrating="Exercise on codes" if is_exercise else "Calibration, step 2 of 2: score the same papers",
    )
    draw_desk(data)


def _me_or_none() -> tuple[str, str] | None:
    """Give the signed-in grader and the form token; a sentence and None when the session has ended."""
    try:
        found = me(Role.GRADER)
    except NotSignedIn as refusal:
        st.text(str(refusal))
        draw_link("Sign in", "/sign-in?goes_to=/calibrate", next_step=True)
        return None
    return found.account.account_id, found.csrf_token
