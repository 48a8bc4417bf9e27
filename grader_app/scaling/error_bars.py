"""Scaled scores with their error bars: readers only, and readers, questions and pool together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader_app.domain.reader_variance import ReaderVariance
from grader_app.errors import ScalingProblem
from grader_app.scaling.composite_errors import CompositeErrors, ItemRules, composite_errors
from grader_app.scaling.item_errors import ItemError, item_errors
from grader_app.scaling.joint_draw import GroupErrors, draws
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.rounding import Factors
from grader_app.scaling.scaled import Scaled, ScaledCandidate
from grader_app.scaling.score_reads import Reads, item_readings, one_reader_items, severity_incidence

Floats = NDArray[np.float64]
_CELLS = 20_000_000
"""How many drawn scores are held at once; a large pool is drawn less often."""
_FEWEST = 400
_AT_ONCE = 1000
_SLACK = 1e-6
"""A confidence of 0.999 takes 2,000 draws, though in binary it is a little above."""
_IN_FULL = 4_000_000
"""Up to so many drawn scores are held at full precision, so that another machine finds the same bars."""

READERS = "readers"
EVERYTHING = "readers_questions_pool"
COVERS = {
    READERS: "Other readers of this kind; the same answers, questions and pool.",
    EVERYTHING: "Other readers and other questions of this kind, and another pool of this size.",
}
"""What each line covers, in a sentence."""


@dataclass(frozen=True)
class Bar:
    """An error bar of a scaled written score in MBE points, or of a total in its points.

    Parameters
    ----------
    low, high
        Ends of the interval.
    sd
        SD of the draws.
    """

    low: float
    high: float
    sd: float

    def of_total(self, mbe: float, factors: Factors) -> Bar:
        """Return the bar of the total that an MBE score makes of this scaled score."""
        fixed = factors.mbe * mbe
        low, high = (fixed + factors.written * end for end in (self.low, self.high))
        return Bar(low, high, factors.written * self.sd)


@dataclass(frozen=True)
class CandidateBars:
    """One candidate's two lines; None where a line cannot be computed.

    Parameters
    ----------
    candidate_id
        As in the pool.
    readers, everything
        The two lines. The headline is the wider of those that there are.
    reader_variance, error_variance
        Of the scaled score, in squared MBE points, by formula: readers; readers and questions. The pool
        is in neither. None where not known.
    """

    candidate_id: str
    readers: Bar | None
    everything: Bar | None
    reader_variance: float | None = None
    error_variance: float | None = None

    @property
    def headline(self) -> Bar | None:
        """The wider line."""
        lines = [line for line in (self.readers, self.everything) if line is not None]
        return max(lines, key=lambda line: line.high - line.low, default=None)


class FurtherReads(NamedTuple):
    """Mean and SD of one further read of each paper of a candidate, in the order of the items."""

    means: Floats
    sds: Floats


@dataclass(frozen=True)
class Settings:
    """How the draw is made: confidence (a share), number of draws, seed."""

    confidence: float = 0.95
    n_draws: int = 2000
    seed: int = 0

    def checked(self) -> Settings:
        """Return the settings, or raise ScalingProblem where one cannot be used."""
        if not 0.5 <= self.confidence < 1:
            raise ScalingProblem(
                f"A confidence of {self.confidence!r} cannot be used. Give 0.95, or 0.5 up to below 1."
            )
        if self.n_draws < _FEWEST:
            raise ScalingProblem(f"{self.n_draws} draws are too few. Give {_FEWEST} or more.")
        if self.seed < 0:
            raise ScalingProblem(f"A seed of {self.seed} cannot be used. Give a whole number, 0 or more.")
        return self


@dataclass(frozen=True)
class ErrorBars:
    """The error bars of a scaled pool.

    Parameters
    ----------
    candidates
        In the order of the scaled pool.
    items
        Error variances of each item, by scaling group and item.
    weights
        By scaling group and item: what one point of the item counts in the composite that was scaled.
    further
        What one further read of each paper is expected to say, by candidate id.
    settings
        With the number of draws that was made.
    notes
        What the lines rest on and what they leave out, in sentences.
    """

    candidates: tuple[CandidateBars, ...]
    items: Mapping[str | None, Mapping[str, ItemError]]
    weights: Mapping[str | None, Mapping[str, float]]
    further: Mapping[str, FurtherReads]
    settings: Settings
    notes: tuple[str, ...]

    @cached_property
    def by_candidate(self) -> dict[str, CandidateBars]:
        """The bars by candidate id."""
        return {bars.candidate_id: bars for bars in self.candidates}


def error_bars(
    pool: Pool,
    scaled: Scaled,
    items: Mapping[str, ItemRules],
    readers: Mapping[str, ReaderVariance] | None = None,
    reads: Reads | None = None,
    settings: Settings | None = None,
) -> ErrorBars:
    """Return the error bars of every scaled candidate.

    Parameters
    ----------
    pool
        The pool that was scaled.
    scaled
        What `scale_pool` made of it.
    items
        Weight, component and ends of the scale of each item of the composite.
    readers
        Variance of one read by item, from doubly read answers; empty or None where nothing was.
    reads
        Grader ids by candidate and item, one a read that counts.
    settings
        Confidence, number of draws, seed.

    Returns
    -------
    ErrorBars

    Raises
    ------
    ScalingProblem
        A setting that cannot be used, or a confidence that so many draws do not reach.

    Notes
    -----
    An interval holds the middle of the drawn scaled scores: raw scores are moved and then scaled, so that it
    stays within the scale that the method gives. What each line covers
    stands in `COVERS`; neither covers the MBE's own error. Errors are smaller near the ends of an item's
    scale (`variance_on_scale`), judged at the level that the candidate's other scores lead one to expect.
    Readers and questions of this kind are drawn independently for each item: a grader who read several
    items of one candidate is taken as that many graders. The order of candidates and reads changes no bar.

    References
    ----------
    Brennan (2001), Generalizability Theory; Kolen & Brennan (2014), Test Equating, ch. 7.
    """
    chosen = (settings or Settings()).checked()
    n_draws = max(_FEWEST, min(chosen.n_draws, _CELLS // max(1, len(scaled.candidates))))
    chosen = _reached(Settings(chosen.confidence, n_draws, chosen.seed), chosen.n_draws)
    rows = {candidate.candidate_id: candidate for candidate in pool.candidates}
    found: dict[str, CandidateBars] = {}
    errors: dict[str | None, Mapping[str, ItemError]] = {}
    weights: dict[str | None, dict[str, float]] = {}
    further: dict[str, FurtherReads] = {}
    for group in scaled.constants:
        of_the_group = (row for row in scaled.candidates if rows[row.candidate_id].group == group)
        mine = sorted(of_the_group, key=lambda row: row.candidate_id)
        people = [rows[row.candidate_id] for row in mine]
        errors[group], weights[group], parts, of_group = _group_errors(
            scaled, group, mine, people, items, readers or {}, reads or {}
        )
        found |= _bars(mine, of_group, chosen)
        for at, row in enumerate(mine):
            further[row.candidate_id] = FurtherReads(parts.read_means[at], parts.read_sds[at])
    in_order = tuple(found[row.candidate_id] for row in scaled.candidates)
    notes = tuple(_notes(errors, items, readers or {}, reads or {}))
    return ErrorBars(in_order, errors, weights, further, chosen, notes)


def _reached(settings: Settings, asked: int) -> Settings:
    """Return the settings, or raise ScalingProblem where no draw lies beyond the ends of the interval."""
    needed = math.ceil(2 / (1 - settings.confidence) - _SLACK)
    if settings.n_draws >= needed:
        return settings
    found = f"A confidence of {settings.confidence!r} takes {needed:,} draws or more, and there are "
    if settings.n_draws < asked:
        most = 1 - 2 / settings.n_draws
        raise ScalingProblem(
            f"{found}{settings.n_draws:,} for a pool of this size. Give a confidence of {most:.4g} or less."
        )
    raise ScalingProblem(
        f"{found}{settings.n_draws:,}. Ask for more draws (`scale --draws`), or give a lower confidence."
    )


def _group_errors(
    scaled: Scaled,
    group: str | None,
    mine: Sequence[ScaledCandidate],
    people: Sequence[Candidate],
    items: Mapping[str, ItemRules],
    readers: Mapping[str, ReaderVariance],
    reads: Reads,
) -> tuple[Mapping[str, ItemError], dict[str, float], CompositeErrors, GroupErrors]:
    names = list(items)
    scores = np.array([[float(person.scores[item] or 0.0) for item in names] for person in people])
    members = np.array([at for at, row in enumerate(mine) if row.in_scaling_group], dtype=np.intp)
    items = _as_counted(scaled, items, scores[members])
    components = {item: rules.component for item, rules in items.items()}
    readings = item_readings(reads, names)
    errors = item_errors(scores[members], names, components, readers, readings)
    ids = [row.candidate_id for row in mine]
    parts = composite_errors(scores, members, items, errors, _n_reads(reads, ids, names))
    knows_readers = all(error.readers is not None for error in errors.values())
    severity = None
    if knows_readers:
        sds = {item: math.sqrt(error.readers.severity) for item, error in errors.items() if error.readers}
        weights = {item: rules.weight for item, rules in items.items()}
        severity = severity_incidence(reads, ids, names, weights, sds, parts.room)
    mbes = [people[at].mbe for at in members]
    of_group = GroupErrors(
        np.array([_composite(row) for row in mine]),
        severity,
        np.sqrt(parts.residual) if knows_readers else None,
        None if parts.questions is None else np.sqrt(parts.questions),
        members,
        np.array(mbes, dtype=np.float64) if scaled.constants[group].mbe else np.empty(0),
        scaled.constants[group],
        *_degrees_of_freedom(errors),
    )
    return errors, {item: rules.weight for item, rules in items.items()}, parts, of_group


def _degrees_of_freedom(errors: Mapping[str, ItemError]) -> tuple[float, float]:
    """Give what the readers' residual and severity rest on: the least that any item's do."""
    known = [error.readers for error in errors.values() if error.readers is not None]
    severities = [one.severity_df for one in known if one.severity_df]
    return min((one.n_responses for one in known), default=math.inf), min(severities, default=math.inf)


def _composite(row: ScaledCandidate) -> float:
    """Give the composite that was scaled: of standardised scores where there are any."""
    return row.written_raw if row.written_standardised is None else row.written_standardised


def _as_counted(scaled: Scaled, items: Mapping[str, ItemRules], scores: Floats) -> dict[str, ItemRules]:
    """Give each item the weight of one of its points in the composite that was scaled."""
    sds = dict(zip(items, scores.std(axis=0).tolist(), strict=True)) if len(scores) else {}
    return {
        item: replace(rules, weight=rules.weight * scaled.targets[item].sd / sds[item])
        if item in scaled.targets and sds.get(item)
        else rules
        for item, rules in items.items()
    }


def _n_reads(reads: Reads, ids: Sequence[str], items: Sequence[str]) -> Floats:
    return np.array([[max(1, len(reads.get(one, {}).get(item, ()))) for item in items] for one in ids], float)


def _bars(
    mine: Sequence[ScaledCandidate], group: GroupErrors, settings: Settings
) -> dict[str, CandidateBars]:
    lines = _lines(group, settings)
    by_readers, by_all = group.variances()
    return {
        row.candidate_id: CandidateBars(
            row.candidate_id,
            _bar(row.written_scaled, lines.get(READERS), at),
            _bar(row.written_scaled, lines.get(EVERYTHING), at),
            None if by_readers is None else float(by_readers[at]),
            None if by_all is None else float(by_all[at]),
        )
        for at, row in enumerate(mine)
    }


def _lines(group: GroupErrors, settings: Settings) -> dict[str, tuple[Floats, Floats, Floats]]:
    """Give low end, high end and SD of the lines that can be computed, each one value a candidate."""
    known = [READERS] if group.knows_readers else []
    known += [EVERYTHING] if group.question_sd is not None else []
    if settings.n_draws * len(group.raws) <= _IN_FULL:
        drawn = _drawn(known, group, settings, np.float64)
        return {line: _interval(drawn[line], settings) for line in known}
    # The same seed gives the same draws: a large pool is drawn once a line, and one line held at a time.
    return {line: _interval(_drawn([line], group, settings, np.float32)[line], settings) for line in known}


def _drawn(
    lines: Sequence[str], group: GroupErrors, settings: Settings, precision: type[np.floating[Any]]
) -> dict[str, NDArray[np.floating[Any]]]:
    """Draw some of the lines: draws by candidates."""
    shape = (settings.n_draws, len(group.raws))
    found = {line: np.empty(shape, precision) for line in lines}
    for at, draw in enumerate(draws(group, settings.n_draws, settings.seed)):
        moves = {READERS: draw.readers, EVERYTHING: draw.everything}
        for line, rows in found.items():
            rows[at] = moves[line]
    return found


def _interval(drawn: NDArray[np.floating[Any]], settings: Settings) -> tuple[Floats, Floats, Floats]:
    tail = (1 - settings.confidence) / 2
    lines = [np.empty(drawn.shape[1]) for _ in range(3)]
    # Some candidates at a time: what is worked out beside the draws is as large as they are.
    for start in range(0, drawn.shape[1], _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        some = np.ascontiguousarray(drawn[:, block])
        lines[2][block] = some.std(axis=0, dtype=np.float64)
        lines[0][block], lines[1][block] = np.quantile(some, [tail, 1 - tail], axis=0, overwrite_input=True)
    return lines[0], lines[1], lines[2]


def _bar(scaled: float, line: tuple[Floats, Floats, Floats] | None, at: int) -> Bar | None:
    if line is None:
        return None
    low, high, sd = line
    return Bar(scaled + float(low[at]), scaled + float(high[at]), float(sd[at]))


def _notes(
    errors: Mapping[str | None, Mapping[str, ItemError]],
    items: Mapping[str, ItemRules],
    readers: Mapping[str, ReaderVariance],
    reads: Reads,
) -> list[str]:
    known = {variance.says for item, variance in readers.items() if item in items}
    notes = [f"Readers: {says}" for says in sorted(known)]
    if not known:
        notes.append("Readers: no answer was read twice, so the readers' error is not known by itself.")
    alone = one_reader_items(reads, list(items))
    if alone:
        notes.append(
            f"One grader read every answer on {', '.join(alone)}: severity differences cannot be seen there. "
            "A grader who is harsh to all alike changes no scaled score."
        )
    by_says: dict[str, list[str]] = {}
    for of_group in errors.values():
        for item, error in of_group.items():
            if item not in by_says.setdefault(error.says, []):
                by_says[error.says].append(item)
    notes += [f"Questions ({', '.join(found)}): {says}" for says, found in by_says.items()]
    return [*notes, "Neither line covers the MBE's own error."]
