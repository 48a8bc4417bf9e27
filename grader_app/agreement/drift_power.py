"""What the watch on drift can see: how soon it finds a shift, and which shifts escape it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from grader_app.agreement.codes import Floats
from grader_app.agreement.drift import ALLOWANCE
from grader_app.agreement.drift_simulation import highest_sums, simulated_differences
from grader_app.agreement.sentences import percent
from grader_app.agreement.subject import counted

SIMULATIONS = 4000
SHIFT_STEP = 0.05
"""Points between one shift tried and the next."""

VISIBLE = 0.8
"""Chance of being found from which a shift is called visible."""


@dataclass(frozen=True)
class DetectionDelay:
    """How soon a shift is found that begins before the first of the papers left.

    Parameters
    ----------
    shift_points
        The shift, in points.
    n_papers
        Validity papers left.
    detected
        Chance of being found within them.
    median, ninetieth
        Validity papers until half, or nine in ten, of such graders are found, counting the one that sets off
        the alarm; None when they are not found within the papers left.
    median_live, ninetieth_live
        The same in live papers.
    says
        The same in a sentence.
    """

    shift_points: float
    n_papers: int
    detected: float
    median: int | None
    ninetieth: int | None
    median_live: float | None
    ninetieth_live: float | None
    says: str


@dataclass(frozen=True)
class VisibleShift:
    """The smallest shift that is likely to be found in the papers of a round.

    Parameters
    ----------
    points
        In points; None when even the largest shift tried is likely to escape.
    n_papers
        Validity papers.
    says
        What that means, in a sentence.
    """

    points: float | None
    n_papers: int
    says: str


def detection_delay(
    shift_points: float,
    sd: float,
    limit: float,
    *,
    n_papers: int,
    live_per_validity: float,
    allowance: float = ALLOWANCE,
    step: float = 1.0,
    n_calibration: int = 30,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> DetectionDelay:
    """Simulate graders who shift before the first of the validity papers left, and see when they are found.

    Parameters
    ----------
    shift_points
        The shift, in points, in either direction.
    sd
        Standard deviation of reference minus score; see `usable_sd`.
    limit, allowance
        As in `watch`.
    n_papers
        Validity papers left.
    live_per_validity
        Live papers between one validity paper and the next.
    step
        The scale's step.
    n_calibration
        Papers from which the standard deviation is estimated.
    simulations, seed
        Simulated graders, and the seed of their errors.

    Returns
    -------
    DetectionDelay

    Notes
    -----
    The sums begin at 0. Half and nine in ten are of all such graders, found or not.

    Examples
    --------
    >>> found = detection_delay(1.0, 0.75, 6.6, n_papers=15, live_per_validity=20)
    >>> found.median, found.median_live, found.detected > 0.95
    (6, 120.0, True)
    """
    found = _found_by(
        abs(shift_points) / sd, n_papers, limit, allowance, step / sd, n_calibration, simulations, seed
    )
    median, ninetieth = (_first_at_least(found, share) for share in (0.5, 0.9))
    detected = found[-1] if found else 0.0
    live = [None if delay is None else float(delay * live_per_validity) for delay in (median, ninetieth)]
    says = _delay_says(abs(shift_points), n_papers, detected, median, live[0])
    return DetectionDelay(abs(shift_points), n_papers, detected, median, ninetieth, live[0], live[1], says)


def smallest_visible_shift(
    n_papers: int,
    sd: float,
    limit: float,
    *,
    allowance: float = ALLOWANCE,
    step: float = 1.0,
    largest: float = 3.0,
    n_calibration: int = 30,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> VisibleShift:
    """Find the smallest shift, in steps of 0.05 points, that is found with a chance of 0.8 or more.

    Parameters
    ----------
    n_papers
        Validity papers, all read after the shift.
    sd, limit, allowance, step, n_calibration, simulations, seed
        As for `detection_delay`.
    largest
        The largest shift tried, in points.

    Returns
    -------
    VisibleShift

    Examples
    --------
    >>> smallest_visible_shift(15, 0.75, 6.6).points
    0.65
    """

    def is_visible(place: int) -> bool:
        shift = place * SHIFT_STEP / sd
        found = _found_by(shift, n_papers, limit, allowance, step / sd, n_calibration, simulations, seed)
        return bool(found) and found[-1] >= VISIBLE

    top = math.floor(largest / SHIFT_STEP + 1e-9)
    if not is_visible(top):
        papers = counted(n_papers, "validity paper")
        says = f"With {papers} even a shift of {largest:g} points may well go unseen."
        return VisibleShift(None, n_papers, says)
    hidden, visible = 0, top
    while visible - hidden > 1:
        middle = (hidden + visible) // 2
        hidden, visible = (hidden, middle) if is_visible(middle) else (middle, visible)
    points = round(visible * SHIFT_STEP, 2)
    says = (
        f"With {counted(n_papers, 'validity paper')} a shift of {points:g} points or more is found in at "
        f"least {percent(VISIBLE)} of cases; a smaller one may well go unseen."
    )
    return VisibleShift(points, n_papers, says)


@lru_cache(maxsize=256)
def _found_by(
    shift: float,
    n_papers: int,
    limit: float,
    allowance: float,
    steps: float,
    n_calibration: int,
    simulations: int,
    seed: int,
) -> tuple[float, ...]:
    """Return the share of shifted graders found by each paper; shift and steps are in standard deviations."""
    if n_papers < 1:
        return ()
    z: Floats = simulated_differences(n_papers, min(steps, 2.0), n_calibration, simulations, seed, shift)
    return tuple((highest_sums(z, allowance) >= limit).mean(axis=1).tolist())


def _first_at_least(found: tuple[float, ...], share: float) -> int | None:
    return next((place for place, reached in enumerate(found, start=1) if reached >= share), None)


def _delay_says(shift: float, n_papers: int, detected: float, median: int | None, live: float | None) -> str:
    chance = f"A shift of {shift:g} points is found in {percent(detected)} of cases"
    within = f"within the {counted(n_papers, 'validity paper')} left"
    if median is None or live is None:
        return f"{chance} {within}."
    half = f"half of the time by the {_ordinal(median)}, after about {round(live)} live papers"
    return f"{chance} {within}; {half}."


def _ordinal(number: int) -> str:
    """Write a place in an order.

    Examples
    --------
    >>> _ordinal(1), _ordinal(12), _ordinal(23)
    ('1st', '12th', '23rd')
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
