"""Links that stay in the tab they are clicked in."""

from __future__ import annotations

from html import escape

import streamlit as st


def draw_back(text: str, address: str) -> None:
    """Draw the way back, above a page's heading."""
    said = f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK} {escape(text)}"
    st.html(f'<a class="back" href="{escape(address)}" target="_self">{said}</a>')


def draw_link(text: str, address: str, *, next_step: bool = False) -> None:
    """Draw a link within the workbench.

    Parameters
    ----------
    text
        What it says.
    address
        Where it leads.
    next_step
        Draw it in the accent colour: it is what to do next.
    """
    kind = "step next" if next_step else "step"
    st.html(f'<a class="{kind}" href="{escape(address)}" target="_self">{escape(text)}</a>')
