"""The reconciliation of an export: is every paper accounted for, and what has each candidate."""

from __future__ import annotations

from grader_app.export.json_file import json_bytes
from grader_app.export.results import Results

RECONCILIATION_FILE = "reconciliation.json"


def reconciliation_bytes(results: Results) -> bytes:
    """Write the counts, with what must be known before reading them."""
    return json_bytes({"notes": list(results.notes), **results.reconciliation.as_json()})
