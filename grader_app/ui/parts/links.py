"""Links that stay in the tab they are clicked in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st


def draw_back(text: str, address: str) -> None:
    """Draw the way back, above a page's heading."""
    said = f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK} {escape(text)}"
    st.html(f'<a class="back" href="{escape(address)}" target="_self">{said}</a>')


def draw_links_within(lines: Iterable[tuple[str, str, str]]) -> None:
    """Draw quiet lines that end in a link: each a sentence, the link's text and its address."""
    written = "".join(
        f'<p class="aside">{escape(says)} <a class="back" href="{escape(address)}" target="_self">'
        f"{escape(text)}</a></p>"
        for says, text, address in lines
    )
    if written:
        st.html(written)


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
