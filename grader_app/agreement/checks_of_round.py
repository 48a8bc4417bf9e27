"""Planted checks in a round: what they show of each grader, item by item; they never count for a score."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Any

from grader_app.agreement.of_round import score_points
from grader_app.agreement.pace import Pace, pace
from grader_app.agreement.resampling import Settings
from grader_app.agreement.score_shares import ScoreShares, score_shares
from grader_app.agreement.self_consistency import SelfConsistency, self_consistency
from grader_app.agreement.subject import counted, in_points
from grader_app.agreement.validity_watch import (
    LARGEST_SHARE,
    Sight,
    ValidityWatch,
    sight,
    standing_alarm_or_none,
    validity_watch,
)
from grader_app.domain.events import Event
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.score_range import ScoreRange


@dataclass(frozen=True)
class Alarm:
    """One alarm as it was recorded.

    Parameters
    ----------
    at, event_seq
        UTC time and event.
    direction
        ``harsher`` or ``more lenient``.
    statistic, limit
        The sum that reached the limit, in standard deviations.
    n_validity
        Validity papers in the sums by then.
    standing
        False once the grader has calibrated again or was let go on.
    """

    at: str
    event_seq: int
    direction: str
    statistic: float
    limit: float
    n_validity: int
    standing: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "at": self.at,
            "direction": self.direction,
            "statistic": self.statistic,
            "limit": self.limit,
            "n_validity": self.n_validity,
            "standing": self.standing,
        }


@dataclass(frozen=True, kw_only=True)
class GraderChecks:
    """All that checks, times and scores show of one grader on one item.

    Parameters
    ----------
    grader_id, item
        Who, on what.
    name
        What sentences call the grader.
    scale
        The item's scale.
    validity_paper_every
        Live papers between one validity paper and the next.
    validity
        Severity and the watch on drift.
    alarms
        Alarms so far, oldest first.
    repeats_planted
        Self-repeats put into the queue, read or not.
    consistency
        The grader against themselves.
    pace
        Active time a live paper.
    shares
        Scores given beside the panel's; None where the scale has too many points.
    """

    grader_id: str
    item: str
    name: str
    scale: ScoreRange
    validity_paper_every: float
    validity: ValidityWatch
    alarms: tuple[Alarm, ...]
    repeats_planted: int
    consistency: SelfConsistency
    pace: Pace
    shares: ScoreShares | None

    @cached_property
    def sight(self) -> Sight | None:
        """What the watch can see, simulated when first asked for; None while no validity paper is planted."""
        every = self.validity_paper_every
        return sight(self.validity, self.scale, validity_paper_every=every, subject=self.name)

    @property
    def alarm(self) -> Alarm | None:
        """The alarm that stands, if one does."""
        return next((one for one in reversed(self.alarms) if one.standing), None)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain Python, ready for JSON."""
        return {
            "grader": self.grader_id,
            "item": self.item,
            "validity": self.validity.as_dict(),
            "sight": None if self.sight is None else self.sight.as_dict(),
            "alarms": [alarm.as_dict() for alarm in self.alarms],
            "repeats_planted": self.repeats_planted,
            "self_consistency": self.consistency.as_dict(),
            "pace": self.pace.as_dict(),
            "shares": None if self.shares is None else self.shares.as_dict(),
        }


@dataclass(frozen=True)
class ItemChecks:
    """The checks of a whole panel on one item.

    Parameters
    ----------
    item
        The item.
    graders
        Everyone to whom live answers of it were dealt, by account id.
    false_alarm_rate
        Chance that at least one of them raises the alarm though none has moved; None without validity papers.
    largest_shift
        The largest change that was tried for what can be seen, in points.
    """

    item: str
    graders: tuple[GraderChecks, ...]
    false_alarm_rate: float | None
    largest_shift: float

    @property
    def says(self) -> str:
        """What a lead must know first, in a sentence or two."""
        alarms = [(one.name, one.alarm) for one in self.graders if one.alarm is not None]
        if alarms:
            said = [f"{name} has become {alarm.direction} (since {alarm.at[:10]})" for name, alarm in alarms]
            return f"{counted(len(alarms), 'alarm')}: {'; '.join(said)}."
        if self.false_alarm_rate is None:
            return "No validity paper is planted for anybody, so a change would not be seen."
        if not any(one.validity.reads for one in self.graders):
            return "No validity paper has been read yet, so nothing is known of any change."
        return f"No alarm. {self.blind_spot_says}"

    @property
    def false_alarms_say(self) -> str:
        """How often the alarm is false, for one grader and for the panel; empty without validity papers."""
        limits = [one.validity.limit for one in self.graders if one.validity.limit is not None]
        if not limits or self.false_alarm_rate is None:
            return ""
        highest = max(limit.rate for limit in limits)
        return (
            f"Of graders who have not moved, each sets off the alarm with a chance of at most "
            f"{100 * highest:.1f} % in the whole round, and at least one of the {len(limits)} with "
            f"{100 * self.false_alarm_rate:.0f} %."
        )

    @property
    def blind_spot_says(self) -> str:
        """What so few validity papers cannot show; empty without them."""
        watched = [one for one in self.graders if one.sight is not None]
        if not watched:
            return ""
        numbers = sorted({one.validity.planted for one in watched})
        papers = (
            counted(numbers[0], "validity paper")
            if len(numbers) == 1
            else f"{numbers[0]} to {counted(numbers[-1], 'validity paper')}"
        )
        smallest = [one.sight.visible.points for one in watched if one.sight is not None]
        known = [points for points in smallest if points is not None]
        if len(known) < len(smallest):
            return f"With {papers} each, even a change of {in_points(self.largest_shift)} could go unseen."
        return f"With {papers} each, a change of less than {in_points(max(known))} could go unseen."


def checks_of_record(
    record: GradingRecord, names: Mapping[str, str] | None = None, *, resamples: int = 1000
) -> list[ItemChecks]:
    """Return what checks show, for each item with a live answer dealt, in the round's order.

    Parameters
    ----------
    record
        The round.
    names
        What each grader is called in sentences, by account id; the id where absent.
    resamples
        For the intervals; with 0 those by resampling are left out.
    """
    dealt = {a.item for a in record.assignments.values() if a.kind is ReadKind.LIVE}
    return [checks_of_item(record, i, names, resamples=resamples) for i in record.items() if i in dealt]


def checks_of_item(
    record: GradingRecord, item: str, names: Mapping[str, str] | None = None, *, resamples: int = 1000
) -> ItemChecks:
    """Return what checks show of each grader on one item.

    Parameters
    ----------
    record, item, names, resamples
        As for `checks_of_record`.
    """
    called = names or {}
    dealt: dict[str, list[Assignment]] = defaultdict(list)
    for assignment in record.assignments.values():
        if assignment.item == item:
            dealt[assignment.grader_id].append(assignment)
    given: dict[str, list[float]] = defaultdict(list)
    for grade in record.grades.values():
        if grade.item == item and grade.score is not None:
            given[grade.grader_id].append(grade.score)
    settings = Settings(resamples=resamples, seed=record.round.seed if record.round else 0)
    found = tuple(
        _of_grader(record, item, called.get(grader_id, grader_id), dealt[grader_id], given, settings)
        for grader_id in sorted(dealt)
        if any(a.kind is ReadKind.LIVE for a in dealt[grader_id])
    )
    rates = [one.validity.limit.rate for one in found if one.validity.limit is not None]
    scale = record.rubric_of(item).score.range
    return ItemChecks(
        item,
        found,
        1 - math.prod(1 - rate for rate in rates) if rates else None,
        LARGEST_SHARE * (scale.highest - scale.lowest),
    )


def _of_grader(
    record: GradingRecord,
    item: str,
    name: str,
    own: list[Assignment],
    given: Mapping[str, list[float]],
    settings: Settings,
) -> GraderChecks:
    rubric = record.rubric_of(item)
    grader_id = own[0].grader_id
    live = _in_reading_order(record, own)
    validity = validity_watch(record, grader_id, item, own=own, subject=name, settings=settings)
    return GraderChecks(
        grader_id=grader_id,
        item=item,
        name=name,
        scale=rubric.score.range,
        validity_paper_every=_spacing(record, own),
        validity=validity,
        alarms=_alarms(record, grader_id, item),
        repeats_planted=sum(a.kind is ReadKind.REPEAT for a in own),
        consistency=_consistency(record, own, live, rubric.score.range, name, settings),
        pace=pace([grade.seconds_spent for grade in live]),
        shares=_shares(given, grader_id, score_points(rubric, "score")),
    )


def _in_reading_order(record: GradingRecord, own: list[Assignment]) -> list[Grade]:
    """Give the first grades of a grader's live answers in the order in which they were given."""
    first = [
        record.history[a.assignment_id][0]
        for a in own
        if a.kind is ReadKind.LIVE and a.assignment_id in record.history
    ]
    return sorted(first, key=attrgetter("event_seq"))


def _spacing(record: GradingRecord, own: list[Assignment]) -> float:
    """Give the live papers between validity papers: as the round says, or as they were dealt."""
    every = record.round.checks.validity_paper_every if record.round else None
    if every is not None:
        return float(every)
    counts = [sum(a.kind is kind for a in own) for kind in (ReadKind.LIVE, ReadKind.VALIDITY)]
    return counts[0] / max(1, counts[1])


def _alarms(record: GradingRecord, grader_id: str, item: str) -> tuple[Alarm, ...]:
    standing: Event | None = standing_alarm_or_none(record, grader_id, item)
    return tuple(
        Alarm(
            event.at,
            event.seq,
            event.body["direction"],
            event.body["statistic"],
            event.body["limit"],
            event.body["n_validity"],
            event is standing,
        )
        for event in record.calibration.alarms.get((grader_id, item), [])
    )


def _consistency(
    record: GradingRecord,
    own: list[Assignment],
    live: list[Grade],
    scale: ScoreRange,
    name: str,
    settings: Settings,
) -> SelfConsistency:
    """Compare first grades: a correction of the first read may have been made after the second."""
    originals = {grade.response_id: grade for grade in reversed(live)}
    pairs = [
        (originals[a.response_id], record.history[a.assignment_id][0])
        for a in own
        if a.kind is ReadKind.REPEAT and a.assignment_id in record.history and a.response_id in originals
    ]
    scored = [
        (one, two, one.score, two.score)
        for one, two in pairs
        if one.score is not None and two.score is not None
    ]
    return self_consistency(
        [first for _, _, first, _ in scored],
        [second for _, _, _, second in scored],
        scale,
        papers_between=[
            sum(one.event_seq < grade.event_seq < two.event_seq for grade in live)
            for one, two, _, _ in scored
        ],
        hours_between=[_hours(one.submitted_at, two.submitted_at) for one, two, _, _ in scored],
        coded=len(pairs) - len(scored),
        subject=name,
        settings=settings,
    )


def _hours(earlier: str, later: str) -> float:
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 3600


def _shares(
    given: Mapping[str, list[float]], grader_id: str, points: tuple[float, ...] | None
) -> ScoreShares | None:
    if points is None:
        return None
    panel = [score for scores in given.values() for score in scores]
    return score_shares(given.get(grader_id, []), panel, points)
