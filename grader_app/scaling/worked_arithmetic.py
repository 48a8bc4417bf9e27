"""One candidate's total worked out line by line, in digits that give it again on a calculator."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, localcontext

from grader_app.scaling.constants import Constants
from grader_app.scaling.rounding import ADDED, Factors, Rounding
from grader_app.scaling.standardise import ItemConstants, Standards

PLACES = (6, 8, 10, 12, 16, 20)
"""Places after the point that are tried, fewest first, until the digits shown give the reported total."""
_ENOUGH = Context(prec=60)
_SHOWN_UNROUNDED = 4
"""Places to which a total without rounding is shown."""
_SAME = Decimal("0.0001")
_ROUNDED = {"total_to_tenths": (1, "tenths"), "total_to_hundredths": (2, "hundredths")}


@dataclass(frozen=True)
class WorkedLine:
    """A line of the arithmetic.

    Parameters
    ----------
    what
        What is worked out.
    expression
        Numbers joined by ``+``, ``−``, ``×``, ``÷`` and brackets, as one types them.
    result
        What it comes to, in the digits with which the next line goes on.
    """

    what: str
    expression: str
    result: str


@dataclass(frozen=True)
class Worked:
    """The arithmetic of one candidate.

    Parameters
    ----------
    candidate_id
        Whose it is.
    lines
        In order; the last gives the total, or the written scaled score where there is no MBE score.
    reproduced
        Whether the digits shown give the reported number.
    """

    candidate_id: str
    lines: tuple[WorkedLine, ...]
    reproduced: bool


def worked_arithmetic(
    candidate_id: str,
    scores: Mapping[str, float],
    weights: Mapping[str, float],
    constants: Constants,
    mbe: float | None,
    rounding: Rounding,
    reported: tuple[float, float | None],
    standards: Standards | None = None,
    factors: Factors = ADDED,
) -> Worked:
    """Work out one candidate's total.

    Parameters
    ----------
    candidate_id, scores, mbe
        Of the candidate; every weighted item has a score.
    weights
        By item id.
    constants
        Of the candidate's scaling group.
    rounding
        The policy by which the total is reported.
    reported
        The written scaled score and the total as they are reported, to hold the digits against.
    standards
        Constants of the items whose scores are standardised before they are weighted.
    factors
        What MBE and written scaled score are multiplied by in the total.

    Notes
    -----
    Item scores and weights are written in full, so the weighted sum is exact. A constant or a
    quotient is written with six places after the point, or with more if six do not give the
    reported total: each line goes on with what the line before it shows, not with digits that are hidden.

    Examples
    --------
    >>> from grader_app.scaling.constants import Member, constants_of
    >>> from grader_app.scaling.reference import PoolReference
    >>> group = constants_of([Member(30, 130), Member(40, 150)], "mean_sigma", PoolReference())
    >>> found = worked_arithmetic("A", {"q": 18}, {"q": 2}, group, 140.5, "total_half_up", (142.0, 283))
    >>> [f"{line.expression} = {line.result}" for line in found.lines[:4]]
    ['18 × 2 = 36', '36 − 35 = 1', '1 ÷ 5 = 0.2', '0.2 × 10 = 2']
    >>> [f"{line.expression} = {line.result}" for line in found.lines[4:]]
    ['2 + 140 = 142', '140.5 + 142 = 282.5', '282.5 = 283']
    """
    with localcontext(_ENOUGH):
        for places in PLACES:
            composite, raw = _composite(scores, weights, standards or {}, places)
            if constants.smoothing:
                written = _by_smoothed_ranks(constants, reported[0])
            elif constants.method == "equipercentile":
                written = _by_rank(raw, constants)
            else:
                written = _by_mean_and_sd(raw, constants, places)
            ends = [] if mbe is None else _total(mbe, _read(written[-1].result), rounding, factors)
            lines = (*composite, *written, *ends)
            if _gives(lines, written[-1], reported):
                return Worked(candidate_id, lines, True)
        return Worked(candidate_id, lines, False)


def digits(number: float | Decimal, places: int | None = None) -> str:
    """Write a number without exponent and without zeros at its end, rounded half up to some places if asked.

    Examples
    --------
    >>> digits(4.0), digits(0.1 + 0.2), digits(-2 / 3, 6)
    ('4', '0.30000000000000004', '−0.666667')
    """
    exact = number if isinstance(number, Decimal) else Decimal(repr(float(number)))
    if places is not None:
        with localcontext(_ENOUGH):
            exact = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{exact:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text.replace("-", "−")


def _composite(
    scores: Mapping[str, float], weights: Mapping[str, float], standards: Standards, places: int
) -> tuple[list[WorkedLine], Decimal]:
    lines, products = [], []
    for item, weight in weights.items():
        score, of = digits(scores[item]), "score"
        if item in standards:
            lines += _standardised(item, score, standards[item], places)
            score, of = lines[-1].result, "standardised score"
        product = _read(score) * _read(digits(weight))
        lines.append(
            WorkedLine(f"{item}: {of} × weight", f"{_operand(score)} × {digits(weight)}", digits(product))
        )
        products.append(product)
    raw = sum(products, Decimal(0))
    if len(products) > 1:
        what = "Sum of the weighted standardised scores" if standards else "Written raw score: the sum"
        expression = " + ".join(_operand(digits(product)) for product in products)
        lines.append(WorkedLine(what, expression, digits(raw)))
    return lines, raw


def _standardised(item: str, score: str, of: ItemConstants, places: int) -> list[WorkedLine]:
    mean, sd = digits(of.raw.mean, places), digits(of.raw.sd, places)
    above = digits(_read(score) - _read(mean))
    in_sds = digits(_read(above) / _read(sd), places)
    stretched = digits(_read(in_sds) * _read(digits(of.target.sd)), places)
    placed = digits(_read(stretched) + _read(digits(of.target.mean)))
    return [
        WorkedLine(f"{item}: above the pool's mean", f"{score} − {_operand(mean)}", above),
        WorkedLine(f"{item}: in SDs of the pool's scores", f"{_operand(above)} ÷ {sd}", in_sds),
        WorkedLine(
            f"{item}: times the SD it takes on", f"{_operand(in_sds)} × {digits(of.target.sd)}", stretched
        ),
        WorkedLine(
            f"{item}: plus the mean it takes on",
            f"{_operand(stretched)} + {_operand(digits(of.target.mean))}",
            placed,
        ),
    ]


def _by_mean_and_sd(raw: Decimal, constants: Constants, places: int) -> list[WorkedLine]:
    of = constants
    mean, sd, mbe_mean, mbe_sd = (
        digits(x, places) for x in (of.written.mean, of.written.sd, of.mbe_mean, of.mbe_sd)
    )
    above = digits(raw - _read(mean))
    in_sds = digits(_read(above) / _read(sd), places)
    in_points = digits(_read(in_sds) * _read(mbe_sd), places)
    scaled = digits(_read(in_points) + _read(mbe_mean))
    return [
        WorkedLine("Less the pool's written mean", f"{digits(raw)} − {_operand(mean)}", above),
        WorkedLine("In SDs of the pool's written scores", f"{above} ÷ {sd}", in_sds),
        WorkedLine("In MBE points: times the SD of the MBE", f"{in_sds} × {mbe_sd}", in_points),
        WorkedLine("Written scaled score: plus the MBE mean", f"{in_points} + {_operand(mbe_mean)}", scaled),
    ]


def _by_rank(raw: Decimal, constants: Constants) -> list[WorkedLine]:
    raws, mbes = constants.ordered_raws, constants.ordered_mbes
    below = bisect_left(raws, float(raw))
    ties = bisect_right(raws, float(raw)) - below
    rank = Decimal(below) + Decimal(ties) / 2
    place = rank + Decimal("0.5")
    # A place between two scores stands exactly in their middle; one beyond the ends is the end itself.
    first = int(place.to_integral_value(ROUND_FLOOR))
    lower, upper = (min(max(at, 1), len(mbes)) for at in (first, first if place == first else first + 1))
    neighbours = [digits(mbes[number - 1]) for number in (lower, upper)]
    what = f"MBE scores number {lower} and {upper} of {len(mbes)}, from the lowest: the middle"
    middle = f"({' + '.join(neighbours)}) ÷ 2"
    if lower == upper:
        what, middle = f"MBE score number {lower} of {len(mbes)}, from the lowest", neighbours[0]
    scaled = sum((_read(one) for one in neighbours), Decimal(0)) / 2
    return [
        WorkedLine(
            f"Rank: below {digits(raw)} are {below} of {len(raws)} written scores, equal to it {ties}",
            f"{below} + {ties} ÷ 2",
            digits(rank),
        ),
        WorkedLine("Place in the list of MBE scores", f"{digits(rank)} + 0.5", digits(place)),
        WorkedLine(f"Written scaled score: {what}", middle, digits(scaled)),
    ]


def _by_smoothed_ranks(constants: Constants, scaled: float) -> list[WorkedLine]:
    what = (
        f"Written scaled score: by ranks smoothed with a kernel of {digits(constants.smoothing)} SDs, "
        "taken from the program, since no calculator gives it"
    )
    return [WorkedLine(what, digits(scaled), digits(scaled))]


def _total(mbe: float, written: Decimal, rounding: Rounding, factors: Factors) -> list[WorkedLine]:
    parts = [_read(digits(mbe)), written]
    names = ["MBE score", "Written scaled score"]
    lines = []
    if rounding == "tenths_then_total":
        tenths = [half_up(part, 1) for part in parts]
        lines = [
            WorkedLine(f"{name}, half up to tenths", digits(part), digits(tenth))
            for name, part, tenth in zip(names, parts, tenths, strict=True)
        ]
        parts = tenths
    for at, factor in enumerate(factors if factors != ADDED else ()):
        product = parts[at] * _read(digits(factor))
        expression = f"{_operand(digits(parts[at]))} × {digits(factor)}"
        lines.append(WorkedLine(f"{names[at]} × factor", expression, digits(product)))
        parts[at] = product
    both = sum(parts, Decimal(0))
    what = "MBE plus written scaled score" if factors == ADDED else "The sum of the two"
    lines.append(WorkedLine(what, f"{digits(parts[0])} + {_operand(digits(parts[1]))}", digits(both)))
    if rounding == "none":
        shown = digits(both, _SHOWN_UNROUNDED)
        return [*lines, WorkedLine("Total, not rounded: to four places", digits(both), shown)]
    places, to = _ROUNDED.get(rounding, (0, "a whole number"))
    return [*lines, WorkedLine(f"Total, half up to {to}", digits(both), digits(half_up(both, places)))]


def half_up(number: Decimal, places: int) -> Decimal:
    """Round to nine places and then half up, towards the higher number, to fewer.

    Examples
    --------
    >>> half_up(Decimal("265.4999999999"), 0), half_up(Decimal("-0.5"), 0)
    (Decimal('266'), Decimal('0'))
    """
    step = Decimal(1).scaleb(-places)
    nine = round(number, 9)
    return ((nine / step + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * step) + 0


def _gives(lines: tuple[WorkedLine, ...], written: WorkedLine, reported: tuple[float, float | None]) -> bool:
    scaled, total = reported
    if abs(_read(written.result) - Decimal(repr(scaled))) > _SAME:
        return False
    # A rounded total has two places at most, which four leave as they are.
    return total is None or lines[-1].result == digits(total, _SHOWN_UNROUNDED)


def _read(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


def _operand(text: str) -> str:
    return f"({text})" if text.startswith("−") else text
