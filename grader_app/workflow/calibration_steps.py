"""How far a grader is with calibrating for each item, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grader_app.agreement.of_attempt import is_scored
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.qualification import (
    attempts_allowed,
    attempts_that_count,
    next_set_or_none,
    qualifying_sets,
)
from grader_app.workflow.calibration import exercises
from grader_app.workflow.qualification import Standing, standing_of
from grader_app.workflow.workbench import Workbench

Step = Literal["nothing", "training", "begin", "rank", "score", "panel", "reread", "done"]


@dataclass(frozen=True)
class ItemCalibration:
    """One item as its grader finds it on the calibration page.

    Parameters
    ----------
    item, title
        The item.
    standing
        Whether live grading is open, and why.
    step
        What comes next: read the materials, begin a packet, rank, score, wait for the panel, read the
        guidelines anew, or nothing.
    attempt_id
        The attempt under way, or None.
    trained_at
        UTC time at which the materials were completed, or None.
    attempts
        Attempts so far, first to last.
    attempts_left
        How many more are allowed.
    exercise
        An exercise on codes that can be begun or gone on with: its attempt's id, an empty text when it is
        still to be begun, or None.
    held
        Sets whose feedback waits for the panel's meeting.
    """

    item: str
    title: str
    standing: Standing
    step: Step
    attempt_id: str | None
    trained_at: str | None
    attempts: tuple[Attempt, ...]
    attempts_left: int
    exercise: str | None
    held: frozenset[str]


def calibrations_of(bench: Workbench, grader_id: str) -> list[ItemCalibration]:
    """Give every item of the round with how far a grader is."""
    return [_of_item(bench, grader_id, item.id, item.title) for item in bench.material().items.values()]


def _of_item(bench: Workbench, grader_id: str, item: str, title: str) -> ItemCalibration:
    standing = standing_of(bench, grader_id, item)
    with bench.record() as record:
        calibration = record.calibration
        attempts = tuple(calibration.attempts_of(grader_id, item))
        current = record.current_files["item", item]
        trained_at = calibration.trained.get((grader_id, current))
        gated = len(attempts_that_count(record, grader_id, item))
        return ItemCalibration(
            item,
            title,
            standing,
            _step(record, grader_id, item, standing, attempts, trained_at),
            next((a.attempt_id for a in attempts if a.judgment is None), None),
            trained_at,
            attempts,
            max(0, attempts_allowed(record, item) - gated),
            _exercise(record, grader_id, item),
            frozenset(calibration.held),
        )


def _step(
    record: GradingRecord,
    grader_id: str,
    item: str,
    standing: Standing,
    attempts: tuple[Attempt, ...],
    trained_at: str | None,
) -> Step:
    under_way = next((a for a in attempts if a.judgment is None), None)
    if under_way is not None:
        if under_way.order is None:
            return "rank"
        return "panel" if is_scored(record, under_way) else "score"
    if standing.qualification.status == "reread":
        return "reread"
    if standing.qualification.status == "qualified" and standing.pause is None:
        return "done"
    if not qualifying_sets(record, item) or next_set_or_none(record, grader_id, item) is None:
        return "nothing"
    return "begin" if trained_at is not None else "training"


def _exercise(record: GradingRecord, grader_id: str, item: str) -> str | None:
    made = record.calibration.attempts_of(grader_id, item, "codes")
    open_one = next((a.attempt_id for a in made if a.judgment is None), None)
    if open_one is not None:
        return open_one
    left = set(exercises(record, item)) - {a.set_id for a in made}
    return "" if left else None
