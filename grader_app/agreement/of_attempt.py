"""One attempt at a calibration packet: the references it is held against, and every figure of its report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader_app.agreement.against_reference import AgainstReference, against_reference
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.gate import GateResult, judge
from grader_app.agreement.grader_kind import GraderKind, grader_kind
from grader_app.agreement.like_papers import Inversions, LikePapers, inversions, like_papers_alike
from grader_app.agreement.rank_gate import PairsInOrder, pairs_in_order, panel_kendall_w
from grader_app.domain.calibration_record import Attempt, Judgment
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.rubric import Rubric

FEWEST_OTHERS = 2
"""Other graders there must be before somebody is judged against the panel."""


@dataclass(frozen=True)
class Reference:
    """What a paper is held against.

    Parameters
    ----------
    essay
        The name by which the panel speaks of the paper.
    score
        Reference score in points; None under a condition code.
    standing
        What separates it from other papers: larger is better. The score, unless the set ranks its papers.
    condition_code
        The right code, or None.
    rationale
        Why, in the words of the set; empty where a panel made the reference.
    points
        Ids of the points the paper makes, where the set says so; None where it does not.
    """

    essay: str
    score: float | None
    standing: float | None
    condition_code: str | None = None
    rationale: str = ""
    points: tuple[str, ...] | None = None


@dataclass(frozen=True)
class AttemptReport:
    """All figures of one attempt.

    Parameters
    ----------
    rank
        Step one: pairs in the right order, with tau-b and rho beside it; None before it was submitted.
    scores
        Step two, over the papers with a reference score and a score; None before the last paper.
    inversions
        Pairs scored against the grader's own order.
    like_papers
        Matched pairs; None where the set has none.
    kind
        What kind of grader this is, in one sentence.
    gate
        The gate's conditions; None for an exercise.
    coded
        Papers to which the grader gave a condition code though the reference has a score: essays.
    """

    rank: PairsInOrder | None
    scores: AgainstReference | None
    inversions: Inversions | None
    like_papers: LikePapers | None
    kind: GraderKind | None
    gate: GateResult | None
    coded: tuple[str, ...]


def set_content(record: GradingRecord, attempt: Attempt) -> Mapping[str, Any]:
    """Give the set of an attempt as it was registered: ``set`` and ``papers``."""
    content: Mapping[str, Any] = record.inputs.files[attempt.set_hash]["content"]
    return content


def rubric_of_attempt(record: GradingRecord, attempt: Attempt) -> Rubric:
    """Give the rubric of the item as it was when the attempt was begun."""
    sheet = record.inputs.files[attempt.item_hash]["content"]["sheet"]
    named = ("rubric", sheet["rubric"], sheet["rubric_version"])
    return next(
        record.rubric(digest)
        for digest, kept in record.inputs.files.items()
        if (kept["kind"], kept["id"], kept["version"]) == named
    )


def references_of(record: GradingRecord, attempt: Attempt) -> dict[str, Reference]:
    """Give the reference of each paper of an attempt, by assignment id.

    Notes
    -----
    In a panel's second packet the reference is the others: the score point nearest to the mean of the
    other graders' scores, with that mean itself to separate papers. A paper with too few others has none.
    The others are those who had finished when the attempt was judged, so that the figures of a judgment stay
    what they were when somebody finishes later. In its first packet nothing is known yet.
    """
    content = set_content(record, attempt)
    if content["set"]["reference"] == "panel":
        return _others_as_reference(record, attempt) if attempt.packet > 1 else {}
    by_essay = {paper["essay"]: paper for paper in content["papers"]}
    # A paper may make none of the points; only where no paper has any does the set not say.
    says_points = any(paper["points"] for paper in content["papers"])
    found = {}
    for assignment_id in attempt.assignment_ids:
        paper = by_essay[essay_of(record, assignment_id)]
        rank = paper["reference_rank"]
        found[assignment_id] = Reference(
            paper["essay"],
            paper["score"],
            paper["score"] if rank is None else -float(rank),
            paper["condition_code"],
            paper["rationale"] or "",
            tuple(paper["points"]) if says_points else None,
        )
    return found


def essay_of(record: GradingRecord, assignment_id: str) -> str:
    """Give the name by which a panel speaks of a paper: the set's own, or a number among those drawn."""
    response_id = record.assignments[assignment_id].response_id
    paper = record.calibration.papers.get(response_id)
    return paper.essay if paper is not None else name_of_drawn(record, response_id)


def name_of_drawn(record: GradingRecord, response_id: str) -> str:
    """Name an answer drawn for a panel's packet, alike for every grader; its id stays hidden."""
    drawn = record.calibration.drawn
    packet = sorted(other for other, where in drawn.items() if where == drawn[response_id])
    return f"Paper {packet.index(response_id) + 1:02d}"


def is_scored(record: GradingRecord, attempt: Attempt) -> bool:
    """Say whether every paper of an attempt has a score or a code."""
    return all(assignment_id in record.check_grades for assignment_id in attempt.assignment_ids)


def report_of_attempt(
    record: GradingRecord, attempt: Attempt, *, resamples: int = 1000, seed: int = 0, subject: str = "You"
) -> AttemptReport:
    """Return every figure of an attempt, as far as it has gone.

    Parameters
    ----------
    record
        The round.
    attempt
        Which one.
    resamples, seed
        For the intervals; with 0 there are none.
    subject
        Of whom the sentence on the kind of grader speaks.
    """
    references = references_of(record, attempt)
    rank = _rank(attempt, references, resamples, seed, subject)
    if not is_scored(record, attempt):
        return AttemptReport(rank, None, None, None, None, None, ())
    rubric = rubric_of_attempt(record, attempt)
    given = {a: record.check_grades[a] for a in attempt.assignment_ids}
    both = _with_both_scores(given, references)
    scores = _scores(both, references, rubric, resamples, seed, subject)
    coded = tuple(
        essay_of(record, a)
        for a in attempt.assignment_ids
        if a in references and references[a].score is not None and given[a].condition_code is not None
    )
    return AttemptReport(
        rank,
        scores,
        _inversions(attempt, both, subject),
        _like_papers(record, attempt, both, subject),
        grader_kind(scores, rank, subject) if scores is not None else None,
        _gate(record, attempt, rank, scores, len(coded), subject),
        coded,
    )


def panel_order_agreement(
    record: GradingRecord, attempts: Sequence[Attempt], *, resamples: int = 1000, seed: int = 0
) -> Estimate:
    """Return Kendall's W over the graders who ranked the same packet, tie-corrected.

    Parameters
    ----------
    record
        The round.
    attempts
        Ranked attempts at one set and packet; papers are matched by what was dealt, not by assignment.
        Apprentices' are left out.
    resamples, seed
        For the interval.
    """
    rows = [
        {record.assignments[a].response_id: rank for a, rank in attempt.ranks.items()}
        for attempt in attempts
        if attempt.order is not None and not record.was_apprentice(attempt.grader_id, record.last_seq)
    ]
    return panel_kendall_w(rows, resamples=resamples, seed=seed)


def _rank(
    attempt: Attempt, references: Mapping[str, Reference], resamples: int, seed: int, subject: str
) -> PairsInOrder | None:
    if attempt.order is None or not references:
        return None
    ranks = attempt.ranks
    standing = {
        a: found.standing
        for a in attempt.assignment_ids
        if (found := references.get(a)) is not None and found.standing is not None
    }
    return pairs_in_order(
        [ranks[a] for a in standing], list(standing.values()), subject=subject, resamples=resamples, seed=seed
    )


def _inversions(attempt: Attempt, both: Mapping[str, float], subject: str) -> Inversions | None:
    if attempt.order is None or not both:
        return None
    ranks = attempt.ranks
    return inversions({a: ranks[a] for a in both}, both, subject=subject)


def _with_both_scores(given: Mapping[str, Grade], references: Mapping[str, Reference]) -> dict[str, float]:
    return {
        a: grade.score
        for a, grade in given.items()
        if a in references and references[a].score is not None and grade.score is not None
    }


def _scores(
    both: Mapping[str, float],
    references: Mapping[str, Reference],
    rubric: Rubric,
    resamples: int,
    seed: int,
    subject: str,
) -> AgainstReference | None:
    if len(both) < 2:
        return None
    reference = [references[a].score for a in both]
    return against_reference(
        list(both.values()),
        [score for score in reference if score is not None],
        rubric.score.range,
        subject=subject,
        resamples=resamples,
        seed=seed,
    )


def _like_papers(
    record: GradingRecord, attempt: Attempt, both: Mapping[str, float], subject: str
) -> LikePapers | None:
    pairs: dict[str, dict[str, str]] = defaultdict(dict)
    for paper in set_content(record, attempt)["papers"]:
        if paper["matched_pair"]:
            pairs[paper["matched_pair"]][paper["style"]] = paper["essay"]
    if not pairs:
        return None
    by_essay = {essay_of(record, a): score for a, score in both.items()}
    whole = [
        (pair["fuller"], pair["plainer"]) for pair in pairs.values() if set(pair) == {"fuller", "plainer"}
    ]
    return like_papers_alike(by_essay, whole, subject=subject)


def _gate(
    record: GradingRecord,
    attempt: Attempt,
    rank: PairsInOrder | None,
    scores: AgainstReference | None,
    coded: int,
    subject: str,
) -> GateResult | None:
    gates = set_content(record, attempt)["set"]["gates"]
    if gates is None or attempt.number == 0:
        return None
    return judge(rank, scores, coded=coded, subject=subject, **gates)


def _others_as_reference(record: GradingRecord, attempt: Attempt) -> dict[str, Reference]:
    others: dict[str, list[float]] = defaultdict(list)
    for other in record.calibration.attempts.values():
        same = (other.set_id, other.packet) == (attempt.set_id, attempt.packet)
        if same and other.grader_id != attempt.grader_id:
            for grade in _finished_by(record, other, attempt.judgment):
                if grade.score is not None and not record.was_apprentice(other.grader_id, grade.event_seq):
                    others[grade.response_id].append(grade.score)
    scale = rubric_of_attempt(record, attempt).score.range
    found = {}
    for a in attempt.assignment_ids:
        scores = others[record.assignments[a].response_id]
        if len(scores) >= FEWEST_OTHERS:
            mean = sum(scores) / len(scores)
            found[a] = Reference(essay_of(record, a), scale.nearest(mean), mean)
    return found


def _finished_by(record: GradingRecord, attempt: Attempt, judgment: Judgment | None) -> list[Grade]:
    """List the grades of an attempt as they stood at a judgment; none if a paper had none by then."""
    last = record.last_seq if judgment is None else judgment.event_seq
    found = []
    for a in attempt.assignment_ids:
        given = [grade for grade in record.history.get(a, ()) if grade.event_seq <= last]
        found += given[-1:]
    return found if len(found) == len(attempt.assignment_ids) else []
