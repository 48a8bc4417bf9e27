"""What a packet and its gates can tell: the chance that graders of known quality pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grader_app.agreement.codes import Floats
from grader_app.agreement.sentences import percent
from grader_app.agreement.simulated_graders import (
    GraderError,
    passes,
    simulated_figures,
    simulated_rank_shares,
)
from grader_app.agreement.subject import counted
from grader_app.domain.score_range import ScoreRange

GOOD_NOISE = 0.7
"""Noise of a good grader, in points: alone it gives about 97 % of papers within one point."""

BAD_NOISE = 1.2
BAD_LEVEL = 0.75
NARROW_SLOPE = 0.6

NOISES = (0.5, GOOD_NOISE, 0.9, BAD_NOISE)
LEVELS = (0.25, 0.5, BAD_LEVEL)

LARGEST_CHANCE = 0.10
"""Of failing a good grader, or passing one off in level or noise: above it a packet does not do."""


@dataclass(frozen=True)
class Chance:
    """How likely graders of one kind pass all gates.

    Parameters
    ----------
    noise, level, slope
        The kind; see `GraderError`. Positive level is harsh.
    passes
        Share of simulated graders who passed.
    error
        Standard error of that share from simulating a finite number.
    says
        The same in a sentence.
    """

    noise: float
    level: float
    slope: float
    passes: float
    error: float
    says: str


@dataclass(frozen=True)
class Verdict:
    """Whether gates and packet tell good graders from others.

    Parameters
    ----------
    good_fails
        Chance that a good grader (noise 0.7, no level error) fails.
    level_passes
        Chance that one who is 0.75 off in level passes; the larger one of harsh and lenient.
    noise_passes
        Chance that one with noise 1.2 passes.
    adequate
        Whether none of the three exceeds 10 %.
    says
        The same in sentences.
    """

    good_fails: float
    level_passes: float
    noise_passes: float
    adequate: bool
    says: str


@dataclass(frozen=True)
class OperatingCharacteristic:
    """The chances of passing, by kind of grader.

    Parameters
    ----------
    n_papers
        Papers that are ranked and scored.
    simulations
        Simulated graders of each kind.
    chances
        One for each noise, then for each level error below and above, then for a narrow slope.
    verdict
        What follows.
    """

    n_papers: int
    simulations: int
    chances: tuple[Chance, ...]
    verdict: Verdict

    def as_dict(self) -> dict[str, object]:
        """Return the fields as plain Python, ready for JSON."""
        return {
            "n_papers": self.n_papers,
            "simulations": self.simulations,
            "chances": [vars(chance).copy() for chance in self.chances],
            "verdict": vars(self.verdict).copy(),
        }


def operating_characteristic(
    reference: Sequence[float],
    scale: ScoreRange,
    *,
    rank_order_at_least: float | None = None,
    exact_or_adjacent_at_least: float | None = None,
    quadratic_weighted_kappa_at_least: float | None = None,
    severity_within: float | None = None,
    simulations: int = 4000,
    seed: int = 0,
) -> OperatingCharacteristic:
    """Simulate graders of known quality on a packet and count who passes all its gates.

    Parameters
    ----------
    reference
        Reference scores of the papers that are ranked and scored; anchors are not among them.
    scale
        The scale of the scores.
    rank_order_at_least, exact_or_adjacent_at_least, quadratic_weighted_kappa_at_least, severity_within
        The gates; one that is None is not used.
    simulations, seed
        Simulated graders of each kind, and the seed of their errors.

    Returns
    -------
    OperatingCharacteristic

    Raises
    ------
    ValueError
        When there are no papers or no simulations.

    Notes
    -----
    What a grader sees is the reference plus normal noise, in the ranking and, drawn anew, in the
    scoring; the score is the nearest score point. Rankings have no ties. A level error shifts the
    scores, a slope pulls them towards the reference mean; neither touches the ranking. All kinds share
    their draws, so that differences between rows owe little to the simulation. Each row is one attempt.

    Examples
    --------
    >>> packet = [1] * 2 + [2] * 5 + [3] * 8 + [4] * 8 + [5] * 5 + [6] * 2
    >>> found = operating_characteristic(packet, ScoreRange(0, 6, 1), severity_within=0.5)
    >>> found.verdict.good_fails < 0.01, found.verdict.noise_passes > 0.9, found.verdict.adequate
    (True, True, False)
    """
    points = np.asarray(reference, dtype=np.float64)
    if not len(points) or simulations < 1:
        raise ValueError("There must be at least one paper and one simulation.")
    gates = (
        rank_order_at_least,
        exact_or_adjacent_at_least,
        quadratic_weighted_kappa_at_least,
        severity_within,
    )
    draws = paired_draws(len(points), simulations, seed)
    ranks = {noise: simulated_rank_shares(points, noise, draws[0]) for noise in NOISES}
    chances = []
    for error in grader_errors():
        figures = simulated_figures(points, scale, error, ranks[error.noise], draws[1])
        chances.append(_chance(error, float(passes(figures, *gates).mean()), simulations))
    found = tuple(chances)
    return OperatingCharacteristic(len(points), simulations, found, _verdict(found, len(points)))


def grader_errors() -> tuple[GraderError, ...]:
    """Return the kinds of graders that are simulated, in the order in which they are shown."""
    noisy = tuple(GraderError(noise) for noise in NOISES)
    off = tuple(GraderError(GOOD_NOISE, sign * level) for level in LEVELS for sign in (1, -1))
    return (*noisy, *off, GraderError(GOOD_NOISE, 0.0, NARROW_SLOPE))


@lru_cache(maxsize=4)
def paired_draws(n_papers: int, simulations: int, seed: int) -> tuple[Floats, Floats]:
    """Return the errors of ranking and scoring, one row a paper, one column a grader."""
    random = np.random.Generator(np.random.SFC64(seed))
    both = random.standard_normal((2, n_papers, simulations))
    return both[0], both[1]


def verdict_of(good_fails: float, level_passes: float, noise_passes: float) -> bool:
    """Say whether none of the three chances is too large."""
    return max(good_fails, level_passes, noise_passes) <= LARGEST_CHANCE


def _chance(error: GraderError, share: float, simulations: int) -> Chance:
    return Chance(
        *error,
        passes=share,
        error=math.sqrt(share * (1 - share) / simulations),
        says=f"A grader {_described(error)} passes in {percent(share)} of cases.",
    )


def _described(error: GraderError) -> str:
    if error.level:
        side = "below" if error.level > 0 else "above"
        return f"whose scores lie {abs(error.level):g} points {side} the reference"
    if error.slope != 1:
        return f"who goes up {error.slope:g} points where the reference goes up 1"
    return f"whose scores scatter by {error.noise:g} points about the reference"


def _verdict(chances: Sequence[Chance], n_papers: int) -> Verdict:
    by_kind = {(chance.noise, chance.level, chance.slope): chance.passes for chance in chances}
    good_fails = 1 - by_kind[GOOD_NOISE, 0.0, 1.0]
    level = max(by_kind[GOOD_NOISE, BAD_LEVEL, 1.0], by_kind[GOOD_NOISE, -BAD_LEVEL, 1.0])
    noise = by_kind[BAD_NOISE, 0.0, 1.0]
    adequate = verdict_of(good_fails, level, noise)
    return Verdict(good_fails, level, noise, adequate, _verdict_says(good_fails, level, noise, n_papers))


def _verdict_says(good_fails: float, level: float, noise: float, n_papers: int) -> str:
    facts = (
        f"A good grader fails in {percent(good_fails)} of cases, one who scores {BAD_LEVEL:g} points too low "
        f"or too high passes in {percent(level)}, one whose scores scatter by {BAD_NOISE:g} points in "
        f"{percent(noise)}."
    )
    return f"{facts} {_conclusion(good_fails, level, noise, n_papers)}"


def _conclusion(good_fails: float, level: float, noise: float, n_papers: int) -> str:
    most = percent(LARGEST_CHANCE)
    papers = counted(n_papers, "paper")
    strict = good_fails > LARGEST_CHANCE
    loose = [
        what
        for what, chance in (("too low or too high", level), ("at random", noise))
        if chance > LARGEST_CHANCE
    ]
    if strict and loose:
        return (
            f"{papers} are too few for these gates: they fail good graders and pass others, each in more "
            f"than {most} of cases. Add papers."
        )
    if strict:
        return f"These gates are too strict for {papers}: good graders fail in more than {most} of cases."
    if loose:
        return (
            f"These gates are too loose for {papers}: graders who score {' or '.join(loose)} pass in more "
            f"than {most} of cases. Set the gates higher or add papers."
        )
    return f"With {papers} these gates tell good graders from the others, each error at most {most}."
