"""The tables as a workbook with typed cells, for people who work in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import IO, TYPE_CHECKING, TypeVar

from grader_app.export.adjudications_table import adjudications_table
from grader_app.export.agreement_rows import figures_table, graders_table
from grader_app.export.blind_tables import author_flags_table, guesses_table
from grader_app.export.calibration_table import calibration_table
from grader_app.export.checks_table import checks_table
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.scratch_file import scratch_file
from grader_app.export.table import Cell, Column, Table
from grader_app.export.table_book import table_book
from grader_app.export.table_sheet import TableSheet
from grader_app.export.tables import grades_table, scaled_table, scores_table

if TYPE_CHECKING:
    import xlsxwriter
    from xlsxwriter.worksheet import Worksheet

WORKBOOK_FILE = "scores.xlsx"
MOST_ROWS = 1_048_575
"""Rows that fit on a sheet below its header."""

Sheet = TypeVar("Sheet")

_TABLES_OF_CSV = {"scores", "scaled", "grades", "adjudications", "checks", "calibration"}
_TABLES_OF_CSV |= {"guesses", "author_flags"}
_WIDEST = 60
_AT_ONCE = 1 << 20
_CREATED = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook's date has no zone; fixed, so bytes are stable


def workbook_pieces(results: Results, shows: frozenset[Kind]) -> Iterator[bytes]:
    """Write the workbook, and give it piece by piece.

    Parameters
    ----------
    results
        What to write.
    shows
        The kinds of fields that may stand in it.

    Yields
    ------
    bytes
        Of one sheet a table, its header in the first row. Numbers are numbers and all else is text, so
        that an id such as ``1E5`` stays as it is. Notes stand in every row, in the name of every
        sheet and at the head of every printed page.

    Raises
    ------
    OSError
        Naming the folder of temporary files, where there is no room in it.
    """
    # Packed to disk: a large round takes a tenth of the memory.
    with scratch_file() as file:
        _write(file, results, shows)
        file.seek(0)
        yield from iter(partial(file.read, _AT_ONCE), b"")


def _write(file: IO[bytes], results: Results, shows: frozenset[Kind]) -> None:
    with table_book(file) as book:
        properties = {"title": results.round.title, "created": _CREATED, "comments": results.short_note}
        book.set_properties(properties)
        for table in sheets(results):
            name = f"{table.name} (provisional)" if results.provisional else table.name
            _set_page(write_sheet(book, name, table.checked(shows)), results)


def sheets(results: Results) -> tuple[Table, ...]:
    """Give the tables of the workbook, the one about it last."""
    of_round = (
        scores_table(results),
        scaled_table(results),
        grades_table(results),
        adjudications_table(results),
        checks_table(results),
        calibration_table(results),
        guesses_table(results),
        author_flags_table(results),
        figures_table(results.agreement),
        graders_table(results.agreement),
    )
    return (*of_round, about_table(results, of_round))


def sheets_that_stay(cells: dict[str, Sheet]) -> dict[str, Sheet]:
    """Pick the sheets that are the same in every version of the program: those that are also CSV files."""
    return {name: sheet for name, sheet in cells.items() if name.split(" ")[0] in _TABLES_OF_CSV}


def about_table(results: Results, of_round: Sequence[Table]) -> Table:
    """Say what the workbook is about, what to know before reading a number, and what it was made from."""
    rows: list[tuple[Cell, ...]] = [
        ("round", f"{results.round.title} ({results.round.id}, version {results.round.version})"),
        *(("note", note) for note in results.notes),
        ("scaling", results.not_scaled or results.round.scaling.method),
        *results.counts.items(),
        ("events", len(results.events)),
        ("last_event_hash", results.last_hash),
        ("inputs_sha256", results.inputs_fingerprint),
    ]
    rows += [
        ("note", f"Sheet {table.name} ends at row {MOST_ROWS}; all rows stand in the CSV file.")
        for table in of_round
        if len(table.rows) > MOST_ROWS
    ]
    return Table("about", (Column("what", Kind.NOTE), Column("value", Kind.FINGERPRINT)), tuple(rows))


def write_sheet(book: xlsxwriter.Workbook, name: str, table: Table) -> Worksheet:
    """Add a table to a workbook as a sheet, its header in the first row, and give the sheet."""
    sheet = book.add_worksheet(name, TableSheet)
    text = book.add_format({"num_format": "@"})
    bold = book.add_format({"bold": True, "num_format": "@", "bottom": 1})
    rows = table.rows if len(table.rows) <= MOST_ROWS else table.rows[:MOST_ROWS]
    sheet.set_table([column.name for column in table.columns], rows, text, bold)
    for place in range(len(table.columns)):
        sheet.set_column(place, place, _width(table, place))
    sheet.freeze_panes(1, 0)
    if rows:
        sheet.autofilter(0, 0, len(rows), len(table.columns) - 1)
    return sheet


def _width(table: Table, place: int) -> int:
    cells = (str(row[place]) for row in table.rows[:1000] if row[place] is not None)
    return min(_WIDEST, 2 + max(map(len, (table.columns[place].name, *cells))))


def _set_page(sheet: Worksheet, results: Results) -> None:
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    # An ampersand starts a code in a page header; doubled it is itself.
    title = results.round.title.replace("&", "&&")[:100]
    sheet.set_header(f"&L{title}&R{results.short_note}")
    sheet.set_footer("&CPage &P of &N")
