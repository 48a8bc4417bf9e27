"""What would change if a round were scaled otherwise, or if one grader had not read: who crosses the line."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import fsum
from typing import Literal

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_variance import ReaderVariance
from grader_app.domain.round import Cut
from grader_app.domain.scaling_rules import SetRules
from grader_app.domain.supposed_record import under_rules, without_grader
from grader_app.errors import ScalingProblem
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.errors_of_round import errors_of_record
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.scaled import LeftOut, Scaled, ScaledCandidate
from grader_app.scaling.score_errors import ScoreErrors

_SAME = 1e-9
_FEWEST_DRAWS = 400  # only SDs are taken, said to two places


@dataclass(frozen=True)
class Question:
    """What is asked.

    Parameters
    ----------
    rules
        In place of the rules that stand now.
    without
        A grader whose reads are dropped, or None.
    """

    rules: SetRules = field(default_factory=SetRules)
    without: str | None = None

    @property
    def asks_nothing(self) -> bool:
        """Whether nothing would differ."""
        return self.rules.are_the_rounds_own and self.without is None


@dataclass(frozen=True)
class Move:
    """One candidate before and after.

    Parameters
    ----------
    candidate_id
        The candidate.
    of
        Which score: the reported total, or the written scaled score of a candidate without an MBE score.
    before, after
        That score.
    passes_before, passes_after
        Whether it reaches the passing total; None without a total or a line.
    reader_sd
        SD of the score's error from its readers, before; None where not known.
    """

    candidate_id: str
    of: Literal["total", "written_scaled"]
    before: float
    after: float
    passes_before: bool | None
    passes_after: bool | None
    reader_sd: float | None

    @property
    def move(self) -> float:
        """After minus before."""
        return self.after - self.before

    @property
    def moves(self) -> bool:
        """Whether the score differs."""
        return abs(self.move) > _SAME

    @property
    def crosses(self) -> Literal["up", "down"] | None:
        """To which side of the line the candidate would go."""
        if self.passes_before is None or self.passes_after is None or self.passes_before == self.passes_after:
            return None
        return "up" if self.passes_after else "down"

    @property
    def within_error(self) -> bool | None:
        """Whether the score moves by less than one SD of its readers' error; None where that is not known."""
        return None if self.reader_sd is None else abs(self.move) < self.reader_sd

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        return asdict(self) | {
            "move": self.move,
            "crosses": self.crosses,
            "within_error": self.within_error,
        }


@dataclass(frozen=True)
class WhatIf:
    """Before and after, side by side.

    Parameters
    ----------
    question
        What was asked.
    moves
        Everyone with a score before and after, in the order of the pool.
    left_out
        Who has a score now and would have none, with the reason.
    brought_in
        Who has none now and would have one.
    line_before, line_after
        The passing total; None without one.
    reader_sd
        Mean SD of a total's error from its readers; None where no answer was read twice.
    everything_sd
        The same from readers, questions and pool; None where not known.
    warnings
        What the scaling asked for warns of.
    """

    question: Question
    moves: tuple[Move, ...]
    left_out: tuple[LeftOut, ...]
    brought_in: tuple[str, ...]
    line_before: float | None
    line_after: float | None
    reader_sd: float | None
    everything_sd: float | None
    warnings: tuple[str, ...]

    @property
    def moved(self) -> tuple[Move, ...]:
        """Who moves, furthest first."""
        return tuple(sorted((m for m in self.moves if m.moves), key=lambda m: (-abs(m.move), m.candidate_id)))

    def crossing(self, where: Literal["up", "down"]) -> tuple[Move, ...]:
        """Who crosses the line to one side, by id."""
        return tuple(m for m in self.moves if m.crosses == where)

    @property
    def mean_size(self) -> float | None:
        """Mean size of a move over everyone, up or down; None without candidates."""
        return fsum(abs(m.move) for m in self.moves) / len(self.moves) if self.moves else None

    @property
    def n_within_error(self) -> int | None:
        """How many of those who move do so by less than their readers' error; None where not known."""
        known = [m.within_error for m in self.moved]
        return None if None in known or self.reader_sd is None else sum(bool(w) for w in known)

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        largest = self.moved[0] if self.moved else None
        return {
            "rules": self.question.rules.as_body(),
            "without_grader": self.question.without,
            "n_candidates": len(self.moves),
            "n_moved": len(self.moved),
            "largest_move": None if largest is None else largest.move,
            "mean_size_of_move": self.mean_size,
            "line_before": self.line_before,
            "line_after": self.line_after,
            "crosses_up": [m.candidate_id for m in self.crossing("up")],
            "crosses_down": [m.candidate_id for m in self.crossing("down")],
            "reader_sd": self.reader_sd,
            "readers_questions_pool_sd": self.everything_sd,
            "n_within_error": self.n_within_error,
            "candidates": [m.as_json() for m in self.moves],
            "left_out": [asdict(one) for one in self.left_out],
            "brought_in": list(self.brought_in),
            "warnings": list(self.warnings),
        }


def what_if(record: GradingRecord, question: Question, readers: Mapping[str, ReaderVariance]) -> WhatIf:
    """Set a round as it is scaled now beside how it would be.

    Parameters
    ----------
    record
        The round; nothing in it changes.
    question
        What would be otherwise.
    readers
        Variance of one read by item (`agreement.reader_variance_of_record`).

    Raises
    ------
    ScalingProblem
        The round cannot be scaled now, or could not be then; or a weight is for an item without one.

    Notes
    -----
    A line is judged on the reported total. Every figure before comes from the function that scales the round,
    and every figure after from the same function on the round as it would stand.
    """
    refuse_unknown_items(record, question.rules)
    before = scaled_of_record(record)
    if not before.candidates:
        raise ScalingProblem("Nothing is scaled yet: no candidate has a final score for every question.")
    supposed = under_rules(record, question.rules)
    if question.without is not None:
        supposed = without_grader(supposed, question.without)
    try:
        after = scaled_of_record(supposed)
    except ScalingProblem as problem:
        raise ScalingProblem(f"Then nothing could be scaled. {problem}") from problem
    if not after.candidates:
        raise ScalingProblem("Then nothing could be scaled: no candidate would have every question graded.")
    errors = errors_of_record(record, before, readers, settings=Settings(n_draws=_FEWEST_DRAWS))
    sds = _reader_sds(before, errors)
    then = {row.candidate_id: row for row in after.candidates}
    line, new_line = _cut(record), _cut(supposed)
    unread = _left_unread(record, supposed)
    why = {one.candidate_id: one.why for one in after.left_out} | unread
    totals = [sds[row.candidate_id] for row in before.candidates if row.total is not None]
    return WhatIf(
        question,
        tuple(
            _move(row, then[row.candidate_id], (line, new_line), sds[row.candidate_id])
            for row in before.candidates
            if row.candidate_id in then
        ),
        tuple(
            LeftOut(row.candidate_id, why.get(row.candidate_id, "No score would stand."))
            for row in before.candidates
            if row.candidate_id not in then
        ),
        tuple(sorted(then.keys() - {row.candidate_id for row in before.candidates})),
        None if line is None else line.total,
        None if new_line is None else new_line.total,
        _mean_or_none(totals),
        _everything_sd(before, errors),
        tuple(warning for warning in after.warnings if warning not in before.warnings),
    )


def refuse_unknown_items(record: GradingRecord, rules: SetRules) -> None:
    """Refuse a weight for an item that enters no composite.

    Raises
    ------
    ScalingProblem
        Naming the items that have a weight.
    """
    weights = record.round.weights if record.round else {}
    for item in rules.weights:
        if record.round is not None and item not in weights:
            named = ", ".join(weights) or "none"
            raise ScalingProblem(f"{item} has no weight in this round. Items with a weight: {named}.")


def _left_unread(record: GradingRecord, supposed: GradingRecord) -> dict[str, str]:
    """Say by candidate which answers had reads and would have none."""
    found: dict[str, list[str]] = defaultdict(list)
    for item in record.round.weights if record.round else ():
        for response_id in record.response_ids(item):
            if record.reads(response_id) and not supposed.reads(response_id):
                found[str(record.candidate_of(response_id))].append(item)
    return {who: f"No read is left of {', '.join(items)}." for who, items in found.items()}


def _cut(record: GradingRecord) -> Cut | None:
    return record.round.cut if record.round else None


def _move(
    row: ScaledCandidate, then: ScaledCandidate, lines: tuple[Cut | None, Cut | None], sd: float | None
) -> Move:
    if row.total is None or then.total is None:
        scaled = row.written_scaled, then.written_scaled
        return Move(row.candidate_id, "written_scaled", *scaled, None, None, sd)
    passes = _passes(row.total, lines[0]), _passes(then.total, lines[1])
    return Move(row.candidate_id, "total", row.total, then.total, *passes, sd)


def _passes(total: float, line: Cut | None) -> bool | None:
    return None if line is None else total >= line.total - _SAME


def _everything_sd(scaled: Scaled, errors: ScoreErrors) -> float | None:
    rows = [row for row in scaled.candidates if row.total is not None]
    bars = [errors.shown(row, scaled.factors).everything for row in rows]
    return _mean_or_none([None if bar is None else bar.sd for bar in bars])


def _reader_sds(scaled: Scaled, errors: ScoreErrors) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for row in scaled.candidates:
        variance = errors.bars.by_candidate[row.candidate_id].reader_variance
        factor = 1.0 if row.total is None else scaled.factors.written
        found[row.candidate_id] = None if variance is None else factor * math.sqrt(variance)
    return found


def _mean_or_none(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known and len(known) == len(values) else None
