"""Which papers would be read again before release, and whether that can begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.read_again import candidates_read_again, why_not_again
from grader_app.domain.release import no_regrading
from grader_app.domain.round import Rereading
from grader_app.errors import NotAllowed, ScalingProblem
from grader_app.scaling.cuts import judge
from grader_app.scaling.errors_of_round import errors_of_record
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.reading_list import Rule
from grader_app.workflow.reread_readers import NewReaders
from grader_app.workflow.unsettled import unsettled
from grader_app.workflow.workbench import Workbench

Paper = tuple[str, str]
"""A candidate id and an item."""


@dataclass(frozen=True)
class RereadPlan:
    """What a re-read would deal.

    Parameters
    ----------
    rule
        The round's.
    picked
        True for single papers, False for all papers of the candidates in the band.
    candidates
        Whose papers are read again.
    readers
        Account id of the new reader by response id.
    nobody
        Answers for which no grader is left.
    passed_over
        Answers that are not read again, counted by the reason.
    """

    rule: Rereading
    picked: bool
    candidates: tuple[str, ...]
    readers: dict[str, str]
    nobody: tuple[str, ...]
    passed_over: dict[str, int] = field(default_factory=dict)


def not_yet(record: GradingRecord) -> list[str]:
    """Say what stands in the way of re-reads; nothing when they can begin."""
    released = record.release.released
    if released is not None:
        return [no_regrading(released.at)]
    the_round = record.round
    if the_round is None or the_round.reread is None:
        return ["The round has no re-read rule. Write `reread` in a new version of round.yaml."]
    found = []
    if record.revealed:
        found.append(
            f"The sources of {len(record.revealed)} answers have been revealed, and a re-read is blind. "
            "It comes before reveal, or not at all."
        )
    closed = [item for item in the_round.weights if item in record.closed_items]
    if closed:
        found.append(
            f"Closed: {', '.join(closed)}. Scores of closed questions no longer change; reopen them first."
        )
    found += unsettled(record, the_round.weights)
    return found


def plan_band(bench: Workbench, record: GradingRecord) -> RereadPlan:
    """Plan the re-read of every paper of the candidates whose total lies in the round's band.

    Raises
    ------
    NotAllowed
        Re-reads cannot begin, or the round reads picked papers only.
    ScalingProblem
        There are no totals.
    """
    rule = _rule(record)
    if not rule.all_papers:
        raise NotAllowed("The round reads only papers that the lead picks (`all_papers: false`). Name them.")
    return _plan(bench, record, rule, _papers_in_band(record), picked=False)


def still_to_read(record: GradingRecord) -> list[str]:
    """Name the candidates whose total lies in the band and whose papers the round has still to read again."""
    the_round = record.round
    if the_round is None or the_round.reread is None or not the_round.reread.all_papers:
        return []
    try:
        papers = _papers_in_band(record)
    except ScalingProblem:
        return []
    return sorted({str(record.candidate_of(one)) for one in papers if not why_not_again(record, one)})


def plan_picked(bench: Workbench, record: GradingRecord, papers: Iterable[Paper]) -> RereadPlan:
    """Plan a further read of single papers that could move a candidate across the line.

    Raises
    ------
    NotAllowed
        Re-reads cannot begin, or a paper is not on the reading list.
    """
    rule = _rule(record)
    wanted = list(dict.fromkeys(papers))
    listed = set(papers_to_pick(record))
    strays = [paper for paper in wanted if paper not in listed]
    if strays:
        named = ", ".join(f"{candidate} {item}" for candidate, item in strays)
        raise NotAllowed(
            f"Not on the reading list of `grader-app scale`: {named}. Only papers that a further read could "
            "move across the line are read again, on either side of it."
        )
    response_ids = [_response_of(record, *paper) for paper in wanted]
    return _plan(bench, record, rule, response_ids, picked=True)


def papers_to_pick(record: GradingRecord) -> list[Paper]:
    """List the papers that a further read could move across the line, most valuable first."""
    asked = record.round.reread.rule if record.round and record.round.reread else "mean"
    rule: Rule = "mean" if asked == "mean_unless_apart_then_third" else asked
    errors = errors_of_record(record, scaled_of_record(record), reader_variance_of_record(record), rule)
    return [
        (paper.candidate_id, paper.item)
        for paper in errors.papers
        if record.reread_or_none(_response_of(record, paper.candidate_id, paper.item)) is None
    ]


def _papers_in_band(record: GradingRecord) -> list[str]:
    the_round = record.round
    if the_round is None or the_round.cut is None:
        return []
    judged = judge(scaled_of_record(record), the_round.cut, candidates_read_again(record)).by_candidate
    candidates = {one for one, verdict in judged.items() if verdict == "reread"}
    return [
        response_id
        for item in the_round.weights
        for response_id in record.response_ids(item)
        if record.candidate_of(response_id) in candidates
    ]


def _rule(record: GradingRecord) -> Rereading:
    problems = not_yet(record)
    if problems or record.round is None or record.round.reread is None:
        raise NotAllowed("\n".join(["Re-reads cannot begin.", *problems]))
    return record.round.reread


def _plan(
    bench: Workbench, record: GradingRecord, rule: Rereading, response_ids: Sequence[str], *, picked: bool
) -> RereadPlan:
    readers: dict[str, str] = {}
    nobody: list[str] = []
    passed_over: Counter[str] = Counter()
    choose = NewReaders(bench, record)
    for response_id in response_ids:
        why = why_not_again(record, response_id)
        if why:
            passed_over[why] += 1
            continue
        reader = choose.take_or_none(response_id, record.inputs.responses[response_id]["item"])
        if reader is None:
            nobody.append(response_id)
        else:
            readers[response_id] = reader
    going = {str(record.candidate_of(one)) for one in (*readers, *nobody)}
    return RereadPlan(rule, picked, tuple(sorted(going)), readers, tuple(nobody), dict(passed_over))


def _response_of(record: GradingRecord, candidate_id: str, item: str) -> str:
    return next(r for r in record.response_ids(item) if record.candidate_of(r) == candidate_id)
