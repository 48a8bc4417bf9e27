"""The grading desk: one answer, its point sheet, one judgment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from grader_app.domain.grade_changes import that_fits
from grader_app.domain.panel import Role
from grader_app.domain.response import BlindSheet
from grader_app.errors import GraderAppError, NotSignedIn
from grader_app.ui.current import bench, me
from grader_app.ui.grader_pages import nothing_left, plain_form
from grader_app.ui.grader_pages.unconfirmed import unconfirmed_lines
from grader_app.ui.grader_pages.waiting import waiting_lines
from grader_app.ui.parts.desk import desk_data, draw_desk
from grader_app.ui.parts.earlier_version import earlier_version_says
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.spoken import about, counted
from grader_app.workflow.author_flags import flagged_at_or_none
from grader_app.workflow.changed_grades import as_submitted
from grader_app.workflow.live_grading import get_draft_or_none, serve_next_or_none, sheet_to_correct
from grader_app.workflow.own_grades import (
    find_own_grade,
    last_recorded_or_none,
    own_history,
    previous_or_none,
)
from grader_app.workflow.progress import GraderProgress, grader_progress

_USUAL_SECONDS = 300  # Taken as the time an answer needs until the grader has a median of their own.


def page() -> None:
    """Draw the next answer, or the one to correct."""
    me(Role.GRADER)
    if st.query_params.get("form") == "plain":
        plain_form.draw(st.query_params.get("correct"))
    else:
        _desk()


@st.fragment
def _desk() -> None:
    try:
        found = me(Role.GRADER)
    except NotSignedIn as refusal:
        st.text(str(refusal))
        draw_link("Sign in", "/sign-in?goes_to=/grade", next_step=True)
        return
    grader_id = found.account.account_id
    correct = st.query_params.get("correct")
    if correct:
        try:
            _draw_correction(grader_id, correct, found.csrf_token)
        except GraderAppError as refusal:
            st.text(str(refusal))
            draw_link("Back to my progress", "/progress")
        return
    sheet = serve_next_or_none(bench(), grader_id)
    if sheet is None:
        nothing_left.draw(grader_id)
        return
    draft = get_draft_or_none(bench(), grader_id, sheet.assignment_id)
    body, says = fitted(sheet, draft.body if draft else None)
    rows = grader_progress(bench(), grader_id)
    data = desk_data(
        sheet,
        csrf_token=found.csrf_token,
        draft=body,
        saved_at=draft.saved_at if draft else None,
        revision=draft.revision if draft else 0,
        says=says,
        progress=progress_shown(rows, sheet),
        last_recorded_at=last_recorded_or_none(bench(), grader_id),
        waits=[*unconfirmed_lines(grader_id), *waiting_lines(grader_id, rows)],
        author_flagged_at=flagged_at_or_none(bench(), grader_id, sheet.assignment_id),
        previous=previous_or_none(bench(), grader_id),
    )
    draw_desk(data)


def _draw_correction(grader_id: str, assignment_id: str, csrf_token: str) -> None:
    sheet = sheet_to_correct(bench(), grader_id, assignment_id)
    standing = find_own_grade(bench(), grader_id, assignment_id)
    draft = get_draft_or_none(bench(), grader_id, assignment_id)
    submitted = as_submitted(bench(), grader_id, standing)
    body, says = fitted(sheet, draft.body if draft else submitted)
    data = desk_data(
        sheet,
        csrf_token=csrf_token,
        draft=body,
        saved_at=draft.saved_at if draft else None,
        revision=draft.revision if draft else 0,
        says=f"{earlier_version_says(sheet)} {says}".strip(),
        progress=progress_shown(grader_progress(bench(), grader_id), sheet),
        correcting={
            "gave": standing.gave,
            "submitted_at": standing.submitted_at,
            "submitted": submitted,
            "history": [vars(one) for one in own_history(bench(), grader_id, assignment_id)],
        },
        author_flagged_at=flagged_at_or_none(bench(), grader_id, assignment_id),
        previous=previous_or_none(bench(), grader_id, assignment_id),
    )
    draw_desk(data)


def fitted(sheet: BlindSheet, body: dict[str, Any] | None) -> tuple[dict[str, Any] | None, str]:
    """Leave out of a draft what the question no longer has, and say so."""
    if body is None:
        return None, ""
    kept, left_out = that_fits(body, sheet.rubric, sheet.point_sheet)
    if not left_out:
        return kept, ""
    return kept, (
        "The question has a new version since you entered this. What it no longer has was left out: "
        f"{', '.join(left_out)}."
    )


def progress_shown(rows: Sequence[GraderProgress], sheet: BlindSheet) -> dict[str, Any]:
    """Count this question, and say how much is left: of all questions, where others wait too."""
    here = next(row for row in rows if row.item == sheet.item)
    seconds, left = sum(_seconds_left(row) for row in rows), sum(row.left for row in rows)
    words = about(seconds) if seconds else ""
    elsewhere = left > here.left
    return {
        "done": here.done,
        "total": here.done + here.left,
        "here_only": elsewhere,
        "left_text": f"{counted(left, 'answer')} left in all, {words.removesuffix(' left')}"
        if elsewhere
        else words,
    }


def _seconds_left(row: GraderProgress) -> float:
    return row.left * (row.median_seconds or _USUAL_SECONDS)
