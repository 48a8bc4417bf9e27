"""A workbook of tables, packed as its cells are written: they are in no memory and in no other file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

import xlsxwriter

from grader_app.export.table_sheet import NO_CELLS, TableSheet

_FAST = 1
"""Level of compression: cells are much alike, so they take a quarter of the time and little more room."""


@contextmanager
def table_book(file: IO[bytes]) -> Iterator[xlsxwriter.Workbook]:
    """Lend a workbook whose sheets are made by `TableSheet`; packed into a file when the block ends.

    Parameters
    ----------
    file
        Open for writing, and with places to go back to.

    Notes
    -----
    The library makes everything but the cells. It would write those to a file a sheet and pack that
    afterwards, which takes as long as all else a large workbook needs.
    """
    frame = io.BytesIO()
    book = xlsxwriter.Workbook(frame, {"in_memory": True})
    yield book
    book.close()
    sheets = {f"xl/worksheets/sheet{at}.xml": sheet for at, sheet in enumerate(book.worksheets(), start=1)}
    with ZipFile(frame) as made, ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_FAST) as packed:
        for name in made.namelist():
            with packed.open(name, "w") as member:
                member.writelines(_pieces(made.read(name), sheets.get(name)))


def _pieces(made: bytes, sheet: TableSheet | None) -> Iterator[bytes]:
    if sheet is None:
        yield made
        return
    head, tail = made.split(NO_CELLS.encode())
    yield head
    for lines in sheet.lines():
        yield lines.encode()
    yield tail
