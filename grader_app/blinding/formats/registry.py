"""The formats of answer files, by name and by file ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from grader_app.blinding.formats.csv_answers import read_csv_answers
from grader_app.blinding.formats.incoming import AnswerFile
from grader_app.blinding.formats.jsonl_answers import read_jsonl_answers
from grader_app.errors import FileProblems, Problem

Reader = Callable[[Path, Mapping[str, str]], AnswerFile]

FORMATS: dict[str, Reader] = {"csv": read_csv_answers, "jsonl": read_jsonl_answers}
"""Reader by name; each takes the file and the columns that are named differently from their keys."""

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
"""Format by file ending; ``csv`` reads any delimiter."""

_SAVED_ELSEWHERE = {
    ".xlsx": "In the spreadsheet, save the sheet as CSV UTF-8.",
    ".xls": "In the spreadsheet, save the sheet as CSV UTF-8.",
    ".ods": "In the spreadsheet, save the sheet as CSV UTF-8.",
    ".parquet": "Save it as JSON lines or CSV.",
}


def read_answers(
    path: Path, format_name: str | None = None, columns: Mapping[str, str] | None = None
) -> AnswerFile:
    """Read a file of answers.

    Parameters
    ----------
    path
        The file.
    format_name
        One of `FORMATS`; by default the file's ending decides.
    columns
        Column name by key, where it is not the key itself.

    Returns
    -------
    AnswerFile
        The answers, each still tied to its source.

    Raises
    ------
    FileProblems
        Everything wrong with the file, with lines.
    """
    name = format_name or ENDINGS.get(path.suffix.casefold())
    if name is None:
        what = f"The ending `{path.suffix}` tells no format." if path.suffix else "The name has no ending."
        known = ", ".join(FORMATS)
        fix = _SAVED_ELSEWHERE.get(path.suffix.casefold(), f"Name the format with --format ({known}).")
        raise FileProblems([Problem(str(path), 0, what, fix)])
    return FORMATS[name](path, columns or {})
