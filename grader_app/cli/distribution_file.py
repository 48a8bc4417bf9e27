"""A group's distribution read from a table, every problem in it said at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, parse_number, read_table
from grader_app.scaling.distribution_table import Bin, DistributionTable, overlaps, with_closed_gaps

_EDGES = ("lower", "upper")
_SIZES = ("count", "percent")
_ADD_UP_TO = (98.0, 102.0)  # what rounding leaves of 100 in a printed table

_LARGEST = 1e12  # no score and no count comes near it


def read_distribution(path: Path) -> tuple[DistributionTable, tuple[str, ...]]:
    """Read a distribution, one row a bin.

    Parameters
    ----------
    path
        A delimited file with the columns ``lower``, ``upper``, and ``count`` or ``percent``, in any order
        of rows. A bin with equal edges is a single score.

    Returns
    -------
    tuple of DistributionTable and tuple of str
        The distribution, and what to say of how it was read.

    Raises
    ------
    FileProblems
        Listing every missing or misspelled column; or else every cell that cannot be used; or else every
        pair of bins that overlap, and percents that do not add up.
    """
    table = read_table(path, empty_edges=True)
    problems = [*_column_problems(table)]
    if not table.rows:
        problems.append(Problem(table.path, 0, "There is no bin in it.", "Give it one row a bin."))
    if problems:
        raise FileProblems(problems)
    size = "count" if "count" in table.columns else "percent"
    bins, gap = with_closed_gaps(_bins(table, size))
    unused = [name for name in table.columns if name not in {*_EDGES, size}]
    says = [f"The distribution is that of {path.name}: {len(bins)} bins, sizes from the column {size}."]
    if gap:
        says.append(f"The bins lie {gap:g} apart. Each was widened by half of that on both sides.")
    if unused:
        says.append(f"Columns not used: {', '.join(unused)}.")
    return DistributionTable(bins), tuple(says)


def _column_problems(table: Table) -> Iterator[Problem]:
    found = ", ".join(f"`{name}`" for name in table.columns)
    missing = [name for name in _EDGES if name not in table.columns]
    if not any(name in table.columns for name in _SIZES):
        missing.append("count")
    for name in missing:
        either = "`count` or `percent`" if name == "count" else f"`{name}`"
        spellings = [name, "percent"] if name == "count" else [name]
        near = [
            each for each in table.columns if get_close_matches(each.casefold(), spellings, n=1, cutoff=0.8)
        ]
        fix = f"Should `{near[0]}` be it?" if near else "Columns are lower, upper, and count or percent."
        yield Problem(table.path, 1, f"There is no column {either}; found {found}.", fix)


def _bins(table: Table, size: str) -> list[Bin]:
    problems: list[Problem] = []
    read: list[tuple[Bin, int]] = []
    for cells, line in zip(table.rows, table.lines, strict=True):
        row = dict(zip(table.columns, cells, strict=True))
        numbers = [_number(table.path, row[column], line, column, problems) for column in (*_EDGES, size)]
        if None not in numbers:
            made = Bin(*(number for number in numbers if number is not None))
            problems += _bin_problems(table.path, made, line, size)
            read.append((made, line))
    if problems:
        raise FileProblems(problems)
    problems = [*_whole_problems(table.path, read, size)]
    if problems:
        raise FileProblems(problems)
    return sorted(each for each, _ in read)


def _number(path: str, cell: str, line: int, column: str, problems: list[Problem]) -> float | None:
    try:
        number = parse_number(cell, path, line, column)
    except FileProblems as found:
        problems += (Problem(path, line, each.what, "Write a number.") for each in found.problems)
        return None
    if number is None:
        what = f"The column `{column}` is empty."
        problems.append(Problem(path, line, what, "Give every bin two edges and a size; 0 is a size."))
    return number


def _bin_problems(path: str, made: Bin, line: int, size: str) -> Iterator[Problem]:
    if made.lower > made.upper:
        what = f"The bin runs from {made.lower:g} down to {made.upper:g}."
        yield Problem(path, line, what, "Write the lower edge under `lower`.")
    for column, number in zip((*_EDGES, size), made, strict=True):
        if abs(number) > _LARGEST:
            what = f"In column `{column}`, {number:g} is too large to be meant."
            yield Problem(path, line, what, "Check the number.")
    if made.size < 0:
        yield Problem(path, line, f"In column `{size}`, {made.size:g} is below 0.", "Write 0 or more.")


def _whole_problems(path: str, read: Sequence[tuple[Bin, int]], size: str) -> Iterator[Problem]:
    bins = [each for each, _ in read]
    for one, other in overlaps(bins):
        first, second = sorted((read[one], read[other]), key=lambda each: each[1])
        what = (
            f"The bin {second[0].lower:g} to {second[0].upper:g} overlaps "
            f"{first[0].lower:g} to {first[0].upper:g} on line {first[1]}."
        )
        yield Problem(path, second[1], what, "Let each bin begin where the one before ends.")
    total = sum(each.size for each in bins)
    if not total:
        yield Problem(path, 0, "Every bin is empty.", "Give the sizes of the bins.")
    elif size == "percent" and not _ADD_UP_TO[0] <= total <= _ADD_UP_TO[1]:
        what = f"The percents add up to {total:g}."
        yield Problem(path, 0, what, "Check the rows; name the column `count` if these are counts.")
