"""The question who wrote the answer just graded, from ordinary form fields."""

from __future__ import annotations

import uuid

import streamlit as st

from grader_app.domain.blinding_check import GUESS_WORDS, SURENESS_WORDS
from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench, me
from grader_app.workflow.source_guesses import asks_guess, guess_source

_ASKED = "guess_asked"
_WHY = (
    "Your grade is submitted, and this does not change it. The question is put now and then to see how well "
    "the blind holds. Nobody will tell you whether you were right."
)


def ask_after(grader_id: str, assignment_id: str) -> None:
    """Put the question on the next run, if it is to be put after this answer."""
    if asks_guess(bench(), grader_id, assignment_id):
        st.session_state[_ASKED] = assignment_id


def draw_guess_if_asked(grader_id: str) -> bool:
    """Draw the question and say so; the next answer waits until it is answered or passed over."""
    assignment_id = st.session_state.get(_ASKED)
    if assignment_id is None:
        return False
    st.header("Who wrote the answer you just graded?")
    st.text(_WHY)
    with st.form(f"guess:{assignment_id}"):
        guess = st.radio("Written by", list(GUESS_WORDS), index=None, format_func=GUESS_WORDS.__getitem__)
        sure = st.radio(
            "How sure are you?", list(SURENESS_WORDS), index=None, format_func=SURENESS_WORDS.__getitem__
        )
        words = st.text_input("Why do you think so? This may stay empty")
        left, right = st.columns([1, 1])
        sent = left.form_submit_button("Record it", type="primary")
        skipped = right.form_submit_button("Skip")
    if sent and guess is None:
        st.text("Choose one of the three, or skip the question.")
    elif sent and _record(grader_id, assignment_id, str(guess), sure, words):
        _go_on("Put on record.")
    elif skipped:
        _go_on("Left unanswered.")
    return True


def _record(grader_id: str, assignment_id: str, guess: str, sure: str | None, words: str) -> bool:
    token = st.session_state.setdefault(f"token:{assignment_id}:guess", str(uuid.uuid4()))
    try:
        me(Role.GRADER)
        guess_source(bench(), grader_id, assignment_id, guess, sure, token=token, words=words)
    except GraderAppError as refusal:
        st.text(str(refusal))
        return False
    return True


def _go_on(said: str) -> None:
    del st.session_state[_ASKED]
    st.session_state["plain_said"] = said
    st.rerun()
