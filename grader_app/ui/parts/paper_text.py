"""A paper's text in real paragraphs, for pages outside the desk."""

from __future__ import annotations

import re
from html import escape

import streamlit as st

from grader_app.ui.parts.written_text import with_controls_shown

_BLANK_LINE = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+")


def paper_html(text: str) -> str:
    r"""Write a text as paragraphs; nothing in it is interpreted.

    Examples
    --------
    >>> paper_html("One <b>.\n\nTwo.")
    '<div class="paper"><p>One &lt;b&gt;.</p><p>Two.</p></div>'
    """
    parts = [part for part in _BLANK_LINE.split(with_controls_shown(text)) if part.strip()]
    return '<div class="paper">' + "".join(f"<p>{escape(part)}</p>" for part in parts) + "</div>"


def draw_paper(text: str) -> None:
    """Draw a text as paragraphs."""
    st.html(paper_html(text))


_HEADING = re.compile(r"^#{1,4}\s+(.*)$")
_NUMBERED = re.compile(r"^\s*(\d+)[.)]\s+(.*)$")
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def prose_html(text: str) -> str:
    r"""Write the panel's own Markdown: headings, numbered paragraphs and bold words, and nothing else of it.

    Examples
    --------
    >>> prose_html("# Rulings\n\n1. **Notes.** Read <b>.")
    '<div class="paper"><h4>Rulings</h4><p>1. <strong>Notes.</strong> Read &lt;b&gt;.</p></div>'
    """
    blocks = []
    for part in _BLANK_LINE.split(with_controls_shown(text)):
        line = " ".join(part.split())
        heading, numbered = _HEADING.match(line), _NUMBERED.match(line)
        if heading:
            blocks.append(f"<h4>{escape(heading[1])}</h4>")
        elif numbered:
            blocks.append(f"<p>{numbered[1]}. {_inline(numbered[2])}</p>")
        elif line:
            blocks.append(f"<p>{_inline(line)}</p>")
    return f'<div class="paper">{"".join(blocks)}</div>'


def draw_prose(text: str) -> None:
    """Draw the panel's own Markdown."""
    st.html(prose_html(text))


def _inline(line: str) -> str:
    return _BOLD.sub(r"<strong>\1</strong>", escape(line))
