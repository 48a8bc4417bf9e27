"""A table as CSV: RFC 4180, UTF-8, harmless to spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice

from grader_app.export.table import Cell, Table, plain_number
from grader_app.files.spreadsheet_text import neutralise

_ROWS_AT_ONCE = 2000


def csv_pieces(table: Table) -> Iterator[bytes]:
    """Write a table as CSV, some hundred rows at once.

    Parameters
    ----------
    table
        Its text cells are made harmless to spreadsheets; numbers stay numbers.

    Yields
    ------
    bytes
        Of a header and one line a row, each ending in CR LF.
    """
    header = [column.name for column in table.columns]
    rows = iter(table.rows)
    some: list[Sequence[Cell]] = [header]
    while some:
        written = _Written()
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\r\n").writerows(map(written.__getitem__, row) for row in some)
        yield text.getvalue().encode("utf-8")
        some = list(islice(rows, _ROWS_AT_ONCE))


class _Written(dict[Cell, str]):
    """Cells as they are written; most repeat the cell above them, so each is worked out once."""

    def __missing__(self, cell: Cell) -> str:
        # Texts that a spreadsheet would run become harmless; numbers stay numbers.
        made = neutralise(cell) if isinstance(cell, str) else "" if cell is None else plain_number(cell)
        self[cell] = made
        return made
