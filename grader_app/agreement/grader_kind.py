"""What kind of grader someone is: severe, lenient, compressed, random or fine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import ndtr

from grader_app.agreement.against_reference import AgainstReference, places
from grader_app.agreement.codes import Floats
from grader_app.agreement.estimate import Status
from grader_app.agreement.operating_characteristic import BAD_LEVEL, BAD_NOISE, GOOD_NOISE, NARROW_SLOPE
from grader_app.agreement.rank_gate import PairsInOrder
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.sentences import percent
from grader_app.agreement.simulated_graders import simulated_rank_shares
from grader_app.agreement.subject import YOU, counted, does, own

Kind = Literal["severe", "lenient", "compressed", "random", "fine"]

LEVELS = (BAD_LEVEL, 1.0, 1.5, 2.0, 3.0)
SLOPES = (NARROW_SLOPE, 0.4, 0.2, 0.0)
NOISES = (GOOD_NOISE, 0.5, 0.35)
RANDOM_NOISES = (BAD_NOISE, 1.6, 2.2, 3.0)

BENEFIT_OF_DOUBT = 0.3
"""Natural logarithm by which another kind must explain the scores better than "fine" does.

Chosen by simulation, with the packet 2/5/8/8/5/2 at scores 1 to 6 and 30,000 graders of each kind: at 0 good
graders are named right in as few as 94.5 %, at 0.6 compressed ones in 94.6 %, at 0.3 each kind in 95.4 % or
more."""

FEWEST_FOR_KIND = 10
"""Below this many papers even a point of harshness is often luck, and no kind is named."""

SIX_STEPS = 6
"""Levels and noises are meant for a scale of 0 to 6 and stretch with longer ones."""

RANKINGS = 1000
LEAST_CHANCE = 1e-12


class Description(NamedTuple):
    """One way of grading: see `GraderError`."""

    level: float
    slope: float
    noise: float


DESCRIPTIONS: dict[Kind, tuple[Description, ...]] = {
    "fine": tuple(Description(0.0, 1.0, noise) for noise in NOISES),
    "severe": tuple(Description(level, 1.0, noise) for level in LEVELS for noise in NOISES),
    "lenient": tuple(Description(-level, 1.0, noise) for level in LEVELS for noise in NOISES),
    "compressed": tuple(Description(0.0, slope, noise) for slope in SLOPES for noise in NOISES),
    # Scores that do not follow the reference at all are no narrow use of the scale.
    "random": tuple(Description(0.0, slope, noise) for slope in (1.0, 0.0) for noise in RANDOM_NOISES),
}


@dataclass(frozen=True)
class GraderKind:
    """The kind of grader that explains the scores best.

    Parameters
    ----------
    kind
        None when there are too few papers to say.
    says
        The kind with its number, in a sentence.
    status
        ``ok``, or ``too_few``.
    """

    kind: Kind | None
    says: str
    status: Status = "ok"


def grader_kind(
    report: AgainstReference, pairs: PairsInOrder | None = None, subject: str = YOU
) -> GraderKind:
    """Name the kind of grader under which the scores, and the ranking if given, are most likely.

    Parameters
    ----------
    report
        The scores against the reference.
    pairs
        The same grader's ranking. Without it, random graders are taken for good ones more often.
    subject
        Subject of the sentence.

    Returns
    -------
    GraderKind

    Notes
    -----
    Each kind stands for a family of simple graders who see the reference plus normal noise and give the
    nearest score point: fine graders with noise up to 0.7 points, severe and lenient ones off by 0.75 or
    more, compressed ones going up 0.6 points or less where the reference goes up 1, random ones with
    noise of 1.2 or more, whether or not they follow the reference. Named is the kind with the likeliest
    member. Score points beyond those used on either side are not expected, since a grader may avoid an
    end of the scale. A ranking adds how likely its share of right pairs is (pairs ranked equal count
    half), normal on the arcsine scale.

    With 30 papers no rule on scores alone can name both good and random graders right in 95 of 100: that of
    the most probable kind names 93. With the ranking, all kinds are named right in 95.4 of 100 or more, in
    simulations of 30,000 graders of each kind (level ±0.75, slope 0.6, noise 1.2, else noise 0.7; scores
    kept to 0-6 or to 1-6). See also tests/benchmarks/calibration_simulation.py.

    Examples
    --------
    >>> from grader_app.agreement.against_reference import against_reference
    >>> from grader_app.domain.score_range import ScoreRange
    >>> reference = [1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6]
    >>> report = against_reference([max(score - 1, 0) for score in reference], reference, ScoreRange(0, 6, 1))
    >>> grader_kind(report).says
    'You score 1.0 points below the reference on the same 12 papers: severe.'
    """
    if report.n < FEWEST_FOR_KIND:
        says = (
            f"{counted(report.n, 'paper')} {'is' if report.n == 1 else 'are'} too few to say what kind of "
            f"grader this is; it takes {FEWEST_FOR_KIND}."
        )
        return GraderKind(None, says, "too_few")
    likely = _likelihoods(report, pairs)
    likely["fine"] += BENEFIT_OF_DOUBT
    kind = max(likely, key=lambda one: likely[one])
    return GraderKind(kind, _says(kind, report, pairs, subject))


def _likelihoods(report: AgainstReference, pairs: PairsInOrder | None) -> dict[Kind, float]:
    """Return the log likelihood of the likeliest member of each kind."""
    scores, reference = np.asarray(report.scores), np.asarray(report.reference)
    unit = max(1.0, report.scale.step, (report.scale.highest - report.scale.lowest) / SIX_STEPS)
    every = [one for family in DESCRIPTIONS.values() for one in family]
    cuts, codes = _cuts_and_codes(scores, reference, np.asarray(report.scale.values()))
    total = _log_chances(every, reference, unit, cuts, codes)
    if pairs is not None and pairs.n_pairs:
        total += _rank_evidence(every, reference, unit, pairs)
    kinds = [kind for kind, family in DESCRIPTIONS.items() for _ in family]
    best: dict[Kind, float] = {}
    for kind, value in zip(kinds, total.tolist(), strict=True):
        best[kind] = max(value, best.get(kind, value))
    return best


def _cuts_and_codes(scores: Floats, reference: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return the borders between the score points in use, and the place of each score among them."""
    codes, others = places(scores, points), places(reference, points)
    low, high = min(codes.min(), others.min()), max(codes.max(), others.max())
    used = points[low : high + 1]
    return (used[1:] + used[:-1]) / 2, codes - low


def _log_chances(
    every: list[Description], reference: Floats, unit: float, cuts: Floats, codes: Floats
) -> Floats:
    """Return how likely all scores together are under each description, as a logarithm."""
    level, slope, noise = (np.array(column)[:, np.newaxis] for column in zip(*every, strict=True))
    expected = reference.mean() + slope * (reference - reference.mean()) - level * unit
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    upper, lower = (ndtr((edges[codes + side][np.newaxis] - expected) / (noise * unit)) for side in (1, 0))
    total: Floats = np.log(np.maximum(upper - lower, LEAST_CHANCE)).sum(axis=1)
    return total


def _rank_evidence(every: list[Description], reference: Floats, unit: float, pairs: PairsInOrder) -> Floats:
    """Return how likely the ranking's share of right pairs is under each description."""
    seen = _arcsine(np.array([(pairs.right + pairs.tied / 2) / pairs.n_pairs]))[0]
    known = _rank_moments(tuple(reference.tolist()), unit)

    def of_noise(noise: float) -> float:
        mean, sd = known[noise]
        return float(-0.5 * ((seen - mean) / sd) ** 2 - np.log(sd))

    # A compressed grader may rank like a good one, or on what little difference it sees.
    return np.array(
        [
            max(of_noise(one.noise), of_noise(GOOD_NOISE / NARROW_SLOPE))
            if one in DESCRIPTIONS["compressed"]
            else of_noise(one.noise)
            for one in every
        ]
    )


@lru_cache(maxsize=8)
def _rank_moments(reference: tuple[float, ...], unit: float) -> dict[float, tuple[float, float]]:
    """Return mean and standard deviation of the share of right pairs by noise, on the arcsine scale."""
    points = np.asarray(reference)
    draws = np.random.Generator(np.random.SFC64(0)).standard_normal((len(points), RANKINGS))
    moments = {}
    for noise in (*NOISES, *RANDOM_NOISES, GOOD_NOISE / NARROW_SLOPE):
        shares = _arcsine(simulated_rank_shares(points, noise * unit, draws))
        # With few pairs all simulated rankings may be right; one pair more or less stays possible.
        moments[noise] = (float(shares.mean()), max(float(shares.std()), 0.5 / len(points)))
    return moments


def _arcsine(shares: Floats) -> Floats:
    turned: Floats = np.arcsin(np.sqrt(shares))
    return turned


def _says(kind: Kind, report: AgainstReference, pairs: PairsInOrder | None, subject: str) -> str:
    severity, slope, scatter = report.severity.value or 0.0, report.slope.value, report.difference_sd
    where = f"on the same {counted(report.n, 'paper')}"
    if kind in ("severe", "lenient"):
        side = "below" if severity > 0 else "above"
        return f"{does(subject, 'score')} {abs(severity):.1f} points {side} the reference {where}: {kind}."
    if kind == "random":
        order = "" if pairs is None else _order_says(pairs)
        text = f"{own(subject, 'scores')} scatter by {scatter:.1f} points about the reference {where}"
        return f"{text}{order}: random."
    if kind == "compressed":
        return (
            f"{own(subject, 'scores')} go up {slope or 0.0:.1f} points where the reference goes up 1, "
            f"{where}: compressed."
        )
    return (
        f"{own(subject, 'mean')} {_mean_says(severity)} the reference {where}, and single scores scatter by "
        f"{scatter:.1f}: fine."
    )


def _mean_says(severity: float) -> str:
    """Say on which side of the reference a mean lies.

    Examples
    --------
    >>> _mean_says(0.3), _mean_says(-0.04), _mean_says(0.0)
    ('lies 0.3 points below', 'lies less than 0.1 points above', 'is the same as')
    """
    if abs(severity) <= TOLERANCE:
        return "is the same as"
    near = "less than 0.1" if abs(severity) < 0.05 else f"{abs(severity):.1f}"
    return f"lies {near} points {'below' if severity > 0 else 'above'}"


def _order_says(pairs: PairsInOrder) -> str:
    if pairs.share.value is None:
        return ""
    return f", and the ranking has {percent(pairs.share.value)} of pairs in the right order"
