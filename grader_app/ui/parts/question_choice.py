"""Choosing a question on a page; the address keeps which, by the question's id."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_KEY = "item"
_KEPT = "item-in-address"


def choose_question(titles: Mapping[str, str]) -> str:
    """Let a question be chosen, beginning with the one that the address names.

    Streamlit's own way to keep a choice in the address writes the title there, and takes no id.

    Parameters
    ----------
    titles
        By id; there is at least one.

    Returns
    -------
    Id of the question chosen.
    """
    asked = st.query_params.get(_KEY)
    if asked in titles and asked != st.session_state.get(_KEPT):
        st.session_state[_KEY] = asked
    chosen: str = st.radio(
        "Question", list(titles), format_func=lambda one: titles[one], horizontal=True, key=_KEY
    )
    if asked != chosen:
        st.query_params[_KEY] = chosen
    st.session_state[_KEPT] = chosen
    return chosen
