"""A paper's text in real paragraphs, for pages outside the desk."""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

import streamlit as st

from grader_app.domain.direction_marks import with_controls_shown

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
_CODE = re.compile(r"`([^`]+)`")


def prose_html(text: str, new: Collection[str] = ()) -> str:
    r"""Write the panel's own Markdown: headings, numbered paragraphs, bold words and code, and nothing else.

    Parameters
    ----------
    text
        As the panel wrote it.
    new
        Paragraphs to mark as new, as `prose_paragraphs` gives them.

    Examples
    --------
    >>> prose_html("# Rulings\n\n1. **Notes.** Read <b>.")
    '<div class="paper"><h3>Rulings</h3><p>1. <strong>Notes.</strong> Read &lt;b&gt;.</p></div>'
    >>> prose_html("Give `blank`.")
    '<div class="paper"><p>Give <code>blank</code>.</p></div>'
    >>> prose_html("1. Old.\n\n2. Late.", new={"2. Late."})
    '<div class="paper"><p>1. Old.</p><p class="new"><strong class="new">New</strong> 2. Late.</p></div>'
    """
    blocks = []
    for line in prose_paragraphs(text):
        heading, numbered = _HEADING.match(line), _NUMBERED.match(line)
        mark = '<strong class="new">New</strong> ' if line in new else ""
        opens = f'<p class="new">{mark}' if mark else "<p>"
        if heading:
            blocks.append(f"<h3>{mark}{escape(heading[1])}</h3>")
        elif numbered:
            blocks.append(f"{opens}{numbered[1]}. {_inline(numbered[2])}</p>")
        else:
            blocks.append(f"{opens}{_inline(line)}</p>")
    return f'<div class="paper">{"".join(blocks)}</div>'


def prose_paragraphs(text: str) -> list[str]:
    r"""List the paragraphs of a text, each on one line.

    Examples
    --------
    >>> prose_paragraphs("# Rulings\n\n1. Notes\ncount.\n")
    ['# Rulings', '1. Notes count.']
    """
    lines = (" ".join(part.split()) for part in _BLANK_LINE.split(with_controls_shown(text)))
    return [line for line in lines if line]


def paragraphs_since(text: str, before: str | None) -> frozenset[str]:
    r"""Find what is new in guidelines: paragraphs that an earlier text lacks.

    Parameters
    ----------
    text
        As it stands now.
    before
        As it was last read; None where that is not known, and then the last numbered paragraph is new.

    Examples
    --------
    >>> sorted(paragraphs_since("1. Old.\n\n2. Late.", "1. Old."))
    ['2. Late.']
    >>> sorted(paragraphs_since("1. Old.\n\n2. Late.\n\nSigned.", None))
    ['2. Late.']
    """
    found = prose_paragraphs(text)
    if before is not None:
        return frozenset(found) - frozenset(prose_paragraphs(before))
    return frozenset([line for line in found if _NUMBERED.match(line)][-1:])


def draw_prose(text: str, new: Collection[str] = ()) -> None:
    """Draw the panel's own Markdown; see `prose_html`."""
    st.html(prose_html(text, new))


def _inline(line: str) -> str:
    bold = _BOLD.sub(r"<strong>\1</strong>", escape(line))
    return _CODE.sub(r"<code>\1</code>", bold)
