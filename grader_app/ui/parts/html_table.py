"""Tables of text and numbers: real HTML, so that they can be read aloud, copied and printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st


@dataclass(frozen=True)
class Link:
    """A cell that leads somewhere within the workbench."""

    text: str
    address: str


_MISSING = "\N{EN DASH}"

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
    numeric = [
        all(isinstance(row[at], int | float) or row[at] is None for row in rows)
        and any(row[at] is not None for row in rows)
        for at in range(len(columns))
    ]
    head = "".join(
        f'<th scope="col"{_number(right)}>{escape(name)}</th>'
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
    st.html(table_html(columns, rows, caption))


def draw_line(sentence: str, kind: str = "aside") -> None:
    """Draw one sentence: ``headline`` for what matters most, ``aside`` for what explains it."""
    st.html(f'<p class="{escape(kind)}">{escape(sentence)}</p>')


def _number(right: bool) -> str:
    return ' class="number"' if right else ""


def _cell(cell: Cell, right: bool) -> str:
    if cell is None:
        return f'<td class="{"number " if right else ""}empty">{_MISSING}</td>'
    if isinstance(cell, Link):
        return f'<td><a href="{escape(cell.address)}" target="_self">{escape(cell.text)}</a></td>'
    text = f"{cell:g}" if isinstance(cell, float) else str(cell)
    return f"<td{_number(right)}>{escape(text)}</td>"
