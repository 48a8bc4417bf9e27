"""A form that keeps what was written until the act is on record, and is empty then."""

from __future__ import annotations

import streamlit as st

_DONE = "form-done"


def form_key(name: str) -> str:
    """Give a form's key, which is another once `empty_form` was called: its fields are empty then.

    A form that Streamlit clears by itself loses what was written when the act is refused as well.
    """
    return f"{name}:{st.session_state.get(f'{_DONE}:{name}', 0)}"


def empty_form(name: str) -> None:
    """Empty a form's fields in the next page run, because what was written is on record."""
    key = f"{_DONE}:{name}"
    st.session_state[key] = st.session_state.get(key, 0) + 1
