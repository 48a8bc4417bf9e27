"""Judgments of one paper side by side: what each gave, and where they saw different things."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.domain.item import Item
from grader_app.domain.rubric import Rubric
from grader_app.ui.parts.html_table import Cell
from grader_app.workflow.papers import Read

DIFFERENCES_ONLY = "Points that all found, and points that none found, are not listed."
"""What to say above such a table."""


def readers(reads: Sequence[Read]) -> list[str]:
    """Name readers by their place: who they are is on no page."""
    return [f"Reader {number}" for number in range(1, len(reads) + 1)]


def side_by_side(item: Item, rubric: Rubric, reads: Sequence[Read]) -> list[list[Cell]]:
    """Give the rows of a table of judgments, the score first.

    Parameters
    ----------
    item, rubric
        Their titles and texts name what is compared.
    reads
        A column each.
    """
    titles = {code.id: code.title for code in rubric.condition_codes}
    rows: list[list[Cell]] = [["Score", *(titles.get(read.gave, read.gave) for read in reads)]]
    for criterion in rubric.criteria:
        marks = [read.marks.get(criterion.id) for read in reads]
        rows.append([criterion.title, *(None if mark is None else f"{mark:g}" for mark in marks)])
    for error in rubric.error_types:
        if any(error.id in read.error_types for read in reads):
            marked = [
                _judged("marked", r, "error_type", error.id) if error.id in r.error_types else None
                for r in reads
            ]
            rows.append([error.title, *marked])
    for gap in rubric.analysis_gaps:
        if any(gap.id in read.analysis_gaps for read in reads):
            marked = [
                _judged("marked", r, "analysis_gap", gap.id) if gap.id in r.analysis_gaps else None
                for r in reads
            ]
            rows.append([gap.title, *marked])
    for point in item.sheet.points:
        ticks = [point.id in read.points for read in reads]
        if any(ticks) and not all(ticks):
            said = [
                _judged("found", r, "point", point.id) if point.id in r.points else "not ticked"
                for r in reads
            ]
            rows.append([f"{item.sheet.numbers[point.id]} {point.text}", *said])
    return rows


def _judged(word: str, read: Read, of: str, name: str) -> str:
    """Say what a reader judged, with the words that show it."""
    found = read.words.get((of, name), ())
    quotes = " ".join(
        f"\N{LEFT DOUBLE QUOTATION MARK}{shorten(words, 160, placeholder=' …')}"
        "\N{RIGHT DOUBLE QUOTATION MARK}"
        for words in found
    )
    return f"{word}: {with_controls_shown(quotes)}" if quotes else word
