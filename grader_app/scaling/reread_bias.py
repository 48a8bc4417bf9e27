"""What a re-read rule does to scores on average: its bias, for all papers and for those in a band."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import erf, exp, inf, isfinite, pi, sqrt

from numpy.polynomial.legendre import leggauss

from grader_app.domain.reread_rule import RereadRule, check_rule
from grader_app.errors import ScalingProblem

_TAILS = 9.0  # SDs from the mean beyond which no score is expected
_PIECES = 40
_NODES = [(float(place), float(weight)) for place, weight in zip(*leggauss(8), strict=True)]


@dataclass(frozen=True)
class ReadModel:
    """Reads of a pool: independent normal errors around normal true scores.

    Parameters
    ----------
    error_sd
        SD of one read's error, in points, above 0.
    score_mean, score_sd
        Mean and SD of first reads in the pool, in the same points; the SD is above `error_sd`, since first
        reads hold true differences and error.

    Raises
    ------
    ScalingProblem
        A number is not finite, or an SD cannot be.
    """

    error_sd: float
    score_mean: float
    score_sd: float

    def __post_init__(self) -> None:
        _check_error(self.error_sd)
        if not (isfinite(self.score_mean) and isfinite(self.score_sd) and self.score_sd > self.error_sd):
            raise ScalingProblem(
                f"Scores of mean {self.score_mean:g} and SD {self.score_sd:g} cannot come from reads "
                f"whose error has an SD of {self.error_sd:g}. Give a score SD above the error SD."
            )

    @property
    def reliability(self) -> float:
        """Share of the variance of first reads that is true difference, 0 to 1."""
        return 1 - (self.error_sd / self.score_sd) ** 2


@dataclass(frozen=True)
class BandBias:
    """What becomes of the papers in a band when they are read again, in points.

    Parameters
    ----------
    share
        Of all papers that lie in the band, 0 to 1.
    before
        Mean of first read minus true score, for papers in the band.
    after
        Mean of combined score minus true score, for the same papers.
    """

    rule: RereadRule
    share: float
    before: float
    after: float

    @property
    def move(self) -> float:
        """Mean of combined score minus first read, for papers in the band."""
        return self.after - self.before

    @property
    def everyone(self) -> float:
        """Mean of reported minus true score over all papers; first reads have 0."""
        return self.share * self.move

    def as_json(self) -> dict[str, object]:
        """Return plain values, in points but for the share."""
        return {
            "rule": self.rule,
            "share": self.share,
            "before": self.before,
            "after": self.after,
            "move": self.move,
            "everyone": self.everyone,
        }


def expected_bias(rule: RereadRule, error_sd: float, gap: float | None = None) -> float:
    """Return the mean of combined minus true score where all papers are read twice.

    Parameters
    ----------
    rule
        See `combine_reads`.
    error_sd
        SD of one read's error, in points; both reads err alike and independently.
    gap
        Of the rule that needs one.

    Notes
    -----
    The higher of two such reads lies sd/√π = 0.5642 sd too high; every other rule treats both directions
    alike and has no bias. That changes as soon as the first read decides who is read again: `band_bias`.

    Examples
    --------
    >>> round(expected_bias("higher", 10), 4), expected_bias("mean", 10)
    (5.6419, 0.0)
    """
    check_rule(rule, gap)
    _check_error(error_sd)
    return error_sd / sqrt(pi) if rule == "higher" else 0.0


def band_bias(
    rule: RereadRule, model: ReadModel, low: float = -inf, high: float = inf, gap: float | None = None
) -> BandBias:
    """Return the bias where only papers whose first read lies in a band are read again.

    Parameters
    ----------
    rule
        See `combine_reads`.
    model
        SD of error, mean and SD of first reads.
    low, high
        Ends of the band, in points; by default open, so that ``high=266`` alone is *only failing papers*.
    gap
        Of the rule that needs one.

    Raises
    ------
    ScalingProblem
        The band holds nobody, or the rule is not one.

    Notes
    -----
    Given a first read x, its expected error is (1 - r)(x - mean), with r the reliability: a paper lands low
    partly by bad luck, and a second read regresses towards the mean. With e that error, D the second read
    minus x, normal with mean -e and SD s = sd·√(1 + r), the combined score errs on average by
    0 (``replace``), e/2 (``mean``), e - e·Φ(-e/s) + s·φ(e/s) (``higher``), and with a third read by
    e·P/(1 + r) + (1 - r)/(2(1 + r))·E[D; |D| ≤ gap], with P the chance that |D| ≤ gap. These are
    integrated over the band.

    Examples
    --------
    >>> failing = band_bias("mean", ReadModel(9.0, 280, 30), high=266)
    >>> round(failing.before, 2), round(failing.after, 2)
    (-3.02, -1.51)
    """
    check_rule(rule, gap)
    mean, sd = model.score_mean, model.score_sd
    start, end = max((low - mean) / sd, -_TAILS), min((high - mean) / sd, _TAILS)
    if not start < end:
        raise ScalingProblem(f"The band from {low:g} to {high:g} holds none of the scores. Check its ends.")
    share = _integral(_density, start, end)

    def average(of: Callable[[float], float]) -> float:
        return _integral(lambda z: of(z) * _density(z), start, end) / share

    return BandBias(
        rule,
        share,
        average(lambda z: _first_error(model, z)),
        average(lambda z: _combined_error(rule, model, z, gap)),
    )


def bias_lines(
    error_sd: float, rule: RereadRule, gap: float | None = None, band: BandBias | None = None
) -> Iterator[str]:
    """Say what a rule does, for all papers and for those of a band.

    Parameters
    ----------
    error_sd
        SD of one read's error, in points.
    rule, gap
        See `combine_reads`.
    band
        From `band_bias`, where only a band is read again.
    """
    whole = expected_bias(rule, error_sd, gap)
    yield f"{rule}: if all papers were read twice, scores would be {_off(whole)} on average."
    if band is not None:
        yield (
            f"{rule}: scores in the band ({100 * band.share:.1f} % of all) are {_off(band.before)} on "
            "average after the first read, since chance helped to put them there, and "
            f"{_off(band.after)} after the second. The re-read moves them by {_signed(band.move)} "
            f"points on average, and the mean of all scores by {_signed(band.everyone)}."
        )


def _first_error(model: ReadModel, z: float) -> float:
    return (1 - model.reliability) * z * model.score_sd


def _combined_error(rule: RereadRule, model: ReadModel, z: float, gap: float | None) -> float:
    error = _first_error(model, z)
    r = model.reliability
    spread = model.error_sd * sqrt(1 + r)
    if rule == "replace":
        return 0.0
    if rule == "mean":
        return error / 2
    if rule == "higher":
        return error - error * _below(-error / spread) + spread * _density(error / spread)
    limit = gap or 0.0
    lower, upper = (-limit + error) / spread, (limit + error) / spread
    chance = _below(upper) - _below(lower)
    moved = -error * chance + spread * (_density(lower) - _density(upper))
    return error * chance / (1 + r) + (1 - r) / (2 * (1 + r)) * moved


def _integral(of: Callable[[float], float], start: float, end: float) -> float:
    half = (end - start) / (2 * _PIECES)
    middles = (start + half * (2 * piece + 1) for piece in range(_PIECES))
    return half * sum(weight * of(middle + half * place) for middle in middles for place, weight in _NODES)


def _density(z: float) -> float:
    return exp(-z * z / 2) / sqrt(2 * pi)


def _below(z: float) -> float:
    return (1 + erf(z / sqrt(2))) / 2


def _check_error(error_sd: float) -> None:
    if not (isfinite(error_sd) and error_sd > 0):
        raise ScalingProblem(f"An error SD of {error_sd!r} cannot be used. Give a finite number above 0.")


def _off(points: float) -> str:
    """Say by how much a score differs from the true one, and which way."""
    if abs(points) < 0.005:
        return "neither too high nor too low"
    return f"{abs(points):.2f} points too {'high' if points > 0 else 'low'}"


def _signed(points: float) -> str:
    return "0.00" if abs(points) < 0.005 else f"{points:+.2f}"
