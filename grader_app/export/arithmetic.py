"""The arithmetic behind the totals of an export, candidate by candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader_app.export.results import Results
from grader_app.scaling.of_round import with_graders_standardised
from grader_app.scaling.standardise import standards_by_group
from grader_app.scaling.worked_arithmetic import Worked, worked_arithmetic


def worked_candidates(results: Results, only: Iterable[str] | None = None) -> Iterator[Worked]:
    """Work out the total of every candidate with a scaled score, by id.

    Parameters
    ----------
    results
        The round.
    only
        Ids of candidates, for these alone.

    Notes
    -----
    Where graders are standardised the work begins with the standardised scores.
    """
    scaled, weights, pool = results.scaled, results.round.weights, results.pool
    if scaled is None:
        return
    if results.round.scaling.standardise_graders:
        pool = with_graders_standardised(results.record, pool)
    wanted = None if only is None else set(only)
    people = {one.candidate_id: one for one in pool.candidates}
    members = {row.candidate_id for row in scaled.candidates if row.in_scaling_group}
    standards = standards_by_group(pool, scaled.targets, lambda one: one.candidate_id in members)
    for row in scaled.candidates:
        if wanted is not None and row.candidate_id not in wanted:
            continue
        candidate = people[row.candidate_id]
        yield worked_arithmetic(
            row.candidate_id,
            {item: float(score) for item, score in candidate.scores.items() if score is not None},
            weights,
            scaled.constants[candidate.group],
            candidate.mbe,
            scaled.rounding,
            (row.written_scaled, row.total),
            standards.get(candidate.group, {}),
            scaled.factors,
        )
