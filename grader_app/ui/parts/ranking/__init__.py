"""The ranking board: a component that puts a packet of papers in order, step one of calibration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_DESK = _HERE.parent / "desk"
# One module in the browser, written as several files; each uses only names of those before it. Elements,
# texts and the way to the server are the desk's.
_SHARED = ("elements", "texts", "posting", "keeping")
_PARTS = ("ordering", "board", "reading", "comparing", "dialogs", "moving", "dragging", "finding", "saving")
_LAST = ("keys", "ranking")
_FILES = [*(_DESK / f"{part}.js" for part in _SHARED), *(_HERE / f"{part}.js" for part in (*_PARTS, *_LAST))]
_JS = "\n".join(file.read_text(encoding="utf-8") for file in _FILES)
_CSS = "\n".join(file.read_text(encoding="utf-8") for file in (_DESK / "desk.css", _HERE / "ranking.css"))


def draw_ranking(data: dict[str, Any]) -> None:
    """Draw the board; when the order is recorded it asks for this run again, which finds the next step.

    Parameters
    ----------
    data
        All that the browser receives:

        ``attempt``
            Id of the grader's attempt; another id is another board.
        ``title``
            The item's title.
        ``csrf_token``
            Sent back with every order.
        ``papers``
            A list of ``id``, ``label`` (short, as printed on the card) and ``answer`` (the text), in the
            grader's own order.
        ``piles``, ``pile_labels``
            How many piles a new board has (one to ten), and their names from the best on; no names, or
            fewer than piles, leave piles unnamed.
        ``state``
            None for a new board, else ``piles`` (best first; each with ``label`` and ``groups``, best first;
            a group is a list of the ids of tied papers) and ``revision``, a whole number that rises by one
            with every order kept. A paper in no group is not placed.
        ``saved_at``
            When that state reached the disk, or None.
        ``prompt``, ``levels``, ``guidelines``
            The question, the levels of the scale (``score``, ``label``, ``means``) and the panel's
            rulings, for the tabs beside the paper.

    Notes
    -----
    The browser sends ``attempt``, ``state`` (``piles`` as above) and ``revision`` (the last it knows, 0 on a
    new board) to ``/calibration/ranking`` after every move. One order is on its way at a time and is sent
    again, unchanged, until an answer comes; an order equal to the one kept must therefore be answered like
    a new one, whatever its revision. A refusal with 409 stops the board until the grader loads the
    newer order. ``/calibration/ranked`` receives ``attempt``, ``token`` and ``state`` once all are placed.
    """
    mount = st.components.v2.component(
        "ranking_board",
        html='<div class="desk-root ranking-root">\n</div>',
        css=_CSS,
        js=_JS,
        isolate_styles=True,
    )
    mount(data=data, key="ranking-board", on_next_change=lambda: None)
