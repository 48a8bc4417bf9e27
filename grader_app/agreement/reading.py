"""Tables of scores as people have them, turned into codes, and every refusal by name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement.codes import Codes, Integers, Repeats, compact
from grader_app.agreement.scale import Scale, number_or_none
from grader_app.errors import RatingsProblem

if TYPE_CHECKING:
    import pandas as pd


class Reading(NamedTuple):
    """What was read: codes of responses by graders, their names, and graders who rated nothing."""

    codes: Codes
    responses: tuple[str, ...]
    graders: tuple[str, ...]
    idle_graders: tuple[str, ...]


Place = Callable[[int], str]
"""Names a row of the table for a message: line 7, or row 5."""

SHOWN = 20
"""How many rows a message names before it says how many more there are."""

GRADER_WORDS = {"grader", "rater", "judge", "coder", "reader", "observer", "annotator", "examiner", "marker"}


def from_long(
    table: pd.DataFrame,
    keys: Sequence[str],
    grader: str,
    score: str,
    scale: Scale,
    repeats: Repeats | None,
    lines: Sequence[int] | None,
) -> Reading:
    """Read one rating a row; see `Ratings.from_long`."""
    for column in (*keys, grader, score):
        _need_column(table, column)
    place = _places(table, lines)
    responses = _joined([_names(table[key], key, place) for key in keys])
    graders = _names(table[grader], grader, place)
    codes = _encode({score: table[score]}, scale, place)[:, 0]
    return _assemble(responses, graders, codes, scale, repeats, place)


def from_wide(
    table: pd.DataFrame,
    scale: Scale,
    repeats: Repeats | None,
    lines: Sequence[int] | None,
    *,
    many_graders: bool,
) -> Reading:
    """Read one response a row; see `Ratings.from_wide`."""
    columns = [str(column) for column in table.columns]
    if len(columns) < 2:
        raise RatingsProblem(
            "The table has no grader column. Give first the response's id, then one a grader."
        )
    doubled = sorted({name for name in columns if columns.count(name) > 1})
    if doubled:
        raise RatingsProblem(f"Column {', '.join(doubled)} occurs twice. Give each grader one column.")
    place = _places(table, lines)
    _refuse_turned(columns, len(table), many_graders=many_graders)
    responses = _names(table.iloc[:, 0], columns[0], place)
    by_grader = {name: table.iloc[:, n + 1] for n, name in enumerate(columns[1:])}
    _refuse_counts_by_name(by_grader, scale)
    codes = _encode(by_grader, scale, place)
    _refuse_counts_by_sum(codes, scale)
    rows, n_graders = codes.shape
    names = np.repeat(np.array(columns[1:], dtype=object), rows)
    return _assemble(
        np.tile(responses, n_graders), names, codes.T.ravel(), scale, repeats, lambda row: place(row % rows)
    )


def _need_column(table: pd.DataFrame, column: str) -> None:
    found = [str(name) for name in table.columns]
    if found.count(column) == 1:
        return
    if column in found:
        raise RatingsProblem(f"Column {column} occurs twice. Name each column once.")
    raise RatingsProblem(f"There is no column {column}. Columns found: {', '.join(found) or 'none'}.")


def _places(table: pd.DataFrame, lines: Sequence[int] | None) -> Place:
    if lines is None:
        return lambda row: f"row {table.index[row]}"
    return lambda row: f"line {lines[row]}"


def _names(column: pd.Series, title: str, place: Place) -> NDArray[np.object_]:
    empty = np.flatnonzero(column.isna().to_numpy() | (column == "").fillna(value=False).to_numpy(dtype=bool))
    if empty.size:
        raise RatingsProblem(f"Column {title} is empty in {_listed(place, empty)}. Name it in every row.")
    return np.array([str(value) for value in column.tolist()], dtype=object)


def _joined(parts: list[NDArray[np.object_]]) -> NDArray[np.object_]:
    if len(parts) == 1:
        return parts[0]
    return np.array(["/".join(names) for names in zip(*parts, strict=True)], dtype=object)


def _encode(columns: dict[str, pd.Series], scale: Scale, place: Place) -> Integers:
    """Return one column of codes for each column of scores, or name every cell that is off the scale."""
    problems: list[str] = []
    encoded = []
    for name, column in columns.items():
        codes, off = _encode_column(column, scale)
        problems += [
            f"{place(row)}: {found}" + (f" ({name})" if len(columns) > 1 else "") for row, found in off
        ]
        encoded.append(codes)
    if problems:
        raise RatingsProblem(
            f"{len(problems)} {'score is' if len(problems) == 1 else 'scores are'} not on the scale "
            f"{scale.text}: {_shortened(problems)}. "
            "Correct them, or declare the whole scale; a score that was not given is an empty cell."
        )
    return np.column_stack(encoded) if encoded else np.empty((0, 0), dtype=np.int64)


def _encode_column(column: pd.Series, scale: Scale) -> tuple[Integers, list[tuple[int, str]]]:
    if column.dtype.kind in "iuf" and scale.is_numeric:
        return _encode_numbers(column, scale)
    known: dict[tuple[type, object], int | None] = {}
    codes = np.full(len(column), -1, dtype=np.int64)
    off: list[tuple[int, str]] = []
    for row, value in enumerate(column.tolist()):
        if _is_missing(value):
            continue
        key = (type(value), value)
        if key not in known:
            known[key] = scale.code(value)
        code = known[key]
        if code is None:
            off.append((row, _found(value)))
        else:
            codes[row] = code
    return codes, off


def _encode_numbers(column: pd.Series, scale: Scale) -> tuple[Integers, list[tuple[int, str]]]:
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    given = ~np.isnan(numbers)
    codes = np.full(len(numbers), -1, dtype=np.int64)
    codes[given] = scale.codes(numbers[given])
    return codes, [(int(row), f"{numbers[row]:g}") for row in np.flatnonzero(given & (codes < 0))]


def _is_missing(value: object) -> bool:
    # A nan is not equal to itself; pandas' NA refuses to say, so it is told by its name.
    if value is None or (isinstance(value, str) and not value.strip()):
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in {"NAType", "NaTType"}


def _found(value: object) -> str:
    if isinstance(value, str):
        comma = re.fullmatch(r"\s*-?\d+,\d+\s*", value)
        return f"“{value}”" + (
            f" (a decimal comma; write {value.strip().replace(',', '.')})" if comma else ""
        )
    if isinstance(value, bool | np.bool_):
        return f"{value} (true or false is not a score; write 0 and 1)"
    return str(value)


def _refuse_turned(columns: list[str], n_rows: int, *, many_graders: bool) -> None:
    """Refuse a table with graders in rows: by the name of its first column, or by its shape."""
    n_graders = len(columns) - 1
    first = columns[0].lower().replace("_", " ").split()
    named_for_grader = bool(first) and first[0].rstrip("s") in GRADER_WORDS
    much_wider = n_graders >= 10 and n_graders >= 2 * n_rows and n_rows > 1
    if named_for_grader or (much_wider and not many_graders):
        raise RatingsProblem(
            f"The table looks turned: its first column is {columns[0]}, with {n_rows} rows and {n_graders} "
            "columns of scores. Give one row a response and one column a grader"
            + ("." if named_for_grader else ", or say that there are many graders (--many-graders).")
        )


def _refuse_counts_by_name(columns: dict[str, pd.Series], scale: Scale) -> None:
    """Refuse columns named like all the scores, unless graders just happen to be numbered so."""
    if len(columns) < 2 or {scale.code(name) for name in columns} != set(range(scale.n_points)):
        return
    numbers = [[number_or_none(value) for value in column.tolist()] for column in columns.values()]
    sums = {sum(number or 0.0 for number in row) for row in zip(*numbers, strict=True)}
    off = any(number is not None and scale.code(number) is None for column in numbers for number in column)
    if not scale.is_numeric or len(sums) == 1 or off:
        raise RatingsProblem(
            f"The columns are named {', '.join(columns)}, like the scores themselves, so the cells look like "
            "counts of graders. Give the score of each grader: one row a response, one column a grader."
        )


def _refuse_counts_by_sum(codes: Integers, scale: Scale) -> None:
    """Refuse cells that add up to one number of graders in every row, as counts do and scores do not."""
    rows, columns = codes.shape
    if rows < 8 or columns < 3 or not scale.is_numeric or (codes < 0).any():
        return
    scores = scale.numbers[codes]
    sums = scores.sum(axis=1)
    ordered = np.sort(scores, axis=1)
    if np.ptp(sums) == 0 and float(sums[0]).is_integer() and np.ptp(ordered, axis=0).any():
        raise RatingsProblem(
            f"Every row adds up to {sums[0]:g}, so the cells look like counts of graders. "
            "Give the score of each grader: one row a response, one column a grader."
        )


def _assemble(
    responses: NDArray[np.object_],
    graders: NDArray[np.object_],
    codes: Integers,
    scale: Scale,
    repeats: Repeats | None,
    place: Place,
) -> Reading:
    response_names, response_of = np.unique(responses, return_inverse=True)
    grader_names, grader_of = np.unique(graders, return_inverse=True)
    given = np.flatnonzero(codes >= 0)
    cells = response_of[given] * max(1, len(grader_names)) + grader_of[given]
    order, cell_codes = _one_a_cell(cells, codes[given], given, scale, repeats, place, responses, graders)
    matrix = np.full((len(response_names), len(grader_names)), -1, dtype=np.int64, order="F")
    matrix[response_of[order], grader_of[order]] = cell_codes
    active = (matrix >= 0).any(axis=0)
    return Reading(
        compact(matrix[:, active], scale.n_points),
        tuple(response_names.tolist()),
        tuple(grader_names[active].tolist()),
        tuple(grader_names[~active].tolist()),
    )


def _one_a_cell(
    cells: Integers,
    codes: Integers,
    rows: Integers,
    scale: Scale,
    repeats: Repeats | None,
    place: Place,
    responses: NDArray[np.object_],
    graders: NDArray[np.object_],
) -> tuple[Integers, Integers]:
    """Return for each cell one row and one code, as `repeats` says."""
    by_cell = np.argsort(cells, kind="stable")
    starts = (
        np.flatnonzero(np.r_[True, np.diff(cells[by_cell]) != 0]) if cells.size else np.empty(0, dtype=int)
    )
    groups = np.split(by_cell, starts[1:]) if len(starts) < len(cells) else []
    repeated = [group for group in groups if len(group) > 1]
    if repeated and repeats is None:
        pairs = [
            f"{responses[rows[group[0]]]} by {graders[rows[group[0]]]} in {_listed(place, rows[group])}"
            for group in repeated
        ]
        raise RatingsProblem(
            f"{len(repeated)} {'response was' if len(repeated) == 1 else 'responses were'} scored twice "
            f"by one grader: {_shortened(pairs, '; ')}. Keep one, or choose --repeats first, last or mean."
        )
    if not repeated:
        return rows, codes
    chosen = np.array([group[-1] if repeats == "last" else group[0] for group in groups])
    if repeats != "mean":
        return rows[chosen], codes[chosen]
    return rows[chosen], np.array([_mean_code(group, codes, rows, scale, place) for group in groups])


def _mean_code(group: Integers, codes: Integers, rows: Integers, scale: Scale, place: Place) -> int:
    if len(set(codes[group].tolist())) == 1:
        return int(codes[group[0]])
    mean = float(scale.numbers[codes[group]].mean()) if scale.is_numeric else math.nan
    code = scale.code(mean)
    if code is None:
        what = (
            f"is {mean:g}, which is not on the scale {scale.text}" if scale.is_numeric else "does not exist"
        )
        raise RatingsProblem(
            f"The mean of the scores in {_listed(place, rows[group])} {what}. "
            "Choose --repeats first or last, or declare a finer scale."
        )
    return code


def _listed(place: Place, rows: Iterable[int]) -> str:
    named = [place(int(row)) for row in rows]
    word = named[0].split(" ", 1)[0]
    if len(named) > 1:
        return f"{word}s {_shortened([name.split(' ', 1)[1] for name in named])}"
    return named[0]


def _shortened(parts: Sequence[str], between: str = ", ") -> str:
    if len(parts) <= SHOWN:
        return between.join(parts)
    return between.join(parts[:SHOWN]) + f"{between}and {len(parts) - SHOWN} more"
