"""The arithmetic behind the totals of an export, candidate by candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader_app.export.results import Results
from grader_app.scaling.worked_arithmetic import Worked, worked_arithmetic


def worked_candidates(results: Results, only: Iterable[str] | None = None) -> Iterator[Worked]:
    """Work out the total of every candidate with a scaled score, by id.

    Parameters
    ----------
    results
        The round.
    only
        Ids of candidates, for these alone.
    """
    scaled, weights = results.scaled, results.round.weights
    if scaled is None:
        return
    wanted = None if only is None else set(only)
    pool = {one.candidate_id: one for one in results.pool.candidates}
    for row in scaled.candidates:
        if wanted is not None and row.candidate_id not in wanted:
            continue
        candidate = pool[row.candidate_id]
        yield worked_arithmetic(
            row.candidate_id,
            {item: score for item, score in candidate.scores.items() if score is not None},
            weights,
            scaled.constants[candidate.group],
            candidate.mbe,
            scaled.rounding,
            (row.written_scaled, row.total),
        )
