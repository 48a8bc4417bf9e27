"""Scores of a printed packet that somebody typed into a spreadsheet."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from grader_app.domain.score_sheet import MARK, SheetRow
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, read_table

PAPER, LETTER = "paper", "letter"
"""Columns every such file has: a paper's id and the check letter behind it."""


def columns_of(fields: Collection[str]) -> list[str]:
    """List the columns a file may have: the two fixed ones, then a column for each field of the score sheet.

    Examples
    --------
    >>> columns_of(["score", "mark:analysis", "code"])
    ['paper', 'letter', 'score', 'analysis', 'code']
    """
    return [PAPER, LETTER, *(name.removeprefix(MARK) for name in fields)]


def read_keyed_rows(path: Path, fields: Collection[str]) -> dict[str, SheetRow]:
    """Read the rows of a score sheet by the id of their paper.

    Parameters
    ----------
    path
        A CSV file with a header.
    fields
        Fields of the packet's score sheet; their columns may be left out.

    Raises
    ------
    FileProblems
        It cannot be read, has a column of another name, no column for the ids, or an id twice.
    """
    table = read_table(path, empty_edges=True)
    names = dict(zip(columns_of(fields)[2:], fields, strict=True))
    problems = [*_unknown_columns(table, names), *_repeated(table)]
    if problems:
        raise FileProblems(problems)
    letters = table.column(LETTER)
    found = {}
    for at, paper in enumerate(table.column(PAPER)):
        values = {names[c]: cell for c, cell in zip(table.columns, table.rows[at], strict=True) if c in names}
        found[paper.strip().lower()] = SheetRow(letters[at], values)
    return found


def _unknown_columns(table: Table, names: Collection[str]) -> list[Problem]:
    allowed = [PAPER, LETTER, *names]
    listed = ", ".join(f"`{name}`" for name in allowed)
    return [
        Problem(table.path, 1, f"There is no field `{column}` on this score sheet.", f"It has {listed}.")
        for column in table.columns
        if column not in allowed
    ]


def _repeated(table: Table) -> list[Problem]:
    lines: dict[str, list[int]] = {}
    for paper, line in zip(table.column(PAPER), table.lines, strict=True):
        lines.setdefault(paper.strip().lower(), []).append(line)
    return [
        Problem(
            table.path,
            found[0],
            f"Paper `{paper}` stands on lines {', '.join(map(str, found))}.",
            "Give each paper one row.",
        )
        for paper, found in lines.items()
        if len(found) > 1
    ]
