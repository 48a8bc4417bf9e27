"""What a calibration set promises of its own papers, and where it does not keep it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import StatisticsError, correlation
from typing import Annotated

from pydantic import Field

from grader_app.domain.matched_pairs import fuller_and_plainer
from grader_app.domain.model import AsTuple, BrokenRule, DomainModel, Id, Location, Number, Rule, repeated
from grader_app.domain.reference_paper import ReferencePaper

_TOLERANCE = 1e-9
_CORRECT = "Change the papers, or the promise."

Count = Annotated[int, Field(ge=0)]


class PapersAtScore(DomainModel):
    """How many papers have one reference score."""

    score: Number
    papers: Annotated[int, Field(ge=1)]


class PapersWithFeature(DomainModel):
    """How many papers carry a planted trait, and between which scores they lie."""

    feature: Id
    papers: Annotated[int, Field(ge=1)]
    score_from: Number | None = None
    score_to: Number | None = None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._scores_are_ordered,)

    def _scores_are_ordered(self) -> Iterator[BrokenRule]:
        if self.score_from is not None and self.score_to is not None and self.score_to < self.score_from:
            what = f"The scores run from {self.score_from:g} to {self.score_to:g}."
            yield BrokenRule(("score_to",), what, "Make `score_to` at least `score_from`.")


class Makeup(DomainModel):
    """What a set promises; anchors count only for `words_from`, `words_to` and `anchors`."""

    words_from: Count | None = None
    words_to: Count | None = None
    scores: Annotated[tuple[PapersAtScore, ...], AsTuple] = ()
    features: Annotated[tuple[PapersWithFeature, ...], AsTuple] = ()
    matched_pairs: Count | None = None
    departures_at_least: Count | None = None
    length_correlation_at_most: Annotated[float, Field(ge=-1, le=1)] | None = None
    anchors: Count | None = None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (self._words_are_ordered, self._scores_differ, self._features_differ)

    def _words_are_ordered(self) -> Iterator[BrokenRule]:
        if self.words_from is not None and self.words_to is not None and self.words_to < self.words_from:
            what = f"The words run from {self.words_from} to {self.words_to}."
            yield BrokenRule(("words_to",), what, "Make `words_to` at least `words_from`.")

    def _scores_differ(self) -> Iterator[BrokenRule]:
        scores = ((("scores", at, "score"), f"{each.score:g}") for at, each in enumerate(self.scores))
        yield from repeated(scores, "score")

    def _features_differ(self) -> Iterator[BrokenRule]:
        features = ((("features", at, "feature"), each.feature) for at, each in enumerate(self.features))
        yield from repeated(features, "feature")


def too_short_or_long(makeup: Makeup, paper: ReferencePaper) -> Iterator[str]:
    """Say that a paper's length is not what the set promises.

    Parameters
    ----------
    makeup
        The promise.
    paper
        Any paper of the set, anchors too.

    Yields
    ------
    str
        One sentence, or none.
    """
    short = makeup.words_from is not None and paper.words < makeup.words_from
    long = makeup.words_to is not None and paper.words > makeup.words_to
    if short or long:
        bounds = (("at least", makeup.words_from), ("at most", makeup.words_to))
        promised = " and ".join(f"{which} {bound}" for which, bound in bounds if bound is not None)
        yield f"The essay has {paper.words} words; the set promises {promised}."


def scores_not_kept(makeup: Makeup, papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find scores that occur more or less often than promised.

    Parameters
    ----------
    makeup
        The promise.
    papers
        The papers of the set.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.
    """
    if not makeup.scores:
        return
    found = Counter(f"{paper.score:g}" for paper in papers if paper.is_ranked)
    for at, promised in enumerate(makeup.scores):
        yield from _miscounted(
            ("scores", at, "papers"),
            promised.papers,
            found.pop(f"{promised.score:g}", 0),
            f"the score {promised.score:g}",
        )
    for score, number in sorted(found.items()):
        what = f"{_papers(number)} the score {score}, which is not among the promised scores."
        yield BrokenRule(("scores",), what, _CORRECT)


def features_not_kept(makeup: Makeup, papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find planted traits that are missing, too many, or at other scores than promised.

    Parameters
    ----------
    makeup
        The promise.
    papers
        The papers of the set.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.
    """
    for at, promised in enumerate(makeup.features):
        featured = [paper for paper in papers if paper.is_ranked and paper.feature == promised.feature]
        named = f"the feature `{promised.feature}`"
        yield from _miscounted(("features", at, "papers"), promised.papers, len(featured), named)
        for paper in featured:
            yield from _at_another_score(("features", at), promised, paper)


def _at_another_score(
    loc: Location, promised: PapersWithFeature, paper: ReferencePaper
) -> Iterator[BrokenRule]:
    if paper.score is None:
        return
    if promised.score_from is not None and paper.score < promised.score_from:
        key, bound = "score_from", f"at least {promised.score_from:g}"
    elif promised.score_to is not None and paper.score > promised.score_to:
        key, bound = "score_to", f"at most {promised.score_to:g}"
    else:
        return
    what = (
        f"{paper.essay}, with the feature `{promised.feature}`, scores {paper.score:g}; promised is {bound}."
    )
    yield BrokenRule((*loc, key), what, _CORRECT)


def anchors_not_kept(makeup: Makeup, papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find anchors missing, too many, or two at one score.

    Parameters
    ----------
    makeup
        The promise.
    papers
        The papers of the set.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.
    """
    if makeup.anchors is None:
        return
    anchors = [paper for paper in papers if paper.anchor]
    if len(anchors) != makeup.anchors:
        what = f"The set promises {_counted(makeup.anchors, 'anchor')} and has {len(anchors)}."
        yield BrokenRule(("anchors",), what, _CORRECT)
    first: dict[float, str] = {}
    for paper in anchors:
        if paper.score is not None and paper.score in first:
            what = f"The anchors {first[paper.score]} and {paper.essay} both have the score {paper.score:g}."
            yield BrokenRule(("anchors",), what, "Keep one anchor at each score.")
        elif paper.score is not None:
            first[paper.score] = paper.essay


def pairs_not_kept(makeup: Makeup, papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find a number of matched pairs that is not the one promised.

    Parameters
    ----------
    makeup
        The promise.
    papers
        The papers of the set.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.
    """
    found = len(fuller_and_plainer(papers))
    if makeup.matched_pairs is not None and found != makeup.matched_pairs:
        what = f"The set promises {_counted(makeup.matched_pairs, 'matched pair')} and has {found}."
        yield BrokenRule(("matched_pairs",), what, _CORRECT)


def departures_not_kept(makeup: Makeup, found: int) -> Iterator[BrokenRule]:
    """Find fewer papers whose score departs from the tally than promised.

    Parameters
    ----------
    makeup
        The promise.
    found
        How many ranked papers depart, with a reason.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.
    """
    if makeup.departures_at_least is not None and found < makeup.departures_at_least:
        promised = _counted(makeup.departures_at_least, "score")
        what = (
            f"The set promises at least {promised} that depart from the tally with a reason; it has {found}."
        )
        yield BrokenRule(("departures_at_least",), what, _CORRECT)


def length_decides(makeup: Makeup, papers: Sequence[ReferencePaper]) -> Iterator[BrokenRule]:
    """Find a correlation of length with score that is higher than promised.

    Parameters
    ----------
    makeup
        The promise; a strongly negative correlation keeps it.
    papers
        The papers of the set.

    Yields
    ------
    BrokenRule
        With places counted from the makeup.

    Notes
    -----
    Pearson's r of the number of words with the reference score.
    """
    limit = makeup.length_correlation_at_most
    if limit is None:
        return
    loc: Location = ("length_correlation_at_most",)
    scored = [(paper.words, paper.score) for paper in papers if paper.is_ranked and paper.score is not None]
    try:
        found = correlation([words for words, _ in scored], [score for _, score in scored])
    except StatisticsError:
        what = "The correlation of length with score cannot be computed: lengths or scores do not vary."
        yield BrokenRule(loc, what, "Remove the key, or add papers.")
        return
    if found > limit + _TOLERANCE:
        what = f"Length and score correlate at {found:.2f}; the set promises at most {limit:g}."
        yield BrokenRule(loc, what, _CORRECT)


def _miscounted(loc: Location, promised: int, found: int, named: str) -> Iterator[BrokenRule]:
    if promised != found:
        what = f"{_papers(found)} {named}; the set promises {promised}."
        yield BrokenRule(loc, what, _CORRECT)


def _papers(number: int) -> str:
    return {0: "No paper has", 1: "One paper has"}.get(number, f"{number} papers have")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
