"""How far a grader scatters about the reference: in calibration, as the panel does, or as is assumed."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grader_app.agreement.drift import usable_sd
from grader_app.agreement.of_attempt import is_scored, references_of
from grader_app.agreement.subject import YOU, counted, own
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.score_range import ScoreRange

ASSUMED_SHARE = 0.7 / 6
"""Scatter of a good grader as a share of the scale's width: 0.7 points on a scale from 0 to 6."""

ASSUMED_PAPERS = 30
"""Calibration papers an assumed scatter is taken to rest on."""

Source = Literal["own", "panel", "assumed"]

SOURCE_WORDS: Mapping[Source, str] = {
    "own": "own packet",
    "panel": "middle of the panel's packets",
    "assumed": "assumed",
}
"""Where a scatter comes from, in a few words for a table."""


@dataclass(frozen=True)
class UsualScatter:
    """The standard deviation in whose units drift is measured.

    Parameters
    ----------
    sd
        In points; never below half a step.
    n_papers
        Calibration papers it rests on.
    source
        ``own`` packet, the middle one of the ``panel``, or ``assumed``.
    says
        The same in a sentence.
    """

    sd: float
    n_papers: int
    source: Source
    says: str


def usual_scatter(
    record: GradingRecord, grader_id: str, item: str, scale: ScoreRange, *, subject: str = YOU
) -> UsualScatter:
    """Give the standard deviation of reference minus score that a grader's drift is measured in.

    Parameters
    ----------
    record
        The round.
    grader_id, item
        Whose, on which item.
    scale
        The item's scale.
    subject
        Of the sentence: "You", or a grader's name.

    Notes
    -----
    The grader's latest packet that qualified, otherwise the latest finished one with a gate. Somebody
    let in without a packet is measured by the median of the panel's packets on the item, and without
    any by 0.7 points on a scale six points wide, in proportion on others. Half a step is the least.
    """
    mine = _of_grader(record, grader_id, item)
    if mine is not None:
        sd, n = mine
        says = f"{own(subject, 'scatter')} in calibration is {sd:.2f} points ({counted(n, 'paper')})"
        return _usable(sd, n, "own", says, scale)
    others = {
        a.grader_id
        for a in record.calibration.attempts.values()
        if a.item == item and not record.was_apprentice(a.grader_id, record.last_seq)
    }
    found = [one for g in sorted(others) if (one := _of_grader(record, g, item)) is not None]
    has_none = "You have" if subject == YOU else f"{subject} has"
    if found:
        sd = statistics.median(one[0] for one in found)
        n = round(statistics.median(one[1] for one in found))
        says = (
            f"{has_none} no finished packet, so the panel's middle scatter in calibration is used: "
            f"{sd:.2f} points ({counted(len(found), 'grader')})"
        )
        return _usable(sd, n, "panel", says, scale)
    sd = ASSUMED_SHARE * (scale.highest - scale.lowest)
    says = f"Nobody has finished a packet on this question, so a scatter of {sd:.2f} points is assumed"
    return _usable(sd, ASSUMED_PAPERS, "assumed", says, scale)


def difference_sd_of_attempt(record: GradingRecord, attempt: Attempt) -> tuple[float, int] | None:
    """Give the sample standard deviation of score minus reference over a packet, and its papers.

    Parameters
    ----------
    record
        The round.
    attempt
        A packet.

    Returns
    -------
    tuple or None
        None before the last paper is scored, and below two papers with both scores.

    Notes
    -----
    The figure ``difference_sd`` of the packet's report, without the rest of it.
    """
    if not is_scored(record, attempt):
        return None
    references = references_of(record, attempt)
    given = {a: record.check_grades[a].score for a in attempt.assignment_ids}
    apart = [
        score - reference
        for a, score in given.items()
        if score is not None and a in references and (reference := references[a].score) is not None
    ]
    return (statistics.stdev(apart), len(apart)) if len(apart) > 1 else None


def gated_attempts(record: GradingRecord, grader_id: str, item: str) -> list[Attempt]:
    """List a grader's judged attempts at packets with a gate, first to last."""
    return [
        attempt
        for attempt in record.calibration.attempts_of(grader_id, item)
        if attempt.judgment is not None and attempt.number > 0
    ]


def _of_grader(record: GradingRecord, grader_id: str, item: str) -> tuple[float, int] | None:
    judged = gated_attempts(record, grader_id, item)
    passed = [one for one in judged if one.judgment is not None and one.judgment.outcome == "qualified"]
    for attempt in (*reversed(passed), *reversed(judged)):
        found = difference_sd_of_attempt(record, attempt)
        if found is not None:
            return found
    return None


def _usable(sd: float, n: int, source: Source, says: str, scale: ScoreRange) -> UsualScatter:
    used = usable_sd(sd, scale.step)
    least = f"; half a step, {used:g}, is the least that is used" if used > sd else ""
    return UsualScatter(used, n, source, f"{says}{least}.")
