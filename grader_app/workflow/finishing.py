"""When the round will be read: what is left of each item, and the days it may take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from grader_app.agreement.finish_range import FinishRange, GraderDays, finish_range
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.round import Reading
from grader_app.store.work_done import papers_by_day
from grader_app.workflow.qualification import Standing
from grader_app.workflow.workbench import Workbench
from grader_app.workflow.workload import Workload


@dataclass(frozen=True)
class ItemLeft:
    """How far one item is.

    Parameters
    ----------
    item, title
        The item.
    answers, settled
        Answers taken in, and those whose score or code stands.
    reads_left
        Reads that are still to come, those of answers not dealt yet included.
    closed
        True when the lead has closed the item.
    """

    item: str
    title: str
    answers: int
    settled: int
    reads_left: int
    closed: bool


@dataclass(frozen=True)
class Finish:
    """When the round will be read.

    Parameters
    ----------
    items
        In the round's order.
    range
        The day of the last read.
    seconds_left
        Active time that the reads left take altogether; None where no pace is known.
    longest
        The grader with the longest work left, or None.
    unmoved
        Names of graders whose queue has not moved for weeks.
    """

    items: tuple[ItemLeft, ...]
    range: FinishRange
    seconds_left: float | None
    longest: Workload | None
    unmoved: tuple[str, ...]

    @property
    def reads_left(self) -> int:
        """Reads left of all items."""
        return sum(one.reads_left for one in self.items)


def reads_an_answer(reading: Reading) -> float:
    """Give the number of reads of an answer, on average."""
    return 2.0 if reading.reads == 2 else 1 + reading.overlap_percent / 100


def finish_of(bench: Workbench, loads: Sequence[Workload]) -> Finish:
    """Say what is left to read, and on which days it may be done.

    Parameters
    ----------
    loads
        From `workloads`.
    """
    material = bench.material()
    with bench.record() as record:
        items = tuple(
            _item_left(record, item.id, item.title, material.round.reading)
            for item in material.items.values()
        )
        undealt = {item.item: _undealt(record, item.item) for item in items if not item.closed}
        on_paper = len(record.printed)
    reads = sum(math.ceil(n * reads_an_answer(material.round.reading)) for n in undealt.values())
    panel = [one for one in loads if not (one.account.simulated or one.account.apprentice)]
    found = _range(bench, panel, reads, material.round.seed)
    if on_paper and found.assumes:
        word = "1 paper that is" if on_paper == 1 else f"{on_paper} papers that are"
        found = replace(found, assumes=(*found.assumes, f"The {word} printed now stand outside the range."))
    timed = [one.seconds_left for one in panel]
    at_work = [one for one in panel if one.seconds_left and not one.account.disabled]
    return Finish(
        items,
        found,
        None if None in timed or any(undealt.values()) else sum(one or 0.0 for one in timed),
        max(at_work, key=lambda one: one.seconds_left or 0, default=None),
        tuple(panel[at].account.shown_name for at in found.unmoved),
    )


def _range(bench: Workbench, panel: Sequence[Workload], undealt_reads: int, seed: int) -> FinishRange:
    by_day = papers_by_day(bench.store)
    loose, still_to_calibrate = undealt_reads, False
    graders = []
    for one in panel:
        own = 0
        for load in one.items:
            papers = load.left + load.checks_left
            if one.account.disabled or _waits_for_nobody(load.standing):
                loose += load.left  # checks stay behind
            else:
                own += papers
                still_to_calibrate |= load.standing is not None and not load.standing.may_grade
        days = {date.fromisoformat(day): n for day, n in by_day.get(one.account.account_id, {}).items()}
        graders.append(GraderDays(own, days, works=not one.account.disabled))
    today = date.fromisoformat(bench.now()[:10])
    found = finish_range(graders, today, undealt=loose, seed=seed)
    if still_to_calibrate and found.assumes:
        said = "Those who have still to calibrate do so today."
        found = replace(found, assumes=(*found.assumes, said))
    return found


def _waits_for_nobody(standing: Standing | None) -> bool:
    """Say whether a grader cannot come to an item by themselves: paused, stopped, or without a packet."""
    if standing is None:
        return False
    return standing.pause is not None or standing.qualification.status in ("stopped", "no_set")


def _item_left(record: GradingRecord, item: str, title: str, reading: Reading) -> ItemLeft:
    answers = record.response_ids(item)
    settled, left, undealt = 0, 0, 0
    for response_id in answers:
        if response_id in record.revealed:
            settled += record.standing(response_id).status in ("final", "coded")
        elif not record.is_dealt(response_id):
            undealt += response_id not in record.calibration.drawn
            settled += response_id in record.calibration.frozen
        else:
            settled += record.standing(response_id).status in ("final", "coded")
            left += max(0, record.expected_reads(response_id) - len(record.reads(response_id)))
            settling = record.settling_of(response_id)
            left += settling.third_waits + bool(settling.reread and settling.reread.waits)
    left += math.ceil(undealt * reads_an_answer(reading))
    closed = item in record.closed_items
    return ItemLeft(item, title, len(answers), settled, 0 if closed else left, closed)


def _undealt(record: GradingRecord, item: str) -> int:
    return sum(
        not record.is_dealt(r) and r not in record.calibration.drawn and r not in record.revealed
        for r in record.response_ids(item)
    )
