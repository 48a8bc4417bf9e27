"""One file of an export: what it may show, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from grader_app.export.field_kind import NEVER_SHOWN, FieldKind
from grader_app.export.results import Results

Comparison = Literal["lines", "numbers", "cells", "page"]
"""How `verify` compares a file with what it computes: CSV or JSON lines byte for byte, JSON numbers to
1e-9, the cells of a workbook, or the bytes of a page (its hash, if another version wrote it)."""


@dataclass(frozen=True)
class Exporter:
    """Writes one file.

    Parameters
    ----------
    file
        Its name in the folder.
    shows
        The kinds of fields that may stand in it; a table with a column of another kind is refused.
    write
        Gives the bytes, at once or in pieces. The same results give the same bytes.
    compared
        How it is verified.

    Raises
    ------
    ValueError
        It would show what no export may show.
    """

    file: str
    shows: frozenset[FieldKind]
    write: Callable[[Results, frozenset[FieldKind]], bytes | Iterator[bytes]]
    compared: Comparison

    def __post_init__(self) -> None:
        forbidden = sorted(self.shows & NEVER_SHOWN)
        if forbidden:
            raise ValueError(f"{self.file}: no export may show {', '.join(forbidden)}")

    def pieces_of(self, results: Results) -> Iterator[bytes]:
        """Write the file piece by piece, as it goes to the disk."""
        written = self.write(results, self.shows)
        if isinstance(written, bytes):
            yield written
        else:
            yield from written

    def bytes_of(self, results: Results) -> bytes:
        """Write the file as a whole."""
        return b"".join(self.pieces_of(results))
