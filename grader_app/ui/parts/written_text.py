"""Texts that other people wrote: never interpreted, and hidden characters made visible."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.direction_marks import with_controls_shown


def draw_written(text: str) -> None:
    """Draw a text that somebody wrote, exactly as stored."""
    st.text(with_controls_shown(text))
