"""Which score of an answer stands, from its reads and the round's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader_app.domain.grade import Grade
from grader_app.domain.referral import CodeDecision
from grader_app.domain.reread_standing import with_reread
from grader_app.domain.round import Reading
from grader_app.domain.rubric import Rubric
from grader_app.domain.score_standing import CodeForLead as CodeForLead
from grader_app.domain.score_standing import ScoreStanding as ScoreStanding
from grader_app.domain.score_standing import SettledBy as SettledBy
from grader_app.domain.score_standing import Status as Status
from grader_app.domain.settling import UNSETTLED, Adjudication, Settling

COUNTS_AS = {
    "zero": "counts as zero",
    "lowest": "counts as the lowest score",
    "excluded": "is left out of the composite",
    "to_lead": "waits for the lead's decision",
}
"""What each way in which a condition code can count means, in words."""

DECIDED = {
    "zero": "the lead decided that it counts as zero",
    "lowest": "the lead decided that it counts as the lowest score",
    "excluded": "the lead decided that it is left out of the composite",
}
"""What the lead can decide about a code that waits for the lead, in words."""

# Scores are sums and means of steps such as 0.1; anything smaller than this is rounding, not judgment.
_SAME = 1e-9


def standing(
    reads: Sequence[Grade],
    expected_reads: int,
    rubric: Rubric,
    reading: Reading,
    settling: Settling = UNSETTLED,
    rubric_of: Callable[[str], Rubric] | None = None,
) -> ScoreStanding:
    """Say which score stands.

    Parameters
    ----------
    reads
        The answer's grades in order of read number.
    expected_reads
        Number of reads dealt.
    rubric
        Its condition codes say how each counts.
    reading
        The round's rules: reads, overlap, tolerance, how reads combine, who settles disputes.
    settling
        What was done about the answer beyond its reads.
    rubric_of
        Gives a rubric by its hash, where a third read or an adjudication was given under another version.

    Notes
    -----
    An adjudication comes first, unless it is stale; then a third read; then the reads combined. A re-read
    before release combines with what these give; an adjudication made since it began settles it all. A
    condition code against a score, or two different codes, is a dispute: the readers judged
    differently. While a read is outstanding nothing is final, since that read may yet make a dispute.
    """
    if not reads or len(reads) < expected_reads:
        return ScoreStanding(None, None, "waiting", f"{len(reads)} of {max(expected_reads, 1)} reads are in.")
    raw, rubrics = _raw(reads, reading), rubric_of or (lambda _: rubric)
    reread = settling.reread
    if settling.is_raised and not (reread and reread.waits):
        return _disputed(raw, "The lead asked for another look at this answer.", settling)
    if reread is not None and (reread.waits or settling.adjudication == settling.before_reread):
        return with_reread(
            standing(reads, expected_reads, rubric, reading, settling.without_reread(), rubric_of), reread
        )
    if settling.adjudication is not None:
        given_since = () if reread is None else reread.given
        changed = change_since(settling.adjudication, [*reads, *given_since], settling.third)
        if changed:
            return ScoreStanding(raw, None, "disputed", changed)
        given = settling.adjudication.given
        return _alone(given, raw, rubrics(given.rubric_hash), "The adjudicator's score.", "adjudication")
    if settling.third is not None:
        return _with_third(reads, settling.third, raw, rubrics(settling.third.rubric_hash), reading)
    found = _from_reads(reads, raw, rubric, reading)
    if settling.third_waits:
        if found.status == "disputed":
            return _disputed(raw, found.why, settling)
        return ScoreStanding(None, None, "waiting", "A third read is under way.")
    return found


def change_since(adjudication: Adjudication, reads: Sequence[Grade], third: Grade | None) -> str:
    """Say what has changed since an adjudication, so that it no longer stands; nothing if it does.

    Parameters
    ----------
    adjudication
        It names the grades it settled.
    reads, third
        The reads as they stand now.
    """
    there = {read.event_seq for read in (*reads, *([] if third is None else [third]))}
    settled = set(adjudication.settles)
    if settled - there:
        return "A read was corrected after this was settled; confirm it or settle it again."
    if there - settled:
        return "A read came in after this was settled; confirm it or settle it again."
    return ""


def combine(scores: Sequence[float], reading: Reading) -> float:
    """Combine the scores of one answer's reads by the round's rule.

    Parameters
    ----------
    scores
        In order of read number; at least one.
    reading
        With ``reads`` 2 its ``combine`` holds, with ``reads`` 1 its ``overlap_counts``: ``mean``, ``higher``,
        ``replace`` (the last stands) or ``first``.
    """
    rule = reading.combine if reading.reads > 1 else reading.overlap_counts
    if rule == "mean":
        return sum(scores) / len(scores)
    if rule == "higher":
        return max(scores)
    return scores[-1] if rule == "replace" else scores[0]


def combine_three(scores: Sequence[float], third: float, reading: Reading) -> float:
    """Combine the scores of an answer's reads with that of its third read, by the round's rule.

    Parameters
    ----------
    scores
        Of the first reads; at least one.
    third
        Of the third read.
    reading
        Its ``third_read_counts`` holds: ``replace`` (the third stands), ``nearest`` (mean of the third and
        the first read closest to it), ``mean`` (of all), ``higher`` (the highest of all).

    Notes
    -----
    With ``nearest`` a third read exactly between the first two is close to neither more than to the
    other. Then it stands alone: it is their mean as well, and neither reader is preferred.
    """
    rule = reading.third_read_counts
    if rule == "replace":
        return third
    if rule == "mean":
        return (sum(scores) + third) / (len(scores) + 1)
    if rule == "higher":
        return max(*scores, third)
    distance = min(abs(score - third) for score in scores)
    nearest = [score for score in scores if abs(score - third) <= distance + _SAME]
    return third if max(nearest) - min(nearest) > _SAME else (nearest[0] + third) / 2


def coded_standing(condition_code: str, rubric: Rubric) -> ScoreStanding:
    """Say how an answer stands whose condition code is agreed.

    Parameters
    ----------
    condition_code
        One of the rubric's.
    rubric
        Says how the code counts.
    """
    code = next(c for c in rubric.condition_codes if c.id == condition_code)
    lowest = float(rubric.score.lowest)
    final = {"zero": 0.0, "lowest": lowest}.get(code.counts_as)
    waits = CodeForLead(code.id, code.title, lowest) if code.counts_as == "to_lead" else None
    return ScoreStanding(None, final, "coded", f"{code.title}: {COUNTS_AS[code.counts_as]}.", for_lead=waits)


def with_decision(found: ScoreStanding, decision: CodeDecision | None) -> ScoreStanding:
    """Let the lead's decision about a condition code stand.

    Parameters
    ----------
    found
        How the answer stands by its reads.
    decision
        What the lead decided; it holds for the code it was made about, and for no other.
    """
    code = found.for_lead
    if code is None or decision is None or decision.condition_code != code.condition_code:
        return found
    if decision.counts_as not in DECIDED:
        return found
    final = {"zero": 0.0, "lowest": code.lowest}.get(decision.counts_as)
    why = f"{code.title}: {DECIDED[decision.counts_as]}."
    return found._replace(final=final, why=why, for_lead=replace(code, decided=True))


_THIRD_SAYS = {
    "replace": "The third read stands.",
    "nearest": "Mean of the third read and the one nearest to it; exactly between the two, it stands alone.",
    "mean": "Mean of all reads, the third included.",
    "higher": "The highest of all reads, the third included.",
}


def _raw(reads: Sequence[Grade], reading: Reading) -> float | None:
    """Combine the reads, whether or not they agree; None where a condition code was given."""
    scores = [grade.score for grade in reads if grade.score is not None]
    return combine(scores, reading) if len(scores) == len(reads) else None


def _from_reads(reads: Sequence[Grade], raw: float | None, rubric: Rubric, reading: Reading) -> ScoreStanding:
    if raw is None:
        return _coded(reads, {grade.condition_code for grade in reads}, rubric)
    apart = _apart(reads)
    if apart > _tolerance(reading):
        return ScoreStanding(raw, None, "disputed", f"The reads are {apart:g} points apart.")
    return ScoreStanding(
        raw, raw, "final", "One read." if len(reads) == 1 else "The reads agree within the tolerance."
    )


def _tolerance(reading: Reading) -> float:
    return reading.resolve_when_apart_by_more_than + _SAME


def _apart(reads: Sequence[Grade]) -> float:
    """Give the distance between the highest and the lowest score among reads."""
    scores = [grade.score for grade in reads if grade.score is not None]
    return max(scores) - min(scores)


def _disputed(raw: float | None, why: str, settling: Settling) -> ScoreStanding:
    return ScoreStanding(
        raw, None, "disputed", f"{why} A third reader has it." if settling.third_waits else why
    )


def _alone(given: Grade, raw: float | None, rubric: Rubric, why: str, settled_by: SettledBy) -> ScoreStanding:
    """Let one judgment stand for all."""
    if given.condition_code is not None:
        coded = coded_standing(given.condition_code, rubric)
        return coded._replace(raw=raw, settled_by=settled_by)
    return ScoreStanding(raw, given.score, "final", why, settled_by)


def _with_third(
    reads: Sequence[Grade], third: Grade, raw: float | None, rubric: Rubric, reading: Reading
) -> ScoreStanding:
    """Settle by a third read.

    Notes
    -----
    Unless the third read replaces the others, it takes two to agree on a condition code, and where one
    of the first two gave a code the two scores must lie within the tolerance; what is left is for the
    adjudicator.
    """
    says = _THIRD_SAYS[reading.third_read_counts]
    if reading.third_read_counts == "replace":
        return _alone(third, raw, rubric, says, "third read")
    codes = [grade.condition_code for grade in reads if grade.condition_code is not None]
    if third.condition_code is not None and third.condition_code in codes:
        return _alone(third, raw, rubric, says, "third read")
    scored = [grade for grade in reads if grade.score is not None]
    if third.score is None or not scored or (codes and _apart([*scored, third]) > _tolerance(reading)):
        return ScoreStanding(raw, None, "disputed", "The third read did not settle it.")
    final = combine_three([grade.score for grade in scored if grade.score is not None], third.score, reading)
    return ScoreStanding(raw, final, "final", says, "third read")


def _coded(reads: Sequence[Grade], codes: set[str | None], rubric: Rubric) -> ScoreStanding:
    if len(codes) > 1:
        named = ", ".join(sorted(code or "a score" for code in codes))
        return ScoreStanding(None, None, "disputed", f"The readers judged differently: {named}.")
    return coded_standing(str(reads[0].condition_code), rubric)
