"""Whether every paper taken in is accounted for: graded, coded, waiting, disputed, excluded or withdrawn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from grader_app.domain.candidate_count import CandidateCount, count_candidates
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs
from grader_app.domain.intake_record import Intake
from grader_app.domain.panel import ReadKind

_NAMED = 5
_SCORED = (ReadKind.LIVE, ReadKind.THIRD)


@dataclass(frozen=True)
class PaperCount:
    """Papers by where they stand.

    Parameters
    ----------
    final, coded, waiting, disputed
        As in `ScoreStanding`; waiting includes those not dealt yet and those with the lead.
    excluded
        Taken out of the round by the lead.
    withdrawn
        Taken back with their batch before they were dealt.
    """

    final: int = 0
    coded: int = 0
    waiting: int = 0
    disputed: int = 0
    excluded: int = 0
    withdrawn: int = 0

    @property
    def there(self) -> int:
        """All of them together."""
        return sum(self.by_state.values())

    @property
    def by_state(self) -> dict[str, int]:
        """The numbers by name, in the order in which they are shown."""
        return {each.name: getattr(self, each.name) for each in fields(PaperCount)}

    @property
    def says(self) -> str:
        """The sum as it is written; states in which no paper is are left out, the first four stay."""
        shown = [(name, n) for name, n in self.by_state.items() if n or name in _ALWAYS]
        return " + ".join(f"{n} {_WORDS.get(name, name)}" for name, n in shown)


_WORDS = {"final": "graded"}
_ALWAYS = ("final", "coded", "waiting")


@dataclass(frozen=True)
class ItemCount:
    """One item's papers.

    Parameters
    ----------
    item
        The item.
    taken_in
        How many the log says were taken in; None where an intake does not say.
    papers
        Those that are there.
    """

    item: str
    taken_in: int | None
    papers: PaperCount

    @property
    def missing(self) -> int:
        """Taken in and not there; below zero where more are there than were taken in."""
        return 0 if self.taken_in is None else self.taken_in - self.papers.there


@dataclass(frozen=True)
class Reconciliation:
    """A round's papers and candidates, counted.

    Parameters
    ----------
    items
        By item, in the round's order.
    intakes
        Every file of answers taken in; which papers were in which is known to the blinding key alone.
    candidates
        Who has what.
    mbe_taken_in, mbe_there
        Candidates who were given an MBE score, and those who have one.
    gone
        Papers that somebody was dealt and that are no longer there.
    moved
        Papers dealt as an answer to one item that now stand under another: id, item then, item now.
    """

    items: tuple[ItemCount, ...]
    intakes: tuple[Intake, ...]
    candidates: CandidateCount
    mbe_taken_in: int
    mbe_there: int
    gone: tuple[str, ...]
    moved: tuple[tuple[str, str, str], ...]

    @property
    def papers(self) -> PaperCount:
        """The papers of all items together."""
        return added(item.papers for item in self.items)

    @property
    def taken_in(self) -> int:
        """How many were taken in; where an intake does not say, those that are there."""
        return sum(i.papers.there if i.taken_in is None else i.taken_in for i in self.items)

    @property
    def line(self) -> str:
        """The sum of all papers, as it is said when it holds."""
        return f"Papers: {self.taken_in} in = {self.papers.says}."

    @property
    def unreconciled(self) -> tuple[str, ...]:
        """What does not add up, in sentences; empty when every paper is accounted for."""
        return tuple(self._faults())

    def _faults(self) -> Iterator[str]:
        for item in self.items:
            if item.missing:
                yield f"{item.item}: {_apart(item)}"
        if self.gone:
            yield f"Dealt and no longer there: {_few(self.gone)}."
        for response_id, before, now in self.moved[:_NAMED]:
            yield f"Paper {response_id} was dealt as an answer to {before} and stands under {now} now."
        if len(self.moved) > _NAMED:
            yield f"{len(self.moved) - _NAMED} more papers stand under another question than the one dealt."
        if self.mbe_taken_in != self.mbe_there:
            yield f"MBE scores: {self.mbe_taken_in} taken in, {self.mbe_there} there."

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "adds_up": not self.unreconciled,
            "unreconciled": list(self.unreconciled),
            "remarks": list(self.candidates.remarks),
            "taken_in": self.taken_in,
            **self.papers.by_state,
            "items": [
                {
                    "item": each.item,
                    "taken_in": each.taken_in,
                    **each.papers.by_state,
                    "missing": each.missing,
                }
                for each in self.items
            ],
            "intakes": [vars(intake) for intake in self.intakes],
            "candidates": self.candidates.as_json(),
            "mbe_taken_in": self.mbe_taken_in,
            "mbe_there": self.mbe_there,
        }


def reconcile(record: GradingRecord, there: Inputs | None = None) -> Reconciliation:
    """Count a round's papers and candidates, and hold them against what was taken in.

    Parameters
    ----------
    record
        The round, as its log tells it.
    there
        What is stored now; by default what the record was made with.

    Notes
    -----
    The left side of the sum comes from the log alone, the right side from the rows that are there, so a row
    taken away shows although nobody acted.
    """
    stored = record.inputs if there is None else there
    states: dict[str, Counter[str]] = defaultdict(Counter)
    for response_id, row in stored.responses.items():
        states[str(row["item"])][state_of(record, response_id)] += 1
    named = [*record.items(), *(intake.item for intake in record.intake.intakes), *sorted(states)]
    items = tuple(
        ItemCount(item, record.intake.taken_in_or_none(item), PaperCount(**states[item]))
        for item in dict.fromkeys(named)
    )
    gone, moved = _not_as_dealt(record, stored)
    return Reconciliation(
        items,
        tuple(record.intake.intakes),
        count_candidates(record, stored),
        record.intake.mbe,
        len(stored.mbe),
        gone,
        moved,
    )


def _not_as_dealt(
    record: GradingRecord, stored: Inputs
) -> tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]:
    """Give the dealt papers that are not stored, and those stored as an answer to another item."""
    gone: set[str] = set()
    moved: dict[str, tuple[str, str, str]] = {}
    for one in record.assignments.values():
        if one.kind not in _SCORED:
            continue
        row = stored.responses.get(one.response_id)
        if row is None:
            gone.add(one.response_id)
        elif (now := str(row["item"])) != one.item:
            moved[one.response_id] = (one.response_id, one.item, now)
    return tuple(sorted(gone)), tuple(sorted(moved.values()))


def state_of(record: GradingRecord, response_id: str) -> str:
    """Say in which of the states of `PaperCount` a stored paper is."""
    if response_id in record.withdrawn:
        return "withdrawn"
    if response_id in record.excluded:
        return "excluded"
    if response_id not in record.inputs.responses:  # stored since, or by nobody: it has no reads
        return "waiting"
    return record.standing(response_id).status


def added(counts: Iterable[PaperCount]) -> PaperCount:
    """Add counts up."""
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each.by_state)
    return PaperCount(**total)


def _apart(count: ItemCount) -> str:
    there = count.papers.there
    ending = f"{count.missing} missing" if count.missing > 0 else f"{-count.missing} that nobody took in"
    return f"{count.taken_in} papers taken in, {there} there: {ending}."


def _few(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more
