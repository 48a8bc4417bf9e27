"""How far the blind held: guesses of who wrote an answer, against what blind guessing would give."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from grader_app.agreement.codes import Floats
from grader_app.agreement.distinct import distinct_rows
from grader_app.agreement.estimate import Estimate, Interval, with_interval
from grader_app.agreement.figure import refused, value_of
from grader_app.agreement.guesses import (
    ALONE,
    ARM_WORDS,
    ARMS,
    Guessed,
    by_answer,
    counts_of,
    divided,
    few,
    one_arm,
    totals,
    with_both,
    within,
)
from grader_app.agreement.resampling import Settings, interval
from grader_app.agreement.statuses import FEWEST_FOR_INTERVAL, FEWEST_FOR_VALUE, Reason
from grader_app.domain.blinding_check import Guess


def bang_index(
    guesses: Sequence[Guessed],
    arm: Guess,
    *,
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> Estimate:
    """Return Bang's blinding index of one arm: right guesses minus wrong ones, as a share of all.

    Parameters
    ----------
    guesses
        All guesses; those about the other arm are passed over.
    arm
        Who wrote the answers in question.
    settings
        Confidence of both intervals; resamples and seed of the second.

    Returns
    -------
    Estimate
        Its interval takes every guess as standing alone. In `details`: the counts, the standard error, and
        as ``low_over_answers`` and ``high_over_answers`` a second interval, which keeps guesses about one
        answer together.

    Notes
    -----
    With shares p of right and q of wrong guesses among all n, those who could not tell included, the index
    is p - q, which is (2 p / (p + q) - 1)(p + q). Its variance from the multinomial is
    (p + q - (p - q)²) / n; the interval is the normal one, cut at -1 and 1. Where all guesses came out the
    same the formula has no width, and no interval is shown. 0 is what blind guessing gives on average; 1 is
    everyone right, -1 everyone wrong. Neither interval covers other graders.

    References
    ----------
    Bang, Ni & Davis (2004), Controlled Clinical Trials 25:143-156.

    Examples
    --------
    >>> said = [Guess.MODEL] * 6 + [Guess.PERSON] * 2 + [Guess.CANNOT_TELL] * 2
    >>> found = bang_index([Guessed(f"r{n}", Guess.MODEL, one) for n, one in enumerate(said)], Guess.MODEL)
    >>> found.value, round(found.details["standard_error"], 4)
    (0.4, 0.253)
    """
    settings = settings.checked()
    counts = counts_of(guesses, arm)
    rows = by_answer([one for one in guesses if one.arm is arm])
    n_answers = len(rows)
    if counts.n < FEWEST_FOR_VALUE:
        return refused(
            "bang_index", few(counts.n, f"answers written by {ARM_WORDS[arm]}"), n_answers, settings
        )
    value = (counts.right - counts.wrong) / counts.n
    spread = (counts.right + counts.wrong) / counts.n - value**2
    error = math.sqrt(max(0.0, spread) / counts.n)
    said = (
        f"Guesses about answers written by {ARM_WORDS[arm]}: {counts.n}. Right: {counts.right}. Wrong: "
        f"{counts.wrong}. Could not tell: {counts.cannot_tell}. Bang's index is "
        f"{value:.2f}: 0 is what blind guessing gives, 1 that everyone knew, -1 that everyone was misled."
    )
    column = 3 * ARMS.index(arm)

    def index(weights: Floats) -> Floats:
        right, wrong, cannot = totals(weights, kinds, column)
        return divided(right - wrong, right + wrong + cannot)

    kinds = distinct_rows(rows)
    return with_both(
        with_interval(
            "bang_index",
            value,
            _normal(value, error, counts.n, settings.confidence),
            said,
            confidence=settings.confidence,
            n_responses=n_answers,
            written="{:.2f}".format,
        ),
        kinds,
        index,
        settings,
        {
            "right": counts.right,
            "wrong": counts.wrong,
            "cannot_tell": counts.cannot_tell,
            "standard_error": error,
        },
        (-1.0, 1.0),
    )


def james_index(
    guesses: Sequence[Guessed],
    *,
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> Estimate:
    """Return James' blinding index of both arms together: 1 for a perfect blind, 0 for none.

    Parameters
    ----------
    guesses
        All guesses.
    settings
        For the interval over answers.

    Returns
    -------
    Estimate
        Not applicable where all answers come from one arm.

    Notes
    -----
    (1 + d + (1 - d) K) / 2 with d the share who could not tell and K = (O - E) / E among the others, where O
    is half the share of wrong guesses and E the same for guesses without regard to the arm. Those who
    cannot tell count as fully blind, so that many of them bring the index near 1 although the rest know; read
    it beside Bang's. One half is what blind guessing without any "cannot tell" gives.

    References
    ----------
    James, Bloch, Lee, Kraemer & Fuller (1996), Statistics in Medicine 15:1421-1434.

    Examples
    --------
    >>> said = [(Guess.MODEL, Guess.MODEL), (Guess.MODEL, Guess.PERSON)] * 4
    >>> said += [(Guess.PERSON, Guess.PERSON), (Guess.PERSON, Guess.MODEL)] * 4
    >>> james_index([Guessed(f"r{n}", arm, guess) for n, (arm, guess) in enumerate(said)]).value
    0.5
    """
    settings = settings.checked()
    rows = by_answer(guesses)
    reason = one_arm(guesses) if len(guesses) >= FEWEST_FOR_VALUE else few(len(guesses), "answers")
    kinds = distinct_rows(rows)

    def index(weights: Floats) -> Floats:
        return _james(*totals(weights, kinds, 0), *totals(weights, kinds, 3))

    if reason is None and not math.isfinite(value_of(kinds, index)):
        reason = Reason(
            "no_variation",
            "Everyone who named a writer said the same of one kind of answers, so James' index is undefined.",
        )
    if reason is not None:
        return refused("james_index", reason, len(rows), settings)
    value = value_of(kinds, index)
    found = within(interval(kinds, index, settings, "none"), 0.0, 1.0)
    said = (
        f"James' index is {value:.2f}: 1 is a perfect blind, 0 none. It counts everyone who could not tell "
        "as fully blind."
    )
    return with_interval(
        "james_index",
        value,
        found,
        said,
        confidence=settings.confidence,
        n_responses=len(rows),
        written="{:.2f}".format,
    )


def _james(
    person_right: Floats,
    person_wrong: Floats,
    person_cannot: Floats,
    model_right: Floats,
    model_wrong: Floats,
    model_cannot: Floats,
) -> Floats:
    persons, models = person_right + person_wrong, model_right + model_wrong
    ventured = persons + models
    cannot = person_cannot + model_cannot
    said_person, said_model = person_right + model_wrong, model_right + person_wrong
    observed = divided(0.5 * (person_wrong + model_wrong), ventured)
    expected = divided(0.5 * (persons * said_model + models * said_person), ventured**2)
    beyond = divided(observed - expected, expected)
    unknown = divided(cannot, ventured + cannot)
    # Where nobody ventured a guess nothing of the second part is left, however undefined.
    found = (1 + unknown + np.where(ventured > 0, (1 - unknown) * beyond, 0.0)) / 2
    return np.asarray(found, dtype=np.float64)


def _normal(value: float, error: float, n: int, confidence: float) -> Interval:
    if n < FEWEST_FOR_INTERVAL:
        return Interval(
            remark=f"No interval is shown below {FEWEST_FOR_INTERVAL} guesses; here there are {n}."
        )
    if error < 1e-12:
        return Interval(remark="No interval is shown: all guesses came out the same.")
    reach = float(ndtri((1 + confidence) / 2)) * error
    method = f"normal, with the multinomial's variance, {ALONE} (for these graders)"
    return Interval(max(-1.0, value - reach), min(1.0, value + reach), method)
