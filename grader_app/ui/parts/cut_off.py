"""The mark of an answer whose text stops before its end."""

from __future__ import annotations

import streamlit as st

CUT_OFF = "This answer is cut off: the text stops before its end."
"""As every page that shows an answer says it."""


def draw_cut_off(cut_off: bool) -> None:
    """Say that a text stops before its end; nothing for a whole one."""
    if cut_off:
        st.text(CUT_OFF)
