"""Why a figure cannot be computed, in the order in which the reasons are looked for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grader_app.agreement.estimate import Status
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.scale import Scale

FEWEST_FOR_VALUE = 2
"""One response shared by two graders shows nothing: every figure is ``too_few``."""

FEWEST_FOR_INTERVAL = 5
"""Below this many responses a value is shown without an interval."""


class Reason(NamedTuple):
    """A status other than ``ok`` with its sentence."""

    status: Status
    says: str


def panel_reason(ratings: Ratings, *, needs_variation: bool = True) -> Reason | None:
    """Return why no figure of the whole panel can be computed; None when it can.

    Parameters
    ----------
    ratings
        The table.
    needs_variation
        False for plain shares of agreement, which exist also where nothing varies.
    """
    if ratings.n_graders == 1:
        return Reason(
            "one_grader",
            f"All ratings are by one grader ({ratings.graders[0]}), so agreement cannot be computed. "
            "Have a second grader score some of the same answers.",
        )
    reason = overlap_reason(ratings.n_paired)
    if reason is None and needs_variation and not ratings.paired_variation:
        reason = _all_the_same(ratings)
    return reason


def overlap_reason(n_shared: int, who: str = "two people") -> Reason | None:
    """Return why so few shared responses allow no figure."""
    if n_shared == 0:
        return Reason(
            "no_overlap",
            f"No answer was graded by {who}, so agreement cannot be computed. It takes shared answers.",
        )
    if n_shared < FEWEST_FOR_VALUE:
        return Reason(
            "too_few",
            f"Only one answer was graded by {who}, too few for any figure. Assign more shared answers.",
        )
    return None


def complete_reason(ratings: Ratings) -> Reason | None:
    """Return why a figure over responses that every grader scored cannot be computed."""
    n_complete = len(ratings.complete)
    if n_complete < FEWEST_FOR_VALUE:
        return Reason(
            "too_few",
            f"This figure needs answers scored by all {ratings.n_graders} graders, and there "
            f"{'is one' if n_complete == 1 else 'are none'}. Use a figure that allows for missing ratings.",
        )
    return None


def numbers_reason(scale: Scale) -> Reason | None:
    """Return why a figure that needs distances between scores does not apply."""
    if scale.is_numeric:
        return None
    return Reason(
        "not_applicable",
        "The scores are names, without distances between them, and this figure needs numbers. "
        "Use kappa, AC1 or alpha at the nominal or ordinal level.",
    )


def no_interval_remark(n_responses: int) -> str:
    """Return the sentence that stands in for an interval when there are too few responses."""
    return f"No interval is shown below {FEWEST_FOR_INTERVAL} answers; here there are {n_responses}."


def _all_the_same(ratings: Ratings) -> Reason:
    only = ratings.scale.labels[int(ratings.paired.max())]
    n = int(np.count_nonzero(ratings.paired >= 0))
    return Reason(
        "no_variation",
        f"All {n} ratings of shared answers are {only}. The graders agree exactly, but nothing varies, so "
        "agreement beyond chance cannot be shown and this figure is undefined.",
    )
