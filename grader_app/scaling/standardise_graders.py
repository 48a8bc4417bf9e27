"""Grader standardisation: each grader's scores of a question take on the mean and SD of all its papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader_app.errors import ScalingProblem
from grader_app.scaling.mean_sigma import Moments, moments

FEWEST = 20
"""Fewer papers than this say too little about a grader's mean and SD."""

ASSUMPTION = (
    "Graders were standardised: each one's scores of a question took on the mean and SD of all its papers. "
    "This assumes that papers were assigned to graders at random; otherwise it takes away true differences "
    "between the papers."
)


class GraderScore(NamedTuple):
    """One read of one paper of a question: whose paper, whose read, and the score in points."""

    response_id: str
    grader: str
    score: float


@dataclass(frozen=True)
class StandardisedScore:
    """A read with its raw score kept beside the standardised one."""

    raw: GraderScore
    standardised: float


def standardise_graders(
    reads: Sequence[GraderScore], question: str = "the question", fewest: int = FEWEST
) -> tuple[StandardisedScore, ...]:
    """Return x' = M + S·(x - m)/s for every read of one question.

    Parameters
    ----------
    reads
        One read a paper, of one question, in any order.
    question
        Its id, for the message.
    fewest
        Papers that a grader must have read.

    Returns
    -------
    tuple of StandardisedScore
        In the order of the reads.

    Raises
    ------
    ScalingProblem
        Naming every grader who has read too few papers, or whose scores are all the same.

    Notes
    -----
    M and S are the mean and SD of all papers of the question, m and s those of the papers of one grader;
    SDs are population SDs. It is a remedy, never needed where graders are calibrated, and it holds only
    if papers were assigned to graders at random.

    Examples
    --------
    >>> lenient = [GraderScore(f"a{n}", "A", score) for n, score in enumerate((4, 5, 6))]
    >>> strict = [GraderScore(f"b{n}", "B", score) for n, score in enumerate((2, 3, 4))]
    >>> [round(one.standardised, 4) for one in standardise_graders([*lenient, *strict], fewest=3)]
    [2.4189, 4.0, 5.5811, 2.4189, 4.0, 5.5811]
    """
    by_grader: dict[str, list[float]] = {}
    for read in reads:
        by_grader.setdefault(read.grader, []).append(read.score)
    _refuse(by_grader, question, fewest)
    if not by_grader:
        return ()
    whole = moments([read.score for read in reads], f"scores of {question}")
    own = {grader: moments(found, f"scores of grader {grader}") for grader, found in by_grader.items()}
    return tuple(StandardisedScore(read, _placed(read.score, own[read.grader], whole)) for read in reads)


def _placed(score: float, own: Moments, whole: Moments) -> float:
    return whole.mean + whole.sd * (score - own.mean) / own.sd


def _refuse(by_grader: dict[str, list[float]], question: str, fewest: int) -> None:
    found = []
    for grader, scores in sorted(by_grader.items()):
        if len(scores) < fewest:
            found.append(f"grader {grader} has read n = {len(scores)} papers, fewer than {fewest}")
        elif min(scores) == max(scores):
            found.append(f"grader {grader} gave {scores[0]:g} to all n = {len(scores)} papers (SD 0)")
    if found:
        raise ScalingProblem(
            f"Graders of {question} cannot be standardised: {'; '.join(found)}. "
            "Leave out `standardise_graders`, or let these graders read more papers."
        )
