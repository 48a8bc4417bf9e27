"""Whose reads the final score of an answer is made of."""

from __future__ import annotations

from functools import partial

from grader_app.domain.final_score import ScoreStanding
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reread_standing import counted_of
from grader_app.domain.round import Reading
from grader_app.domain.score_standing import SettledBy
from grader_app.domain.settling import Adjudication


def counted_readers(record: GradingRecord, response_id: str) -> tuple[str, ...]:
    """Name the graders whose scores make up the final score of an answer.

    Parameters
    ----------
    record
        The round.
    response_id
        The answer.

    Returns
    -------
    tuple of str
        Account ids, one a read that counts; empty where there is no final score, or where no single
        read made it (the consensus of a calibrating panel).

    Notes
    -----
    An adjudication is one judgment, whatever it settled. Of three reads those count that the round's
    rule combines. A rule that takes the higher of two reads counts as the read it took. The mean of a first
    score from two reads and a re-read counts as the mean of all three, though it weighs the re-read by half.
    """
    standing = record.standing(response_id)
    settling = record.settling_of(response_id)
    if standing.settled_by == "re-read" and settling.reread is not None:
        before = record.first_standing(response_id)
        readers = partial(_readers_of, record, response_id, before, settling.before_reread)
        return counted_of(before.final or 0.0, settling.reread, readers)
    return _readers_of(record, response_id, standing, settling.adjudication)


def deciding_readers(record: GradingRecord, response_id: str) -> tuple[str, ...]:
    """Name whoever decided how an answer stands, by a score or by a condition code.

    Parameters
    ----------
    record
        The round.
    response_id
        The answer.

    Returns
    -------
    tuple of str
        Account ids as of `counted_readers`; for an answer that a condition code decides those who gave the
        code, also where it leaves the answer without a score. Nobody's read takes an answer out of the round.
    """
    standing = record.standing(response_id)
    if standing.status != "coded":
        return counted_readers(record, response_id)
    if response_id in record.excluded:
        return ()
    settling = record.settling_of(response_id)
    if standing.settled_by == "adjudication" and settling.adjudication is not None:
        return (settling.adjudication.given.grader_id,)
    reads, third = record.reads(response_id), record.third_read_or_none(response_id)
    if standing.settled_by != "third read" or third is None:
        return tuple(read.grader_id for read in reads if read.condition_code is not None)
    if record.round is not None and record.round.reading.third_read_counts == "replace":
        return (third.grader_id,)
    alike = (read for read in reads if read.condition_code == third.condition_code)
    return tuple(read.grader_id for read in (*alike, third))


def decision_counts(record: GradingRecord, response_id: str, made: Adjudication) -> bool:
    """Say whether an adjudication is in the final score of its answer, alone or with a re-read."""
    standing, settling = record.standing(response_id), record.settling_of(response_id)
    last = settling.adjudication
    if standing.settled_by == "adjudication":
        return last is not None and last.event_seq == made.event_seq
    before = settling.before_reread
    if standing.settled_by != "re-read" or before is None or before.event_seq != made.event_seq:
        return False
    first = record.first_standing(response_id)
    return first.settled_by == "adjudication" and made.given.grader_id in counted_readers(record, response_id)


def third_read_counts(record: GradingRecord, third: Grade) -> bool:
    """Say whether a third read is in the final score of its answer, alone or with a re-read."""
    settled_by = record.standing(third.response_id).settled_by
    if settled_by != "re-read":
        return settled_by == "third read"
    first = record.first_standing(third.response_id)
    return first.settled_by == "third read" and third.grader_id in counted_readers(record, third.response_id)


def dispute_settled_by(record: GradingRecord, response_id: str) -> SettledBy:
    """Say what settled a dispute about an answer, also where it was read again since; else nothing."""
    standing = record.standing(response_id)
    if standing.settled_by in ("adjudication", "third read"):
        return standing.settled_by
    if standing.status == "disputed" or record.reread_or_none(response_id) is None:
        return ""
    return record.first_standing(response_id).settled_by


def _readers_of(
    record: GradingRecord, response_id: str, standing: ScoreStanding, adjudication: Adjudication | None
) -> tuple[str, ...]:
    reads = [read for read in record.reads(response_id) if read.score is not None]
    if standing.final is None or response_id in record.calibration.drawn:
        return ()
    if standing.settled_by == "adjudication" and adjudication is not None:
        return (adjudication.given.grader_id,)
    if record.round is None:
        return ()
    third = record.third_read_or_none(response_id)
    if standing.settled_by == "third read" and third is not None:
        return tuple(read.grader_id for read in _with_third(reads, third, record.round.reading))
    return tuple(read.grader_id for read in _of_reads(reads, record.round.reading)) if reads else ()


def _of_reads(reads: list[Grade], reading: Reading) -> list[Grade]:
    rule = reading.combine if reading.reads > 1 else reading.overlap_counts
    if rule == "mean":
        return reads
    if rule == "higher":
        return [max(reads, key=_score)]
    return [reads[-1] if rule == "replace" else reads[0]]


def _with_third(reads: list[Grade], third: Grade, reading: Reading) -> list[Grade]:
    rule = reading.third_read_counts
    if rule == "replace" or third.score is None:
        return [third]
    if rule == "mean":
        return [*reads, third]
    if rule == "higher":
        return [max([*reads, third], key=_score)]
    return [min(reads, key=lambda read: abs(_score(read) - _score(third))), third]


def _score(grade: Grade) -> float:
    return 0.0 if grade.score is None else grade.score
