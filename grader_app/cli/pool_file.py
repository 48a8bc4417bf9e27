"""A pool of candidates read from a table, every problem in it said at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from grader_app.cli.pool_scales import Ends, off_scale_or_none
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, parse_number, read_table
from grader_app.scaling.composite import Score
from grader_app.scaling.parts import item_score
from grader_app.scaling.pool import Candidate, Pool

_MBE, _MEMBER, _GROUP = "mbe", "in_scaling_group", "group"
_OPTIONAL = (_MBE, _MEMBER, _GROUP)

Parts = Mapping[str, Mapping[str, float]]
"""Weight of each part within its item, by item and part; items scored whole are not in it."""


def read_pool(
    path: Path,
    items: Sequence[str],
    candidate: str,
    needs_mbe: bool,
    parts: Parts | None = None,
    scales: Mapping[str, Ends] | None = None,
) -> tuple[Pool, tuple[str, ...]]:
    """Read a pool, one row a candidate.

    Parameters
    ----------
    path
        A delimited file with a column of candidate ids, one of scores an item (an empty cell is an ungraded
        item), and optionally ``mbe``, ``in_scaling_group`` (yes, no, or empty for yes) and ``group``.
    items
        The items of the composite.
    candidate
        The column of candidate ids. Ids stay text: ``000123`` keeps its zeros.
    needs_mbe
        Whether the file must have a column ``mbe``.
    parts
        The items that have a column ``ITEM.PART`` for each part instead of one of their own. An item with
        an ungraded part is ungraded.
    scales
        Lowest and highest score of the items whose scale is known; parts are scored on their item's scale.

    Returns
    -------
    tuple of Pool and tuple of str
        The pool, and the columns that were not used.

    Raises
    ------
    FileProblems
        Listing every missing or misspelled column; or else every cell that cannot be used, and every id that
        stands on several lines.
    """
    table = read_table(path)
    scores = {item: _part_columns(item, (parts or {}).get(item, {})) for item in items}
    scored = [column for columns in scores.values() for column in columns]
    columns = [candidate, *scored, *([_MBE] if needs_mbe else [])]
    problems = [
        *_column_problems(table, columns),
        *_name_clashes(table, scored, candidate),
        *_whole_beside_parts(table, scores),
    ]
    if not table.rows:
        problems.append(
            Problem(table.path, 0, "There is no candidate in it.", "Give it one row a candidate.")
        )
    if problems:
        raise FileProblems(problems)
    unused = tuple(name for name in table.columns if name not in {candidate, *scored, *_OPTIONAL})
    return Pool(_candidates(table, scores, candidate, scales or {})), unused


def _part_columns(item: str, parts: Mapping[str, float]) -> Mapping[str, float]:
    """Return the columns that hold an item's score, each with its weight within the item."""
    return {f"{item}.{part}": weight for part, weight in parts.items()} or {item: 1}


def _whole_beside_parts(table: Table, scores: Parts) -> Iterator[Problem]:
    for item, columns in scores.items():
        if item in table.columns and item not in columns:
            named = ", ".join(f"`{column}`" for column in columns)
            what = f"There is a column `{item}`, but the round scores that item by parts ({named})."
            yield Problem(table.path, 1, what, "Remove the column, or remove `parts` from the round.")


def _column_problems(table: Table, needed: Sequence[str]) -> Iterator[Problem]:
    missing = [name for name in needed if name not in table.columns]
    if missing:
        found = ", ".join(f"`{name}`" for name in table.columns)
        what = f"There is no column {', '.join(f'`{name}`' for name in missing)}; found {found}."
        fix = "Add it (an empty cell is an ungraded item), or name the column of ids with --candidate."
        yield Problem(table.path, 1, what, fix)
    absent = [name for name in _OPTIONAL if name not in table.columns]
    for column in table.columns:
        near = get_close_matches(column.casefold(), absent, n=1, cutoff=0.8)
        if near and column not in needed:
            what = f"The column `{column}` is not known, but looks like `{near[0]}`."
            yield Problem(table.path, 1, what, f"Write `{near[0]}`, or give the column quite another name.")


def _name_clashes(table: Table, items: Sequence[str], candidate: str) -> Iterator[Problem]:
    names = [candidate, *_OPTIONAL]
    for name in sorted({name for name in names if [*names, *items].count(name) > 1}):
        what = f"The column `{name}` would be read in two ways."
        yield Problem(table.path, 1, what, "Name the item, or the column of ids, differently.")


def _candidates(
    table: Table, scores: Parts, candidate: str, scales: Mapping[str, Ends]
) -> tuple[Candidate, ...]:
    problems = [*_id_problems(table, candidate)]
    found = []
    for row, line in zip(table.rows, table.lines, strict=True):
        cells = _Row(table, row, line, problems)
        found.append(
            Candidate(
                candidate_id=cells.text(candidate),
                scores={item: cells.score(item, columns, scales) for item, columns in scores.items()},
                mbe=cells.number(_MBE),
                in_scaling_group=cells.yes_or_no(_MEMBER),
                group=cells.text(_GROUP).strip() or None,
            )
        )
    if problems:
        raise FileProblems(problems)
    return tuple(found)


def _id_problems(table: Table, candidate: str) -> Iterator[Problem]:
    lines_by_id: dict[str, list[int]] = {}
    for candidate_id, line in zip(table.column(candidate), table.lines, strict=True):
        lines_by_id.setdefault(candidate_id, []).append(line)
        if not candidate_id.strip():
            yield Problem(
                table.path, line, f"The column `{candidate}` is empty.", "Give the candidate an id."
            )
    for candidate_id, lines in lines_by_id.items():
        if len(lines) > 1 and candidate_id.strip():
            on = f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}"
            what = f"Candidate `{candidate_id}` stands on lines {on}."
            yield Problem(table.path, lines[0], what, "Keep one row a candidate.")


class _Row:
    """The cells of one row by column; what cannot be used is added to the problems."""

    def __init__(self, table: Table, row: tuple[str, ...], line: int, problems: list[Problem]) -> None:
        self._cells = dict(zip(table.columns, row, strict=True))
        self._path, self._line, self._problems = table.path, line, problems

    def text(self, column: str) -> str:
        """Return a cell as it stands, or nothing if there is no such column."""
        return self._cells.get(column, "")

    def number(self, column: str) -> float | None:
        """Return a cell as a number, None if it is empty."""
        try:
            return parse_number(self.text(column), self._path, self._line, column)
        except FileProblems as found:
            self._problems.extend(found.problems)
            return None

    def score(self, item: str, columns: Mapping[str, float], scales: Mapping[str, Ends]) -> Score | None:
        """Return the cell of an item, or the weighted mean of the cells of its parts."""
        cells = {column: self.number(column) for column in columns}
        for column, value in cells.items():
            what = off_scale_or_none(value, column, item, scales)
            if what:
                fix = "Correct the score; leave an ungraded item empty."
                self._problems.append(Problem(self._path, self._line, what, fix))
        if len(cells) == 1:
            return next(iter(cells.values()))
        return item_score(cells, columns)

    def yes_or_no(self, column: str) -> bool:
        """Return whether a cell says yes; an empty one does."""
        says = self.text(column).strip().casefold()
        if says not in {"", "yes", "no"}:
            what = f"In column `{column}`, `{self.text(column)}` is neither yes nor no."
            self._problems.append(
                Problem(self._path, self._line, what, "Write yes or no, or leave it empty (yes).")
            )
        return says != "no"
