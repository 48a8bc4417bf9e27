"""A person's act and the sentence that says what became of it, kept over the page run that follows."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.errors import GraderAppError
from grader_app.ui.current import me

_KEY = "notice"


def keep_notice(sentence: str) -> None:
    """Keep a sentence for the next page run."""
    st.session_state[_KEY] = sentence


def draw_notice() -> None:
    """Draw the sentence kept, once; as plain text, since it can hold a name someone chose.

    By the pages' style it stays in view: who acts at the foot of a long page is told there.
    """
    sentence = st.session_state.pop(_KEY, None)
    # Its place is there without a sentence too. What stands below would move otherwise, and be there
    # twice while the page is drawn anew.
    place = st.empty()
    if sentence:
        with place.container(border=True, key="notice"):
            st.text(sentence)


def act_as_lead(act: Callable[[], str]) -> None:
    """Do what a lead asked for, if the visitor still is one; then draw the page anew with what became of it.

    Parameters
    ----------
    act
        Does it and gives the sentence to show.
    """
    act_as(Role.LEAD, act)


def act_as(role: Role, act: Callable[[], str]) -> None:
    """Do what a person of a role asked for, if the visitor still is one; then draw the page anew.

    Parameters
    ----------
    role
        Who may ask for it.
    act
        Does it and gives the sentence to show; an empty one shows nothing.
    """
    try:
        me(role)
        keep_notice(act())
    except GraderAppError as refusal:
        keep_notice(str(refusal))
    st.rerun()
