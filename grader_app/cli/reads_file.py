"""The single reads behind a pool file's scores, read from a table: who gave which score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader_app.errors import FileProblems, Problem, RatingsProblem
from grader_app.files.csv_table import Table, read_table

if TYPE_CHECKING:
    from grader_app.agreement.ratings import Ratings
    from grader_app.domain.reader_variance import ReaderVariance
    from grader_app.scaling.score_reads import Reads

_ITEM, _GRADER, _SCORE = "item", "grader_id", "score"


class ReadsFile(NamedTuple):
    """Where the reads stand, and every score a reader may give."""

    path: Path
    scale: str


class KnownReads(NamedTuple):
    """What a file of reads tells: readers' variance by item, who read what, and the scale."""

    readers: Mapping[str, ReaderVariance]
    reads: Reads
    ends: tuple[float, float]
    step: float


def reads_asked(path: Path | None, scale_text: str | None, used: bool) -> ReadsFile | None:
    """Give the reads a person named; refuse a file without its scale, or where nothing uses it."""
    if path is None and scale_text is None:
        return None
    if path is None or scale_text is None:
        raise click.UsageError("--reads and --scale go together: --reads reads.csv --scale 0:6.")
    if not used:
        raise click.UsageError("--reads goes with POOL.csv and with error bars.")
    return ReadsFile(path, scale_text)


def read_reads(
    file: ReadsFile, candidate: str, candidates: Collection[str], items: Sequence[str]
) -> KnownReads:
    """Read who gave which score, one row a read.

    Parameters
    ----------
    file
        A delimited file with a column of candidate ids, ``item``, ``grader_id`` and ``score``; a row
        without a score is no read.
    candidate
        The column of candidate ids, as in the pool.
    candidates, items
        Those of the pool.

    Raises
    ------
    FileProblems
        Listing every missing column; or else every row of a candidate or an item that the pool has not, and
        every second row of one grader for one answer.
    RatingsProblem
        When a score is off the scale; lines are named.
    """
    from grader_app.agreement.reader_variance import reader_variance
    from grader_app.agreement.scale import Scale

    scale = Scale.of(file.scale)
    if not scale.is_numeric:
        raise RatingsProblem(f"The scale `{file.scale}` has no numbers. Give one such as 0:6.")
    table = read_table(file.path)
    columns = [candidate, _ITEM, _GRADER, _SCORE]
    missing = ", ".join(f"`{name}`" for name in columns if name not in table.columns)
    if missing:
        raise FileProblems([Problem(table.path, 1, f"There is no column {missing}.", "Add it.")])
    problems = [
        *_strangers(table, candidate, candidates),
        *_strangers(table, _ITEM, items),
        *_repeated(table, candidate),
    ]
    if problems:
        raise FileProblems(problems)
    try:
        rated = _ratings(table, candidate, items, scale.numbers.tolist())
    except RatingsProblem as problem:
        raise RatingsProblem(f"{file.path}: {problem}") from None
    ends = (float(scale.numbers[0]), float(scale.numbers[-1]))
    return KnownReads(reader_variance(rated), _who_read(table, candidate), ends, scale.step)


def _strangers(table: Table, column: str, known: Collection[str]) -> Iterator[Problem]:
    for name, line in zip(table.column(column), table.lines, strict=True):
        if name not in known:
            what = f"`{name}` in column `{column}` is not in the pool."
            yield Problem(table.path, line, what, "Write it as the pool and the round do.")


def _repeated(table: Table, candidate: str) -> Iterator[Problem]:
    first: dict[tuple[str, ...], int] = {}
    cells = zip(*(table.column(name) for name in (candidate, _ITEM, _GRADER)), strict=True)
    for read, line in zip(cells, table.lines, strict=True):
        before = first.setdefault(read, line)
        if before != line:
            what = f"Grader `{read[2]}` gave this answer a score on line {before} too."
            yield Problem(table.path, line, what, "Keep one row for each grader and answer.")


def _ratings(
    table: Table, candidate: str, items: Sequence[str], scale: Sequence[float]
) -> dict[str, Ratings]:
    import pandas as pd

    from grader_app.agreement.ratings import Ratings

    frame = pd.DataFrame(table.rows, columns=list(table.columns), dtype=object)
    found = {}
    people, graders = table.column(candidate), table.column(_GRADER)
    for item in items:
        at = [row for row, name in enumerate(table.column(_ITEM)) if name == item]
        if not at:
            continue

        def rated(rows: list[int]) -> Ratings:
            lines = [table.lines[row] for row in rows]
            return Ratings.from_long(frame.iloc[rows], candidate, _GRADER, _SCORE, scale=scale, lines=lines)

        try:
            # Sums differ in their last digit with the order of what is added.
            found[item] = rated(sorted(at, key=lambda row: (people[row], graders[row])))
        except RatingsProblem:
            rated(at)  # says the same with the lines in order
            raise
    return found


def _who_read(table: Table, candidate: str) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    cells = zip(*(table.column(name) for name in (candidate, _ITEM, _GRADER, _SCORE)), strict=True)
    for person, item, grader, score in sorted(cells):
        if score.strip():
            found[person][item] = (*found[person].get(item, ()), grader)
    return dict(found)
