"""What each figure means, in a sentence for a lawyer."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from grader_app.agreement.estimate import Interval

MEANING = {
    "exact": "Two graders of the same answer give the same score in {share} of cases",
    "exact_or_adjacent": "Two graders of the same answer give scores at most {within:g} apart "
    "in {share} of cases",
    "krippendorff_alpha": "Krippendorff's alpha ({level}) is {value:.2f}{note}, where 1 is full agreement "
    "and 0 what chance would give",
    "fleiss_kappa": "Fleiss' kappa, agreement on the very same score beyond chance, is {value:.2f}",
    "conger_kappa": "Conger's kappa, agreement beyond what each grader's own habits would give, "
    "is {value:.2f}",
    "brennan_prediger": "Agreement beyond guessing evenly among all possible scores is {value:.2f}",
    "gwet_ac1": "Gwet's AC1, agreement beyond chance that is steady when one score prevails, is {value:.2f}",
    "gwet_ac2": "Gwet's AC2 with {weights} weights, where near misses count in part, is {value:.2f}",
    "icc_1_1": "ICC(1,1): {share} of the variance of one score reflects the answer, if graders "
    "differ by answer",
    "icc_2_1": "ICC(2,1) = ICC(A,1): {share} of the variance of one grader's score reflects the answer, "
    "harshness counted as error",
    "icc_3_1": "ICC(3,1) = ICC(C,1): {share} of the variance of one grader's score reflects the answer, "
    "harshness left aside",
    "icc_1_k": "ICC(1,k): {share} of the variance of a mean of {k:g} scores reflects the answer, if graders "
    "differ by answer",
    "icc_2_k": "ICC(2,k) = ICC(A,k): {share} of the variance of the mean of {k:g} graders reflects the "
    "answer, harshness counted as error",
    "icc_3_k": "ICC(3,k) = ICC(C,k): {share} of the variance of the mean of {k:g} graders reflects the "
    "answer, harshness left aside",
    "kendall_w": "Kendall's W is {value:.2f}: 1 when all graders rank the answers alike, 0 when not at all",
    "cohen_kappa": "Cohen's kappa, agreement of the two graders on the very same score beyond chance, "
    "is {value:.2f}",
    "linear_weighted_kappa": "Weighted kappa, where a miss counts by its size, is {value:.2f}",
    "quadratic_weighted_kappa": "Quadratic weighted kappa, where large misses count most, is {value:.2f}",
    "kendall_tau_b": "Kendall's tau-b is {value:.2f}: 1 when both graders rank the answers alike, "
    "-1 when in reverse",
    "spearman_rho": "Spearman's rank correlation of the two graders is {value:.2f}",
    "pearson_r": "Pearson's correlation of the two graders is {value:.2f}; it does not see harshness",
    "smd": "The first grader's mean lies {value:.2f} standard deviations above the second's",
    "g_coefficient": "With {readers} a response, {share} of the variance of the mean reflects "
    "the answer, harshness left aside",
    "phi_coefficient": "With {readers} a response, {share} of the variance of the mean reflects "
    "the answer, harshness counted as error",
}


def percent(share: float) -> str:
    """Write a share in whole per cent, halves rounded up as people do.

    Examples
    --------
    >>> percent(0.325), percent(0.5), percent(-0.004)
    ('33 %', '50 %', '0 %')
    """
    # From the shortest decimal that stands for the number: 0.325 is a hair below 0.325 in binary.
    whole = (Decimal(repr(share)) * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return f"{int(whole)} %"


def sentence(
    name: str, value: float, n_responses: int, interval: Interval, *, confidence: float, **parts: object
) -> str:
    """Say what a figure means, on how many answers it rests, and what its interval covers.

    Parameters
    ----------
    name
        The figure.
    value
        Its value.
    n_responses
        The answers it rests on.
    interval
        Its interval, or why there is none.
    confidence
        The interval's nominal coverage.
    parts
        What else the figure's sentence names: ``within``, ``level``, ``weights``, ``k``, ``note``.

    Examples
    --------
    >>> sentence("pearson_r", 0.5, 12, Interval(), confidence=0.95)[:50]
    "Pearson's correlation of the two graders is 0.50; "
    """
    facts: dict[str, object] = {"note": "", "value": value, "share": percent(value), **parts}
    if parts.get("k") is not None:
        facts["readers"] = "1 grader" if parts["k"] == 1 else f"{parts['k']:g} graders"
    text = MEANING[name].format(**facts) + f" ({n_responses} answers)."
    if interval.low is not None and interval.high is not None:
        ends = [
            percent(end) if "{share}" in MEANING[name] else f"{end:.2f}"
            for end in (interval.low, interval.high)
        ]
        text += f" {100 * confidence:g} % interval {ends[0]} to {ends[1]}."
    return f"{text} {interval.remark}".rstrip()


def _like_the_value(name: str, end: float) -> str:
    """Write an end of the interval in the unit of the figure's own sentence."""
    return percent(end) if "{share}" in MEANING[name] else f"{end:.2f}"
