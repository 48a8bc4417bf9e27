"""A table as CSV: RFC 4180, UTF-8, harmless to spreadsheets."""

from __future__ import annotations

import csv
import io

from grader_app.export.table import Cell, Table, plain_number
from grader_app.files.spreadsheet_text import neutralise


def csv_bytes(table: Table) -> bytes:
    """Write a table as CSV.

    Parameters
    ----------
    table
        Its text cells are made harmless to spreadsheets; numbers stay numbers.

    Returns
    -------
    bytes
        A header and one line a row, each ending in CR LF.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(column.name for column in table.columns)
    writer.writerows([_written(cell) for cell in row] for row in table.rows)
    return text.getvalue().encode("utf-8")


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    return neutralise(cell) if isinstance(cell, str) else plain_number(cell)
