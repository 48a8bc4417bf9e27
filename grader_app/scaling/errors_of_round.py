"""The errors of a round's scores: from its record to error bars, chances and papers to read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from grader_app.domain.counted_reads import counted_readers
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reader_variance import ReaderVariance
from grader_app.scaling.composite_errors import ItemRules
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.of_round import pool_of_record
from grader_app.scaling.pool import Pool
from grader_app.scaling.reading_list import Rule
from grader_app.scaling.scaled import Scaled
from grader_app.scaling.score_errors import ScoreErrors, score_errors


def errors_of_record(
    record: GradingRecord,
    scaled: Scaled,
    readers: Mapping[str, ReaderVariance],
    rule: Rule = "mean",
    settings: Settings | None = None,
    weights: Mapping[str, float] | None = None,
    pool: Pool | None = None,
) -> ScoreErrors:
    """Return what the errors of a round's scores say.

    Parameters
    ----------
    record
        The round.
    scaled
        Its scaled pool.
    readers
        Variance of one read by item (`agreement.reader_variance_of_record`).
    rule
        How a further read would combine.
    settings
        Confidence, draws and seed; by default 95 %, 2,000 and the round's seed.
    weights
        Of the items, where `scaled` was not made with the round's own.
    pool
        What `pool_of_record` gives, where it is at hand.

    Notes
    -----
    Where graders are standardised their severity is taken out, and counts as no error; how well it was
    estimated is not covered.
    """
    the_round = record.round
    seed = the_round.seed if the_round else 0
    line = the_round.cut.total if the_round and the_round.cut else None
    rules = item_rules_of_record(record, weights)
    if the_round and the_round.scaling.standardise_graders:
        readers = {item: replace(variance, severity=0.0) for item, variance in readers.items()}
    chosen = settings or Settings(seed=seed)
    return score_errors(
        pool or pool_of_record(record), scaled, rules, readers, reads_of_record(record), line, rule, chosen
    )


def item_rules_of_record(
    record: GradingRecord, weights: Mapping[str, float] | None = None
) -> dict[str, ItemRules]:
    """Give weight (the round's own by default), component and scale of each item of the composite."""
    found = {}
    for entry in record.round.items if record.round else ():
        weight = entry.weight if weights is None else weights.get(entry.item)
        if weight is None:
            continue
        registered = ("item", entry.item) in record.current_files
        score = record.rubric_of(entry.item).score if registered else None
        ends = (float(score.lowest), float(score.highest)) if score else None
        step = float(score.step) if score else 0.0
        found[entry.item] = ItemRules(weight, entry.component, ends, step)
    return found


def reads_of_record(record: GradingRecord) -> dict[str, dict[str, tuple[str, ...]]]:
    """Name the graders whose reads count, by candidate id and item of the composite."""
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    alike: dict[tuple[str, ...], tuple[str, ...]] = {}
    weights = record.round.weights if record.round else {}
    for response_id in record.response_ids():
        kept = record.inputs.responses[response_id]
        graders = counted_readers(record, response_id) if kept["item"] in weights else ()
        if graders:
            found[str(kept["candidate_id"])][str(kept["item"])] = alike.setdefault(graders, graders)
    return dict(found)
