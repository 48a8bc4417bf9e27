"""Workbooks through another program: what is text stays text, what is a number stays a number."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import warnings
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from grader_app.export.field_kind import FieldKind
from grader_app.export.table import Cell, Column, Table
from grader_app.export.table_book import table_book
from grader_app.export.workbook import write_sheet

IDS = (
    "000123", "1E5", "3-4", "TRUE", "false", "12345678901234567", "=1+1", "+1", "-1", "@SUM(A1)", "1/2",
    "2026-07-28", "0x1F", "1,5", "50%", "$5", "'quoted", '"', "#N/A", "#REF!", "NaN", "inf", "NULL",
    "<r>rich</r>", "a<b & c>d", "_x0041_", " leading", "trailing ", "two\nlines", "tab\there", "é ü 漢字 🦆",
    "http://example.org", "mailto:a@b.org", "x" * 300, "1E400", "\uff10\uff11\uff12", "\u202eabc",
    "{=1+1}", "1:30", ".5", "5.", "1 000",
)  # fmt: skip
NUMBERS = (0, 1, -1, 3.5, 0.1 + 0.2, 1e-7, 2 / 3, 123456789012, 266, 4.166666666666667, -0.25)


@pytest.fixture(scope="module")
def soffice(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    found = shutil.which("soffice")
    if found is None:
        pytest.skip("skipped: install libreoffice-calc (or libreoffice-calc-nogui)")
    profile = tmp_path_factory.mktemp("profile").as_uri()
    return [found, f"-env:UserInstallation={profile}", "--headless", "--norestore"]


@pytest.fixture(scope="module")
def hard_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook of ids that spreadsheets like to change, each beside a number and an empty cell."""
    rows: list[tuple[Cell, ...]] = [
        (one, NUMBERS[place % len(NUMBERS)], None) for place, one in enumerate(IDS)
    ]
    columns = (
        Column("id", FieldKind.CANDIDATE_ID),
        Column("number", FieldKind.SCORE),
        Column("nothing", FieldKind.NOTE),
    )
    path = tmp_path_factory.mktemp("hard") / "hard.xlsx"
    data = io.BytesIO()
    with table_book(data) as book:
        write_sheet(book, "hard", Table("hard", columns, tuple(rows)))
    path.write_bytes(data.getvalue())
    return path


def converted(soffice: list[str], book: Path, to: str, folder: Path) -> Path:
    """Let LibreOffice write a workbook anew in some format; give the folder."""
    folder.mkdir()
    run = [*soffice, "--convert-to", to, "--outdir", str(folder), str(book)]
    subprocess.run(run, check=True, capture_output=True, timeout=180)
    return folder


def cells_of(path: Path) -> dict[tuple[str, str], object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(path)
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


def own_cells_of(path: Path) -> dict[tuple[str, str], object]:
    """Read a workbook as we write it: openpyxl leaves what is escaped in an inline text as in the file."""
    return {at: unescape(one) if isinstance(one, str) else one for at, one in cells_of(path).items()}


def test_every_hard_id_is_a_text_cell_and_every_number_a_number(hard_book: Path) -> None:
    cells = own_cells_of(hard_book)
    for place, one in enumerate(IDS, start=2):
        assert cells["hard", f"A{place}"] == one
        number = cells["hard", f"B{place}"]
        assert isinstance(number, int | float)
        assert number == NUMBERS[(place - 2) % len(NUMBERS)]
        assert ("hard", f"C{place}") not in cells
    book = openpyxl.load_workbook(hard_book)
    types = {row[0].data_type for row in book["hard"].iter_rows(min_row=2)}
    assert types <= {"s", "inlineStr"}
    assert {row[0].number_format for row in book["hard"].iter_rows(min_row=2)} == {"@"}


def test_libreoffice_gives_back_the_same_cells(soffice: list[str], hard_book: Path, tmp_path: Path) -> None:
    again = cells_of(converted(soffice, hard_book, "xlsx", tmp_path / "out") / "hard.xlsx")
    assert {place: type(value) in (int, float) for place, value in again.items()} == {
        place: type(value) in (int, float) for place, value in own_cells_of(hard_book).items()
    }
    for place, value in own_cells_of(hard_book).items():
        same = pytest.approx(value, rel=1e-14) if isinstance(value, int | float) else value
        assert again[place] == same, place


def test_libreoffice_writes_the_ids_into_a_csv_as_they_are(
    soffice: list[str], hard_book: Path, tmp_path: Path
) -> None:
    # Comma, double quotes, UTF-8, from line 1, text cells quoted, no formulas, cells not as shown.
    to = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false"
    text = (converted(soffice, hard_book, to, tmp_path / "out") / "hard.csv").read_text("utf-8")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert [row[0] for row in rows] == list(IDS)
    assert [float(row[1]) for row in rows] == pytest.approx(
        [NUMBERS[place % len(NUMBERS)] for place in range(len(IDS))], rel=1e-9
    )
    assert {row[2] for row in rows} == {""}


def test_libreoffice_gives_back_every_cell_of_an_export(
    soffice: list[str], exported: Path, tmp_path: Path
) -> None:
    before = own_cells_of(exported / "scores.xlsx")
    after = cells_of(converted(soffice, exported / "scores.xlsx", "xlsx", tmp_path / "out") / "scores.xlsx")
    assert before.keys() == after.keys()
    assert len(before) > 500
    for place, value in before.items():
        same = pytest.approx(value, rel=1e-14) if isinstance(value, int | float) else value
        assert after[place] == same, place
