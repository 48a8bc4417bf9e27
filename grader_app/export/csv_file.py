"""A table as CSV: RFC 4180, UTF-8, harmless to spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice

from grader_app.export.table import Cell, Table, plain_number
from grader_app.files.spreadsheet_text import neutralise

_ROWS_AT_ONCE = 500


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
    left = chain([header], ([_written(cell) for cell in row] for row in table.rows))
    while some := list(islice(left, _ROWS_AT_ONCE)):
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\r\n").writerows(some)
        yield text.getvalue().encode("utf-8")


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    return neutralise(cell) if isinstance(cell, str) else plain_number(cell)
