"""The report's section on drift and self-consistency."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.checks_of_round import GraderChecks, ItemChecks
from grader_app.agreement.self_consistency import LABEL
from grader_app.export import html
from grader_app.export.checks_table import checks_table
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results

TITLE = "Drift and self-consistency"

_WHAT_IT_IS = (
    "Validity papers with a known reference, and answers the grader had graded before, were planted among "
    "live answers. They never count: no score and no figure on agreement uses them. The first grade of "
    "such a paper is shown; a later correction changes nothing here."
)
_VALIDITY_HEADS = ("grader", "planted", "read", "severity", "low", "high", "sd", "limit", "alarm")
_REPEAT_HEADS = ("grader", "answers read twice", "same score", "at most one apart", "second minus first")


def checks_section(results: Results, shows: frozenset[Kind]) -> str:
    """Give the section.

    Parameters
    ----------
    results
        What to write.
    shows
        The kinds of fields that may stand in it.
    """
    checks_table(results).checked(shows)
    checked = [item for item in results.checks if _is_checked(item)]
    parts = [html.paragraph(_WHAT_IT_IS)]
    if not checked:
        parts = [html.paragraph("No checks were planted in this round, so a grader's drift would not show.")]
    for item in checked:
        parts += _of_item(results, item)
    notes = html.in_short(results.notes, results.short_note)
    return html.section(TITLE, notes, *parts, short=not checked)


def _is_checked(item: ItemChecks) -> bool:
    return any(grader.validity.planted or grader.repeats_planted for grader in item.graders)


def _of_item(results: Results, item: ItemChecks) -> Iterator[str]:
    note = results.short_note
    yield html.heading(3, results.item_title(item.item))
    watched = [grader for grader in item.graders if grader.validity.planted]
    yield html.paragraph(item.says)
    if watched:
        if item.blind_spot_says not in item.says:
            yield html.paragraph(item.blind_spot_says)
        yield html.paragraph(item.false_alarms_say)
        yield html.table(
            "Validity papers",
            _VALIDITY_HEADS,
            [_validity_row(grader) for grader in watched],
            note=note,
            numbers=frozenset(_VALIDITY_HEADS[1:-1]),
            decimals=2,
        )
        yield html.paragraph(
            "Severity is the reference minus the grader's score: a positive number is a harsh grader. SD is "
            "the scatter in whose units the sums of the watch run; the alarm goes off at the limit.",
            quiet=True,
        )
    twice = [grader for grader in item.graders if grader.consistency.n]
    if twice:
        yield html.table(
            LABEL,
            _REPEAT_HEADS,
            [_repeat_row(grader) for grader in twice],
            note=note,
            numbers=frozenset(_REPEAT_HEADS[1:]),
            decimals=2,
        )


def _validity_row(grader: GraderChecks) -> tuple[str | float | None, ...]:
    seen = grader.validity
    last = grader.alarms[-1] if grader.alarms else None
    return (
        grader.grader_id,
        seen.planted,
        len(seen.reads),
        seen.severity.value,
        seen.severity.low,
        seen.severity.high,
        seen.scatter.sd,
        None if seen.limit is None else seen.limit.limit,
        "none" if last is None else f"{last.direction}, {last.at[:10]}",
    )


def _repeat_row(grader: GraderChecks) -> tuple[str | float | None, ...]:
    found = grader.consistency
    return (
        grader.grader_id,
        found.n,
        found.exact.value,
        found.exact_or_adjacent.value,
        found.mean_difference.value,
    )
