"""Tables of text and numbers: real HTML, so that they can be read aloud, copied and printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st


@dataclass(frozen=True)
class Link:
    """A cell that leads somewhere within the workbench."""

    text: str
    address: str


_MISSING = "\N{EN DASH}"
_NUMBER = re.compile(
    r"[-+]?[\d,]*\.?\d+( %)?|\d*\.?\d+\N{EN DASH}\d*\.?\d+|(under|over) \d+ %"
    r"|\d+ (s|h|min)( \d+ (s|min))?"
)

_LONGEST_ON_A_LINE = 26
"""Letters up to which a cell is not broken on a phone; a moment, ``28 Jul 2026, 14:02 UTC``, has 22."""

Cell = str | int | float | None | Link


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str = "") -> str:
    """Write a table; every text is escaped, numbers stand right, and what is missing shows as a dash.

    Parameters
    ----------
    columns
        Headings.
    rows
        A cell for each column.
    caption
        What the table shows.

    Examples
    --------
    >>> "<td>&lt;b&gt;</td>" in table_html(["answer", "score"], [["<b>", 4]])
    True
    """
    numeric = [_is_numeric([row[at] for row in rows]) for at in range(len(columns))]
    head = "".join(
        # A column of links or buttons may have no heading; an empty one would be read out as a heading.
        f'<th scope="col"{_number(right)}>{escape(name)}</th>' if name else "<td></td>"
        for name, right in zip(columns, numeric, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_cell(cell, right) for cell, right in zip(row, numeric, strict=True)) + "</tr>"
        for row in rows
    )
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<table class="plain">{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def draw_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str = "") -> None:
    """Draw a table on the page."""
    st.html(scrolling_html(table_html(columns, rows, caption), caption))


def scrolling_html(table: str, caption: str = "") -> str:
    """Put a table where it can scroll sideways on a narrow screen, by keys as well as by touch."""
    named = escape(caption or "Table")
    return f'<div class="scrolls" tabindex="0" role="group" aria-label="{named}">{table}</div>'


def draw_line(sentence: str, kind: str = "aside") -> None:
    """Draw one sentence: ``headline`` for what matters most, ``aside`` for what explains it."""
    draw_lines([sentence], kind)


def draw_lines(sentences: Iterable[str], kind: str = "aside") -> None:
    """Draw sentences close together, each on a line of its own."""
    lines = "".join(f'<p class="{escape(kind)}">{escape(sentence)}</p>' for sentence in sentences)
    if lines:
        st.html(lines)


def _is_numeric(cells: Sequence[Cell]) -> bool:
    """Say whether a column holds numbers, written out or not."""
    held = [cell for cell in cells if cell is not None]
    return bool(held) and all(
        isinstance(cell, int | float) or (isinstance(cell, str) and _NUMBER.fullmatch(cell) is not None)
        for cell in held
    )


def _number(right: bool) -> str:
    return ' class="number"' if right else ""


def _cell(cell: Cell, right: bool) -> str:
    if cell is None:
        return f'<td class="{"number " if right else ""}empty">{_MISSING}</td>'
    if isinstance(cell, Link):
        return f'<td><a href="{escape(cell.address)}" target="_self">{escape(cell.text)}</a></td>'
    text = f"{cell:g}" if isinstance(cell, float) else str(cell)
    kind = _number(right) or (' class="words"' if len(text) > _LONGEST_ON_A_LINE else "")
    return f"<td{kind}>{escape(text)}</td>"
