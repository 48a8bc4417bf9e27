"""What is left out for a board that never discloses the score before an automatic re-read."""

from __future__ import annotations

from collections import defaultdict
from math import inf

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.read_again import answers_read_again

REREAD = "reread"
"""The kind of read by which answers near the line are read again automatically."""


def withheld_judgments(record: GradingRecord) -> dict[str, frozenset[int]]:
    """List what the round's own redaction hides, as `replaced_judgments`; nothing under ``none``."""
    if record.round is None or record.round.release.redaction != "new_york":
        return {}
    return replaced_judgments(record)


def replaced_judgments(record: GradingRecord) -> dict[str, frozenset[int]]:
    """List the events of all that was judged of an answer before its automatic re-read.

    Parameters
    ----------
    record
        The round.

    Returns
    -------
    dict
        By response id; only answers that were read again or are being read again. A correction goes with
        the read it corrects, whenever it came; an adjudication or a lead's own judgment counts if it came
        before the re-read. While the re-read is not in, all that was judged so far is listed. A re-read that
        was begun under a rule by which it does not stand alone is listed too: the first score could be
        worked out from it and the score that stands.
    """
    since = first_rereads(record)
    found: dict[str, set[int]] = defaultdict(set)
    for assignment_id, grades in record.history.items() if since else ():
        dealt = record.assignments[assignment_id]
        before = since.get(dealt.response_id, 0)
        if dealt.kind.value != REREAD and grades and grades[0].event_seq < before:
            found[dealt.response_id].update(grade.event_seq for grade in grades)
    for response_id, before in since.items():
        settling = record.settling
        judged = (*settling.adjudications.get(response_id, ()), *settling.first_looks.get(response_id, ()))
        found[response_id].update(one.event_seq for one in judged if one.event_seq < before)
        found[response_id].update(_not_alone(record, response_id))
    for looked in (made.given for made in record.settling.backreads):
        if looked.event_seq < since.get(looked.response_id, 0):
            found[looked.response_id].add(looked.event_seq)
    return {response_id: frozenset(seqs) for response_id, seqs in found.items()}


def _not_alone(record: GradingRecord, response_id: str) -> set[int]:
    reread = record.reread_or_none(response_id)
    if reread is None or reread.begun.rule == "replace":
        return set()
    return {given.event_seq for given in reread.given}


def first_rereads(record: GradingRecord) -> dict[str, float]:
    """Give the event of the first automatic re-read of each answer that was sent to one; inf if not in."""
    first: dict[str, float] = dict.fromkeys(answers_read_again(record), inf)
    for assignment_id, grades in record.history.items():
        dealt = record.assignments[assignment_id]
        if dealt.kind.value == REREAD and grades:
            seq = grades[0].event_seq
            first[dealt.response_id] = min(seq, first.get(dealt.response_id, seq))
    return first
