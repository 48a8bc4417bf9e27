"""The lead's board: what is stuck, who needs the lead, and when the round will be read."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.workflow.finishing import Finish, finish_of
from grader_app.workflow.for_lead import for_lead
from grader_app.workflow.standing_still import standing_still
from grader_app.workflow.waiting import Waiting
from grader_app.workflow.workbench import Workbench
from grader_app.workflow.workload import Workload, workloads


@dataclass(frozen=True)
class Board:
    """Everything the board shows.

    Parameters
    ----------
    needs_lead
        What waits for the lead, the most pressing first.
    stuck
        What does not move by itself, the most pressing first.
    finish
        What is left, and until when.
    loads
        Every grader's work, by name.
    """

    needs_lead: tuple[Waiting, ...]
    stuck: tuple[Waiting, ...]
    finish: Finish
    loads: tuple[Workload, ...]


def board_of(bench: Workbench) -> Board:
    """Look at the whole round at once."""
    loads = tuple(workloads(bench))
    return Board(tuple(for_lead(bench)), tuple(standing_still(bench, loads)), finish_of(bench, loads), loads)
