"""Scaling a round: from final scores and MBE to the pool that is scaled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.round import Round
from grader_app.errors import ScalingProblem
from grader_app.scaling.compare import Comparison, comparisons
from grader_app.scaling.composite import Score, written_raw
from grader_app.scaling.constants import Method
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import Reference
from grader_app.scaling.rounding import Rounding
from grader_app.scaling.rules import round_reference as round_reference
from grader_app.scaling.rules import rules_of_round
from grader_app.scaling.scale_pool import LeftOut, Scaled
from grader_app.scaling.standardise_graders import ASSUMPTION, GraderScore, standardise_graders

Answers = dict[str, dict[str, list[str]]]
"""Response ids by candidate id and item."""


def scaled_of_record(
    record: GradingRecord,
    method: Method | None = None,
    reference: Reference | None = None,
    rounding: Rounding | None = None,
    preset: str | None = None,
    pool: Pool | None = None,
) -> Scaled:
    """Scale the candidates of a round.

    Parameters
    ----------
    record
        The round.
    method, reference, rounding
        Instead of the round's own.
    preset
        A published scheme to scale by; see `with_preset`.
    pool
        What `pool_of_record` gives, where it is at hand.

    Returns
    -------
    Scaled
        Candidates sorted by id. Whoever lacks a final score is left out, with the item and the reason.

    Raises
    ------
    ScalingProblem
        There is no round, no item with a weight, or nothing to form constants from.
    """
    the_round = _round_of(record)
    _refuse_parts(the_round)
    rules = rules_of_round(the_round, method, reference, rounding, preset)
    raw = pool or pool_of_record(record)
    scaled = rules.scale(with_graders_standardised(record, raw) if rules.standardise_graders else raw)
    if rules.standardise_graders:
        scaled = _beside_raw(scaled, raw, rules.weights)
    return replace(
        scaled, left_out=left_out_of_record(record), warnings=(*scaled.warnings, *notes_on_rules(record))
    )


def notes_on_rules(record: GradingRecord) -> tuple[str, ...]:
    """Say by which decision a round is scaled otherwise than its own file says: what, when, by whom, why."""
    last = record.rules.decisions[-1] if record.rules.decisions else None
    # Rules that are only tried out were decided by nobody.
    return (last.says,) if last and last.actor and not last.rules.are_the_rounds_own else ()


def comparisons_of_record(
    record: GradingRecord,
    method: Method | None = None,
    reference: Reference | None = None,
    rounding: Rounding | None = None,
    preset: str | None = None,
) -> tuple[Comparison, ...]:
    """Compare ways of scaling the candidates of a round; see `comparisons`.

    Parameters
    ----------
    record
        The round, with its line if it has one.
    method, reference, rounding, preset
        As for `scaled_of_record`.

    Raises
    ------
    ScalingProblem
        The round cannot be scaled at all.
    """
    the_round = _round_of(record)
    _refuse_parts(the_round)
    rules = rules_of_round(the_round, method, reference, rounding, preset)
    raw = pool_of_record(record)
    pool = with_graders_standardised(record, raw) if rules.standardise_graders else raw
    return comparisons(pool, rules, the_round.cut)


def pool_of_record(record: GradingRecord) -> Pool:
    """Give the candidates who answered an item with a weight, with their final scores and MBE.

    Parameters
    ----------
    record
        The round.

    Returns
    -------
    Pool
        Sorted by candidate id. A score is None where no final score stands. Only those with an MBE
        score are in the scaling group.

    Notes
    -----
    Where a candidate has two answers to an item, neither can be taken for the score of the item,
    so there is none.
    """
    weights = _round_of(record).weights
    return Pool(
        tuple(
            Candidate(
                candidate_id,
                {item: _final_or_none(record, answers.get(item, [])) for item in weights},
                mbe=record.inputs.mbe.get(candidate_id),
                in_scaling_group=candidate_id in record.inputs.mbe,
            )
            for candidate_id, answers in sorted(_answers(record, weights).items())
        )
    )


def with_graders_standardised(record: GradingRecord, pool: Pool) -> Pool:
    """Replace every score that rests on one read alone by that read, standardised for its grader.

    Parameters
    ----------
    record
        The round.
    pool
        Its candidates with raw scores.

    Raises
    ------
    ScalingProblem
        A grader of an item has too few such reads, or gave the same score to all.

    Notes
    -----
    All single reads of an item form the constants, whoever wrote the paper. A score from several reads,
    an adjudication or a condition code has no one grader and stays as it is.
    """
    weights = _round_of(record).weights
    placed: dict[tuple[str, str], float] = {}
    for item in weights:
        reads = [read for r in record.response_ids(item) if (read := _single_read(record, r)) is not None]
        for score in standardise_graders(reads, item):
            candidate_id = str(record.inputs.responses[score.raw.response_id]["candidate_id"])
            placed[candidate_id, item] = score.standardised
    return Pool(tuple(replace(c, scores=_with_placed(c, placed)) for c in pool.candidates))


def _with_placed(candidate: Candidate, placed: dict[tuple[str, str], float]) -> dict[str, Score | None]:
    return {
        item: None if score is None else placed.get((candidate.candidate_id, item), score)
        for item, score in candidate.scores.items()
    }


def _single_read(record: GradingRecord, response_id: str) -> GraderScore | None:
    reads = record.reads(response_id)
    standing = record.standing(response_id)
    final = standing.final
    if len(reads) != 1 or final is None or standing.settled_by or reads[0].score != final:
        return None
    return GraderScore(response_id, reads[0].grader_id, final)


def _beside_raw(scaled: Scaled, raw: Pool, weights: Mapping[str, float]) -> Scaled:
    raws = {c.candidate_id: written_raw(c.scores, weights) for c in raw.candidates}
    rows = [
        replace(
            row,
            written_raw=found,
            written_standardised=row.written_raw
            if row.written_standardised is None
            else row.written_standardised,
        )
        for row in scaled.candidates
        if (found := raws[row.candidate_id]) is not None
    ]
    return replace(scaled, candidates=tuple(rows), warnings=(ASSUMPTION, *scaled.warnings))


def left_out_of_record(record: GradingRecord) -> tuple[LeftOut, ...]:
    """List the candidates without a composite, each with the items at fault and the reason."""
    weights = _round_of(record).weights
    found = []
    for candidate_id, answers in sorted(_answers(record, weights).items()):
        reasons = [
            f"{item}: {reason}"
            for item in weights
            if (reason := _why_no_final(record, answers.get(item, []))) is not None
        ]
        if reasons:
            found.append(LeftOut(candidate_id, f"No final score for {'; '.join(reasons)}."))
    return tuple(found)


def _round_of(record: GradingRecord) -> Round:
    if record.round is None:
        raise ScalingProblem("No round is registered yet. Write round.yaml, then run `grader-app assign`.")
    return record.round


def _refuse_parts(the_round: Round) -> None:
    if the_round.part_weights:
        raise ScalingProblem(
            f"The round gives parts to {', '.join(the_round.part_weights)}. Parts come from a pool file; "
            "graders of a workspace score an item whole. Remove `parts`, or scale a pool file."
        )


def _answers(record: GradingRecord, weights: dict[str, float]) -> Answers:
    found: Answers = defaultdict(lambda: defaultdict(list))
    responses = record.inputs.responses
    for response_id in record.response_ids():
        item = str(responses[response_id]["item"])
        if item in weights:
            found[str(responses[response_id]["candidate_id"])][item].append(response_id)
    return found


def _final_or_none(record: GradingRecord, response_ids: list[str]) -> float | None:
    return record.standing(response_ids[0]).final if len(response_ids) == 1 else None


def _why_no_final(record: GradingRecord, response_ids: list[str]) -> str | None:
    if not response_ids:
        return "no answer"
    if len(response_ids) > 1:
        return f"{len(response_ids)} answers where one is needed"
    standing = record.standing(response_ids[0])
    return None if standing.final is not None else f"{standing.status} ({standing.why.rstrip('.')})"
