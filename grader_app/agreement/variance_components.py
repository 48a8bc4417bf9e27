"""Where the variance of the scores comes from: responses, graders, items, and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.connections import disconnected_reason
from grader_app.agreement.crossed_reml import crossed_reml
from grader_app.agreement.estimate import Status
from grader_app.agreement.mean_squares import mean_squares
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.reml import fit_of
from grader_app.agreement.statuses import Reason, numbers_reason, panel_reason
from grader_app.errors import RatingsProblem

ITEM_EFFECTS = (
    "response",
    "grader",
    "item",
    "response_grader",
    "response_item",
    "item_grader",
    "residual",
)


@dataclass(frozen=True)
class Components:
    """Variance components, or why there are none.

    Parameters
    ----------
    variances
        By source: ``response``, ``grader``, ``residual``; with items also ``item`` and interactions.
        By mean squares a component may be negative; it is reported so, and counts as 0 in a D-study.
    method
        ``mean squares`` for a complete table, else ``REML``.
    n_ratings
        How many ratings they rest on.
    status, says
        Whether they can be computed, and the sentence.
    """

    variances: Mapping[str, float]
    method: str | None
    n_ratings: int
    status: Status = "ok"
    says: str = ""

    def counted(self, source: str) -> float:
        """Return a component as a D-study counts it: a negative one is 0."""
        return max(0.0, self.variances[source])

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "variances": {name: float(value) for name, value in self.variances.items()},
            "method": self.method,
            "n_ratings": self.n_ratings,
            "status": self.status,
            "says": self.says,
        }


def variance_components(ratings: Ratings) -> Components:
    """Return the variances of responses, graders and residual.

    Parameters
    ----------
    ratings
        The table; missing ratings are allowed.

    Returns
    -------
    Components

    Notes
    -----
    By expected mean squares for a complete table, by restricted maximum likelihood from all ratings
    otherwise.

    References
    ----------
    Brennan (2001), Generalizability Theory, ch. 3; Searle, Casella & McCulloch (1992).
    """
    reason = panel_reason(ratings) or numbers_reason(ratings.scale) or disconnected_reason(ratings)
    if reason is not None:
        return _refused(reason, ratings.n_ratings)
    if ratings.is_complete:
        values = mean_squares(ratings.codes, ratings.scale.numbers).components()
        method = "mean squares"
    else:
        fit = fit_of(ratings)
        values, method = (fit.response, fit.grader, fit.residual), "REML"
    variances = dict(zip(("response", "grader", "residual"), values, strict=True))
    return Components(variances, method, ratings.n_ratings, says=_says(variances))


def variance_components_by_item(items: Mapping[str, Ratings]) -> Components:
    """Return variances for the same candidates' responses to several items.

    Parameters
    ----------
    items
        For each item its ratings; the names of responses must be the candidates', the same in all.

    Returns
    -------
    Components
        Of candidates (``response``), graders, items, their interactions, and the residual, which holds
        the three-way interaction.

    Raises
    ------
    RatingsProblem
        When there are fewer than two items.

    References
    ----------
    Brennan (2001), Generalizability Theory, ch. 4; Gleser, Cronbach & Rajaratnam (1965).
    """
    if len(items) < 2:
        raise RatingsProblem("Items are a source of variance only when there are two or more. Add an item.")
    reasons = [numbers_reason(ratings.scale) for ratings in items.values()]
    scores, levels = _stacked(items)
    n = len(scores)
    if any(reasons):
        return _refused(next(reason for reason in reasons if reason), n)
    if len(set(levels["grader"].tolist())) < 2:
        return _refused(Reason("one_grader", "All ratings are by one grader, so graders cannot differ."), n)
    if n < 8 or len(set(levels["response"].tolist())) < 2:
        return _refused(Reason("too_few", "There are too few ratings to tell sources of variance apart."), n)
    if np.ptp(scores) == 0:
        return _refused(Reason("no_variation", "All ratings are the same, so there is no variance."), n)
    sizes = [len(set(codes.tolist())) for codes in levels.values()]
    if n == sizes[0] * sizes[1] * sizes[2]:
        variances, method = _by_mean_squares(scores, levels, sizes), "mean squares"
    else:
        variances, method = _by_reml(scores, levels), "REML"
    return Components(variances, method, n, says=_says(variances))


def _refused(reason: Reason, n_ratings: int) -> Components:
    return Components({}, None, n_ratings, reason.status, reason.says)


def _says(variances: Mapping[str, float]) -> str:
    total = sum(max(0.0, value) for value in variances.values())
    shares = {name: 100 * max(0.0, value) / total for name, value in variances.items()}
    text = (
        f"Of the variance of a single score {shares['response']:.0f} % reflects the answers, "
        f"{shares['grader']:.0f} % the graders' harshness."
    )
    negative = [name.replace("_", " by ") for name, value in variances.items() if value < 0]
    if negative:
        text += f" The estimate for {', '.join(negative)} is negative and counts as 0."
    return text


def _stacked(items: Mapping[str, Ratings]) -> tuple[Floats, dict[str, np.ndarray]]:
    scores, responses, graders, numbers = [], [], [], []
    for number, ratings in enumerate(items.values()):
        rows, columns = np.nonzero(ratings.codes >= 0)
        scores.append(ratings.scale.numbers[ratings.codes[rows, columns]])
        responses += [ratings.responses[row] for row in rows.tolist()]
        graders += [ratings.graders[column] for column in columns.tolist()]
        numbers += [number] * len(rows)
    return np.concatenate(scores), {
        "response": np.unique(responses, return_inverse=True)[1],
        "grader": np.unique(graders, return_inverse=True)[1],
        "item": np.array(numbers, dtype=np.int64),
    }


def _by_reml(scores: Floats, levels: Mapping[str, np.ndarray]) -> dict[str, float]:
    p, j, i = levels["response"], levels["grader"], levels["item"]
    wide = int(max(p.max(), j.max(), i.max())) + 1
    effects = {
        **levels,
        "response_grader": p * wide + j,
        "response_item": p * wide + i,
        "item_grader": i * wide + j,
    }
    found = crossed_reml(scores, effects)
    return {name: found[name] for name in ITEM_EFFECTS}


def _by_mean_squares(scores: Floats, levels: Mapping[str, np.ndarray], sizes: list[int]) -> dict[str, float]:
    n_p, n_j, n_i = sizes
    cube = np.empty((n_p, n_j, n_i))
    cube[levels["response"], levels["grader"], levels["item"]] = scores
    mean = cube.mean()
    p, j, i = (cube.mean(axis=axes) - mean for axes in ((1, 2), (0, 2), (0, 1)))
    pj = cube.mean(axis=2) - mean - p[:, None] - j[None, :]
    pi = cube.mean(axis=1) - mean - p[:, None] - i[None, :]
    ij = cube.mean(axis=0) - mean - j[:, None] - i[None, :]
    rest = cube - mean - p[:, None, None] - j[None, :, None] - i[None, None, :]
    rest -= pj[:, :, None] + pi[:, None, :] + ij[None, :, :]
    ms_p, ms_j, ms_i = (
        n_j * n_i * (p**2).sum() / (n_p - 1),
        n_p * n_i * (j**2).sum() / (n_j - 1),
        n_p * n_j * (i**2).sum() / (n_i - 1),
    )
    ms_pj = n_i * (pj**2).sum() / ((n_p - 1) * (n_j - 1))
    ms_pi = n_j * (pi**2).sum() / ((n_p - 1) * (n_i - 1))
    ms_ij = n_p * (ij**2).sum() / ((n_i - 1) * (n_j - 1))
    residual = (rest**2).sum() / ((n_p - 1) * (n_j - 1) * (n_i - 1))
    values = (
        (ms_p - ms_pj - ms_pi + residual) / (n_j * n_i),
        (ms_j - ms_pj - ms_ij + residual) / (n_p * n_i),
        (ms_i - ms_pi - ms_ij + residual) / (n_p * n_j),
        (ms_pj - residual) / n_i,
        (ms_pi - residual) / n_j,
        (ms_ij - residual) / n_p,
        residual,
    )
    return {name: float(value) for name, value in zip(ITEM_EFFECTS, values, strict=True)}
