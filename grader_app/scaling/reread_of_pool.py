"""The bias to expect of each re-read rule in a scaled pool, for the totals of its own re-read band."""

from __future__ import annotations

from math import inf

from grader_app.domain.reread_rule import RereadRule
from grader_app.domain.round import Cut
from grader_app.errors import ScalingProblem
from grader_app.scaling.cuts import step_of
from grader_app.scaling.mean_sigma import moments
from grader_app.scaling.reread_bias import BandBias, ReadModel, band_bias
from grader_app.scaling.scaled import Scaled

RULES_OF_TOTALS: tuple[RereadRule, ...] = ("replace", "mean", "higher")
"""A third read beyond a gap is decided item by item, so it has no figure for totals."""


def biases_of_pool(scaled: Scaled, cut: Cut | None, error_sd: float) -> tuple[BandBias, ...]:
    """Return what each rule does to the totals in the round's re-read band, or below its line without a band.

    Parameters
    ----------
    scaled
        Whose members' totals give mean and SD.
    cut
        The line and the band.
    error_sd
        SD of a total's error from one reading of the papers, in points of the total.

    Raises
    ------
    ScalingProblem
        There is no line, nothing varies, or the error is wider than the totals.

    Notes
    -----
    The ends of a band of rounded totals lie half a step further out.
    """
    if cut is None:
        raise ScalingProblem("The round has no line to read again below. Add a `cut` to the round.")
    totals = [row.total for row in scaled.candidates if row.in_scaling_group and row.total is not None]
    found = moments(totals, "totals of the scaling group")
    model = ReadModel(error_sd, found.mean, found.sd)
    half = step_of(scaled.rounding) / 2
    low = -inf if cut.reread_from is None else cut.reread_from - half
    high = cut.total - half if cut.reread_to is None else cut.reread_to + half
    return tuple(band_bias(rule, model, low, high) for rule in RULES_OF_TOTALS)
