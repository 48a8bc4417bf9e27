"""What the literature calls good, beside a figure and with its source, judged at the interval's lower end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grader_app.agreement.estimate import Estimate


class Band(NamedTuple):
    """From this value up, these words are used."""

    least: float
    words: str


class Guide(NamedTuple):
    """Bands for a figure, highest first, with what is below them and the source."""

    bands: Sequence[Band]
    below: str
    source: str


KRIPPENDORFF = Guide(
    (Band(0.8, "reliable"), Band(0.667, "fit for tentative conclusions only")),
    "not reliable enough for conclusions",
    "Krippendorff (2018)",
)
KOO_LI = Guide((Band(0.9, "excellent"), Band(0.75, "good"), Band(0.5, "moderate")), "poor", "Koo & Li (2016)")
LANDIS_KOCH = Guide(
    (
        Band(0.81, "almost perfect"),
        Band(0.61, "substantial"),
        Band(0.41, "moderate"),
        Band(0.21, "fair"),
        Band(0.0, "slight"),
    ),
    "poor",
    "Landis & Koch (1977), bands arbitrary by their own words",
)
WILLIAMSON = Guide(
    (Band(0.7, "enough for two readers of essays"),),
    "below what is asked of two readers of essays",
    "Williamson, Xi & Breyer (2012)",
)

GUIDES = {
    "krippendorff_alpha": KRIPPENDORFF,
    "cohen_kappa": LANDIS_KOCH,
    "fleiss_kappa": LANDIS_KOCH,
    "conger_kappa": LANDIS_KOCH,
    "quadratic_weighted_kappa": WILLIAMSON,
    "pearson_r": WILLIAMSON,
} | dict.fromkeys(("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k"), KOO_LI)


def guidance(estimate: Estimate) -> str | None:
    """Return what the literature would call a figure; None when there is no guide or no interval.

    Parameters
    ----------
    estimate
        The figure; its interval's lower end is judged, so that few answers are not flattered.

    Returns
    -------
    str or None

    Examples
    --------
    >>> found = Estimate(name="krippendorff_alpha", value=0.85, low=0.72, high=0.93, says="", n_responses=40)
    >>> guidance(found)
    "At the interval's lower end, 0.72: fit for tentative conclusions only (Krippendorff (2018))."
    """
    guide = GUIDES.get(estimate.name)
    if guide is None or estimate.low is None:
        return None
    words = next((band.words for band in guide.bands if estimate.low >= band.least), guide.below)
    return f"At the interval's lower end, {estimate.low:.2f}: {words} ({guide.source})."


def prevalence_note(exact: Estimate, kappa: Estimate) -> str | None:
    """Return a warning where graders agree often and kappa is low, since one score prevails."""
    if exact.value is None or kappa.value is None or exact.value < 0.8 or kappa.value >= 0.4:
        return None
    return (
        f"Graders agree in {100 * exact.value:.0f} % of cases although kappa is {kappa.value:.2f}: nearly "
        "all scores are the same one. See AC1 and how often each score is used."
    )
