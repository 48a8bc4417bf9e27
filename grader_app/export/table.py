"""A table of an export: columns that say what they are about, and rows of typed cells."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.export.field_kind import FieldKind

Cell = str | float | None
"""Text, a number, or nothing. Nothing is never zero."""


@dataclass(frozen=True)
class Column:
    """A column's name and what it is about."""

    name: str
    kind: FieldKind


@dataclass(frozen=True)
class Table:
    """A table with typed cells.

    Parameters
    ----------
    name
        As it heads a sheet: ``scores``.
    columns
        In order.
    rows
        One cell a column.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def checked(self, shows: frozenset[FieldKind]) -> Table:
        """Give the table back if every column may be shown.

        Raises
        ------
        ValueError
            Naming the columns that may not.
        """
        hidden = [column.name for column in self.columns if column.kind not in shows]
        if hidden:
            raise ValueError(f"table {self.name}: columns {', '.join(hidden)} may not be shown")
        return self


def plain_number(cell: float) -> str:
    """Write a number so that it reads back as the same number; whole numbers without a point.

    Examples
    --------
    >>> plain_number(4.0), plain_number(-0.0), plain_number(0.1 + 0.2)
    ('4', '0', '0.30000000000000004')
    """
    return str(int(cell)) if float(cell).is_integer() and abs(cell) < 2**53 else repr(float(cell))


def yes_or_no(answer: bool) -> str:
    """Write a truth value as a word."""
    return "yes" if answer else "no"
