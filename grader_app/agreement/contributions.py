"""Which responses and which pairs of scores carry the disagreement, and what each grader does to alpha."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader_app.agreement.alpha import chosen_level, level_reason, used_points
from grader_app.agreement.codes import Floats
from grader_app.agreement.coincidences import Level, coincidences, fast_alpha, squared_distances
from grader_app.agreement.estimate import Estimate, Interval
from grader_app.agreement.figure import estimated, refused
from grader_app.agreement.products import product
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings
from grader_app.agreement.statuses import Reason, panel_reason


@dataclass(frozen=True)
class ResponseShare:
    """One response's part in the observed disagreement.

    Parameters
    ----------
    response
        Its name.
    share
        Between 0 and 1; the shares of all responses add up to 1.
    scores
        The scores it was given, in the order of the graders.
    graders
        Who gave them.
    """

    response: str
    share: float
    scores: tuple[str, ...]
    graders: tuple[str, ...]


@dataclass(frozen=True)
class ScoreShare:
    """One pair of different scores' part in the observed disagreement.

    Parameters
    ----------
    scores
        The two scores.
    share
        Between 0 and 1; the shares of all pairs add up to 1.
    n
        How often the two scores met on a response, each response counted as in alpha.
    """

    scores: tuple[str, str]
    share: float
    n: float


def response_contributions(ratings: Ratings, level: Level | None = None) -> tuple[ResponseShare, ...]:
    """Return the responses by their share of alpha's observed disagreement, the largest first.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    level
        As for `krippendorff_alpha`.

    Returns
    -------
    tuple of ResponseShare
        Only responses that carry some; empty where alpha cannot be computed or nobody disagrees.

    Notes
    -----
    Observed disagreement is a sum over responses, so it divides without remainder.

    References
    ----------
    Krippendorff (2018), Content Analysis, 4th ed., ch. 12.
    """
    chosen = chosen_level(ratings, level)
    if (panel_reason(ratings) or level_reason(ratings, chosen)) is not None:
        return ()
    codes, points = used_points(ratings)
    distances = squared_distances(chosen, points, coincidences(codes, len(points)).sum(axis=1))
    disagreement = _by_response(codes, distances)
    total = float(disagreement.sum())
    rows = np.flatnonzero(ratings.ratings_per_response >= 2)
    order = np.argsort(-disagreement, kind="stable")
    return tuple(
        _response_share(ratings, int(rows[place]), float(disagreement[place]) / total)
        for place in order
        if disagreement[place] > 0
    )


def score_contributions(ratings: Ratings, level: Level | None = None) -> tuple[ScoreShare, ...]:
    """Return the pairs of different scores by their share of alpha's observed disagreement.

    See `response_contributions` for the parameters.
    """
    chosen = chosen_level(ratings, level)
    if (panel_reason(ratings) or level_reason(ratings, chosen)) is not None:
        return ()
    codes, points = used_points(ratings)
    observed = coincidences(codes, len(points))
    parts = observed * squared_distances(chosen, points, observed.sum(axis=1))
    total = float(parts.sum())
    labels = [ratings.scale.labels[code] for code in np.unique(ratings.paired[ratings.paired >= 0])]
    shares = [
        ScoreShare((labels[a], labels[b]), 2 * float(parts[a, b]) / total, float(observed[a, b]))
        for a in range(len(points))
        for b in range(a + 1, len(points))
        if parts[a, b] > 0
    ]
    return tuple(sorted(shares, key=lambda share: -share.share))


def leave_one_grader_out(ratings: Ratings, level: Level | None = None) -> dict[str, Estimate]:
    """Return alpha without each grader in turn.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.
    level
        As for `krippendorff_alpha`.

    Returns
    -------
    dict
        By the grader left out. An alpha that rises far without a grader points to that grader; it is
        no proof, since every grader read other answers.
    """
    chosen = chosen_level(ratings, level)
    settings = Settings(resamples=0)
    return {grader: _without(ratings, grader, chosen, settings) for grader in ratings.graders}


def _without(ratings: Ratings, grader: str, level: Level, settings: Settings) -> Estimate:
    others = [name for name in ratings.graders if name != grader]
    if not others:
        says = f"{grader} is the only grader, so nobody is left to agree."
        return refused("krippendorff_alpha", Reason("one_grader", says), 0, settings, level=level)
    rest = ratings.of_graders(*others)
    reason = panel_reason(rest) or level_reason(rest, level)
    if reason is not None:
        return refused("krippendorff_alpha", reason, rest.n_paired, settings, level=level)
    codes, points = used_points(rest)
    value = fast_alpha(codes, level, points)
    return estimated(
        "krippendorff_alpha",
        value,
        Interval(),
        rest.n_paired,
        settings,
        level=level,
        note=f" without {grader}",
    )


def _by_response(codes: np.ndarray, distances: Floats) -> Floats:
    """Return each response's ordered pairs of ratings by their distance, divided by m - 1."""
    counts = np.stack([(codes == score).sum(axis=1) for score in range(len(distances))], axis=1)
    m = counts.sum(axis=1)
    disagreement: Floats = (product(counts.astype(np.float64), distances) * counts).sum(axis=1) / (m - 1)
    return disagreement


def _response_share(ratings: Ratings, row: int, share: float) -> ResponseShare:
    given = np.flatnonzero(ratings.codes[row] >= 0)
    return ResponseShare(
        ratings.responses[row],
        share,
        tuple(ratings.scale.labels[ratings.codes[row, place]] for place in given),
        tuple(ratings.graders[place] for place in given),
    )
