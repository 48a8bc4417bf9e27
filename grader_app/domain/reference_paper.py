"""One paper of a calibration set: an answer whose standing is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from grader_app.domain.model import (
    AsTuple,
    BrokenRule,
    DomainModel,
    Id,
    Number,
    PointId,
    Rule,
    Text,
    repeated,
)

ESSAY_PATTERN = r"^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$"

Style = Literal["fuller", "plainer"]


class ReferencePaper(DomainModel):
    """A paper with its reference.

    Parameters
    ----------
    essay
        Its name in the set: the file's name without the ending.
    text
        The answer itself; empty only where a condition code says so.
    score
        Reference score in points; None where a condition code stands in for it.
    reference_rank
        Place in the rank order, 1 for the best; papers that share a place are tied.
    anchor
        Whether it is shown with its score beforehand, outside ranking and gates.
    rationale
        Why it has this score.
    marks
        Reference mark by criterion id.
    condition_code
        The right code, in place of a score.
    points
        Ids of the point-sheet points the paper makes.
    departs_because
        Why the score departs from the tally of the points.
    matched_pair
        A label it shares with one other paper of the same points and score.
    style
        Which of the pair it is.
    feature
        A trait planted in it, such as ``long-and-empty``.
    """

    essay: Annotated[str, Field(pattern=ESSAY_PATTERN, max_length=40)]
    text: Annotated[str, StringConstraints(strip_whitespace=True)]
    score: Number | None = None
    reference_rank: Annotated[float, Field(ge=1, allow_inf_nan=False)] | None = None
    anchor: bool = False
    rationale: Text | None = None
    marks: dict[Id, Number] = Field(default_factory=dict)
    condition_code: Id | None = None
    points: Annotated[tuple[PointId, ...], AsTuple] = ()
    departs_because: Text | None = None
    matched_pair: Text | None = None
    style: Style | None = None
    feature: Id | None = None

    @property
    def words(self) -> int:
        """How many words the text has, counted between spaces."""
        return len(self.text.split())

    @property
    def is_ranked(self) -> bool:
        """Whether a grader ranks and scores it: it has a score and is no anchor."""
        return not self.anchor and self.score is not None

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """See `DomainModel.rules_to_hold`."""
        return (
            self._score_or_code,
            self._anchor_has_a_score,
            self._text_is_written,
            self._points_differ,
            self._style_and_pair_go_together,
        )

    def _score_or_code(self) -> Iterator[BrokenRule]:
        if self.score is not None and self.condition_code is not None:
            what = (
                f"{self.essay} has the score {self.score:g} and the condition code `{self.condition_code}`."
            )
            yield BrokenRule(("condition_code",), what, "Keep one of the two.")
        if self.score is None and self.condition_code is None and not self.anchor:
            fix = "Write its score; in a set for condition codes, a score or a code."
            yield BrokenRule(("score",), f"{self.essay} has no score.", fix)

    def _anchor_has_a_score(self) -> Iterator[BrokenRule]:
        if self.anchor and self.score is None:
            what = f"{self.essay} is an anchor and has no score."
            yield BrokenRule(("score",), what, "Write the score it is shown with, or `no` under `anchor`.")

    def _text_is_written(self) -> Iterator[BrokenRule]:
        if not self.text.strip() and self.condition_code is None:
            yield BrokenRule(("text",), "The essay is empty.", "Write its text, or remove file and row.")

    def _points_differ(self) -> Iterator[BrokenRule]:
        named = ((("points", at), point) for at, point in enumerate(self.points))
        yield from repeated(named, "point")

    def _style_and_pair_go_together(self) -> Iterator[BrokenRule]:
        if self.matched_pair is not None and self.style is None:
            what = f"{self.essay} belongs to the pair `{self.matched_pair}` and has no `style`."
            yield BrokenRule(
                ("matched_pair",), what, "Write `fuller` for one of the pair, `plainer` for the other."
            )
        if self.style is not None and self.matched_pair is None:
            what = f"{self.essay} is {self.style}, but belongs to no pair."
            yield BrokenRule(("style",), what, "Name its pair under `matched_pair`, or leave `style` empty.")
