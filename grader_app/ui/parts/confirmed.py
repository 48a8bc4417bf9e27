"""An act that asks first: a button, then a sentence that says what will happen, then yes or no."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from grader_app.ui.parts.notice import act_as_lead


def draw_confirmed(key: str, label: str, asks: str, yes: str, act: Callable[[], str]) -> None:
    """Draw a lead's act that asks before it does anything.

    Parameters
    ----------
    key
        Of this act and what it is about: with another choice the question is asked anew.
    label
        What the first button says.
    asks
        What will happen, in a sentence or two.
    yes
        What the second button says.
    act
        Does it and gives the sentence that says what happened.
    """
    asked = f"asked:{key}"
    if not st.session_state.get(asked):
        if st.button(label, key=f"ask:{key}"):
            st.session_state[asked] = True
            st.rerun()
        return
    with st.container(border=True):
        st.text(asks)
        with st.container(horizontal=True):
            if st.button(yes, type="primary", key=f"yes:{key}"):
                del st.session_state[asked]
                act_as_lead(act)
            if st.button("Leave it", key=f"no:{key}"):
                del st.session_state[asked]
                st.rerun()
