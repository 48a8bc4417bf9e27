"""The report's section on the blind: texts that give their author away, and how often graders were asked."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.blinding_of_round import FlaggedScores, flags_of_answers
from grader_app.domain.blinding_check import COUNTED
from grader_app.export import html
from grader_app.export.blind_tables import author_flags_table, guesses_table
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results

TITLE = "How well the blind held"

_HEADS = (
    "item",
    "flagged answers",
    "mean",
    "other answers",
    "mean of the others",
    "difference",
    "low",
    "high",
)


def blind_section(results: Results, shows: frozenset[Kind]) -> str:
    """Give the section.

    Parameters
    ----------
    results
        What to write.
    shows
        The kinds of fields that may stand in it.
    """
    author_flags_table(results).checked(shows)
    guesses_table(results).checked(shows)
    parts, notes = [*_flags(results), *_guesses(results)], html.in_short(results.notes, results.short_note)
    return html.section(TITLE, notes, *parts, short=not any("<table" in part for part in parts))


def _flags(results: Results) -> Iterator[str]:
    flags = flags_of_answers(results.record)
    answers = len({flag.response_id for flag in flags})
    if not flags:
        yield html.paragraph("No grader said of any answer that its text gives its author away.")
        return
    count = "Of 1 answer" if answers == 1 else f"Of {answers} answers"
    yield html.paragraph(f"{count} a grader said that the text gives its author away.")
    yield html.table(
        "Scores of flagged and other answers",
        _HEADS,
        [_row(one) for one in results.flagged],
        note=results.short_note,
        numbers=frozenset(_HEADS[1:]),
        decimals=2,
    )
    if results.replaced:
        yield html.paragraph("Answers read again automatically are left out of the means.", quiet=True)
    yield html.paragraph(
        "The difference is flagged minus others, with its 95 % interval over other answers. It can come from "
        "the answers themselves: it shows how much hangs on the flagged ones, not that graders were swayed.",
        quiet=True,
    )


def _row(one: FlaggedScores) -> tuple[str | float | None, ...]:
    return (
        one.item,
        one.flagged.n_responses,
        one.flagged.mean,
        one.others.n_responses,
        one.others.mean,
        one.difference.value,
        one.difference.low,
        one.difference.high,
    )


def _guesses(results: Results) -> Iterator[str]:
    record = results.record
    asked = sum(record.assignments[a].kind in COUNTED for a in record.asked)
    if not asked:
        yield html.paragraph("Graders were not asked who wrote the answers.")
        return
    answered = len(guesses_table(results).rows)
    yield html.paragraph(
        f"After a grade was in, who wrote the answer was asked {asked} times and answered {answered} times. "
        "Whether they were right is worked out when the sources are revealed."
    )
