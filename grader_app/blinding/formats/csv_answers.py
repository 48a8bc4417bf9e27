"""Answers in a delimited table: CSV, TSV and what spreadsheets save."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from grader_app.blinding.formats.columns import place_columns
from grader_app.blinding.formats.incoming import NO_OTHERS, OPTIONAL, AnswerFile, IncomingAnswer
from grader_app.files.csv_table import Table, read_table
from grader_app.files.text_encoding import read_bytes


def read_csv_answers(path: Path, columns: Mapping[str, str]) -> AnswerFile:
    """Read answers from a table with a header.

    Parameters
    ----------
    path
        As for `grader_app.files.csv_table.read_table`.
    columns
        Column name by key, where it is not the key itself.

    Returns
    -------
    AnswerFile
        The answers; rows whose cells are all empty, as spreadsheets leave them below a table, are left out.

    Raises
    ------
    FileProblems
        The table cannot be read, or a needed column is missing.
    """
    table = read_table(path)
    placed = place_columns(table.path, table.columns, columns)
    return AnswerFile(
        path=table.path,
        hash=hashlib.sha256(read_bytes(path)).hexdigest(),
        format="csv",
        described=str(table.dialect),
        columns=table.columns,
        answers=_answers(table, placed),
    )


def _answers(table: Table, placed: Mapping[str, str]) -> list[IncomingAnswer]:
    at = {key: table.columns.index(name) for key, name in placed.items()}
    id_at, text_at, source_at = at["id"], at["text"], at["source"]
    optional = [(key, at[key]) for key in OPTIONAL if key in at]
    others = [(name, n) for n, name in enumerate(table.columns) if name not in placed.values()]
    return [
        IncomingAnswer(
            sender_id=row[id_at],
            text=row[text_at],
            source=row[source_at],
            line=line,
            others={name: row[n] for name, n in others} if others else NO_OTHERS,
            **{key: row[n] for key, n in optional},
        )
        for row, line in zip(table.rows, table.lines, strict=True)
        if any(row)
    ]
