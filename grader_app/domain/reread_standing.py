"""Which score of an answer stands once it has been read again before release."""

from __future__ import annotations

from collections.abc import Callable

from grader_app.domain.reread_rule import combine_reads, rule_in_words
from grader_app.domain.rereads import Reread
from grader_app.domain.score_standing import ScoreStanding

CODED = "The re-read gave a condition code."
APART = "The re-read is further from the first score than the gap, and nobody was left for a third read."


def with_reread(first: ScoreStanding, reread: Reread) -> ScoreStanding:
    """Combine a first score with its re-read.

    Parameters
    ----------
    first
        How the answer stands without the re-read.
    reread
        The re-read as it stands.

    Returns
    -------
    ScoreStanding
        Its ``raw`` is that of `first`, whichever way the score moves. Where the re-read gave a condition
        code, or a third read is due that nobody can give, the answer is in dispute.
    """
    if first.status == "waiting":
        return first
    if reread.waits:
        return first._replace(final=None, status="waiting", why="A re-read is under way.", settled_by="")
    if first.final is None or first.status != "final":
        return first
    if any(given.condition_code is not None for given in reread.given):
        return first._replace(final=None, status="disputed", why=CODED, settled_by="")
    combined = _combined(first.final, reread)
    if combined is None:
        return first._replace(final=None, status="disputed", why=APART, settled_by="")
    says = rule_in_words(reread.begun.rule, reread.begun.gap)
    return first._replace(final=combined, why=says, settled_by="re-read")


def third_is_due(first: float | None, reread: Reread) -> bool:
    """Say whether the rule asks for a third read, given the first score and a re-read that is in."""
    second = reread.second
    if first is None or second is None or second.score is None:
        return False
    return combine_reads(reread.begun.rule, first, second.score, reread.begun.gap) is None


def counted_of(first: float, reread: Reread, readers: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Name the graders whose scores make up a combined score.

    Parameters
    ----------
    first
        The first score.
    reread
        The re-read, which is in.
    readers
        Gives the graders of the first score.

    Notes
    -----
    With ``higher`` it is the side that was taken; an exact tie counts for the first.
    """
    second, third, rule = reread.second, reread.third, reread.begun.rule
    if second is None or second.score is None:
        return ()
    if rule == "replace":
        return (second.grader_id,)
    if rule == "higher":
        return (second.grader_id,) if second.score > first else readers()
    if third is not None and third_is_due(first, reread):
        return (third.grader_id,)
    return (*readers(), second.grader_id)


def _combined(first: float, reread: Reread) -> float | None:
    if reread.second is None or reread.second.score is None:
        return None
    third = None if reread.third is None else reread.third.score
    return combine_reads(reread.begun.rule, first, reread.second.score, reread.begun.gap, third)
