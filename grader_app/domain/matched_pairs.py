"""Matched pairs: two papers that make the same points in another style, and so deserve the same score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader_app.domain.model import BrokenRule
from grader_app.domain.reference_paper import ReferencePaper


def pairs_by_label(papers: Iterable[ReferencePaper]) -> dict[str, list[ReferencePaper]]:
    """Collect the papers that carry each label.

    Parameters
    ----------
    papers
        The papers of a set.

    Returns
    -------
    dict
        Papers by label, in their order; two each where all is well.
    """
    pairs: dict[str, list[ReferencePaper]] = {}
    for paper in papers:
        if paper.matched_pair is not None:
            pairs.setdefault(paper.matched_pair, []).append(paper)
    return pairs


def fuller_and_plainer(papers: Iterable[ReferencePaper]) -> tuple[tuple[str, str], ...]:
    """Name the pairs.

    Parameters
    ----------
    papers
        The papers of a set.

    Returns
    -------
    tuple of (str, str)
        The fuller essay and the plainer one, for each label that has both.
    """
    named = ({paper.style: paper.essay for paper in pair} for pair in pairs_by_label(papers).values())
    return tuple((each["fuller"], each["plainer"]) for each in named if each.keys() == {"fuller", "plainer"})


def unmatched(papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find labels whose papers are no matched pair.

    Parameters
    ----------
    papers
        The papers of a set.

    Yields
    ------
    BrokenRule
        At the last paper of the label; places are counted from the set.
    """
    places = {paper.essay: at for at, paper in enumerate(papers)}
    for label, pair in pairs_by_label(papers).items():
        loc = ("papers", places[pair[-1].essay], "matched_pair")
        if len(pair) != 2:
            named = _listed([paper.essay for paper in pair])
            what = f"The label `{label}` is carried by {named}; a pair is two papers."
            yield BrokenRule(loc, what, "Correct the label.")
        else:
            yield from (BrokenRule(loc, what, fix) for what, fix in _differences(label, *pair))


def _differences(label: str, one: ReferencePaper, other: ReferencePaper) -> Iterator[tuple[str, str]]:
    pair = f"{one.essay} and {other.essay}, the pair `{label}`,"
    if one.style is not None and one.style == other.style:
        yield f"{pair} are both {one.style}.", "Write `fuller` for one and `plainer` for the other."
    if {*one.points} != {*other.points}:
        only = ", ".join(sorted({*one.points} ^ {*other.points}))
        yield (
            f"{pair} make different points: only one of them makes {only}.",
            "Correct the points or the label.",
        )
    if one.score != other.score:
        yield f"{pair} have different scores.", "Give both the same score, or correct the label."
    if one.anchor or other.anchor:
        yield (
            f"{pair} include an anchor, which nobody scores.",
            "Take the label off, or write `no` under `anchor`.",
        )


def _listed(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} alone"
    return f"{', '.join(names[:-1])} and {names[-1]}"
