"""The error bars of an export: how far each score could be off, and who is near the line."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.export.json_file import json_rows_pieces
from grader_app.export.results import Results

INTERVALS_FILE = "intervals.json"


def intervals_pieces(results: Results) -> Iterator[bytes]:
    """Write the error bars, or why there are none, with what must be known before reading them."""
    head = {"notes": list(results.notes)}
    if results.errors is None or results.scaled is None:
        return json_rows_pieces({**head, "error_bars": None, "why": results.not_scaled})
    bars = results.errors.head_as_json() | {"candidates": results.errors.rows(results.scaled)}
    return json_rows_pieces({**head, "error_bars": bars, "why": ""})
