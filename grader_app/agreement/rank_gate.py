"""Does a grader put papers in the order of the reference, and do the graders of a panel rank alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader_app.agreement.codes import Floats, Integers
from grader_app.agreement.distinct import Distinct, distinct_rows
from grader_app.agreement.estimate import Estimate, with_interval
from grader_app.agreement.figure import refused, value_of
from grader_app.agreement.paired_numbers import paired_numbers
from grader_app.agreement.pairs import Pair, counted_table
from grader_app.agreement.products import product
from grader_app.agreement.quotients import quotient
from grader_app.agreement.rank_order import kendall_w, rank_figure_of
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings, Statistic, interval
from grader_app.agreement.scale import Scale
from grader_app.agreement.sentences import percent
from grader_app.agreement.statuses import FEWEST_FOR_VALUE, Reason
from grader_app.agreement.subject import YOU, counted, does, own


@dataclass(frozen=True, kw_only=True)
class PairsInOrder:
    """How many of the pairs that the reference sets apart a grader put in the right order.

    Parameters
    ----------
    right, tied, wrong
        Pairs in the order of the reference, ranked equal, and the other way round.
    n_pairs
        Pairs whose reference scores differ: the three together. Others are never judged.
    n_papers
        How many papers were ranked.
    share
        Right out of all pairs set apart: a pair ranked equal was not put in order, so it does not count
        as right. The interval is over papers.
    tau_b, rho
        Kendall's and Spearman's correlation of ranking and reference; positive is agreement.
    """

    right: int
    tied: int
    wrong: int
    n_pairs: int
    n_papers: int
    share: Estimate
    tau_b: Estimate
    rho: Estimate

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "right": self.right,
            "tied": self.tied,
            "wrong": self.wrong,
            "n_pairs": self.n_pairs,
            "n_papers": self.n_papers,
            "figures": [figure.as_dict() for figure in (self.share, self.tau_b, self.rho)],
        }


def pairs_in_order(
    ranks: Sequence[float],
    reference: Sequence[float],
    *,
    subject: str = YOU,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> PairsInOrder:
    """Compare a grader's ranking with the reference, over the pairs that the reference sets apart.

    Parameters
    ----------
    ranks
        1 is best; papers ranked equal share a rank.
    reference
        Reference scores of the same papers; larger is better.
    subject
        Subject of the sentences.
    confidence, resamples, seed
        For the intervals over papers.

    Returns
    -------
    PairsInOrder
        Without a share when the reference sets no pair apart.

    Raises
    ------
    RatingsProblem
        When the two differ in length or a paper lacks a number.

    Examples
    --------
    >>> found = pairs_in_order([1, 2, 2, 4], [6, 5, 3, 3])
    >>> found.right, found.tied, found.wrong, found.n_pairs, found.share.value
    (4, 1, 0, 5, 0.8)
    """
    settings = Settings(confidence, resamples, seed).checked()
    rank, points = paired_numbers(ranks, reference)
    # Ranks count from the best, scores from the worst: turned round, larger is better in both.
    codes = np.column_stack([_dense(-rank), _dense(points)])
    kinds = distinct_rows(codes)
    right, tied, apart = (_sides(kinds.rows, side) for side in ("right", "tied", "apart"))
    n_right, n_tied, n_pairs = (_count(kinds, table) for table in (right, tied, apart))
    n = len(rank)
    return PairsInOrder(
        right=n_right,
        tied=n_tied,
        wrong=n_pairs - n_right - n_tied,
        n_pairs=n_pairs,
        n_papers=n,
        share=_share(kinds, right, apart, n_pairs, settings, subject),
        tau_b=_correlation("kendall_tau_b", "Kendall's tau-b", codes, settings, subject),
        rho=_correlation("spearman_rho", "Spearman's rank correlation", codes, settings, subject),
    )


def panel_kendall_w(
    rankings: Sequence[Mapping[str, float]],
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return Kendall's W of a panel's rankings of the same papers, corrected for ties.

    Parameters
    ----------
    rankings
        One for each grader: the rank of each paper. Papers that not everybody ranked are left out.
    confidence, resamples, seed
        For the interval over papers.

    Returns
    -------
    Estimate

    References
    ----------
    Kendall & Gibbons (1990), Rank Correlation Methods, 5th ed., ch. 6.

    Examples
    --------
    >>> panel_kendall_w([{"E01": 1, "E02": 2, "E03": 3}, {"E03": 3, "E01": 1, "E02": 2}]).value
    1.0
    """
    settings = Settings(confidence, resamples, seed).checked()
    papers = sorted(set.intersection(*(set(ranking) for ranking in rankings))) if rankings else []
    reason = _panel_reason(rankings, papers)
    if reason is not None:
        return refused("kendall_w", reason, len(papers), settings)
    rows = [np.array([ranking[paper] for paper in papers], dtype=np.float64) for ranking in rankings]
    codes = np.column_stack([_dense(row) for row in rows])
    table = Ratings.from_codes(codes, scale=Scale.of(range(int(codes.max()) + 1)))
    found = kendall_w(table, confidence=confidence, resamples=resamples, seed=seed)
    return replace(found, says=found.says.replace(" answers", " papers"))


def _dense(numbers: Floats) -> Integers:
    """Return the place of each number among the different ones, lowest first."""
    found: Integers = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return found


def _sides(rows: Integers, side: str) -> Floats:
    """Return 1 for each pair of kinds of paper that the grader put on that side, else 0."""
    ranked, scored = (np.sign(np.subtract.outer(column, column)) for column in rows.T)
    apart = scored != 0
    found = {"right": apart & (ranked == scored), "tied": apart & (ranked == 0), "apart": apart}[side]
    table: Floats = found.astype(np.float64)
    return table


def _count(kinds: Distinct, table: Floats) -> int:
    times = kinds.times.astype(np.float64)
    return round(float(times @ table @ times) / 2)


def _share_of(right: Floats, apart: Floats) -> Statistic:
    def statistic(weights: Floats) -> Floats:
        put_right, set_apart = ((product(weights, table) * weights).sum(axis=1) for table in (right, apart))
        return quotient(put_right, set_apart, set_apart > 0)

    return statistic


def _share(
    kinds: Distinct, right: Floats, apart: Floats, n_pairs: int, settings: Settings, subject: str
) -> Estimate:
    if n_pairs == 0:
        return refused("pairs_in_order", _nothing_apart(kinds.n), kinds.n, settings)
    statistic = _share_of(right, apart)
    value = value_of(kinds, statistic)
    found = interval(kinds, statistic, settings, lowest=0.0)
    says = (
        f"{does(subject, 'put')} {percent(value)} of the {counted(n_pairs, 'pair')} that the reference sets "
        f"apart in the right order ({counted(kinds.n, 'paper')})."
    )
    return with_interval(
        "pairs_in_order",
        value,
        found,
        says,
        confidence=settings.confidence,
        n_responses=kinds.n,
        written=percent,
    )


def _nothing_apart(n: int) -> Reason:
    if n < FEWEST_FOR_VALUE:
        return Reason("too_few", f"{counted(n, 'paper').capitalize()} cannot be put in order.")
    return Reason("no_variation", f"The reference gives all {n} papers the same score, so no order is right.")


def _correlation(name: str, title: str, codes: Integers, settings: Settings, subject: str) -> Estimate:
    n = len(codes)
    reason = _nothing_apart(n) if n < FEWEST_FOR_VALUE or np.ptp(codes[:, 1]) == 0 else None
    if reason is None and np.ptp(codes[:, 0]) == 0:
        reason = Reason(
            "no_variation", f"{own(subject, 'ranking')} has all {n} papers equal, so there is no order."
        )
    if reason is not None:
        return refused(name, reason, n, settings)
    n_points = int(codes.max()) + 1
    table = counted_table(codes[:, 0], codes[:, 1], n_points)
    pair = Pair((own(subject, "ranking"), "the reference"), table, Scale.of(range(n_points)))
    found = rank_figure_of(pair, name, settings)
    after = found.says.partition(" answers).")[2]
    says = (
        f"{title} of ranking and reference is {found.value:.2f}, where 1 is the same order and -1 the "
        f"reverse ({counted(n, 'paper')}).{after}"
    )
    return replace(found, says=says)


def _panel_reason(rankings: Sequence[Mapping[str, float]], papers: Sequence[str]) -> Reason | None:
    if not rankings:
        return Reason("no_overlap", "Nobody has ranked the papers yet, so rankings cannot be compared.")
    if len(rankings) == 1:
        return Reason("one_grader", "Only one grader has ranked the papers, so rankings cannot be compared.")
    if len(papers) < FEWEST_FOR_VALUE:
        says = f"The graders have ranked {counted(len(papers), 'paper')} in common, too few for any figure."
        return Reason("too_few" if papers else "no_overlap", says)
    if all(ranking[paper] == ranking[papers[0]] for ranking in rankings for paper in papers):
        return Reason(
            "no_variation", f"Every grader ranked all {len(papers)} papers equal: there is no order."
        )
    return None
