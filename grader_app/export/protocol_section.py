"""The protocol card as a table for a page."""

from __future__ import annotations

from collections.abc import Sequence

from grader_app.export import html
from grader_app.export.protocol_step import Step

ANSWERS = {"yes": "yes", "partly": "partly", "no": "no", "not_applicable": "nothing to do"}
_FEW = 2
_SAYS = (
    "Which steps of the practice that bar examiners publish were followed. No line says yes without a "
    "recorded act behind it; acts are named by their number in events.jsonl. A case is one grader with one "
    "question, from the first live grade on."
)


def protocol_table(card: Sequence[Step], note: str = "") -> str:
    """Give the card as a table, with a sentence that says how to read it.

    Parameters
    ----------
    card
        From `protocol_card`.
    note
        Stands above the heads of the table.
    """
    rows = [
        (one.title.replace(" ", "\N{NO-BREAK SPACE}"), ANSWERS[one.followed], one.says, _named(one.events))
        for one in card
    ]
    heads = ("step", "followed", "what the record shows", "acts")
    return html.paragraph(_SAYS, quiet=True) + html.table(
        "Protocol card", heads, rows, note=note, numbers=frozenset({"acts"})
    )


def _named(events: Sequence[int]) -> str | None:
    """Name the first few acts, and how many more there are."""
    if not events:
        return None
    named = ", ".join(str(seq) for seq in events[:_FEW])
    rest = len(events) - _FEW
    return named if rest <= 0 else f"{named} + {rest}"
