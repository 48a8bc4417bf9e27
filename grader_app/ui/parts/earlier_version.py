"""What a grader is told whose grade is corrected under an earlier version of its question."""

from __future__ import annotations

from grader_app.domain.response import BlindSheet
from grader_app.ui.current import bench


def earlier_version_says(sheet: BlindSheet) -> str:
    """Say that a page shows an earlier version of a question, and why; empty for the one in use."""
    if sheet.item_hash == bench().material().item(sheet.item).content_hash:
        return ""
    return (
        "The question has a new version that you have not calibrated on. You see the version this grade was "
        "given under, and a correction is made under it."
    )
