"""Papers and candidates accounted for, as a table for a reader; and the refusal where they are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from grader_app.domain.reconciliation import PaperCount, Reconciliation
from grader_app.errors import NotReconciled

_HEADS = ("in", "graded", "coded", "waiting", "disputed", "excluded", "withdrawn", "missing")
ASK = "Run `grader-app verify`; restore a backup if a paper is gone. Let no score go out before they add up."

Row = tuple[str, int | None, PaperCount, int]
"""Name, papers in, where they stand, and how many are missing."""


def table_lines(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Give a table of papers by where they stand, a row an item or a batch.

    Parameters
    ----------
    name
        Heading of the first column.
    rows
        What the table says.
    """
    width = max(28, *(len(row[0]) + 2 for row in rows)) if rows else 28
    yield f"{name:<{width}}" + "".join(f"{head:>{len(head) + 3}}" for head in _HEADS)
    for title, taken_in, papers, missing in rows:
        numbers = ["?" if taken_in is None else taken_in, *papers.by_state.values(), missing]
        cells = "".join(f"{n:>{len(head) + 3}}" for head, n in zip(_HEADS, numbers, strict=True))
        yield f"{title:<{width}}{cells}"


def reconciled_lines(found: Reconciliation) -> Iterator[str]:
    """Give the table by item, the sum, and what to look at."""
    rows: list[Row] = [(each.item, each.taken_in, each.papers, each.missing) for each in found.items]
    yield from table_lines("question", rows)
    yield found.line if not found.unreconciled else "The papers do not add up."
    yield from found.unreconciled
    yield found.candidates.line
    yield from found.candidates.remarks


def refuse_unreconciled(found: Reconciliation) -> None:
    """Print the table on standard error and refuse, where the papers do not add up.

    Raises
    ------
    NotReconciled
        Saying what does not add up.
    """
    if found.unreconciled:
        echo_lines(reconciled_lines(found), err=True)
        raise NotReconciled(f"Not every paper is accounted for, so nothing was scaled. {ASK}")


def echo_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line, err=err)
