"""Which papers a further read could move across the line, most valuable first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scipy.special import ndtr

Rule = Literal["mean", "replace", "higher"]
RULES: tuple[Rule, ...] = ("mean", "replace", "higher")
WORTH_LISTING = 0.005
"""Papers whose further read moves the candidate across with a smaller chance are left out."""


class ExpectedRead(NamedTuple):
    """What a further read of one paper is expected to say.

    Parameters
    ----------
    item
        The item.
    score, n_reads
        The score that stands, and how many reads it is the mean of.
    mean, sd
        Of the further read, in points of the item.
    per_point
        By how much the total moves for one point of this item, in MBE points.
    ends
        Lowest and highest score that can be given, or None.
    step
        Distance of neighbouring scores; 0 for none.
    """

    item: str
    score: float
    n_reads: int
    mean: float
    sd: float
    per_point: float
    ends: tuple[float, float] | None = None
    step: float = 0.0


@dataclass(frozen=True)
class PaperToRead:
    """One paper of the list.

    Parameters
    ----------
    candidate_id, item
        The paper.
    total
        As reported now.
    to_line
        How far the total must move to change sides, in points: positive for a candidate below the line.
    needed
        The further read's score from which on (below the line) or below which (above it) the candidate
        changes sides.
    chance
        That it does.
    """

    candidate_id: str
    item: str
    total: float
    to_line: float
    needed: float
    chance: float


def reading_list(
    candidates: Mapping[str, tuple[float, float, Sequence[ExpectedRead]]], line: float, rule: Rule
) -> tuple[PaperToRead, ...]:
    """Return the papers that one further read could move across the line.

    Parameters
    ----------
    candidates
        By candidate id: the total as reported, the total in full, and what a further read of each
        paper is expected to say.
    line
        The full total from which a candidate passes: the cut, less one half where totals are rounded.
    rule
        How the further read combines with the score that stands: ``mean`` of all reads, ``replace``,
        or the ``higher`` of the two.

    Returns
    -------
    tuple of PaperToRead
        By chance, highest first; equal chances by candidate and item.

    Notes
    -----
    One paper is read again and everything else stays. A further read is normal about what the candidate's
    papers lead one to expect of it, not about the score that stands: an extreme score tends back. Where
    scores come in steps the needed one is rounded to the next step. Constants do not move.

    Examples
    --------
    >>> read = ExpectedRead("mee-1", 3, 1, 3.2, 0.8, 2.0, (0, 6), 1)
    >>> [found] = reading_list({"c1": (264, 264.1, [read])}, 265.5, "mean")
    >>> found.needed, round(found.chance, 3)
    (5.0, 0.052)
    """
    found = [
        PaperToRead(candidate, read.item, reported, line - full, *judged)
        for candidate, (reported, full, reads) in candidates.items()
        for read in reads
        if (judged := _needed_and_chance(read, line - full, rule)) is not None
    ]
    return most_valuable_first(paper for paper in found if paper.chance >= WORTH_LISTING)


def most_valuable_first(papers: Iterable[PaperToRead]) -> tuple[PaperToRead, ...]:
    """Order papers by chance, highest first; equal chances by candidate and item."""
    return tuple(sorted(papers, key=lambda paper: (-paper.chance, paper.candidate_id, paper.item)))


def _needed_and_chance(read: ExpectedRead, to_line: float, rule: Rule) -> tuple[float, float] | None:
    up = to_line > 0
    if read.sd <= 0 or read.per_point <= 0 or (rule == "higher" and not up):
        return None
    share = read.n_reads + 1 if rule == "mean" else 1
    needed = read.score + share * to_line / read.per_point
    if read.step:
        # Up: the lowest score that reaches the line. Down: the lowest score that still holds it.
        lowest = read.ends[0] if read.ends is not None else 0.0
        needed = float(lowest + math.ceil((needed - lowest) / read.step - 1e-9) * read.step)
    if read.ends is not None and (needed > read.ends[1] if up else needed <= read.ends[0]):
        return None
    reached = float(ndtr((read.mean - (needed - read.step / 2)) / read.sd))
    return needed, reached if up else 1 - reached
