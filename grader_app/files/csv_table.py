"""Tables people bring as CSV: any delimiter and Unicode encoding in, rows with their physical lines out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader_app.errors import FileProblems, Problem
from grader_app.files.text_encoding import read_as_utf8

_DELIMITERS = (",", ";", "\t", "|")
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_ROWS_SNIFFED = 100
_LARGEST_FIELD = 2**31 - 1  # the limit is a C long, 32 bits on Windows
_LINE_END = re.compile(rb"\r\n|\r|\n")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)


@dataclass(frozen=True)
class Dialect:
    """How a file was written, as found.

    Parameters
    ----------
    delimiter
        Comma, semicolon, tab or pipe.
    encoding
        ``utf-8``, ``utf-16-le`` or ``utf-16-be``.
    line_ending
        The one that ends the header: LF, CR LF or CR.
    bom
        Whether the file begins with a byte order mark.
    """

    delimiter: str
    encoding: str
    line_ending: str
    bom: bool

    def __str__(self) -> str:
        ending = {"\n": "LF", "\r\n": "CR LF", "\r": "CR"}[self.line_ending]
        mark = ", byte order mark" if self.bom else ""
        return f"{_NAMES[self.delimiter]}-separated, {self.encoding.upper()}{mark}, {ending} line ends"


@dataclass(frozen=True)
class Table:
    """A table as it stands in its file, every cell text.

    Parameters
    ----------
    path
        The file, as the person named it.
    columns
        Column names, without surrounding spaces.
    rows
        One tuple of cells a row, as long as `columns`. Cells are never changed.
    lines
        The physical line on which each row starts; the header is on line 1.
    dialect
        How the file was written.
    """

    path: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(repr=False)
    lines: list[int] = field(repr=False)
    dialect: Dialect

    def position(self, name: str) -> int:
        """Find a column's place in each row.

        Parameters
        ----------
        name
            The column's name.

        Returns
        -------
        int
            Its index in `columns` and in each row.

        Raises
        ------
        FileProblems
            If there is no such column; the message names those that were found.
        """
        if name in self.columns:
            return self.columns.index(name)
        found = ", ".join(f"`{column}`" for column in self.columns)
        what = f"There is no column `{name}`; found {found} ({self.dialect})."
        raise FileProblems([Problem(self.path, 1, what, f"Name a column `{name}`, or say which one it is.")])

    def column(self, name: str) -> list[str]:
        """Give one column's cells, in the order of the rows.

        Parameters
        ----------
        name
            The column's name.

        Returns
        -------
        list of str
            One cell a row.

        Raises
        ------
        FileProblems
            If there is no such column; the message names those that were found.
        """
        position = self.position(name)
        return [row[position] for row in self.rows]


def read_table(path: Path, *, empty_edges: bool = False) -> Table:
    """Read a delimited text file whole, or say everything that is wrong with it.

    Parameters
    ----------
    path
        A file of comma, semicolon, tab or pipe separated values with a header; UTF-8 or UTF-16,
        with or without a byte order mark; LF, CR LF or CR line ends; quoted cells may hold line ends.
    empty_edges
        Pass over rows of nothing and unnamed last columns of nothing, as spreadsheets leave them.

    Returns
    -------
    Table
        Rows as text, with the physical line each starts on. A header alone gives no rows; blank
        lines are passed over.

    Raises
    ------
    FileProblems
        If the file cannot be read, is empty, is in another encoding (bytes are named, never
        replaced), has ragged rows (each is listed), unnamed or repeated columns, or a quote that
        is never closed.
    """
    name = str(path)
    content = read_as_utf8(path)
    csv.field_size_limit(max(csv.field_size_limit(), min(len(content.utf8) + 1, _LARGEST_FIELD)))
    if not content.utf8.strip():
        raise FileProblems([Problem(name, 0, "The file is empty.", "Give it a header and rows.")])
    delimiter, line_ending = _sniff(content.utf8)
    rows, lines = _records(name, content.utf8, delimiter)
    header, header_line = rows.pop(0), lines.pop(0)
    columns = tuple(column.strip() for column in header)
    if empty_edges:
        columns, rows, lines = _without_empty_edges(columns, rows, lines)
    problems = [*_header_problems(name, header_line, columns), *_ragged(name, columns, rows, lines)]
    if problems:
        raise FileProblems(problems)
    dialect = Dialect(delimiter, content.encoding, line_ending, content.bom)
    return Table(name, columns, rows, lines, dialect)


def _without_empty_edges(
    columns: tuple[str, ...], rows: list[tuple[str, ...]], lines: list[int]
) -> tuple[tuple[str, ...], list[tuple[str, ...]], list[int]]:
    """Drop what spreadsheets leave at the edges: rows of nothing, and unnamed last columns of nothing."""
    kept = [(row, line) for row, line in zip(rows, lines, strict=True) if any(cell.strip() for cell in row)]
    rows, lines = [row for row, _ in kept], [line for _, line in kept]
    width = len(columns)
    while width > 1 and not columns[width - 1] and not any("".join(row[width - 1 :]).strip() for row in rows):
        width -= 1
    if width == len(columns):
        return columns, rows, lines
    return columns[:width], [row[:width] for row in rows], lines


def plain_number_or_none(text: str) -> float | None:
    """Read a finite number in plain notation.

    Examples
    --------
    >>> plain_number_or_none("3.5"), plain_number_or_none("1_0"), plain_number_or_none("nan")
    (3.5, None, None)
    """
    found = float(text) if _NUMBER.fullmatch(text) else None
    return None if found is None or abs(found) == float("inf") else found


def parse_number(text: str, path: str, line: int, column: str) -> float | None:
    """Read one cell as a number.

    Parameters
    ----------
    text
        The cell.
    path, line, column
        Where it stands, for the message.

    Returns
    -------
    float or None
        None for an empty cell: missing is not zero.

    Raises
    ------
    FileProblems
        If the cell is no finite number in plain notation; a decimal comma is named as such.

    Examples
    --------
    >>> parse_number("3.5", "scores.csv", 2, "score")
    3.5
    >>> parse_number("3,5", "scores.csv", 2, "score")
    Traceback (most recent call last):
    ...
    grader_app.errors.FileProblems: scores.csv:2: In column `score`, `3,5` uses a decimal comma. Write 3.5.
    """
    plain = text.strip()
    if not plain:
        return None
    number = plain_number_or_none(plain)
    if number is not None:
        return number
    if _DECIMAL_COMMA.fullmatch(plain):
        what, fix = f"`{plain}` uses a decimal comma.", f"Write {plain.replace(',', '.')}."
    else:
        what, fix = f"`{_short(plain)}` is not a finite number.", "Write a number, or leave the cell empty."
    raise FileProblems([Problem(path, line, f"In column `{column}`, {what}", fix)])


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _lines_of(utf8: bytes) -> Iterator[str]:
    """Decode as it goes (a decoded copy of a large file would cost four bytes a character in StringIO)."""
    return iter(io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline=""))


def _sniff(utf8: bytes) -> tuple[str, str]:
    """Find the delimiter whose columns hold together best, and the header's line end."""
    scores = {delimiter: _fit(utf8, delimiter) for delimiter in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda delimiter: scores[delimiter])
    return best, _header_line_ending(utf8, best)


def _fit(utf8: bytes, delimiter: str) -> tuple[bool, float, int]:
    """Say whether the header has columns, the share of rows as wide as it, and how wide it is."""
    reader = csv.reader(_lines_of(utf8), delimiter=delimiter)
    widths = []
    for row in reader:
        if row:
            widths.append(len(row))
        if len(widths) == _ROWS_SNIFFED:
            break
    width = widths[0] if widths else 1
    return width > 1, sum(other == width for other in widths) / max(len(widths), 1), width


def _header_line_ending(utf8: bytes, delimiter: str) -> str:
    last = ""

    def remembered() -> Iterator[str]:
        nonlocal last
        for line in _lines_of(utf8):
            last = line
            yield line

    for row in csv.reader(remembered(), delimiter=delimiter):
        if row:
            break
    return next((ending for ending in ("\r\n", "\n", "\r") if last.endswith(ending)), "\n")


def _records(path: str, utf8: bytes, delimiter: str) -> tuple[list[tuple[str, ...]], list[int]]:
    reader = csv.reader(_lines_of(utf8), delimiter=delimiter, strict=True)
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    line = 1
    try:
        for row in reader:
            if row:
                rows.append(tuple(row))
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error:
        raise FileProblems([_quote_problem(path, utf8, delimiter, line)]) from None
    return rows, lines


def _quote_problem(path: str, utf8: bytes, delimiter: str, row_line: int) -> Problem:
    """Find the quote at fault in the row that starts on `row_line`."""
    text = _from_line(utf8, row_line)
    separator = re.escape(delimiter)
    closed = re.compile(rf'(?:"[^"]*(?:""[^"]*)*"|(?!")[^{separator}\r\n]*)(?:{separator}|(?=[\r\n])|\Z)')
    at = 0
    while (match := closed.match(text, at)) and match.end() > at:
        at = match.end()
    line = row_line + len(re.findall(r"\r\n|\r|\n", text[:at]))
    fix = "Close the quote, and double every quotation mark inside a quoted cell."
    whole = re.compile(r'"[^"]*(?:""[^"]*)*"').match(text, at)
    if whole is None:
        return Problem(path, line, "A quotation mark opens a cell here and is never closed.", fix)
    end = line + len(re.findall(r"\r\n|\r|\n", whole.group()))
    after = _short(text[whole.end() : whole.end() + 40].splitlines()[0])
    what = f"The cell quoted here closes on line {end} and is followed by `{after}` instead of the next cell."
    return Problem(path, line, what, fix)


def _from_line(utf8: bytes, line: int) -> str:
    start = 0
    for _ in range(line - 1):
        match = _LINE_END.search(utf8, start)
        start = match.end() if match else len(utf8)
    return utf8[start:].decode("utf-8")


def _header_problems(path: str, line: int, columns: tuple[str, ...]) -> Iterator[Problem]:
    for number, column in enumerate(columns, start=1):
        if not column:
            yield Problem(path, line, f"Column {number} has no name.", "Name it, or remove the column.")
    for column in dict.fromkeys(columns):
        numbers = [str(number) for number, other in enumerate(columns, start=1) if other == column]
        if column and len(numbers) > 1:
            what = f"Columns {' and '.join(numbers)} are both named `{column}`."
            yield Problem(path, line, what, "Give each column its own name.")


def _ragged(
    path: str, columns: tuple[str, ...], rows: list[tuple[str, ...]], lines: list[int]
) -> Iterator[Problem]:
    width = len(columns)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            what = f"The row has {len(row)} cells; the header has {width}."
            yield Problem(path, line, what, "Add or remove cells, and quote cells that hold the delimiter.")
