"""Calibration set: what a packet of papers is for, the gate it sets, and the papers themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from grader_app.domain.item import Item
from grader_app.domain.matched_pairs import fuller_and_plainer, unmatched
from grader_app.domain.model import AsTuple, BrokenRule, DomainModel, Id, Rule, Text, Version, repeated
from grader_app.domain.reference_paper import ReferencePaper
from grader_app.domain.set_makeup import (
    Makeup,
    anchors_not_kept,
    features_not_kept,
    length_decides,
    pairs_not_kept,
    scores_not_kept,
    too_short_or_long,
)

RANK_ORDER_AT_LEAST = 0.85
"""Share of the pairs that the reference separates which must be put in order, unless a set says otherwise."""

EXACT_OR_ADJACENT_AT_LEAST = 0.90
"""Share of papers that must be scored as in the reference or next to it, unless a set says otherwise."""

QUADRATIC_WEIGHTED_KAPPA_AT_LEAST = 0.70
"""Agreement with the reference beyond chance that is needed, unless a set says otherwise."""

SEVERITY_WITHIN = 0.40
"""How far, in points, a grader's mean may lie from the reference mean, unless a set says otherwise."""

ATTEMPTS = 2
"""How often a grader may try, unless a set says otherwise."""

PANEL_PAPERS = 30
"""How many papers a panel's own reference is made of, unless a set says otherwise."""

PANEL_JUDGED_PAPERS = 15
"""On how many further papers each grader is judged against the others, unless a set says otherwise."""

MOST_PILES = 10
"""Piles a grader can make of a packet."""

FEWEST_RANKED = 5
"""With fewer ranked papers nobody can be told from anybody."""

Promise = Callable[[Makeup, Sequence[ReferencePaper]], Iterator[BrokenRule]]
Purpose = Literal["qualify", "validity", "codes"]
PaperNumber = Annotated[int, Field(ge=FEWEST_RANKED)]

_PROMISES: tuple[Promise, ...] = (
    scores_not_kept,
    features_not_kept,
    anchors_not_kept,
    pairs_not_kept,
    length_decides,
)


class Gates(DomainModel):
    """The conditions of a gate, all of which must be met."""

    rank_order_at_least: Annotated[float, Field(ge=0, le=1)] = RANK_ORDER_AT_LEAST
    exact_or_adjacent_at_least: Annotated[float, Field(ge=0, le=1)] = EXACT_OR_ADJACENT_AT_LEAST
    quadratic_weighted_kappa_at_least: Annotated[float, Field(ge=0, le=1)] = QUADRATIC_WEIGHTED_KAPPA_AT_LEAST
    severity_within: Annotated[float, Field(ge=0, allow_inf_nan=False)] = SEVERITY_WITHIN


class CalibrationSet(DomainModel):
    """What ``calibration_set.yaml`` says.

    Notes
    -----
    `gates` and `attempts` are those in force: filled in for a set that graders must pass, None for any
    other. So are `papers` and `judged_papers` of a set whose reference the panel makes. What is stored
    with grades therefore holds the numbers themselves, whatever a later program takes when none are written.
    """

    format: Literal["calibration_set/1"]
    id: Id
    version: Version
    title: Text
    item: Id
    point_sheet_version: Version
    purpose: Purpose
    anchors_from: Id | None = None
    reference: Literal["given", "panel"]
    origin: Literal["constructed", "panel"]
    order: Literal["shuffled", "as_numbered"] = "shuffled"
    gates: Gates | None = None
    attempts: Annotated[int, Field(ge=1)] | None = None
    piles: Annotated[int, Field(ge=2, le=MOST_PILES)] | None = None
    pile_labels: Annotated[tuple[Text, ...], AsTuple, Field(max_length=MOST_PILES)] = ()
    papers: PaperNumber | None = None
    judged_papers: PaperNumber | None = None
    makeup: Makeup | None = None

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:  # noqa: ANN401 - whatever the file holds
        if not isinstance(data, dict):
            return data
        taken: dict[str, Any] = {}
        if data.get("purpose") == "qualify":
            taken |= {"gates": {}, "attempts": ATTEMPTS}
        if data.get("reference") == "panel":
            taken |= {"papers": PANEL_PAPERS, "judged_papers": PANEL_JUDGED_PAPERS}
        return {**taken, **data}

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (
            partial(self._belongs_to_a_gate, "gates"),
            partial(self._belongs_to_a_gate, "attempts"),
            partial(self._belongs_to_a_panel, "papers"),
            partial(self._belongs_to_a_panel, "judged_papers"),
            self._panel_sets_are_to_qualify,
            self._panel_papers_are_real,
            self._panel_sets_promise_nothing,
            self._labels_fit_the_piles,
        )

    def _belongs_to_a_gate(self, key: str) -> Iterator[BrokenRule]:
        if getattr(self, key) is not None and self.purpose != "qualify":
            what = (
                f"`{key}` belong to a set that graders must pass; the purpose of this one is {self.purpose}."
            )
            yield BrokenRule((key,), what, f"Remove `{key}`, or write `purpose: qualify`.")

    def _belongs_to_a_panel(self, key: str) -> Iterator[BrokenRule]:
        if getattr(self, key) is not None and self.reference != "panel":
            what = f"`{key}` is only for `reference: panel`; here the reference is {self.reference}."
            yield BrokenRule((key,), what, f"Remove `{key}`, or write `reference: panel`.")

    def _panel_sets_are_to_qualify(self) -> Iterator[BrokenRule]:
        if self.reference == "panel" and self.purpose != "qualify":
            what = f"`reference: panel` goes with `purpose: qualify`; here the purpose is {self.purpose}."
            yield BrokenRule(("purpose",), what, "Change one of the two.")

    def _panel_papers_are_real(self) -> Iterator[BrokenRule]:
        if self.reference == "panel" and self.origin != "panel":
            what = f"With `reference: panel` the papers are live answers, but `origin` is {self.origin}."
            yield BrokenRule(("origin",), what, "Write `origin: panel`, or `reference: given`.")

    def _panel_sets_promise_nothing(self) -> Iterator[BrokenRule]:
        if self.reference == "panel" and self.makeup is not None:
            what = "`makeup` describes papers that lie in the set; with `reference: panel` there are none."
            yield BrokenRule(("makeup",), what, "Remove `makeup`, or write `reference: given`.")

    def _labels_fit_the_piles(self) -> Iterator[BrokenRule]:
        if self.piles is not None and self.pile_labels and len(self.pile_labels) != self.piles:
            what = f"There are {self.piles} piles and {len(self.pile_labels)} labels."
            yield BrokenRule(("pile_labels",), what, "Give each pile a label, or leave the labels out.")


class Packet(DomainModel):
    """A calibration set with its papers, in the order of ``reference_scores.csv``.

    Parameters
    ----------
    set
        What ``calibration_set.yaml`` says.
    papers
        The papers with their references; none where the panel makes the reference.
    """

    set: CalibrationSet
    papers: Annotated[tuple[ReferencePaper, ...], AsTuple] = ()

    @property
    def id(self) -> str:
        """The set's id, which is also its folder's name."""
        return self.set.id

    @property
    def version(self) -> str:
        """The set's version."""
        return self.set.version

    @property
    def item(self) -> str:
        """Id of the item its papers answer."""
        return self.set.item

    @property
    def anchors(self) -> tuple[ReferencePaper, ...]:
        """Papers shown with their scores beforehand."""
        return tuple(paper for paper in self.papers if paper.anchor)

    @property
    def ranked(self) -> tuple[ReferencePaper, ...]:
        """Papers that are ranked, scored and judged: those with a score that are no anchors."""
        return tuple(paper for paper in self.papers if paper.is_ranked)

    @property
    def matched_pairs(self) -> tuple[tuple[str, str], ...]:
        """The matched pairs, each as fuller essay and plainer essay."""
        return fuller_and_plainer(self.papers)

    def find_paper(self, essay: str) -> ReferencePaper:
        """Find a paper by its name.

        Parameters
        ----------
        essay
            As in ``reference_scores.csv``.

        Returns
        -------
        ReferencePaper
            The paper.

        Raises
        ------
        KeyError
            If the set has no such paper.
        """
        return {paper.essay: paper for paper in self.papers}[essay]

    def is_stale(self, item: Item) -> bool:
        """Say whether the references were made under an earlier version of the item.

        Parameters
        ----------
        item
            The item as it stands.
        """
        return int(self.set.point_sheet_version) < int(item.version)

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        places = range(len(self.papers))
        return (
            self._papers_stand_where_they_belong,
            self._essays_differ,
            self._enough_to_judge,
            self._references_vary,
            self._every_paper_is_placed_or_none,
            self._places_follow_scores,
            self._pairs_match,
            *(partial(self._code_fits_the_purpose, at) for at in places),
            *(partial(self._length_is_kept, at) for at in places),
            *(partial(self._promise_is_kept, promise) for promise in _PROMISES),
        )

    def _papers_stand_where_they_belong(self) -> Iterator[BrokenRule]:
        if self.set.reference == "panel" and self.papers:
            what = "With `reference: panel` the papers come from live answers, but the set has its own."
            yield BrokenRule(("set", "reference"), what, "Remove the papers, or write `reference: given`.")
        if self.set.reference == "given" and not self.papers:
            yield BrokenRule(("papers",), "The set has no papers.", "Add essays, and a row for each.")

    def _essays_differ(self) -> Iterator[BrokenRule]:
        names = ((("papers", at, "essay"), paper.essay) for at, paper in enumerate(self.papers))
        yield from repeated(names, "essay")

    @property
    def _is_gated(self) -> bool:
        return self.set.purpose == "qualify" and self.set.reference == "given"

    def _enough_to_judge(self) -> Iterator[BrokenRule]:
        ranked = len(self.ranked)
        if self._is_gated and self.papers and ranked < FEWEST_RANKED:
            what = f"Papers to rank, anchors not counted: {ranked}. A gate needs at least {FEWEST_RANKED}."
            yield BrokenRule(("papers",), what, "Add papers, or change `purpose`.")

    def _references_vary(self) -> Iterator[BrokenRule]:
        ranked = self.ranked
        if self._is_gated and len(ranked) >= FEWEST_RANKED and len({paper.score for paper in ranked}) == 1:
            what = f"All papers to rank have the score {ranked[0].score:g}, so there is no order to find."
            yield BrokenRule(("papers",), what, "Add papers of other scores, or change `purpose`.")

    def _every_paper_is_placed_or_none(self) -> Iterator[BrokenRule]:
        ranked = [(at, paper) for at, paper in enumerate(self.papers) if paper.is_ranked]
        if all(paper.reference_rank is None for _, paper in ranked):
            return
        for at, paper in ranked:
            if paper.reference_rank is None:
                what = f"{paper.essay} has no `reference_rank`, but other papers have one."
                yield BrokenRule(
                    ("papers", at, "reference_rank"), what, "Fill the column, or leave it empty."
                )

    def _places_follow_scores(self) -> Iterator[BrokenRule]:
        placed = [
            (paper.reference_rank, -paper.score, at)
            for at, paper in enumerate(self.papers)
            if paper.is_ranked and paper.reference_rank is not None and paper.score is not None
        ]
        weakest: tuple[float, str] | None = None
        for _, minus_score, at in sorted(placed):
            score, essay = -minus_score, self.papers[at].essay
            if weakest is not None and score > weakest[0]:
                what = (
                    f"{essay} scores {score:g} and stands behind {weakest[1]}, which scores {weakest[0]:g}."
                )
                fix = "Correct a rank or a score; rank 1 is the best."
                yield BrokenRule(("papers", at, "reference_rank"), what, fix)
            if weakest is None or score < weakest[0]:
                weakest = score, essay

    def _pairs_match(self) -> Iterator[BrokenRule]:
        yield from unmatched(self.papers)

    def _code_fits_the_purpose(self, at: int) -> Iterator[BrokenRule]:
        paper = self.papers[at]
        if paper.condition_code is not None and self.set.purpose != "codes":
            what = f"{paper.essay} has a condition code, but the set's purpose is {self.set.purpose}."
            fix = "Give it a score, or write `purpose: codes`."
            yield BrokenRule(("papers", at, "condition_code"), what, fix)

    def _length_is_kept(self, at: int) -> Iterator[BrokenRule]:
        if self.set.makeup is not None:
            for what in too_short_or_long(self.set.makeup, self.papers[at]):
                yield BrokenRule(("papers", at, "text"), what, "Change the text, or the promise in `makeup`.")

    def _promise_is_kept(self, promise: Promise) -> Iterator[BrokenRule]:
        if self.set.makeup is not None:
            for broken in promise(self.set.makeup, self.papers):
                yield broken._replace(loc=("set", "makeup", *broken.loc))
