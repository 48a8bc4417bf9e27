"""What must be known before a page's figures: the notes of the question at hand, one of them in the open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.lead_pages.item_sets import account_names
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.ui.parts.spoken import counted

# What hides behind a click must not be worse than what stands in the open.
_ALL_WELL = re.compile(r": all \d+ graders qualified ")


def draw_notes(notes: Sequence[str], item: str | None = None) -> None:
    """Draw the first note, and the others behind a click.

    Parameters
    ----------
    notes
        As every export prints them: questions and graders by their ids.
    item
        The question at hand; notes on other questions are left out. None for all questions.
    """
    titles = {one.id: one.title for one in bench().material().items.values()}
    shown = [
        in_names(in_names(note, titles), account_names()) for note in notes_on(notes, item, list(titles))
    ]
    if not shown:
        return
    draw_line(shown[0])
    if shown[1:]:
        many = counted(len(shown) - 1, "more thing", "more things")
        with st.expander(f"{many} to know before these figures"):
            draw_lines(shown[1:])


def notes_on(notes: Sequence[str], item: str | None, items: Sequence[str]) -> list[str]:
    """List the notes that are about a question, and those about none in particular; good news comes last.

    Examples
    --------
    >>> notes_on(["mee-a: all 2 qualified.", "3 of a-b: x", "mee-a-b: none."], "mee-a", ["mee-a", "mee-a-b"])
    ['mee-a: all 2 qualified.', '3 of a-b: x']
    >>> notes_on(["a: all 2 graders qualified on a packet.", "1 is simulated."], None, ["a"])
    ['1 is simulated.', 'a: all 2 graders qualified on a packet.']
    """
    others = [one for one in items if one != item] if item is not None else []
    found = [
        note
        for note in notes
        if (item is not None and _names(note, item)) or not any(_names(note, one) for one in others)
    ]
    return sorted(found, key=lambda note: _ALL_WELL.search(note) is not None)


def in_names(note: str, names: Mapping[str, str]) -> str:
    """Put names in the place of ids.

    Examples
    --------
    >>> in_names("mee-a: 1 of 2; mee-a-b stays.", {"mee-a": "The lease"})
    'The lease: 1 of 2; mee-a-b stays.'
    """
    for name, shown in names.items():
        note = shown.join(_id(name).split(note))
    return note


def _names(note: str, name: str) -> bool:
    return _id(name).search(note) is not None


def _id(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
