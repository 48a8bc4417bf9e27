"""How often graders who named a writer were right, beside what chance would give."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import betaincinv

from grader_app.agreement.codes import Floats
from grader_app.agreement.distinct import distinct_rows
from grader_app.agreement.estimate import Estimate, Interval, with_interval
from grader_app.agreement.figure import refused
from grader_app.agreement.guesses import (
    ALONE,
    Guessed,
    by_answer,
    divided,
    few,
    one_arm,
    totals,
    with_both,
)
from grader_app.agreement.resampling import Settings
from grader_app.agreement.sentences import percent
from grader_app.agreement.statuses import FEWEST_FOR_INTERVAL, FEWEST_FOR_VALUE
from grader_app.domain.blinding_check import Guess


def right_rate(
    guesses: Sequence[Guessed],
    *,
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> Estimate:
    """Return how often those who ventured a guess were right, beside what chance would give.

    Parameters
    ----------
    guesses
        All guesses; those who could not tell are left out.
    settings
        Confidence of both intervals; resamples and seed of the second.

    Returns
    -------
    Estimate
        Its interval is Clopper and Pearson's, every guess taken as standing alone. In `details`:
        ``chance``, the rate that the same guesses would reach if dealt out over the answers at random;
        ``chance_low`` and ``chance_high``, between which that rate lies in 95 % of such deals (or the
        confidence asked for); ``as_many_by_chance``, the share of deals with as many right guesses or more;
        and the interval over answers, as for `bang_index`.

    Notes
    -----
    Chance keeps both margins: how many answers each arm has, and how often graders said each. Right guesses
    about models then follow the hypergeometric distribution. Not applicable where all answers guessed at
    come from one arm: whoever always says the same would always be right.

    Examples
    --------
    >>> said = [(Guess.MODEL, Guess.MODEL)] * 3 + [(Guess.PERSON, Guess.PERSON)] * 2
    >>> said += [(Guess.PERSON, Guess.MODEL)]
    >>> found = right_rate([Guessed(f"r{n}", arm, guess) for n, (arm, guess) in enumerate(said)])
    >>> round(found.value, 4), found.details["chance"], round(found.details["as_many_by_chance"], 4)
    (0.8333, 0.5, 0.2)
    """
    settings = settings.checked()
    ventured = [one for one in guesses if one.right is not None]
    n, right = len(ventured), sum(bool(one.right) for one in ventured)
    rows = by_answer(ventured)
    reason = few(n, "answers") if n < FEWEST_FOR_VALUE else one_arm(ventured)
    if reason is not None:
        return refused("right_rate", reason, len(rows), settings)
    by_models = sum(one.arm is Guess.MODEL for one in ventured)
    said_model = sum(one.guess is Guess.MODEL for one in ventured)
    chance = _by_chance(n, by_models, said_model, right, settings.confidence)
    said = (
        f"Of {n} graders' guesses that named a writer, {right} were right ({percent(right / n)}). The same "
        f"guesses dealt out at random would be right in {percent(chance['chance'])}, and in "
        f"{100 * settings.confidence:g} of 100 such deals in {percent(chance['chance_low'])} to "
        f"{percent(chance['chance_high'])}."
    )
    kinds = distinct_rows(rows)

    def rate(weights: Floats) -> Floats:
        found, missed, _ = (
            one + other
            for one, other in zip(totals(weights, kinds, 0), totals(weights, kinds, 3), strict=True)
        )
        return divided(found, found + missed)

    return with_both(
        with_interval(
            "right_rate",
            right / n,
            _clopper_pearson(right, n, settings.confidence),
            said,
            confidence=settings.confidence,
            n_responses=len(rows),
            written=percent,
        ),
        kinds,
        rate,
        settings,
        {"right": right, "wrong": n - right, **chance},
        (0.0, 1.0),
    )


def _by_chance(n: int, by_models: int, said_model: int, right: int, confidence: float) -> dict[str, float]:
    """Say what the same guesses would give if dealt out over the answers at random."""
    from scipy.stats import hypergeom

    deals = hypergeom(n, by_models, said_model)
    tail = (1 - confidence) / 2

    def rate(model_right: float) -> float:
        return float(n - by_models - said_model + 2 * model_right) / n

    observed = (right - n + by_models + said_model) // 2
    return {
        "chance": rate(by_models * said_model / n),
        "chance_low": rate(float(deals.ppf(tail))),
        "chance_high": rate(float(deals.ppf(1 - tail))),
        "as_many_by_chance": min(1.0, float(deals.sf(observed - 1))),
    }


def _clopper_pearson(right: int, n: int, confidence: float) -> Interval:
    if n < FEWEST_FOR_INTERVAL:
        return Interval(
            remark=f"No interval is shown below {FEWEST_FOR_INTERVAL} guesses; here there are {n}."
        )
    tail = (1 - confidence) / 2
    low = 0.0 if right == 0 else float(betaincinv(right, n - right + 1, tail))
    high = 1.0 if right == n else float(betaincinv(right + 1, n - right, 1 - tail))
    return Interval(low, high, f"Clopper and Pearson, {ALONE} (for these graders)")
