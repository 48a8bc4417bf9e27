"""A graded round in which an answer was read again automatically."""

from __future__ import annotations

from enum import StrEnum

from graded_rounds import GradedRound

from grader_app.domain.round import Release
from grader_app.export.folder import read_results
from grader_app.export.results import Results


class Kind(StrEnum):
    """The kinds of reads as they are once answers near the line are read again."""

    REREAD = "reread"


def with_a_reread(made: GradedRound, redaction: str) -> tuple[Results, str, int, int]:
    """Give a round in which the second read of an answer counts as its automatic re-read."""
    results = read_results(made.bench.store)
    response_id = made.ids["mee-barge", 7]
    first, second = results.record.reads(response_id)
    dealt = results.record.assignments[second.assignment_id]
    results.record.assignments[second.assignment_id] = dealt._replace(kind=Kind.REREAD)
    changed = results.round.model_copy(update={"release": Release(redaction=redaction)})
    results.__dict__["round"] = changed
    return results, response_id, *sorted((first.event_seq, second.event_seq))
