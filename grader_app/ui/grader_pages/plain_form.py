"""The same judgment as the desk takes, from ordinary form fields: for screen readers and small screens."""

from __future__ import annotations

import uuid
from typing import Any

import streamlit as st

from grader_app.domain.grade import GradeEntry, warnings_for
from grader_app.domain.grade_changes import as_entered
from grader_app.domain.highlight import Evidences, Highlight
from grader_app.domain.panel import Role
from grader_app.domain.referral import REASONS
from grader_app.domain.response import BlindSheet
from grader_app.domain.rubric import Rubric
from grader_app.domain.rulings_text import rulings_text
from grader_app.errors import DraftMovedOn, GradeProblem, GraderAppError
from grader_app.ui.current import bench, me
from grader_app.ui.grader_pages import nothing_left
from grader_app.ui.grader_pages.plain_words import Words, tally_lines
from grader_app.ui.grader_pages.unconfirmed import unconfirmed_lines
from grader_app.ui.grader_pages.waiting import waiting_lines
from grader_app.ui.parts.author_flag import draw_author_flag
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.earlier_version import earlier_version_says
from grader_app.ui.parts.guess_form import ask_after, draw_guess_if_asked
from grader_app.ui.parts.issue_words import draw_issue_notes, point_words
from grader_app.ui.parts.links import draw_links_within
from grader_app.ui.parts.reminders import draw_reminders
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.evidence import places_shown, with_places_stored
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead, submit_grade
from grader_app.workflow.live_grading import (
    get_draft_or_none,
    save_draft,
    serve_next_or_none,
    sheet_to_correct,
)
from grader_app.workflow.own_grades import find_own_grade
from grader_app.workflow.progress import grader_progress

_NONE = "none"
_READING_WIDTH = 760  # Pixels: about seventy-five characters a line.


def draw(correct: str | None = None) -> None:
    """Draw the next answer with its form, or the one to correct."""
    grader_id = me(Role.GRADER).account.account_id
    said = st.session_state.pop("plain_said", None)
    if said:
        st.text(said)
    if not correct and draw_guess_if_asked(grader_id):
        return
    try:
        sheet = (
            sheet_to_correct(bench(), grader_id, correct)
            if correct
            else serve_next_or_none(bench(), grader_id)
        )
        start = {} if sheet is None else _start(grader_id, sheet, correct)
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    if sheet is None:
        nothing_left.draw(grader_id)
        return
    if not correct:
        rows = grader_progress(bench(), grader_id)
        draw_links_within(
            [
                (line["says"], line["link"], line["goes_to"])
                for line in [
                    *unconfirmed_lines(grader_id),
                    *waiting_lines(grader_id, rows),
                ]
            ]
        )
    if correct and (says := earlier_version_says(sheet)):
        st.text(says)
    with st.container(width=_READING_WIDTH):
        _draw_whole(grader_id, sheet, start, correct)


def _draw_whole(grader_id: str, sheet: BlindSheet, start: dict[str, Any], correct: str | None) -> None:
    _draw_material(sheet)
    _draw_form(grader_id, sheet, start, correcting=bool(correct))
    if not correct:
        _draw_referral(grader_id, sheet)
    draw_author_flag(grader_id, sheet.assignment_id)


def _draw_material(sheet: BlindSheet) -> None:
    st.header(f"Answer {sheet.assignment_id}")
    draw_cut_off(sheet.cut_off)
    draw_written(sheet.answer)
    for title, words in (
        ("Question", sheet.prompt),
        ("Rulings", rulings_text(sheet.guidelines, sheet.point_sheet, sheet.rubric)),
        ("File", sheet.file),
        ("Library", sheet.library),
    ):
        if words:
            with st.expander(title):
                st.text(words)


def _start(grader_id: str, sheet: BlindSheet, correct: str | None) -> dict[str, Any]:
    draft = get_draft_or_none(bench(), grader_id, sheet.assignment_id)
    if draft:
        return draft.body
    if correct:
        own = find_own_grade(bench(), grader_id, sheet.assignment_id)
        entry = places_shown(bench(), grader_id, sheet.assignment_id, own.entry)
        return as_entered(entry, own.note)
    return {}


def _draw_form(grader_id: str, sheet: BlindSheet, start: dict[str, Any], *, correcting: bool) -> None:
    key = sheet.assignment_id
    # What was there when the answer was opened; the draft changes with every field that is left.
    start = st.session_state.setdefault(f"start:{key}:{correcting}", start)
    # One token for each answer served: sending the same form twice is one grade.
    token = st.session_state.setdefault(f"token:{key}:{correcting}", str(uuid.uuid4()))
    words = Words(sheet.answer, [Highlight.from_json(one) for one in start.get("highlights") or ()])
    entry = _draw_entry(sheet, start, words)
    note = st.text_area("Note", start.get("note", ""), key=f"note:{key}")
    reason = (
        st.text_area("Why do you correct it?", start.get("reason", ""), key=f"reason:{key}")
        if correcting
        else ""
    )
    sent = st.button("Save correction" if correcting else "Submit", type="primary", key=f"submit:{key}")
    for line in tally_lines(sheet, entry.points, entry.score):
        st.text(line)
    draft = as_entered(entry, note) | {"reason": reason, "seconds": start.get("seconds", 0)}
    draft |= {"correcting": correcting, "item_hash": sheet.item_hash}
    if not sent:
        _keep(grader_id, key, draft)
        return
    try:
        me(Role.GRADER)
        if words.problems:
            raise GradeProblem(" ".join(words.problems))
        placed = with_places_stored(bench(), grader_id, key, entry)
        if correcting:
            receipt = correct_grade(
                bench(),
                grader_id,
                key,
                placed,
                reason=reason,
                token=token,
                note=note,
                item_hash=sheet.item_hash,
            )
        else:
            receipt = submit_grade(
                bench(), grader_id, key, placed, token=token, note=note, item_hash=sheet.item_hash
            )
            if receipt.surplus is None:
                ask_after(grader_id, key)
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    warned = " ".join(warnings_for(sheet.rubric, entry))
    said = f"Submitted {receipt.recorded_at[11:19]} UTC. {warned}".strip()
    st.session_state["plain_said"] = said if receipt.surplus is None else receipt.surplus.says
    if correcting:
        st.query_params.clear()
        st.query_params["form"] = "plain"
    st.rerun()


def _keep(grader_id: str, key: str, draft: dict[str, Any]) -> None:
    """Keep what is entered as a draft once it differs from what was kept last."""
    last, page = f"kept:{key}:{draft['correcting']}", f"page:{key}:{draft['correcting']}"
    if last not in st.session_state:
        st.session_state[last] = draft
        there = get_draft_or_none(bench(), grader_id, key)
        st.session_state[page] = (there.revision, there.saved_at) if there else (0, "")
        if there:
            st.session_state[f"said:{key}"] = _saved(there.saved_at)
    elif draft != st.session_state[last]:
        try:
            kept = save_draft(bench(), grader_id, key, draft, st.session_state[page])
        except DraftMovedOn as refusal:
            _draw_which_to_keep(grader_id, key, page, str(refusal))
            return
        except GraderAppError as refusal:
            st.text(str(refusal))
            return
        st.session_state[last], st.session_state[page] = draft, (kept.revision, kept.saved_at)
        st.session_state[f"said:{key}"] = _saved(kept.saved_at)
    st.html(f'<p role="status">{st.session_state.get(f"said:{key}", "Nothing entered yet.")}</p>')


def _saved(at: str) -> str:
    return f"Draft saved {at[11:19]} UTC. Not submitted yet."


def _draw_which_to_keep(grader_id: str, key: str, page: str, refusal: str) -> None:
    """Let the grader choose between what another tab has kept and what is here; neither is lost meanwhile."""
    st.text(refusal)
    if st.button("Take that one", key=f"take:{key}"):
        # The fields begin again from what is kept.
        for name in [name for name in st.session_state if key in str(name)]:
            del st.session_state[name]
        st.rerun()
    if st.button("Keep what is here", key=f"mine:{key}"):
        there = get_draft_or_none(bench(), grader_id, key)
        st.session_state[page] = (there.revision, there.saved_at) if there else (0, "")
        st.rerun()


def _draw_entry(sheet: BlindSheet, start: dict[str, Any], words: Words) -> GradeEntry:
    rubric, key = sheet.rubric, sheet.assignment_id
    points = _draw_points(sheet, start, words)
    score = (
        _draw_scale("Score", rubric.score.range.values(), start.get("score"), f"score:{key}")
        if rubric.score.given_by == "grader"
        else None
    )
    marks = {
        c.id: _draw_scale(
            c.title, c.range.values(), (start.get("marks") or {}).get(c.id), f"mark:{c.id}:{key}"
        )
        for c in rubric.criteria
    }
    errors = _draw_choices(
        "Errors", {e.id: e.title for e in rubric.error_types}, start.get("error_types"), f"errors:{key}"
    )
    _draw_words_of("error_type", "error", errors, [e.id for e in rubric.error_types], words, key)
    gaps = _draw_choices(
        "Why analysis is missing",
        {g.id: g.title for g in rubric.analysis_gaps},
        start.get("analysis_gaps"),
        f"gaps:{key}",
    )
    _draw_words_of("analysis_gap", "gap", gaps, [g.id for g in rubric.analysis_gaps], words, key)
    draw_reminders(rubric)
    code = _draw_code(rubric, start.get("condition_code"), key)
    return GradeEntry(
        score=None if code else score,
        marks={name: mark for name, mark in marks.items() if mark is not None},
        error_types=errors,
        analysis_gaps=gaps,
        points=points,
        condition_code=code,
        highlights=tuple(sorted(words.found)),
    )


def _draw_words_of(
    of: Evidences, what: str, chosen: tuple[str, ...], known: list[str], words: Words, key: str
) -> None:
    for name in chosen:
        # A label is read as Markdown, so it names the error by its number in the list.
        words.draw_field(of, name, f"{what} {known.index(name) + 1}", key)


def _draw_points(sheet: BlindSheet, start: dict[str, Any], words: Words) -> tuple[str, ...]:
    st.subheader("Points found")
    ticked = []
    for number, issue in enumerate(sheet.point_sheet.issues, start=1):
        st.text(f"{issue.title} ({issue.weight_percent:g} %)")
        for place, point in enumerate(issue.points, start=1):
            # A widget's label is read as Markdown, so the point's words stand apart, under its number.
            st.text(point_words(number, place, point))
            on = st.checkbox(
                f"Point {number}.{place} found",
                point.id in (start.get("points") or ()),
                key=f"{point.id}:{sheet.assignment_id}",
            )
            if on:
                ticked.append(point.id)
                words.draw_field("point", point.id, f"point {number}.{place}", sheet.assignment_id)
        draw_issue_notes(issue)
    return tuple(ticked)


def _draw_scale(title: str, values: tuple[float, ...], start: float | None, key: str) -> float | None:
    at = values.index(start) if start in values else None
    return st.radio(title, values, index=at, format_func=lambda value: f"{value:g}", horizontal=True, key=key)


def _draw_choices(title: str, options: dict[str, str], start: object, key: str) -> tuple[str, ...]:
    if not options:
        return ()
    chosen = [option for option in options if isinstance(start, list | tuple) and option in start]
    return tuple(
        st.multiselect(title, list(options), chosen, format_func=lambda option: options[option], key=key)
    )


def _draw_code(rubric: Rubric, start: str | None, key: str) -> str | None:
    if not rubric.condition_codes:
        return None
    titles = {_NONE: "none: I give a score"} | {c.id: c.title for c in rubric.condition_codes}
    options = list(titles)
    at = options.index(start) if start in options else 0
    chosen = st.radio(
        "Instead of a score", options, index=at, format_func=lambda one: titles[one], key=f"code:{key}"
    )
    return None if chosen == _NONE else chosen


def _draw_referral(grader_id: str, sheet: BlindSheet) -> None:
    key = sheet.assignment_id
    token = st.session_state.setdefault(f"token:{key}:refer", str(uuid.uuid4()))
    with st.expander("Cannot grade this, because …"), st.form(f"refer:{key}"):
        reason = st.radio("Reason", list(REASONS), index=None, format_func=lambda one: REASONS[one])
        note = st.text_area("A word to the lead")
        if not st.form_submit_button("Send to the lead"):
            return
    try:
        me(Role.GRADER)
        refer_to_lead(
            bench(), grader_id, key, reason or "", token=token, note=note, item_hash=sheet.item_hash
        )
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    st.session_state["plain_said"] = "Sent to the panel lead."
    st.rerun()
