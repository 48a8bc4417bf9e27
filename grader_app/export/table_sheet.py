"""A sheet of a workbook that is written straight from a table, fast and in little memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from grader_app.export.table import Cell, plain_number

if TYPE_CHECKING:
    from xlsxwriter.format import Format

MOST_CHARACTERS = 32_767
"""What a cell of a spreadsheet holds."""

_PLAIN = re.compile(r"[A-Za-z0-9 .,:;()/+-]*")
_ESCAPE_LOOKALIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")


class TableSheet(Worksheet):  # type: ignore[misc]  # the library has no types
    """A sheet with a header and the rows of a table.

    Notes
    -----
    Cell by cell, the library takes ten times as long, and holds every cell until the end. Strings stand in
    their cells (no shared table), always as text: nothing in them is taken for a number, a formula or a link.
    """

    def set_table(
        self, heads: Sequence[str], rows: Sequence[Sequence[Cell]], text: Format, bold: Format
    ) -> None:
        """Set what the sheet holds.

        Parameters
        ----------
        heads, rows
            The table. Nothing is an empty cell.
        text, bold
            Formats of text cells and of the header.
        """
        self._heads, self._table_rows, self._text, self._bold = heads, rows, text, bold
        self._check_dimensions(len(rows), len(heads) - 1)
        self._check_dimensions(0, 0)

    def _write_sheet_data(self) -> None:
        # The library calls this for the part of the file that holds the cells.
        self.fh.write("<sheetData>")
        for line in self._lines():
            self.fh.write(line)
        self.fh.write("</sheetData>")

    def _lines(self) -> Iterator[str]:
        names = [xl_col_to_name(place) for place in range(len(self._heads))]
        bold, text = (made._get_xf_index() for made in (self._bold, self._text))
        yield _row(1, names, self._heads, bold)
        for number, row in enumerate(self._table_rows, start=2):
            yield _row(number, names, row, text)


def _row(number: int, names: Sequence[str], cells: Sequence[Cell], style: int) -> str:
    made = []
    for name, cell in zip(names, cells, strict=True):
        if isinstance(cell, str):
            made.append(f'<c r="{name}{number}" s="{style}" {_text(cell)}')
        elif cell is not None:
            made.append(f'<c r="{name}{number}"><v>{_number(cell)}</v></c>')
    return f'<row r="{number}">{"".join(made)}</row>'


# Most cells of a long table repeat the cell above them: items, rubrics, statuses, scores.
_number = lru_cache(maxsize=4096)(plain_number)


@lru_cache(maxsize=4096)
def _text(cell: str) -> str:
    data, space = cell, ""
    if not _PLAIN.fullmatch(cell) or len(cell) > MOST_CHARACTERS:
        data = text_of_cell(cell)
    if cell[:1].isspace() or cell[-1:].isspace():
        space = ' xml:space="preserve"'
    return f't="inlineStr"><is><t{space}>{data}</t></is></c>'


def text_of_cell(text: str) -> str:
    r"""Write a text as the file of a sheet holds it; what XML cannot hold is escaped as Excel does it.

    Examples
    --------
    >>> text_of_cell("a<b\x00"), text_of_cell("_x0041_")
    ('a&lt;b_x0000_', '_x005F_x0041_')
    """
    text = _ESCAPE_LOOKALIKE.sub("_x005F_", text[:MOST_CHARACTERS])
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
