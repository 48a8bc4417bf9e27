"""Everything a score's error says about a scaled pool: error bars, chances at the line, papers to read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from grader_app.domain.reader_variance import ReaderVariance
from grader_app.scaling.composite_errors import ItemRules
from grader_app.scaling.error_bars import (
    COVERS,
    EVERYTHING,
    READERS,
    Bar,
    CandidateBars,
    ErrorBars,
    Settings,
    error_bars,
)
from grader_app.scaling.line_chances import (
    MBE_RELIABILITY,
    RESCORE_SAYS,
    TRUE_SCORE_SAYS,
    LineChances,
    PoolSpread,
    line_chances,
    spread_of,
)
from grader_app.scaling.pool import Pool
from grader_app.scaling.reading_list import ExpectedRead, PaperToRead, Rule, most_valuable_first, reading_list
from grader_app.scaling.rounding import Factors, lowest_full_total
from grader_app.scaling.scaled import Scaled, ScaledCandidate
from grader_app.scaling.score_reads import Reads

FEW = 30
"""With fewer members who have an MBE score there is no pool to regress to, and no chances are given."""


@dataclass(frozen=True)
class ScoreErrors:
    """What the errors of the scores say.

    Parameters
    ----------
    bars
        The error bars.
    chances
        At the line, by candidate id; empty without a line. Candidates without a total are left out.
    spreads
        How the scores of each scaling group vary, by group; only where members have MBE scores.
    papers
        What a further read could move across the line, most valuable first.
    line
        The total that passes, or None.
    rule
        How a further read would combine.
    mbes
        MBE score by candidate id, or None.
    """

    bars: ErrorBars
    chances: Mapping[str, LineChances]
    spreads: Mapping[str | None, PoolSpread]
    papers: tuple[PaperToRead, ...]
    line: float | None
    rule: Rule
    mbes: Mapping[str, float | None]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the bars and the chances rest on and leave out, in sentences."""
        if self.line is None or set(self.spreads) == set(self.bars.items):
            return self.bars.notes
        few = f"Fewer than {FEW} candidates are complete with an MBE score: no chances at the line are given."
        return (*self.bars.notes, few)

    def reader_sd_of_total(self, scaled: Scaled) -> float | None:
        """Return the SD of a total's error from one reading, as a mean over candidates; None if not known."""
        variance = _mean_or_none([bars.reader_variance for bars in self.bars.candidates])
        return None if not variance else scaled.factors.written * math.sqrt(variance)

    def shown(self, row: ScaledCandidate, factors: Factors) -> CandidateBars:
        """Return a candidate's bars as they are shown: of the total, or of the written score without one."""
        bars, mbe = self.bars.by_candidate[row.candidate_id], self.mbes[row.candidate_id]
        if row.total is None or mbe is None:
            return bars
        readers = None if bars.readers is None else bars.readers.of_total(mbe, factors)
        everything = None if bars.everything is None else bars.everything.of_total(mbe, factors)
        return replace(bars, readers=readers, everything=everything)

    def rows(self, scaled: Scaled) -> Iterator[dict[str, object]]:
        """Give the plain values of each candidate, in the order of the pool."""
        return (self._row(row, scaled.factors) for row in scaled.candidates)

    def head_as_json(self) -> dict[str, object]:
        """Return what holds for all candidates, and the papers worth a further read, as plain values."""
        settings = self.bars.settings
        return {
            "confidence": settings.confidence,
            "n_draws": settings.n_draws,
            "seed": settings.seed,
            "covers": dict(COVERS),
            "notes": list(self.notes),
            "line": self.line,
            "chances_mean": {"rescore": RESCORE_SAYS, "true_score": TRUE_SCORE_SAYS},
            "mbe_reliability": MBE_RELIABILITY,
            "candidates": [],
            "papers": [vars(paper) for paper in self.papers],
        }

    def as_json(self, scaled: Scaled) -> dict[str, object]:
        """Return plain values, candidates in the order of the pool."""
        return self.head_as_json() | {"candidates": list(self.rows(scaled))}

    def _row(self, row: ScaledCandidate, factors: Factors) -> dict[str, object]:
        bars = self.shown(row, factors)
        chances = self.chances.get(row.candidate_id, LineChances(None, None))
        return {
            "candidate_id": row.candidate_id,
            "of": "written_scaled" if row.total is None else "total",
            READERS: _bar_json(bars.readers),
            EVERYTHING: _bar_json(bars.everything),
            "chance_rescore": chances.rescore,
            "chance_true_score": chances.true_score,
        }


def _bar_json(bar: Bar | None) -> dict[str, float] | None:
    return None if bar is None else {"low": bar.low, "high": bar.high, "sd": bar.sd}


def score_errors(
    pool: Pool,
    scaled: Scaled,
    items: Mapping[str, ItemRules],
    readers: Mapping[str, ReaderVariance] | None = None,
    reads: Reads | None = None,
    line: float | None = None,
    rule: Rule = "mean",
    settings: Settings | None = None,
) -> ScoreErrors:
    """Return error bars, chances at the line and the list of papers worth a further read.

    Parameters
    ----------
    pool, scaled, items, readers, reads, settings
        As for `error_bars`.
    line
        The total that passes; None for a pool without one.
    rule
        How a further read would combine with the score that stands.

    Raises
    ------
    ScalingProblem
        A setting that cannot be used.
    """
    bars = error_bars(pool, scaled, items, readers, reads, settings)
    mbes = {candidate.candidate_id: candidate.mbe for candidate in pool.candidates}
    groups = {candidate.candidate_id: candidate.group for candidate in pool.candidates}
    spreads = _spreads(scaled, bars, mbes, groups)
    if line is None:
        return ScoreErrors(bars, {}, spreads, (), None, rule, mbes)
    chances = {
        row.candidate_id: _chances(row, mbe, line, scaled, spread, bars.by_candidate[row.candidate_id])
        for row in scaled.candidates
        if (mbe := mbes[row.candidate_id]) is not None
        and (spread := spreads.get(groups[row.candidate_id])) is not None
    }
    papers = _papers(pool, scaled, items, bars, reads or {}, line, rule)
    return ScoreErrors(bars, chances, spreads, papers, line, rule, mbes)


def _spreads(
    scaled: Scaled, bars: ErrorBars, mbes: Mapping[str, float | None], groups: Mapping[str, str | None]
) -> dict[str | None, PoolSpread]:
    found = {}
    # Sums differ in their last digit with the order of what is added.
    in_order = sorted(scaled.candidates, key=lambda row: row.candidate_id)
    for group in scaled.constants:
        rows = [
            (row.written_scaled, mbe, bars.by_candidate[row.candidate_id])
            for row in in_order
            if row.in_scaling_group
            and groups[row.candidate_id] == group
            and (mbe := mbes[row.candidate_id]) is not None
        ]
        written, known = [row[0] for row in rows], [row[1] for row in rows]
        if len(rows) < FEW or min(written) == max(written) or min(known) == max(known):
            continue
        of_readers = [row[2].reader_variance for row in rows]
        of_all = [row[2].error_variance for row in rows]
        found[group] = spread_of(written, known, _mean_or_none(of_readers), _mean_or_none(of_all))
    return found


def _mean_or_none(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _chances(
    row: ScaledCandidate, mbe: float, line: float, scaled: Scaled, spread: PoolSpread, bars: CandidateBars
) -> LineChances:
    return line_chances(
        row.written_scaled,
        mbe,
        line,
        scaled.rounding,
        spread,
        bars.reader_variance,
        bars.error_variance,
        scaled.factors,
    )


def _papers(
    pool: Pool,
    scaled: Scaled,
    items: Mapping[str, ItemRules],
    bars: ErrorBars,
    reads: Reads,
    line: float,
    rule: Rule,
) -> tuple[PaperToRead, ...]:
    """List the papers of members and others with a total; a group by rank has no points per score."""
    if scaled.method != "mean_sigma":
        return ()
    reached = lowest_full_total(line, scaled.rounding)
    people = {candidate.candidate_id: candidate for candidate in pool.candidates}
    found: list[PaperToRead] = []
    for row in scaled.candidates:
        person = people[row.candidate_id]
        if row.total is None or person.mbe is None:
            continue
        constants = scaled.constants[person.group]
        slope = scaled.factors.written * constants.mbe_sd / constants.written.sd
        weights = bars.weights[person.group]
        further = bars.further[row.candidate_id]
        by_item = reads.get(row.candidate_id, {})
        full = scaled.factors.mbe * person.mbe + scaled.factors.written * row.written_scaled
        asked = [
            ExpectedRead(
                item,
                float(person.scores[item] or 0.0),
                max(1, len(by_item.get(item, ()))),
                float(mean),
                float(sd),
                weights[item] * slope,
                rules.ends,
                rules.step,
            )
            for (item, rules), mean, sd in zip(items.items(), *further, strict=True)
        ]
        # One at a time: what all candidates' papers are expected to say is more than a large pool's memory.
        found += reading_list({row.candidate_id: (row.total, full, asked)}, reached, rule)
    return most_valuable_first(found)
