"""The errors of a pool file's scores, with the single reads behind them where a file names those."""

from __future__ import annotations

from dataclasses import replace

from grader_app.cli.reads_file import ReadsFile, read_reads
from grader_app.domain.round import Round
from grader_app.scaling.composite_errors import ItemRules
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.pool import Pool
from grader_app.scaling.rules import Rules
from grader_app.scaling.scaled import Scaled
from grader_app.scaling.score_errors import ScoreErrors, score_errors

_HINT = "A pool file holds no single reads: name them with --reads READS.csv --scale 0:6."


def errors_of_file(
    pool: Pool,
    scaled: Scaled,
    rules: Rules,
    the_round: Round,
    settings: Settings,
    candidate: str,
    file: ReadsFile | None,
) -> ScoreErrors:
    """Return what the errors of a pool's scores say; without reads, readers' error is part of the questions'.

    Parameters
    ----------
    pool, scaled, rules, the_round
        The pool, how it was scaled, and the round.
    settings
        Of the draw.
    candidate
        The column of candidate ids, in the pool and in the reads.
    file
        The reads, or None.

    Raises
    ------
    FileProblems
        When the reads cannot be read, or name what the pool has not.
    RatingsProblem
        When a read is off the scale.
    """
    components = {entry.item: entry.component for entry in the_round.items}
    items = {item: ItemRules(weight, components[item]) for item, weight in rules.weights.items()}
    line = the_round.cut.total if the_round.cut else None
    if file is None:
        errors = score_errors(pool, scaled, items, line=line, settings=settings)
        return replace(errors, bars=replace(errors.bars, notes=(*errors.bars.notes, _HINT)))
    people = {one.candidate_id for one in pool.candidates}
    known = read_reads(file, candidate, people, list(items))
    items = {item: replace(rule, ends=known.ends, step=known.step) for item, rule in items.items()}
    return score_errors(pool, scaled, items, known.readers, known.reads, line=line, settings=settings)
