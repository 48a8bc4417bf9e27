"""What planted checks, times and alarms show of each grader, item by item."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.checks_of_round import GraderChecks
from grader_app.agreement.usual_scatter import SOURCE_WORDS
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Cell, Column, Table

DECIMALS = 4
"""Places to which figures are written, so that no processor's last bit shows."""

CHECKS_COLUMNS = (
    Column("grader_id", Kind.GRADER_ID),
    Column("item", Kind.ITEM),
    Column("validity_planted", Kind.STATISTIC),
    Column("validity_papers", Kind.STATISTIC),
    Column("severity", Kind.STATISTIC),
    Column("severity_low", Kind.STATISTIC),
    Column("severity_high", Kind.STATISTIC),
    Column("moved", Kind.STATISTIC),
    Column("sd", Kind.STATISTIC),
    Column("sd_from", Kind.STATISTIC),
    Column("limit", Kind.STATISTIC),
    Column("false_alarm_rate", Kind.STATISTIC),
    Column("sum_harsher", Kind.STATISTIC),
    Column("sum_more_lenient", Kind.STATISTIC),
    Column("alarms", Kind.STATISTIC),
    Column("alarm_at", Kind.TIME),
    Column("direction", Kind.STATISTIC),
    Column("smallest_visible_shift", Kind.STATISTIC),
    Column("repeats_planted", Kind.STATISTIC),
    Column("repeats", Kind.STATISTIC),
    Column("repeat_exact", Kind.STATISTIC),
    Column("repeat_adjacent", Kind.STATISTIC),
    Column("repeat_difference", Kind.STATISTIC),
    Column("median_seconds", Kind.STATISTIC),
    Column("note", Kind.NOTE),
)


def checks_table(results: Results) -> Table:
    """Give one row a grader and item with live answers dealt."""
    rows = tuple(
        (grader.grader_id, item.item, *_validity(grader), *_alarm(grader), *_rest(grader), results.short_note)
        for item in results.checks
        for grader in item.graders
    )
    return Table("checks", CHECKS_COLUMNS, rows)


def _validity(grader: GraderChecks) -> Iterator[Cell]:
    seen = grader.validity
    yield seen.planted
    yield len(seen.reads)
    yield from (_rounded(value) for value in (seen.severity.value, seen.severity.low, seen.severity.high))
    yield seen.looked_back.direction
    if seen.limit is None or seen.watched is None:
        yield from (None,) * 6
        return
    yield _rounded(seen.scatter.sd)
    yield SOURCE_WORDS[seen.scatter.source]
    yield _rounded(seen.limit.limit)
    yield _rounded(seen.limit.rate)
    for sums in (seen.watched.harsher, seen.watched.more_lenient):
        yield _rounded(sums[-1]) if sums else None


def _alarm(grader: GraderChecks) -> tuple[Cell, ...]:
    last = grader.alarms[-1] if grader.alarms else None
    visible = None if grader.sight is None else grader.sight.visible.points
    if last is None:
        return 0, None, None, visible
    return len(grader.alarms), last.at, last.direction, visible


def _rest(grader: GraderChecks) -> tuple[Cell, ...]:
    repeats = grader.consistency
    return (
        grader.repeats_planted,
        repeats.n,
        _rounded(repeats.exact.value),
        _rounded(repeats.exact_or_adjacent.value),
        _rounded(repeats.mean_difference.value),
        _rounded(grader.pace.seconds),
    )


def _rounded(value: float | None) -> float | None:
    # Adding 0.0 makes a negative zero an ordinary one.
    return None if value is None else round(value, DECIMALS) + 0.0
