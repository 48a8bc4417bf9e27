"""One grader against themselves: the same answers read twice, some way apart."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader_app.agreement.estimate import Estimate
from grader_app.agreement.paired_numbers import paired_numbers
from grader_app.agreement.reference_figures import Papers, exact_share, near_share, reference_severity
from grader_app.agreement.resampling import Settings
from grader_app.agreement.sentences import percent
from grader_app.agreement.subject import YOU, counted, does, own
from grader_app.domain.score_range import ScoreRange

LABEL = "Self-consistency, an upper bound because of memory"
"""What every page calls these figures: whoever remembers the paper agrees with themselves more easily."""


@dataclass(frozen=True, kw_only=True)
class SelfConsistency:
    """How alike a grader's two first grades of the same answers are.

    Parameters
    ----------
    n
        Answers scored both times.
    coded
        Answers read twice to which a condition code was given at least once.
    exact, exact_or_adjacent
        Share of the answers with the same score, or within 1 point of it (one step if larger).
    mean_difference
        Second score minus first, in points: positive is more lenient the second time.
    papers_between, hours_between
        Median distance of the two reads, in live papers and in hours; None without answers.
    """

    n: int
    coded: int
    exact: Estimate
    exact_or_adjacent: Estimate
    mean_difference: Estimate
    papers_between: float | None
    hours_between: float | None

    @property
    def says(self) -> tuple[str, ...]:
        """The figures in sentences, the distance of the reads last."""
        if self.papers_between is None or self.hours_between is None:
            return (self.exact.says,)
        apart = (
            f"The two reads lie {counted(round(self.papers_between), 'live paper')} and "
            f"{self.hours_between:.1f} hours apart (medians)."
        )
        figures = (self.exact, self.exact_or_adjacent, self.mean_difference)
        return (*dict.fromkeys(one.says for one in figures), apart)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain Python, ready for JSON."""
        return {
            "label": LABEL,
            "n": self.n,
            "coded": self.coded,
            "exact": self.exact.as_dict(),
            "exact_or_adjacent": self.exact_or_adjacent.as_dict(),
            "mean_difference": self.mean_difference.as_dict(),
            "papers_between": self.papers_between,
            "hours_between": self.hours_between,
        }


def self_consistency(
    first: Sequence[float],
    again: Sequence[float],
    scale: ScoreRange,
    *,
    papers_between: Sequence[int],
    hours_between: Sequence[float],
    coded: int = 0,
    subject: str = YOU,
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> SelfConsistency:
    """Compare two scores of the same answers by one grader.

    Parameters
    ----------
    first, again
        One score an answer each, in the same order.
    scale
        The scale of the scores.
    papers_between, hours_between
        How far apart the two reads of each answer are.
    coded
        Answers left out because of a condition code.
    subject
        Of the sentences: "You", or a grader's name.
    settings
        For the intervals over answers.

    Notes
    -----
    An upper bound of the true consistency: a grader may remember the paper.

    Examples
    --------
    >>> found = self_consistency(
    ...     [3, 4], [3, 5], ScoreRange(0, 6, 1), papers_between=[40, 60], hours_between=[2, 4]
    ... )
    >>> found.exact.value, found.mean_difference.value, found.papers_between
    (0.5, 0.5, 50.0)
    """
    one, two = paired_numbers(first, again)
    papers = Papers.of(two, one)
    within = max(1.0, scale.step)
    twice = counted(len(one), "answer") + " read twice"
    exact = exact_share(papers, settings, subject)
    near = near_share(papers, within, settings, subject)
    # With the second scores as the reference, reference minus score is second minus first.
    later = reference_severity(Papers.of(one, two), settings, subject)
    give = does(subject, "give")
    return SelfConsistency(
        n=len(one),
        coded=coded,
        exact=_worded(exact, f"{give} the same score both times to {{value}} of {twice}", subject),
        exact_or_adjacent=_worded(
            near, f"{give} scores at most {within:g} apart to {{value}} of {twice}", subject
        ),
        mean_difference=_worded(replace(later, name="mean_difference"), _second(later, subject), subject),
        papers_between=float(statistics.median(papers_between)) if len(one) else None,
        hours_between=float(statistics.median(hours_between)) if len(one) else None,
    )


def _second(difference: Estimate, subject: str) -> str:
    value = difference.value or 0.0
    second = own(subject, "second score")
    if abs(value) < 0.005:
        return f"{second} is the same as the first on average"
    return f"{second} is {{value}} points {'higher' if value > 0 else 'lower'} on average"


def _worded(found: Estimate, text: str, subject: str) -> Estimate:
    """Give a figure its own sentence; the ones it was made with speak of a reference."""
    if found.value is None:
        has = "You have" if subject == YOU else f"{subject} has"
        many = "no answer" if found.n_responses == 0 else "one answer"
        less = "" if found.n_responses == 0 else ", too few for any figure"
        return replace(found, says=f"{has} read {many} twice{less}.")
    share = found.name != "mean_difference"
    said = percent(found.value) if share else f"{abs(found.value):.2f}"
    says = text.format(value=said) + "."
    if found.low is not None and found.high is not None:
        low, high = (percent(end) if share else f"{end:.2f}" for end in (found.low, found.high))
        says += f" {100 * found.confidence:g} % interval {low} to {high}."
    return replace(found, says=says)
