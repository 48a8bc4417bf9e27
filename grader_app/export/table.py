"""A table of an export: columns that say what they are about, and rows of typed cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import overload

from grader_app.export.field_kind import FieldKind

Cell = str | float | None
"""Text, a number, or nothing. Nothing is never zero."""

Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Column:
    """A column's name and what it is about."""

    name: str
    kind: FieldKind


class RowsMade(Sequence[Row]):
    """The rows of a long table, made anew whenever they are gone through, so that they are never held.

    Parameters
    ----------
    n
        How many there are.
    make
        Makes them, in order, the same each time.
    """

    def __init__(self, n: int, make: Callable[[], Iterable[Row]]) -> None:
        self._n, self._make = n, make

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[Row]:
        return iter(self._make())

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        places = range(self._n)[at]
        if isinstance(places, int):
            return next(islice(self, places, None))
        return list(islice(self, places.start, places.stop, places.step))


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
    rows: Sequence[Row]

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
