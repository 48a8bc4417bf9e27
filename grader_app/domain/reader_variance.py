"""How far scores differ because other graders might have read the same answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReaderVariance:
    """Variances of one read of an answer, over graders of this kind.

    Parameters
    ----------
    severity
        Between graders, in squared points: how harsh or lenient each is throughout.
    residual
        Within graders, in squared points: how the same grader would differ from one answer to the next.
    n_responses
        How many answers with two independent reads or more it rests on.
    n_graders
        How many graders gave them.
    says
        What it rests on, and what it cannot tell, in a sentence or two.
    severity_df
        Degrees of freedom that severity rests on: graders less one, over all questions; 0 where it could
        not be told apart.
    """

    severity: float
    residual: float
    n_responses: int
    n_graders: int
    says: str
    severity_df: int = 0
