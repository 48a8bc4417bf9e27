"""What a score of a pool file may be: the scale of its item's rubric, and the scale of the MBE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from grader_app.files.item_folder import SHEET, examine_sheet
from grader_app.files.rubric_file import examine_rubrics
from grader_app.scaling.pool import Pool

Ends = tuple[float, float]
"""Lowest and highest score of an item."""
_MBE: Ends = (0.0, 200.0)
_NAMED = 5


def scales_beside(round_file: Path, items: Sequence[str]) -> dict[str, Ends]:
    """Find the scale of each item in ``rubrics/`` beside a round file.

    Returns
    -------
    dict
        By item. An item without a point sheet there, or whose files have problems (`check` lists them), is
        not in it: a round alone does not say how its items are scored.
    """
    folder = round_file.parent / "rubrics"
    sheets = {item: folder / item / SHEET for item in items if (folder / item / SHEET).is_file()}
    if not sheets:
        return {}
    rubrics = examine_rubrics(folder).rubrics
    found = {}
    for item, path in sheets.items():
        sheet = examine_sheet(path).model
        rubric = None if sheet is None else rubrics.get((sheet.rubric, sheet.rubric_version))
        if rubric is not None:
            found[item] = (float(rubric.score.lowest), float(rubric.score.highest))
    return found


def off_scale_or_none(value: float | None, column: str, item: str, scales: Mapping[str, Ends]) -> str | None:
    """Say that a score is off its item's scale; None where it is not, or where no scale is known.

    Notes
    -----
    Steps are not asked for: a final score may be the mean of two reads.
    """
    if value is None or item not in scales:
        return None
    lowest, highest = scales[item]
    if lowest <= value <= highest:
        return None
    return f"In column `{column}`, {value:g} is off the scale of {item}, {lowest:g} to {highest:g}."


def strange_mbes(pool: Pool) -> tuple[str, ...]:
    """Warn of MBE scores outside 0 to 200 where most lie inside: one slip moves everybody's scaled score."""
    lowest, highest = _MBE
    known = [(one.candidate_id, one.mbe) for one in pool.candidates if one.mbe is not None]
    outside = [(who, mbe) for who, mbe in known if not lowest <= mbe <= highest]
    if not outside or 2 * len(outside) > len(known):
        return ()
    named = ", ".join(f"{who} ({mbe:g})" for who, mbe in outside[:_NAMED])
    more = f" and {len(outside) - _NAMED} more" if len(outside) > _NAMED else ""
    return (f"MBE scores lie between {lowest:g} and {highest:g}. Check these: {named}{more}.",)
