"""Whether a grader meets the conditions of a calibration set, each with its figure and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.agreement.against_reference import AgainstReference
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.rank_gate import PairsInOrder
from grader_app.agreement.scale import TOLERANCE
from grader_app.agreement.subject import YOU, counted, does, own

MOST_DECIMALS = 6


@dataclass(frozen=True)
class Condition:
    """One condition of a gate.

    Parameters
    ----------
    name
        As in the calibration set, without the word for the comparison.
    value
        The figure; None when it cannot be computed.
    needed
        The least it must be; for severity the most it may be, in either direction.
    met
        Whether it is met; a figure that cannot be computed is not.
    says
        The same in a sentence.
    """

    name: str
    value: float | None
    needed: float
    met: bool
    says: str


@dataclass(frozen=True)
class GateResult:
    """Whether all conditions are met.

    Parameters
    ----------
    passed
        True also where a set states no condition.
    conditions
        One for each that the set states, in the order of the file.
    says
        The outcome in a sentence.
    """

    passed: bool
    conditions: tuple[Condition, ...]
    says: str


def judge(
    rank: PairsInOrder | None,
    report: AgainstReference | None,
    *,
    rank_order_at_least: float | None = None,
    exact_or_adjacent_at_least: float | None = None,
    quadratic_weighted_kappa_at_least: float | None = None,
    severity_within: float | None = None,
    coded: int = 0,
    subject: str = YOU,
) -> GateResult:
    """Hold a grader's ranking and scores against the conditions of a gate.

    Parameters
    ----------
    rank
        The ranking; None when there is none.
    report
        The scores; None when there are none.
    rank_order_at_least, exact_or_adjacent_at_least, quadratic_weighted_kappa_at_least, severity_within
        The conditions; one that is None is not used. All others must be met.
    coded
        Papers with a reference score that got a condition code instead of a score: they count as neither
        exact nor adjacent, and enter no other figure.
    subject
        Of the sentences: "You", or a grader's name.

    Returns
    -------
    GateResult

    Notes
    -----
    Compared with a tolerance of 1e-9, so that 27 of 30 papers meet 0.90.

    Examples
    --------
    >>> from grader_app.agreement.against_reference import against_reference
    >>> from grader_app.domain.score_range import ScoreRange
    >>> report = against_reference([2, 3, 4, 3], [3, 4, 5, 3], ScoreRange(0, 6, 1))
    >>> judge(None, report, severity_within=0.5).conditions[0].says
    'You score 0.75 points below the reference on average, and at most 0.50 is allowed: not met.'
    """
    found: list[Condition] = []
    if rank_order_at_least is not None:
        found.append(_rank_order(rank, rank_order_at_least, subject))
    if exact_or_adjacent_at_least is not None:
        found.append(_exact_or_adjacent(report, exact_or_adjacent_at_least, coded, subject))
    if quadratic_weighted_kappa_at_least is not None:
        found.append(_kappa(report, quadratic_weighted_kappa_at_least, subject))
    if severity_within is not None:
        found.append(_severity(report, severity_within, subject))
    passed = all(condition.met for condition in found)
    return GateResult(passed, tuple(found), _outcome(found, subject))


def _rank_order(rank: PairsInOrder | None, needed: float, subject: str) -> Condition:
    if rank is None:
        return _without("rank_order", needed, "The papers have not been put in order")
    if rank.share.value is None:
        return _without("rank_order", needed, rank.share.says)
    value = rank.share.value
    shown, asked = _percents(value, needed)
    text = (
        f"{does(subject, 'put')} {shown} of the {counted(rank.n_pairs, 'pair')} that the reference sets "
        f"apart in the right order, and at least {asked} is required"
    )
    return _at_least("rank_order", value, needed, text)


def _exact_or_adjacent(report: AgainstReference | None, needed: float, coded: int, subject: str) -> Condition:
    if report is None:
        return _without("exact_or_adjacent", needed, "The papers have not been scored")
    value = report.exact_or_adjacent.value
    if value is None:
        return _without("exact_or_adjacent", needed, report.exact_or_adjacent.says)
    n = report.n + coded
    value *= report.n / n
    shown, asked = _percents(value, needed)
    text = (
        f"{does(subject, 'score')} {round(value * n)} of {counted(n, 'paper')} as the reference or next to "
        f"it ({shown}), and at least {asked} is required"
    )
    return _at_least("exact_or_adjacent", value, needed, text)


def _kappa(report: AgainstReference | None, needed: float, subject: str) -> Condition:
    name = "quadratic_weighted_kappa"
    if report is None:
        return _without(name, needed, "The papers have not been scored")
    if report.qwk.value is None:
        return _without(name, needed, report.qwk.says)
    shown, asked = _apart(report.qwk.value, needed, 2)
    what = own(subject, "agreement with the reference beyond chance")
    text = f"{what} is {shown}, and at least {asked} is required"
    return _at_least(name, report.qwk.value, needed, text)


def _severity(report: AgainstReference | None, needed: float, subject: str) -> Condition:
    if report is None:
        return _without("severity", needed, "The papers have not been scored")
    figure: Estimate = report.severity
    if figure.value is None:
        return _without("severity", needed, figure.says)
    value = figure.value
    shown, asked = _apart(abs(value), needed, 2)
    side = "below" if value > 0 else "above"
    where = f"{shown} points {side} the reference" if abs(value) > TOLERANCE else "as the reference does"
    met = abs(value) <= needed + TOLERANCE
    text = f"{does(subject, 'score')} {where} on average, and at most {asked} is allowed"
    return Condition("severity", value, needed, met, f"{text}: {_met(met)}.")


def _at_least(name: str, value: float, needed: float, text: str) -> Condition:
    met = value >= needed - TOLERANCE
    return Condition(name, value, needed, met, f"{text}: {_met(met)}.")


def _without(name: str, needed: float, why: str) -> Condition:
    return Condition(name, None, needed, False, f"{why.rstrip('.')}: not met.")


def _met(met: bool) -> str:
    return "met" if met else "not met"


def _percents(value: float, needed: float) -> tuple[str, str]:
    shown, asked = _apart(100 * value, 100 * needed, 0)
    return f"{shown} %", f"{asked} %"


def _apart(value: float, needed: float, decimals: int) -> tuple[str, str]:
    """Write two numbers with as many decimals as it takes to see which one is larger.

    Examples
    --------
    >>> _apart(84.7, 85.0, 0), _apart(90.0, 90.0, 0)
    (('84.7', '85.0'), ('90', '90'))
    """
    while decimals < MOST_DECIMALS and abs(value - needed) > TOLERANCE:
        if f"{value:.{decimals}f}" != f"{needed:.{decimals}f}":
            break
        decimals += 1
    return f"{value:.{decimals}f}", f"{needed:.{decimals}f}"


def _outcome(conditions: list[Condition], subject: str) -> str:
    missed = sum(not condition.met for condition in conditions)
    if not conditions:
        return "The set states no condition, so there is nothing to meet."
    if not missed:
        return f"{does(subject, 'meet')} {'the condition' if len(conditions) == 1 else 'all conditions'}."
    return f"{does(subject, 'fall')} short on {missed} of {counted(len(conditions), 'condition')}."
