"""A sheet of a workbook that is written straight from a table, fast and in little memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING

from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from grader_app.export.table import Cell, plain_number

if TYPE_CHECKING:
    from xlsxwriter.format import Format

MOST_CHARACTERS = 32_767
"""What a cell of a spreadsheet holds."""

NO_CELLS = "<sheetData/>"
"""What stands for the cells in the sheet the library makes."""

_ROWS_AT_ONCE = 2000
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
        # The library calls this for the part of the file that holds the cells, before it writes the styles:
        # those asked for by then are in it.
        self._styles = tuple(made._get_xf_index() for made in (self._bold, self._text))
        self.fh.write(NO_CELLS)

    def lines(self) -> Iterator[str]:
        """Give what stands in the place of `NO_CELLS`, many rows at a time."""
        yield "<sheetData>"
        begins = [f'<c r="{xl_col_to_name(place)}' for place in range(len(self._heads))]
        bold, text = self._styles
        yield _row(1, begins, self._heads, _Ends(bold))
        rows, number = iter(self._table_rows), 2
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            ends = _Ends(text)
            yield "".join(_row(at, begins, row, ends) for at, row in enumerate(some, start=number))
            number += len(some)
        yield "</sheetData>"


def _row(number: int, begins: Sequence[str], cells: Sequence[Cell], ends: _Ends) -> str:
    # A cell is its column, the number of its row, and an end that thousands of cells share.
    places = zip(begins, repeat(str(number), len(begins)), map(ends.__getitem__, cells), strict=True)
    return f'<row r="{number}">{"".join(chain.from_iterable(places))}</row>'


class _Ends(dict[Cell, str]):
    """How a cell goes on after its place; most repeat the cell above them, so each is worked out once."""

    def __init__(self, style: int) -> None:
        super().__init__()
        self._style = style

    def __missing__(self, cell: Cell) -> str:
        if cell is None:
            made = '"/>'
        elif isinstance(cell, str):
            made = f'" s="{self._style}" {_text(cell)}'
        else:
            made = f'"><v>{plain_number(cell)}</v></c>'
        self[cell] = made
        return made


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
