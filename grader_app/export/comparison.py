"""Where a file on disk first differs from what was computed, said in a sentence."""

from __future__ import annotations

import csv
import io
import json
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from grader_app.export.workbook import sheets_that_stay

TOLERANCE = 1e-9
"""How far two JSON numbers or two numbers in cells may lie apart, relative to the larger one above 1."""

_REWORDED = {"says", "interval_method", "why", "notes", "covers", "chances_mean"}
_NAMED_BY = ("item", "facet", "name", "level", "weights", "within", "grader")
_UNREADABLE = (
    zipfile.BadZipFile,
    InvalidFileException,
    ParseError,
    zlib.error,
    EOFError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
    OSError,
)
"""What a damaged workbook makes its reader raise."""

Cells = dict[str, dict[str, Any]]


def line_difference(file: str, found: bytes, expected: bytes) -> str | None:
    """Compare two files byte for byte and name the first line, and in a table the first cell, that differs.

    Parameters
    ----------
    file
        Its name; ``.csv`` is read as a table.
    found, expected
        On disk, and as computed.

    Returns
    -------
    str or None
        A sentence, or None when they are the same.
    """
    if found == expected:
        return None
    heads = _csv_cells(expected.split(b"\n")[0]) if file.endswith(".csv") else []
    for number, (one, other) in enumerate(zip_longest(found.split(b"\n"), expected.split(b"\n")), start=1):
        if one != other:
            return f"{file}, line {number}{_line_sentence(one, other, heads)}"
    raise AssertionError("unequal bytes have equal lines")


def json_difference(found: bytes, expected: bytes, *, same_program: bool) -> str | None:
    """Compare two JSON files, numbers to 1e-9, and name the first place that differs.

    Parameters
    ----------
    found, expected
        On disk, and as computed.
    same_program
        False if another version of the program wrote the file: then sentences may be worded
        otherwise, and what only one of the two has is passed over.

    Returns
    -------
    str or None
        A sentence, or None when they are the same.
    """
    try:
        one = json.loads(found, object_pairs_hook=_each_key_once)
    except (ValueError, RecursionError) as error:
        return f" cannot be read as JSON ({error})."
    return _json_difference(one, json.loads(expected), "", same_program=same_program)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: programs differ in which of the two values they take."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"the key {twice} stands twice in one object")
    return made


def cell_difference(found: bytes, expected: bytes, *, same_program: bool) -> str | None:
    """Compare two workbooks cell by cell and name the first cell that differs.

    Parameters
    ----------
    found, expected
        On disk, and as computed.
    same_program
        False if another version of the program wrote the file: then only the tables that stay the
        same between versions are compared.

    Returns
    -------
    str or None
        A sentence, or None when all cells are the same.
    """
    if found == expected:
        return None
    try:
        sheets = _cells(found)
    except _UNREADABLE as error:
        return f" cannot be read as a workbook ({type(error).__name__}: {error})."
    wanted = _cells(expected)
    if not same_program:
        sheets, wanted = sheets_that_stay(sheets), sheets_that_stay(wanted)
    if list(sheets) != list(wanted):
        return f": the sheets are {', '.join(sheets)}; they should be {', '.join(wanted)}."
    for name, cells in wanted.items():
        for place in dict.fromkeys((*cells, *sheets[name])):
            one, other = sheets[name].get(place), cells.get(place)
            if not _same_cell(one, other):
                return f", sheet {name}, cell {place}: says {_shown(one)}, should say {_shown(other)}."
    return None


def _line_sentence(found: bytes | None, expected: bytes | None, heads: list[str]) -> str:
    if found is None:
        return f" is missing. It should say {_quoted(expected or b'')}."
    if expected is None:
        return f" should not be there. It says {_quoted(found)}."
    cells, wanted = _csv_cells(found), _csv_cells(expected)
    if (
        heads
        and len(cells) == len(wanted) == len(heads)
        and found.endswith(b"\r") == expected.endswith(b"\r")
    ):
        for head, cell, other in zip(heads, cells, wanted, strict=True):
            if cell != other:
                return f" ({wanted[0]}), column {head}: says {_shown(cell)}, should say {_shown(other)}."
    return f": says {_quoted(found)}, should say {_quoted(expected)}."


def _csv_cells(line: bytes) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(line.decode("utf-8", "replace").rstrip("\r"))), [])
    except csv.Error:
        return []


def _quoted(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return repr(text if len(text) <= 200 else text[:200] + "…")


def _json_difference(found: Any, expected: Any, path: str, *, same_program: bool) -> str | None:  # noqa: ANN401 - any JSON
    if isinstance(found, dict) and isinstance(expected, dict):
        return _first(
            _entry_difference(found, expected, key, path, same_program=same_program)
            for key in dict.fromkeys((*expected, *found))
        )
    if isinstance(found, list) and isinstance(expected, list):
        pairs = list(_paired(found, expected, same_program=same_program))
        return _first(
            _json_difference(one, other, f"{path}[{place}]", same_program=same_program)
            for place, one, other in pairs
        )
    if _is_number(found) and _is_number(expected):
        same = _close(found, expected)
    else:
        same = type(found) is type(expected) and found == expected
    return (
        None
        if same
        else f", {path or 'the whole file'}: says {_shown(found)}, should say {_shown(expected)}."
    )


def _entry_difference(
    found: Mapping[str, Any], expected: Mapping[str, Any], key: str, path: str, *, same_program: bool
) -> str | None:
    if not same_program and (key in _REWORDED or key not in found or key not in expected):
        return None
    where = f"{path}.{key}".lstrip(".")
    if key not in found:
        return f", {where}: is missing. It should say {_shown(expected[key])}."
    if key not in expected:
        return f", {where}: should not be there. It says {_shown(found[key])}."
    return _json_difference(found[key], expected[key], where, same_program=same_program)


def _paired(found: list[Any], expected: list[Any], *, same_program: bool) -> Iterable[tuple[str, Any, Any]]:
    """Pair the entries of two lists; those of another version by their names, so far as they have any."""
    if not same_program:
        ours, theirs = ([_name(one) for one in entries] for entries in (expected, found))
        if all(theirs) and len(set(ours)) == len(ours) and len(set(theirs)) == len(theirs):
            by_name = dict(zip(ours, expected, strict=True))
            return [(n, one, by_name[n]) for n, one in zip(theirs, found, strict=True) if n in by_name]
    return [(str(place), one, other) for place, (one, other) in enumerate(zip_longest(found, expected))]


def _name(entry: object) -> str:
    """Name an entry of a report by the keys that tell it from its neighbors; empty if it has none."""
    if not isinstance(entry, dict):
        return ""
    named = [entry[key] for key in _NAMED_BY if key in entry]
    if isinstance(entry.get("graders"), list) and "figures" in entry and "facet" not in entry:
        named += entry["graders"]  # a pair; the graders of a facet are entries themselves
    return " ".join(str(part) for part in named)


def _first(differences: Iterable[str | None]) -> str | None:
    return next((difference for difference in differences if difference is not None), None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _close(found: float, expected: float) -> bool:
    # A number that is not finite is close to nothing: the comparison is false for nan.
    return abs(found - expected) <= TOLERANCE * max(1.0, abs(expected))


def _cells(data: bytes) -> Cells:
    # A damaged workbook makes the reader warn before it fails or differs; the difference is what is said.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data), data_only=False)
    return {
        sheet.title: {
            cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None
        }
        for sheet in book.worksheets
    }


def _same_cell(found: object, expected: object) -> bool:
    if isinstance(found, int | float) and isinstance(expected, int | float):
        return isinstance(found, bool) == isinstance(expected, bool) and _close(found, expected)
    return type(found) is type(expected) and found == expected


def _shown(value: object) -> str:
    if value is None or value == "":
        return "nothing"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else repr(value)
    return text if len(text) <= 200 else text[:200] + "…"
