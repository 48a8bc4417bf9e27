"""The flag for a text that gives its author away, from ordinary form fields."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench, me
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.spoken import moment
from grader_app.workflow.author_flags import flag_author, flagged_at_or_none

TITLE = "The text gives its author away"
_WHAT_IT_IS = (
    "This is a note for the record. You still grade the answer, and no score changes. It can be said once of "
    "an answer, and stays."
)
_ANY = "flag-any"
_WORDS = "What gives it away? This may stay empty"


def draw_author_flag(grader_id: str, assignment_id: str) -> None:
    """Draw the flag of one answer, or when it was put on record."""
    at = flagged_at_or_none(bench(), grader_id, assignment_id)
    if at is not None:
        st.text(f"{TITLE}: you said so, {moment(at)}.")
        return
    with st.expander(TITLE), st.form(f"flag:{assignment_id}"):
        st.text(_WHAT_IT_IS)
        words = st.text_area(_WORDS)
        if st.form_submit_button("Put it on record"):
            _record(grader_id, assignment_id, words)


def draw_author_flags(grader_id: str, assignment_ids: Sequence[str]) -> None:
    """Draw the flag for any of a grader's own graded answers, closed questions too."""
    with st.expander("The text of one of these gives its author away"), st.form(form_key(_ANY)):
        st.text(_WHAT_IT_IS)
        chosen = st.selectbox("Answer", assignment_ids, index=None)
        words = st.text_area(_WORDS)
        if st.form_submit_button("Put it on record"):
            if chosen is None:
                st.text("Choose the answer first.")
            else:
                _record(grader_id, chosen, words)
    said = st.session_state.pop("flag_said", None)
    if said:
        st.text(said)


def _record(grader_id: str, assignment_id: str, words: str) -> None:
    # One token for each answer: sending the same form twice is one flag.
    token = st.session_state.setdefault(f"token:{assignment_id}:flag", str(uuid.uuid4()))
    try:
        me(Role.GRADER)
        receipt = flag_author(bench(), grader_id, assignment_id, token=token, words=words)
    except GraderAppError as refusal:
        st.text(str(refusal))
        return
    empty_form(_ANY)
    st.session_state["flag_said"] = f"Answer {assignment_id}: put on record, {moment(receipt.recorded_at)}."
    st.rerun()
