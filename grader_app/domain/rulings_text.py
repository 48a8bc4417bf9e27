"""Rulings as people read them: points by the number every page gives them, other names by their titles."""

from __future__ import annotations

import re

from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric

_NAMED = re.compile(r"`([^`\n]+)`")


def rulings_text(guidelines: str, sheet: PointSheet, rubric: Rubric) -> str:
    r"""Put numbers and titles in the place of the names that files use.

    Parameters
    ----------
    guidelines
        What the panel wrote; names stand in it between backticks.
    sheet
        Numbers the points.
    rubric
        Titles the errors, the gaps, the codes and the criteria.

    Notes
    -----
    A name that neither file has stays as it was written.
    """
    named = {**_titles(rubric), **sheet.numbers}
    return _NAMED.sub(lambda found: named.get(found[1], found[0]), guidelines)


def _titles(rubric: Rubric) -> dict[str, str]:
    several = (rubric.error_types, rubric.analysis_gaps, rubric.condition_codes, rubric.criteria)
    return {
        one.id: f"\N{LEFT DOUBLE QUOTATION MARK}{one.title}\N{RIGHT DOUBLE QUOTATION MARK}"
        for things in several
        for one in things
    }
