"""Which column of a file holds which fact about an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from grader_app.blinding.formats.incoming import KEYS, NEEDED, OPTIONAL
from grader_app.errors import FileProblems, Problem
from grader_app.files.yaml_reader import read_yaml

_FORMAT = "map/1"


def read_map(path: Path) -> dict[str, str]:
    """Read a file that says under which names a file of answers has its columns.

    Parameters
    ----------
    path
        YAML, one ``key: column name`` a line, for example ``id: doc_id``.

    Returns
    -------
    dict
        Column name by key, of the keys it names.

    Raises
    ------
    FileProblems
        Unknown keys (with the nearest known one), and values that are no column names.
    """
    document = read_yaml(path, prose_keys=())
    columns: dict[str, str] = {}
    problems: list[Problem] = []
    for key, value in document.data.items():
        if key == "format":
            if value != _FORMAT:
                what = f"The format is `{value}`."
                problems.append(document.problem((key,), what, f"Write `format: {_FORMAT}`."))
        elif key not in KEYS:
            problems.append(document.problem((key,), f"Unknown key `{key}`.", _nearest(key)))
        elif not isinstance(value, str) or not value.strip():
            what = f"`{key}` names no column: found `{value}`."
            problems.append(document.problem((key,), what, "Write the column's name, in quotes if a number."))
        else:
            columns[key] = value.strip()
    if problems:
        raise FileProblems(problems)
    return columns


def _nearest(key: str) -> str:
    near = get_close_matches(key, KEYS, n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else f"The keys are {', '.join(KEYS)}."


def place_columns(
    path: str, found: Sequence[str], columns: Mapping[str, str], line: int = 1
) -> dict[str, str]:
    """Say which of the columns found holds each key.

    Parameters
    ----------
    path
        The file, for messages.
    found
        Its column names.
    columns
        Column name by key, where it is not the key itself.
    line
        Where the column names stand.

    Returns
    -------
    dict
        Column name by key, of the keys the file has.

    Raises
    ------
    FileProblems
        A needed or mapped column is missing; the message names the columns that were found.
    """
    wanted = {key: columns.get(key, key) for key in KEYS}
    missing = [wanted[key] for key in KEYS if (key in NEEDED or key in columns) and wanted[key] not in found]
    if missing:
        listed = ", ".join(f"`{name}`" for name in found)
        what = f"There is no column {', '.join(f'`{name}`' for name in missing)}; found {listed}."
        fix = "Add it, or say with --map MAP.yaml which column it is (`id: doc_id`, one a line)."
        raise FileProblems([Problem(path, line, what, fix)])
    return {key: name for key, name in wanted.items() if name in found}


def misspelt(found: Sequence[str], placed: Mapping[str, str]) -> list[str]:
    """Name the columns that look like an optional key the file does not have.

    Returns
    -------
    list of str
        A sentence for each.

    Examples
    --------
    >>> misspelt(["id", "text", "source", "temprature"], {"id": "id", "text": "text", "source": "source"})
    ['Column `temprature` looks like `temperature`; it is kept with the source, and not read as such.']
    """
    absent = [key for key in OPTIONAL if key not in placed]
    return [
        f"Column `{name}` looks like `{near[0]}`; it is kept with the source, and not read as such."
        for name in found
        if name not in placed.values()
        and (near := get_close_matches(name.casefold().replace(" ", "_"), absent, n=1, cutoff=0.8))
    ]
