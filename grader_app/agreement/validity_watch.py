"""One grader on the validity papers of an item: severity, and the watch on drift in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader_app.agreement.drift import CusumLimit, Watched, cusum_limit, watch
from grader_app.agreement.drift_power import VISIBLE, DetectionDelay, VisibleShift, detection_delay
from grader_app.agreement.drift_power import smallest_visible_shift as visible_shift
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.moved import Moved, moved
from grader_app.agreement.reference_figures import Papers, reference_severity
from grader_app.agreement.resampling import Settings
from grader_app.agreement.sentences import percent
from grader_app.agreement.subject import YOU, counted, in_points
from grader_app.agreement.usual_scatter import UsualScatter, gated_attempts, usual_scatter
from grader_app.domain.events import Event
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.score_range import ScoreRange

WATCHED_SHARE = 1 / 8
"""The change whose detection is stated, as a share of the scale's width: 0.75 points from 0 to 6."""

LARGEST_SHARE = 1 / 2
"""The largest change tried, as a share of the scale's width."""


@dataclass(frozen=True)
class ValidityRead:
    """One validity paper with a score.

    Parameters
    ----------
    assignment_id, paper
        Its id for the grader, and its name in the set or the answer's id.
    reference, score
        In points. The score is the first that was given.
    at, event_seq
        UTC time and event of that first grade.
    corrected
        Whether the grade was corrected afterwards.
    """

    assignment_id: str
    paper: str
    reference: float
    score: float
    at: str
    event_seq: int
    corrected: bool

    @property
    def difference(self) -> float:
        """Reference minus score: positive is harsh."""
        return self.reference - self.score


@dataclass(frozen=True, kw_only=True)
class ValidityWatch:
    """What one grader's validity papers show.

    Parameters
    ----------
    planted
        Validity papers put into the grader's queue, read or not.
    reads
        Those with a score, in the order of their first grades.
    coded
        Those to which the grader gave a condition code, although the reference is a score.
    restarted
        Reads before the latest calibration or resumption, which the sums leave out.
    severity
        Reference mean minus grader mean over all reads: positive is harsh.
    scatter
        The units of the sums.
    limit
        Where the alarm goes off; None while no validity paper is planted.
    watched
        The sums over the reads since the restart; None while no validity paper is planted.
    looked_back
        The same reads judged once, all together: whether the grader has moved, and which way.
    """

    planted: int
    reads: tuple[ValidityRead, ...]
    coded: int
    restarted: int
    severity: Estimate
    scatter: UsualScatter
    limit: CusumLimit | None
    watched: Watched | None
    looked_back: Moved

    @property
    def in_sums(self) -> tuple[ValidityRead, ...]:
        """The reads that the sums are made of."""
        return self.reads[self.restarted :]

    @property
    def corrected(self) -> int:
        """How many reads were corrected after their first grade."""
        return sum(read.corrected for read in self.reads)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain Python, ready for JSON."""
        watched = self.watched
        return {
            "planted": self.planted,
            "read": len(self.reads),
            "coded": self.coded,
            "corrected": self.corrected,
            "restarted": self.restarted,
            "severity": self.severity.as_dict(),
            "sd": self.scatter.sd,
            "sd_from": self.scatter.source,
            "moved": self.looked_back.direction,
            "limit": None if self.limit is None else self.limit.limit,
            "false_alarm_rate": None if self.limit is None else self.limit.rate,
            "harsher": [] if watched is None else list(watched.harsher),
            "more_lenient": [] if watched is None else list(watched.more_lenient),
        }


@dataclass(frozen=True)
class Sight:
    """What a watch can see of one grader.

    Parameters
    ----------
    delay
        How soon a change of an eighth of the scale is found that begins with the first validity paper.
    visible
        The smallest change that is likely to be found.
    says
        Both in sentences.
    """

    delay: DetectionDelay
    visible: VisibleShift
    says: tuple[str, str]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain Python, ready for JSON."""
        delay = self.delay
        return {
            "shift_points": delay.shift_points,
            "detected": delay.detected,
            "median_papers": delay.median,
            "ninetieth_papers": delay.ninetieth,
            "median_live": delay.median_live,
            "ninetieth_live": delay.ninetieth_live,
            "smallest_visible_shift": self.visible.points,
            "says": list(self.says),
        }


def validity_watch(
    record: GradingRecord,
    grader_id: str,
    item: str,
    *,
    own: Iterable[Assignment] | None = None,
    subject: str = YOU,
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> ValidityWatch:
    """Hold a grader's first grades of validity papers against their references.

    Parameters
    ----------
    record
        The round.
    grader_id, item
        Whose, on which item.
    own
        What was dealt to the grader, where that is known already; otherwise it is looked for.
    subject
        Of the sentences: "You", or a grader's name.
    settings
        For the interval of the severity.

    Notes
    -----
    The first grade of a paper counts, since it shows how the grader judged at that time; a correction
    comes later, perhaps after a talk. Papers to which the grader gave a code are counted apart. The
    limit is for all validity papers planted for the grader. The sums start again after each judged
    packet and each resumption.
    """
    scale = record.rubric_of(item).score.range
    planted = [
        a.assignment_id
        for a in (record.assignments.values() if own is None else own)
        if (a.kind, a.grader_id, a.item) == (ReadKind.VALIDITY, grader_id, item)
    ]
    graded = {a: record.history[a] for a in planted if a in record.history}
    reads = [read for a, given in graded.items() if (read := _read_or_none(record, a, given)) is not None]
    reads.sort(key=lambda read: read.event_seq)
    after = restarted_after(record, grader_id, item)
    restarted = sum(read.event_seq < after for read in reads)
    scatter = usual_scatter(record, grader_id, item, scale, subject=subject)
    limit = _limit(record, len(planted), scatter, scale)
    watched = None
    if limit is not None:
        since = [read.difference for read in reads[restarted:]]
        watched = watch(since, scatter.sd, limit.limit, limit.allowance, subject=subject)
    return ValidityWatch(
        planted=len(planted),
        reads=tuple(reads),
        coded=sum(given[0].condition_code is not None for given in graded.values()),
        restarted=restarted,
        severity=_severity(reads, subject, settings),
        scatter=scatter,
        limit=limit,
        watched=watched,
        looked_back=_looked_back(reads[restarted:], scatter, subject),
    )


def sight(
    seen: ValidityWatch, scale: ScoreRange, *, validity_paper_every: float, subject: str = YOU
) -> Sight | None:
    """Say what changes of a grader the validity papers of the round can show.

    Parameters
    ----------
    seen
        From `validity_watch`.
    scale
        The item's scale.
    validity_paper_every
        Live papers between one validity paper and the next, on average.
    subject
        Of the sentences.

    Returns
    -------
    Sight or None
        None while no validity paper is planted.
    """
    if seen.limit is None:
        return None
    width = scale.highest - scale.lowest
    # To hundredths, so that graders who are alike share a simulation.
    sd = round(seen.scatter.sd, 2)
    delay = detection_delay(
        WATCHED_SHARE * width,
        sd,
        seen.limit.limit,
        n_papers=seen.planted,
        live_per_validity=validity_paper_every,
        step=scale.step,
        n_calibration=max(2, seen.scatter.n_papers),
    )
    visible = visible_shift(
        seen.planted,
        sd,
        seen.limit.limit,
        step=scale.step,
        largest=LARGEST_SHARE * width,
        n_calibration=max(2, seen.scatter.n_papers),
    )
    return Sight(delay, visible, (_delay_says(delay, subject), _visible_says(visible, width)))


def restarted_after(record: GradingRecord, grader_id: str, item: str) -> int:
    """Give the event after which a grader's sums start: the latest judged packet or resumption, or 0."""
    judged = [
        attempt.judgment.event_seq
        for attempt in gated_attempts(record, grader_id, item)
        if attempt.judgment is not None
    ]
    return max([0, *judged, *record.calibration.resumed.get((grader_id, item), [])])


def standing_alarm_or_none(record: GradingRecord, grader_id: str, item: str) -> Event | None:
    """Give the alarm that has gone off since the sums last started, or None."""
    after = restarted_after(record, grader_id, item)
    alarms = [one for one in record.calibration.alarms.get((grader_id, item), []) if one.seq > after]
    return alarms[-1] if alarms else None


def reference_or_none(record: GradingRecord, response_id: str) -> tuple[str, float | None] | None:
    """Give the name and reference score of a validity paper; None when it is none."""
    promoted = record.calibration.promoted.get(response_id)
    if promoted is not None:
        return response_id, promoted["reference"]
    kept = record.calibration.papers.get(response_id)
    if kept is None:
        return None
    papers: list[Mapping[str, Any]] = record.inputs.files[kept.set_hash]["content"]["papers"]
    return kept.essay, next(paper["score"] for paper in papers if paper["essay"] == kept.essay)


def _read_or_none(record: GradingRecord, assignment_id: str, given: Sequence[Grade]) -> ValidityRead | None:
    found = reference_or_none(record, record.assignments[assignment_id].response_id)
    first = given[0]
    if found is None or found[1] is None or first.score is None:
        return None
    paper, reference = found[0], float(found[1])
    return ValidityRead(
        assignment_id, paper, reference, first.score, first.submitted_at, first.event_seq, len(given) > 1
    )


def _limit(
    record: GradingRecord, planted: int, scatter: UsualScatter, scale: ScoreRange
) -> CusumLimit | None:
    if not planted or record.round is None:
        return None
    return cusum_limit(
        planted,
        false_alarm_rate=record.round.checks.false_alarm_rate,
        n_calibration=max(2, scatter.n_papers),
        step_over_sd=scale.step / scatter.sd,
    )


def _looked_back(reads: list[ValidityRead], scatter: UsualScatter, subject: str) -> Moved:
    # What others scattered in calibration says little about this grader, so only the own packet is pooled.
    prior = scatter.n_papers if scatter.source == "own" else 0
    return moved([read.difference for read in reads], scatter.sd, prior, subject=subject)


def _severity(reads: list[ValidityRead], subject: str, settings: Settings) -> Estimate:
    scores, references = (
        np.asarray([getattr(read, name) for read in reads], dtype=np.float64)
        for name in ("score", "reference")
    )
    found = reference_severity(Papers.of(scores, references), settings, subject)
    if found.status == "ok":
        return found
    has = "You have" if subject == YOU else f"{subject} has"
    many = "no validity paper yet" if not reads else "one validity paper only, too few to judge"
    return replace(found, says=f"{has} scored {many}.")


def _delay_says(delay: DetectionDelay, subject: str) -> str:
    who = "you" if subject == YOU else subject
    text = (
        f"If {who} changed by {delay.shift_points:g} points from the first of "
        f"{counted(delay.n_papers, 'validity paper')} on, the alarm would go off in "
        f"{percent(delay.detected)} of cases"
    )
    if delay.median is None or delay.median_live is None:
        return f"{text}."
    papers, live = counted(delay.median, "validity paper"), counted(round(delay.median_live), "live paper")
    return f"{text}; half of the time within {papers}, about {live}."


def _visible_says(visible: VisibleShift, width: float) -> str:
    papers = counted(visible.n_papers, "validity paper")
    if visible.points is None:
        return f"With {papers} even a change of {in_points(LARGEST_SHARE * width)} may well go unseen."
    return (
        f"With {papers} a change of {in_points(visible.points)} or more is seen in at least "
        f"{percent(VISIBLE)} of cases; a smaller one may well go unseen."
    )
