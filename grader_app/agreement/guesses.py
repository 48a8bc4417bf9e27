"""Guesses of who wrote an answer beside the truth, counted by answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader_app.agreement.codes import Floats, Integers
from grader_app.agreement.distinct import Distinct
from grader_app.agreement.estimate import Estimate, Interval
from grader_app.agreement.resampling import Settings, Statistic, interval
from grader_app.agreement.sentences import percent
from grader_app.agreement.statuses import Reason
from grader_app.domain.blinding_check import Guess

ARMS = (Guess.PERSON, Guess.MODEL)
"""Who can have written an answer."""

ARM_WORDS = {Guess.PERSON: "people", Guess.MODEL: "language models"}
"""The same in the middle of a sentence."""

ALONE = "every guess taken as standing alone"
"""What an interval says of guesses when it counts each by itself."""

TOGETHER = "guesses about one answer kept together"


@dataclass(frozen=True)
class Guessed:
    """One guess beside the truth.

    Parameters
    ----------
    response_id
        The answer; several graders may have guessed at it.
    arm
        Who wrote it: a person or a model.
    guess
        What the grader said.
    """

    response_id: str
    arm: Guess
    guess: Guess

    @property
    def right(self) -> bool | None:
        """Whether the guess was right; None where the grader could not tell."""
        return None if self.guess is Guess.CANNOT_TELL else self.guess is self.arm


@dataclass(frozen=True)
class GuessCounts:
    """Guesses about the answers of one arm.

    Parameters
    ----------
    right, wrong, cannot_tell
        How many of each.
    """

    right: int
    wrong: int
    cannot_tell: int

    @property
    def n(self) -> int:
        """All guesses, those who could not tell included."""
        return self.right + self.wrong + self.cannot_tell


def counts_of(guesses: Sequence[Guessed], arm: Guess) -> GuessCounts:
    """Count the guesses about the answers of one arm."""
    mine = [one.right for one in guesses if one.arm is arm]
    return GuessCounts(mine.count(True), mine.count(False), mine.count(None))


def by_answer(guesses: Sequence[Guessed]) -> Integers:
    """Count guesses by answer: right, wrong, cannot tell about a person's; the same about a model's."""
    rows: dict[str, list[int]] = {}
    for one in guesses:
        row = rows.setdefault(one.response_id, [0] * 6)
        row[3 * ARMS.index(one.arm) + (True, False, None).index(one.right)] += 1
    return np.array(list(rows.values()), dtype=np.int64).reshape(len(rows), 6)


def totals(weights: Floats, kinds: Distinct, column: int) -> tuple[Floats, Floats, Floats]:
    """Add up the right, the wrong and the other guesses of the arm whose columns begin here."""
    found = weights @ kinds.rows[:, column : column + 3].astype(np.float64)
    return found[:, 0], found[:, 1], found[:, 2]


def divided(upper: Floats, lower: Floats) -> Floats:
    """Divide, with nan where there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lower > 0, upper / lower, np.nan)


def with_both(
    made: Estimate,
    kinds: Distinct,
    statistic: Statistic,
    settings: Settings,
    details: dict[str, float],
    ends: tuple[float, float],
) -> Estimate:
    """Add the interval that keeps guesses about one answer together, where there is one."""
    over = within(interval(kinds, statistic, settings, "none"), *ends)
    says = made.says
    if over.low is not None and over.high is not None:
        details = details | {"low_over_answers": over.low, "high_over_answers": over.high}
        written = percent if made.name == "right_rate" else "{:.2f}".format
        says += f" With {TOGETHER}: {written(over.low)} to {written(over.high)}."
    return replace(made, says=says, details=details)


def within(found: Interval, lowest: float, highest: float) -> Interval:
    """Cut an interval at the ends of what is possible."""
    if found.low is None or found.high is None:
        return found
    return Interval(max(lowest, found.low), min(highest, found.high), found.method, found.remark)


def few(n: int, what: str) -> Reason:
    """Return why so few guesses allow no figure."""
    there = "Nobody guessed" if n == 0 else "There is only one guess"
    return Reason("too_few", f"{there} at {what}, so nothing can be said. Ask graders about a larger share.")


def one_arm(guesses: Sequence[Guessed]) -> Reason | None:
    """Return why nothing can be told apart where all answers have one kind of writer."""
    arms = {one.arm for one in guesses}
    if len(arms) > 1:
        return None
    who = ARM_WORDS[next(iter(arms))]
    return Reason(
        "not_applicable",
        f"All answers guessed at were written by {who}, so there was nothing to tell apart and chance is no "
        "measure. Bang's index stands for that kind alone.",
    )
