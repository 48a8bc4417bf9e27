"""Do papers that make the same points get the same score, and are scores and own ranking in step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from grader_app.agreement.codes import Floats
from grader_app.agreement.estimate import Estimate, Interval, with_interval
from grader_app.agreement.figure import refused
from grader_app.agreement.paired_numbers import paired_numbers
from grader_app.agreement.resampling import Settings
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.sentences import percent
from grader_app.agreement.statuses import FEWEST_FOR_VALUE, Reason
from grader_app.agreement.subject import YOU, counted, does, within


@dataclass(frozen=True)
class LikePapers:
    """What a grader made of pairs of papers that differ in style only.

    Parameters
    ----------
    same
        Pairs given one and the same score.
    n_pairs
        Pairs of which the grader scored both papers.
    effect
        Mean of fuller minus plainer, in points: positive when the fuller style is rewarded.
    says
        The first two in a sentence.
    """

    same: int
    n_pairs: int
    effect: Estimate
    says: str


@dataclass(frozen=True)
class Inversions:
    """Pairs of papers that a grader ranked one way and scored the other way.

    Parameters
    ----------
    inverted
        Pairs ranked strictly apart and scored strictly the other way.
    n_pairs
        Pairs ranked strictly apart.
    share
        The first of the second; None when no pair is ranked apart.
    says
        The same in a sentence.
    """

    inverted: int
    n_pairs: int
    share: float | None
    says: str


def like_papers_alike(
    scores_by_paper: Mapping[str, float],
    pairs: Sequence[tuple[str, str]],
    *,
    subject: str = YOU,
    confidence: float = 0.95,
) -> LikePapers:
    """Compare the scores of papers that make the same points in a fuller and in a plainer style.

    Parameters
    ----------
    scores_by_paper
        The grader's scores.
    pairs
        The fuller paper and the plainer one; pairs with an unscored paper are left out.
    subject
        Subject of the sentences.
    confidence
        Nominal coverage of the interval.

    Returns
    -------
    LikePapers

    Notes
    -----
    Student's t of the differences. There is no interval where all differences are equal: so few pairs
    cannot then say how far the effect may lie off.

    Examples
    --------
    >>> found = like_papers_alike({"E01": 4, "E02": 3, "E03": 5, "E04": 5}, [("E01", "E02"), ("E03", "E04")])
    >>> found.same, found.n_pairs, found.effect.value
    (1, 2, 0.5)
    """
    settings = Settings(confidence).checked()
    off = np.array(
        [
            scores_by_paper[fuller] - scores_by_paper[plainer]
            for fuller, plainer in pairs
            if fuller in scores_by_paper and plainer in scores_by_paper
        ],
        dtype=np.float64,
    )
    same = int(np.count_nonzero(np.abs(off) <= TOLERANCE))
    says = f"{does(subject, 'give')} the same score to both papers in {same} of {counted(len(off), 'pair')}."
    return LikePapers(same, len(off), _style_effect(off, settings, subject), says)


def inversions(ranks: Mapping[str, float], scores: Mapping[str, float], *, subject: str = YOU) -> Inversions:
    """Count the pairs of papers that a grader ranked one way and scored the other way.

    Parameters
    ----------
    ranks
        The rank of each paper: 1 is best; papers ranked equal share a rank.
    scores
        The same grader's scores; a paper without both is left out.
    subject
        Subject of the sentence.

    Returns
    -------
    Inversions

    Examples
    --------
    >>> found = inversions({"E01": 1, "E02": 2, "E03": 3}, {"E01": 3, "E02": 4, "E03": 2})
    >>> found.inverted, found.n_pairs
    (1, 3)
    """
    both = [paper for paper in ranks if paper in scores]
    rank, score = paired_numbers([ranks[paper] for paper in both], [scores[paper] for paper in both])
    better = rank[:, np.newaxis] < rank[np.newaxis, :]
    lower = score[:, np.newaxis] < score[np.newaxis, :] - TOLERANCE
    n_pairs, inverted = int(better.sum()), int((better & lower).sum())
    if n_pairs == 0:
        return Inversions(0, 0, None, f"{does(subject, 'rank')} no paper above another, so nothing compares.")
    share = inverted / n_pairs
    says = (
        f"In {inverted} of {counted(n_pairs, 'pair')} of papers ({percent(share)}), {within(subject)} gave "
        "the higher score to the paper ranked lower."
    )
    return Inversions(inverted, n_pairs, share, says)


def _style_effect(off: Floats, settings: Settings, subject: str) -> Estimate:
    n = len(off)
    if n < FEWEST_FOR_VALUE:
        says = f"There {'is one pair' if n == 1 else 'are no pairs'} of like papers, too few for an effect."
        return refused("style_effect", Reason("too_few", says), n, settings)
    value = float(off.mean())
    found = _t_interval(off, settings.confidence)
    side = "higher than" if value > 0 else "lower than"
    given = "the same as" if abs(value) < 0.005 else f"{abs(value):.2f} points {side}"
    says = (
        f"On average, {does(within(subject), 'score')} a fuller paper {given} a plainer one that makes the "
        f"same points ({counted(n, 'pair')})."
    )
    return with_interval(
        "style_effect",
        value,
        found,
        says,
        confidence=settings.confidence,
        n_responses=n,
        written="{:.2f}".format,
    )


def _t_interval(off: Floats, confidence: float) -> Interval:
    n = len(off)
    error = float(off.std(ddof=1)) / math.sqrt(n)
    if error < TOLERANCE:
        return Interval(remark="No interval is shown: the difference is the same in every pair.")
    reach = float(stdtrit(n - 1, (1 + confidence) / 2)) * error
    mean = float(off.mean())
    return Interval(mean - reach, mean + reach, f"Student's t({n - 1}) over pairs of papers")
