"""Which candidates have answers to which items, and who has an MBE score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs

_NAMED = 5


class SeveralAnswers(NamedTuple):
    """A candidate with more than one answer to an item of the composite."""

    candidate_id: str
    item: str
    n: int


@dataclass(frozen=True)
class CandidateCount:
    """Candidates by what they have.

    Parameters
    ----------
    items
        The items counted: those with a weight in the composite, or all where none has one.
    all_items, some_items, no_item
        Candidates with an answer to each of them, to some, and with answers to other items alone.
    with_mbe
        Candidates with an answer to one of the items and an MBE score.
    without_mbe
        The same without an MBE score; ids, sorted.
    mbe_without_answer
        Candidates with an MBE score and no answer to any of the items; ids, sorted.
    several
        Candidates with two answers or more to one of the items; they get no scaled score.
    """

    items: tuple[str, ...]
    all_items: int
    some_items: int
    no_item: int
    with_mbe: int
    without_mbe: tuple[str, ...]
    mbe_without_answer: tuple[str, ...]
    several: tuple[SeveralAnswers, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to look at before scores go out, in sentences; each can be as it should be."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        if self.several:
            named = [f"{one.candidate_id} ({one.n} to {one.item})" for one in self.several]
            yield (
                f"{_candidates(len({one.candidate_id for one in self.several}))} with two answers or more to "
                f"one question, and so without a scaled score: {_few(named)}."
            )
        if self.mbe_without_answer:
            count = _candidates(len(self.mbe_without_answer))
            yield f"{count} with an MBE score and no answer: {_few(self.mbe_without_answer)}."
        if self.some_items:
            yield f"{_candidates(self.some_items)} with answers to some questions and not to all."
        if self.without_mbe and (self.with_mbe or self.mbe_without_answer):
            yield f"{_candidates(len(self.without_mbe))} with answers and without an MBE score."

    @property
    def line(self) -> str:
        """The counts in one sentence."""
        n = len(self.items)
        each = "the one question that counts" if n == 1 else f"each of the {n} questions that count"
        return (
            f"Candidates: {self.all_items} with an answer to {each}, "
            f"{self.some_items} to some; {self.with_mbe} with an MBE score, {len(self.without_mbe)} without, "
            f"{len(self.mbe_without_answer)} with an MBE score alone."
        )

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "items": list(self.items),
            "all_items": self.all_items,
            "some_items": self.some_items,
            "no_item": self.no_item,
            "with_mbe": self.with_mbe,
            "without_mbe": list(self.without_mbe),
            "mbe_without_answer": list(self.mbe_without_answer),
            "several_answers": [one._asdict() for one in self.several],
        }


def count_candidates(record: GradingRecord, stored: Inputs) -> CandidateCount:
    """Count the candidates of a round; answers taken back are left out.

    Parameters
    ----------
    record
        Says which items count, and what was taken back.
    stored
        The answers and MBE scores that are there.
    """
    the_round = record.round
    weighted = list(the_round.weights) if the_round else []
    items = weighted or record.items()
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for response_id, row in stored.responses.items():
        if response_id not in record.withdrawn:
            answers[str(row["candidate_id"])][str(row["item"])] += 1
    has = {who: sum(item in by_item for item in items) for who, by_item in answers.items()}
    some = {who for who, n in has.items() if n}
    return CandidateCount(
        tuple(items),
        sum(has[who] == len(items) for who in some),
        sum(has[who] < len(items) for who in some),
        len(has) - len(some),
        len(some & stored.mbe.keys()),
        tuple(sorted(some - stored.mbe.keys())),
        tuple(sorted(stored.mbe.keys() - some)),
        tuple(
            SeveralAnswers(who, item, answers[who][item])
            for who in sorted(some)
            for item in items
            if answers[who][item] > 1
        ),
    )


def _candidates(count: int) -> str:
    return "1 candidate" if count == 1 else f"{count} candidates"


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
