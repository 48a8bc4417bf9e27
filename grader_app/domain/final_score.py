"""Which score of an answer stands, from its reads and the round's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grader_app.domain.grade import Grade
from grader_app.domain.round import Reading
from grader_app.domain.rubric import Rubric

Status = Literal["final", "disputed", "coded", "waiting"]

COUNTS_AS = {
    "zero": "counts as zero",
    "lowest": "counts as the lowest score",
    "excluded": "is left out of the composite",
    "to_lead": "waits for the lead's decision",
}
"""What each way in which a condition code can count means, in words."""

# Scores are sums and means of steps such as 0.1; anything smaller than this is rounding, not judgment.
_SAME = 1e-9


@dataclass(frozen=True)
class ScoreStanding:
    """Where an answer's score stands.

    Parameters
    ----------
    raw
        The reads combined by the round's rule before any dispute is settled; None when a read is
        outstanding or carries a condition code.
    final
        The score that stands, or None.
    status
        ``final``, ``disputed``, ``coded`` (a condition code decides) or ``waiting``.
    why
        A sentence for the lead.
    """

    raw: float | None
    final: float | None
    status: Status
    why: str


def standing(reads: Sequence[Grade], expected_reads: int, rubric: Rubric, reading: Reading) -> ScoreStanding:
    """Say which score stands.

    Parameters
    ----------
    reads
        The answer's grades in order of read number.
    expected_reads
        Number of reads dealt.
    rubric
        Its condition codes say how each counts.
    reading
        The round's rules: reads, overlap, tolerance, how reads combine.

    Notes
    -----
    A condition code against a score, or two different codes, is a dispute: the readers judged
    differently. While a read is outstanding nothing is final, since that read may yet make a dispute.
    """
    if not reads or len(reads) < expected_reads:
        return ScoreStanding(None, None, "waiting", f"{len(reads)} of {max(expected_reads, 1)} reads are in.")
    codes = {grade.condition_code for grade in reads}
    if codes != {None}:
        return _coded(reads, codes, rubric)
    scores = [grade.score for grade in reads if grade.score is not None]
    raw = combine(scores, reading)
    apart = max(scores) - min(scores)
    if apart > reading.resolve_when_apart_by_more_than + _SAME:
        return ScoreStanding(raw, None, "disputed", f"The reads are {apart:g} points apart.")
    return ScoreStanding(
        raw, raw, "final", "One read." if len(scores) == 1 else "The reads agree within the tolerance."
    )


def combine(scores: Sequence[float], reading: Reading) -> float:
    """Combine the scores of one answer's reads by the round's rule.

    Parameters
    ----------
    scores
        In order of read number; at least one.
    reading
        With ``reads`` 2 its ``combine`` holds (``mean``, ``higher``, ``replace``: the last stands); with
        ``reads`` 1 its ``overlap_counts`` (``first``, ``mean``).
    """
    rule = reading.combine if reading.reads > 1 else reading.overlap_counts
    if rule == "mean":
        return sum(scores) / len(scores)
    if rule == "higher":
        return max(scores)
    return scores[-1] if rule == "replace" else scores[0]


def coded_standing(condition_code: str, rubric: Rubric) -> ScoreStanding:
    """Say how an answer stands whose condition code is agreed.

    Parameters
    ----------
    condition_code
        One of the rubric's.
    rubric
        Says how the code counts.
    """
    code = next(c for c in rubric.condition_codes if c.id == condition_code)
    final = {"zero": 0.0, "lowest": float(rubric.score.lowest)}.get(code.counts_as)
    return ScoreStanding(None, final, "coded", f"{code.title}: {COUNTS_AS[code.counts_as]}.")


def _coded(reads: Sequence[Grade], codes: set[str | None], rubric: Rubric) -> ScoreStanding:
    if len(codes) > 1:
        named = ", ".join(sorted(code or "a score" for code in codes))
        return ScoreStanding(None, None, "disputed", f"The readers judged differently: {named}.")
    return coded_standing(str(reads[0].condition_code), rubric)
