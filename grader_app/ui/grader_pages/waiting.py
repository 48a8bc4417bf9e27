"""Questions that are closed to a grader while answers of them wait: said on the grading page."""

from __future__ import annotations

from collections.abc import Sequence

from grader_app.ui.current import bench
from grader_app.workflow.progress import GraderProgress
from grader_app.workflow.qualification import Standing, standing_of

_STEPS = {
    "reread": ("read the new ruling", "Read it"),
    "open": ("calibrate first", "Calibrate"),
    "stopped": ("you have no attempt left, so ask the panel lead", "See your packets"),
    "no_set": ("there is no packet for it yet, so ask the panel lead", "See calibration"),
}


def waiting_lines(grader_id: str, rows: Sequence[GraderProgress]) -> list[dict[str, str]]:
    """Give a line for each question that waits: what it ``says``, its ``link`` and where it ``goes_to``.

    Parameters
    ----------
    rows
        The grader's progress.

    Notes
    -----
    A line depends on the question alone, never on the answers that wait for it.
    """
    lines = []
    for row in rows:
        if not row.left or row.closed or row.item not in bench().material().items:
            continue
        standing = standing_of(bench(), grader_id, row.item)
        if not standing.may_grade:
            says, link = _step(standing)
            left, right = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
            sentence = f"{left}{row.title}{right} waits: {says}."
            lines.append({"says": sentence, "link": link, "goes_to": "/calibrate"})
    return lines


def _step(standing: Standing) -> tuple[str, str]:
    if standing.qualification.may_grade and standing.pause is not None:
        return "your grading of it is paused", "See why"
    return _STEPS[standing.qualification.status]
