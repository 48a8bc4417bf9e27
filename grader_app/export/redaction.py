"""What is left out for a board that never discloses the score before an automatic re-read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from math import inf
from typing import Any

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.read_again import answers_read_again

REREAD = "reread"
"""The kind of read by which answers near the line are read again automatically."""


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
        the read it corrects, whenever it came; an adjudication counts if it came before the re-read. While
        the re-read is not in, all that was judged so far is listed.
    """
    since = _rereads(record)
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
    return {response_id: frozenset(seqs) for response_id, seqs in found.items()}


def without_reads_of(report: Mapping[str, Any], response_ids: Collection[str]) -> dict[str, Any]:
    """Leave answers out of the agreement report's list of those on which readers differ most.

    Notes
    -----
    The list gives each reader's score. Figures over many answers stay: they are about the readers.
    """
    facets = []
    for facet in report["facets"]:
        apart = facet["disagreement"]
        kept = [one for one in apart["responses"] if one["response"] not in response_ids]
        facets.append({**facet, "disagreement": {**apart, "responses": kept}})
    return {**report, "facets": facets}


def _rereads(record: GradingRecord) -> dict[str, float]:
    """Give the event of the first automatic re-read of each answer that was sent to one; inf if not in."""
    first: dict[str, float] = dict.fromkeys(answers_read_again(record), inf)
    for assignment_id, grades in record.history.items():
        dealt = record.assignments[assignment_id]
        if dealt.kind.value == REREAD and grades:
            seq = grades[0].event_seq
            first[dealt.response_id] = min(seq, first.get(dealt.response_id, seq))
    return first
