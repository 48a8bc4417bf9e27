"""The table of a calibration set: one row a paper, each with its physical line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from grader_app.domain.model import ID_PATTERN, Location
from grader_app.domain.reference_paper import ESSAY_PATTERN
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, parse_number, read_table

COLUMNS = (
    "essay",
    "score",
    "reference_rank",
    "anchor",
    "rationale",
    "condition_code",
    "points",
    "departs_because",
    "matched_pair",
    "style",
    "feature",
)
"""Every column there is, criteria aside."""

_NUMBERS = ("score", "reference_rank")
_WORDS = ("rationale", "condition_code", "departs_because", "matched_pair", "style", "feature")
_LONGEST_NAME = 40
_YES_OR_NO = {"yes": True, "no": False}


class Row(NamedTuple):
    """One paper's row.

    Parameters
    ----------
    values
        What the row says, by the paper's fields; empty cells are left out.
    line
        The physical line on which it starts.
    faulty
        Fields whose cells could not be read, each with a problem of its own.
    """

    values: dict[str, Any]
    line: int
    faulty: frozenset[Location]


@dataclass
class RowsFound:
    """What a table of reference scores holds: rows that name an essay, and all problems.

    Parameters
    ----------
    rows
        One an essay; of repeated rows the first.
    problems
        Everything wrong with columns and cells.
    could_be_read
        Whether there was a table at all.
    """

    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    could_be_read: bool = True


def examine_reference_scores(path: Path, rubric: Rubric | None, *, needs: Collection[str]) -> RowsFound:
    """Read ``reference_scores.csv``, giving the problems back instead of raising them.

    Parameters
    ----------
    path
        The table.
    rubric
        The rubric whose criteria may be columns; None leaves those columns unchecked.
    needs
        Columns that must be there.

    Returns
    -------
    RowsFound
        Rows and problems.
    """
    try:
        table = read_table(path, empty_edges=True)
    except FileProblems as error:
        return RowsFound(problems=list(error.problems), could_be_read=False)
    criteria = _criteria_columns(table, rubric)
    found = RowsFound(problems=[*_column_problems(table, criteria, rubric), *_missing_columns(table, needs)])
    if "essay" not in table.columns:
        return RowsFound(problems=found.problems, could_be_read=False)
    lines: dict[str, list[int]] = {}
    for cells, line in zip(table.rows, table.lines, strict=True):
        row = _row(table, cells, line, criteria, found.problems)
        essay = row.values.get("essay")
        if essay is None:
            continue
        if essay not in lines:
            found.rows.append(row)
        lines.setdefault(essay, []).append(line)
    found.problems += _repeated(table.path, lines)
    return found


def _criteria_columns(table: Table, rubric: Rubric | None) -> tuple[str, ...]:
    """Name the columns that hold marks; without a rubric, whatever could be the id of a criterion.

    A rubric may well have a criterion `style`; then the column of that name holds its marks.
    """
    if rubric is not None:
        return tuple(column for column in table.columns if column in {each.id for each in rubric.criteria})
    return tuple(
        column
        for column in table.columns
        if column not in COLUMNS
        and re.fullmatch(ID_PATTERN, column)
        and not get_close_matches(column, COLUMNS, n=1, cutoff=0.75)
    )


def _column_problems(table: Table, criteria: Sequence[str], rubric: Rubric | None) -> Iterator[Problem]:
    known = [*COLUMNS, *(each.id for each in rubric.criteria if rubric)] if rubric else list(COLUMNS)
    for column in table.columns:
        if column in COLUMNS or column in criteria:
            continue
        close = get_close_matches(column.lower(), [each for each in known if each not in table.columns], n=1)
        fix = f"Did you mean `{close[0]}`?" if close else f"The columns are {', '.join(known)}."
        criterion = f" and no criterion of the rubric `{rubric.id}`" if rubric and rubric.criteria else ""
        yield Problem(table.path, 1, f"`{column}` is no column of this table{criterion}.", fix)


def _missing_columns(table: Table, needs: Collection[str]) -> Iterator[Problem]:
    for column in needs:
        try:
            table.position(column)
        except FileProblems as error:
            what = error.problems[0].what
            yield Problem(table.path, 1, what, f"Add a column `{column}`, or correct its name.")


def _row(
    table: Table, cells: tuple[str, ...], line: int, criteria: Sequence[str], problems: list[Problem]
) -> Row:
    whole = {column: cell.strip() for column, cell in zip(table.columns, cells, strict=True)}
    named = {column: cell for column, cell in whole.items() if column not in criteria}
    values: dict[str, Any] = {column: named[column] for column in _WORDS if named.get(column)}
    here = _Cells(table.path, line, problems)
    values["essay"] = here.essay(named["essay"])
    values["points"] = named.get("points", "").split()
    values["anchor"] = here.anchor(named["anchor"]) if "anchor" in named else False
    values |= {column: here.number(column, named.get(column, "")) for column in _NUMBERS}
    marks = {column: here.number(column, whole[column]) for column in criteria}
    values["marks"] = {column: mark for column, mark in marks.items() if mark is not None}
    given = {name: value for name, value in values.items() if value is not None}
    return Row(given, line, frozenset(here.faulty))


class _Cells:
    """The cells of one row, read one by one; what is wrong is noted on the way."""

    def __init__(self, path: str, line: int, problems: list[Problem]) -> None:
        self.path = path
        self.line = line
        self.problems = problems
        self.faulty: set[Location] = set()

    def essay(self, cell: str) -> str | None:
        if not cell:
            self._note("essay", "The row names no essay.", "Write its name under `essay`, such as E01.")
            return None
        name = cell.removesuffix(".md")
        if not re.fullmatch(ESSAY_PATTERN, name) or len(name) > _LONGEST_NAME:
            shown = cell if len(cell) <= _LONGEST_NAME else cell[: _LONGEST_NAME - 1] + "…"
            fix = f"Use at most {_LONGEST_NAME} letters and digits, joined by hyphens if need be: E01."
            self._note("essay", f"In column `essay`, `{shown}` cannot be a name.", fix)
            return None
        if name != cell:
            self._note("essay", f"In column `essay`, `{cell}` has its file's ending.", f"Write {name}.")
        return name

    def anchor(self, cell: str) -> bool | None:
        if cell.lower() in _YES_OR_NO:
            return _YES_OR_NO[cell.lower()]
        found = f"is `{cell}`" if cell else "is empty"
        fix = "Write yes for a paper shown with its score beforehand, otherwise no."
        self._note("anchor", f"`anchor` {found}.", fix)
        return None

    def number(self, column: str, cell: str) -> float | None:
        try:
            return parse_number(cell, self.path, self.line, column)
        except FileProblems as error:
            self.problems += error.problems
            self.faulty.add((column,))
            return None

    def _note(self, column: str, what: str, fix: str) -> None:
        self.problems.append(Problem(self.path, self.line, what, fix))
        self.faulty.add((column,))


def _repeated(path: str, lines: dict[str, list[int]]) -> Iterator[Problem]:
    for essay, stands_on in lines.items():
        if len(stands_on) > 1:
            listed = f"{', '.join(map(str, stands_on[:-1]))} and {stands_on[-1]}"
            what = f"`{essay}` has {len(stands_on)} rows, on lines {listed}."
            yield Problem(path, stands_on[0], what, "Keep one.")
