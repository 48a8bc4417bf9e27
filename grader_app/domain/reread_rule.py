"""How a first read and a re-read of the same papers become one score."""

from __future__ import annotations

from typing import Literal, get_args

from grader_app.errors import ScalingProblem

RereadRule = Literal["replace", "mean", "higher", "mean_unless_apart_then_third"]
REREAD_RULES: tuple[str, ...] = get_args(RereadRule)
NEEDS_GAP: RereadRule = "mean_unless_apart_then_third"
"""The one rule that needs a gap, beyond which somebody reads a third time."""

RULE_SAYS: dict[RereadRule, str] = {
    "replace": "The re-read stands.",
    "mean": "Mean of the first score and the re-read.",
    "higher": "The higher of the first score and the re-read.",
    "mean_unless_apart_then_third": (
        "Mean of the first score and the re-read; further apart than the gap, a third read stands alone."
    ),
}
"""What each rule makes of the reads, in a sentence."""

_SAME = 1e-9


def rule_in_words(rule: RereadRule, gap: float | None = None) -> str:
    """Say what a rule makes of the reads, and how far apart its gap lets them lie.

    Examples
    --------
    >>> rule_in_words("mean_unless_apart_then_third", 1)[-19:]
    'The gap is 1 point.'
    """
    if gap is None:
        return RULE_SAYS[rule]
    return f"{RULE_SAYS[rule]} The gap is {gap:g} {'point' if gap == 1 else 'points'}."


def combine_reads(
    rule: RereadRule, first: float, second: float, gap: float | None = None, third: float | None = None
) -> float | None:
    """Combine a first read and a re-read.

    Parameters
    ----------
    rule
        ``replace``: the re-read stands (New Mexico). ``mean``: of the two (California). ``higher``: of the
        two (California, February 2025 alone). ``mean_unless_apart_then_third``: the mean, unless the reads
        lie more than `gap` apart; then a third read stands alone (California 10 raw points, Alaska 1).
    first, second
        In the same points; each may be a score of an item or a total.
    gap
        In those points, 0 or more; only for the last rule, which needs it.
    third
        The third read, where one was made.

    Returns
    -------
    float or None
        The score that stands; None while a third read is needed and has not been made.

    Raises
    ------
    ScalingProblem
        The rule has no such name, or its gap is missing or below 0.

    References
    ----------
    22 NYCRR 6000.11 and the Pennsylvania board order re-reads without saying how reads combine.

    Examples
    --------
    >>> combine_reads("mean", 60, 70), combine_reads("higher", 60, 70), combine_reads("replace", 70, 60)
    (65.0, 70, 60)
    >>> [combine_reads("mean_unless_apart_then_third", 60, second, gap=10, third=65) for second in (70, 75)]
    [65.0, 65]
    >>> combine_reads("mean_unless_apart_then_third", 60, 75, gap=10) is None
    True
    """
    check_rule(rule, gap)
    if rule == "replace":
        return second
    if rule == "higher":
        return max(first, second)
    if rule == NEEDS_GAP and gap is not None and abs(first - second) > gap + _SAME:
        return third
    return (first + second) / 2


def check_rule(rule: str, gap: float | None) -> None:
    """Raise ScalingProblem unless there is such a rule, with a gap of 0 or more where it needs one."""
    if rule not in REREAD_RULES:
        raise ScalingProblem(
            f"There is no re-read rule called {rule!r}. Choose from {', '.join(REREAD_RULES)}."
        )
    if rule == NEEDS_GAP and (gap is None or not gap >= 0):
        raise ScalingProblem(
            "The rule mean_unless_apart_then_third needs the gap beyond which a third read decides. "
            "Give a number of points, 0 or more."
        )
