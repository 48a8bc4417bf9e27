"""Has a grader moved since calibration: a two-sided cumulative sum over validity papers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.drift_simulation import highest_sums, simulated_differences
from grader_app.agreement.subject import YOU, counted, does

ALLOWANCE = 0.25
"""Part of a standard deviation a day that is forgiven at every paper.

Half of the smallest shift worth finding, in standard deviations, is best in the long run (0.5 for a shift of
1). Rounds hold few validity papers, so a smaller one finds more: of graders with noise 0.7 who score 0.75
points lower from the fourth of 15 papers on, 83 % at 0.25 and 77 % at 0.5, with 5 % false alarms in both."""

FALSE_ALARM_RATE = 0.05
SIMULATIONS = 8000

Direction = Literal["harsher", "more lenient"]


@dataclass(frozen=True)
class CusumLimit:
    """The sum at which the alarm goes off, and how often it does for a grader who has not moved.

    Parameters
    ----------
    limit
        In standard deviations.
    rate, error
        Share of simulated good graders with an alarm by the end of the round, and its standard error.
    n_papers
        Validity papers in the round.
    allowance
        Forgiven at every paper, in standard deviations.
    """

    limit: float
    rate: float
    error: float
    n_papers: int
    allowance: float

    def panel_rate(self, n_graders: int) -> float:
        """Return the chance of at least one false alarm among graders who have not moved: 1 - (1 - a)^G.

        Examples
        --------
        >>> round(CusumLimit(6.6, 0.05, 0.0, 15, 0.25).panel_rate(6), 3)
        0.265
        """
        return 1 - (1 - self.rate) ** n_graders

    def says(self, n_graders: int = 1) -> str:
        """Say how often the alarm is false, for one grader or a panel."""
        one = (
            f"A grader who has not moved sets off the alarm in {100 * self.rate:.1f} % of rounds of "
            f"{counted(self.n_papers, 'validity paper')}"
        )
        if n_graders < 2:
            return f"{one}."
        return (
            f"{one}; with {n_graders} graders at least one does in {100 * self.panel_rate(n_graders):.0f} %."
        )


@dataclass(frozen=True)
class Watched:
    """Both cumulative sums of one grader, in reading order.

    Parameters
    ----------
    harsher, more_lenient
        The sums after each paper, in standard deviations.
    limit
        Where the alarm goes off.
    alarm
        Place of the first paper at which a sum reaches the limit, 0 being the first; None without alarm.
    direction
        Which way, or None.
    says
        The same in a sentence.
    """

    harsher: tuple[float, ...]
    more_lenient: tuple[float, ...]
    limit: float
    alarm: int | None
    direction: Direction | None
    says: str


def watch(
    differences: Sequence[float],
    sd: float,
    limit: float,
    allowance: float = ALLOWANCE,
    *,
    subject: str = YOU,
) -> Watched:
    """Add up how far a grader lies from the reference, paper after paper, in both directions.

    Parameters
    ----------
    differences
        Reference minus the grader's score of each validity paper, in reading order.
    sd
        Standard deviation of these differences in calibration; see `usable_sd`.
    limit
        From `cusum_limit`, for the same allowance.
    allowance
        Forgiven at every paper, in standard deviations.
    subject
        Of the sentence: "You", or a grader's name.

    Returns
    -------
    Watched

    Raises
    ------
    ValueError
        When the standard deviation is not above 0.

    Notes
    -----
    With z = difference / sd: S⁺ = max(0, S⁺ + z - k) for harsher, S⁻ = max(0, S⁻ - z - k) for more
    lenient; alarm once either reaches the limit. The sums go on after an alarm.

    References
    ----------
    Page (1954), Biometrika 41:100-115.

    Examples
    --------
    >>> seen = watch([0, 1, 1, 1], 1.0, 2.0, 0.25)
    >>> seen.harsher, seen.alarm, seen.direction
    ((0.0, 0.75, 1.5, 2.25), 3, 'harsher')
    """
    if not sd > 0:
        raise ValueError(f"The standard deviation is {sd}; it must be above 0.")
    up, down = [], []
    harsher = lenient = 0.0
    for difference in differences:
        harsher = max(0.0, harsher + difference / sd - allowance)
        lenient = max(0.0, lenient - difference / sd - allowance)
        up.append(harsher)
        down.append(lenient)
    alarm = next((place for place, sums in enumerate(zip(up, down, strict=True)) if max(sums) >= limit), None)
    direction: Direction | None = None
    if alarm is not None:
        direction = "harsher" if up[alarm] >= down[alarm] else "more lenient"
    says = _says(alarm, direction, len(up), subject)
    return Watched(tuple(up), tuple(down), limit, alarm, direction, says)


def usable_sd(difference_sd: float, step: float) -> float:
    """Return a grader's standard deviation, and half a step where calibration shows less.

    Notes
    -----
    A grader who happened to match the reference on every calibration paper would otherwise be accused
    of drift by the first miss.

    Examples
    --------
    >>> usable_sd(0.0, 1.0), usable_sd(0.7, 1.0)
    (0.5, 0.7)
    """
    return max(difference_sd, step / 2)


def cusum_limit(
    n_papers: int,
    *,
    false_alarm_rate: float = FALSE_ALARM_RATE,
    allowance: float = ALLOWANCE,
    n_calibration: int = 30,
    step_over_sd: float = 0.0,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> CusumLimit:
    """Find the limit at which a grader who has not moved rarely sets off the alarm in the whole round.

    Parameters
    ----------
    n_papers
        Validity papers that a grader reads in the round.
    false_alarm_rate
        The most that is accepted, for one grader and both directions together.
    allowance
        Forgiven at every paper, in standard deviations.
    n_calibration
        Papers from which the grader's standard deviation is estimated.
    step_over_sd
        The scale's step divided by that standard deviation; 0 for scores without steps. Taken to two
        decimals, so that graders who are alike share a limit.
    simulations, seed
        Simulated graders, and the seed of their errors.

    Returns
    -------
    CusumLimit
        The limit in hundredths.

    Raises
    ------
    ValueError
        When there is no paper, fewer than two calibration papers, or the rate is not between 0 and 1.

    Notes
    -----
    Each simulated grader has normal errors, gives the nearest score point, and is judged by a standard
    deviation estimated from its own simulated calibration, as real ones are: a limit for a known one
    would be passed too often.

    Examples
    --------
    >>> found = cusum_limit(15, step_over_sd=1.3)
    >>> 6 < found.limit < 7, found.rate <= 0.05
    (True, True)
    """
    if n_papers < 1 or n_calibration < 2 or not 0 < false_alarm_rate < 1:
        raise ValueError("A limit needs a paper, two calibration papers, and a rate between 0 and 1.")
    # Half a step is the least standard deviation in use, so steps are never wider than two of them.
    steps = min(round(step_over_sd, 2), 2.0)
    highest = _highest(n_papers, allowance, n_calibration, steps, simulations, seed)
    allowed = math.floor(false_alarm_rate * simulations)
    limit = math.floor(100 * float(highest[simulations - allowed - 1])) / 100 + 0.01
    rate = float((highest >= limit).mean())
    return CusumLimit(round(limit, 2), rate, math.sqrt(rate * (1 - rate) / simulations), n_papers, allowance)


@lru_cache(maxsize=64)
def _highest(
    n_papers: int, allowance: float, n_calibration: int, steps: float, simulations: int, seed: int
) -> Floats:
    """Return the highest sum of each simulated grader who has not moved, in order of size."""
    z = simulated_differences(n_papers, steps, n_calibration, simulations, seed)
    return np.sort(highest_sums(z, allowance)[-1])


def _says(alarm: int | None, direction: Direction | None, n: int, subject: str) -> str:
    if n == 0:
        return f"{does(subject, 'await')} the first validity paper."
    if alarm is None or direction is None:
        whose = "Your" if subject == YOU else f"{subject}'s"
        return (
            f"{whose} running sum has stayed below its limit over {counted(n, 'validity paper')}: no alarm."
        )
    who = "You have" if subject == YOU else f"{subject} has"
    return f"{who} become {direction}: the alarm went off at validity paper {alarm + 1} of {n}."
