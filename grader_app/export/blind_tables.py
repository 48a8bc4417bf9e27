"""What graders said of the blind: guesses of the source, and texts that give their author away."""

from __future__ import annotations

from grader_app.agreement.blinding_of_round import counted_guesses, flags_of_answers, score_beside
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Cell, Column, Table, yes_or_no

GUESSES_COLUMNS = (
    Column("response_id", Kind.RESPONSE_ID),
    Column("item", Kind.ITEM),
    Column("grader_id", Kind.GRADER_ID),
    Column("guess", Kind.STATUS),
    Column("sure", Kind.STATUS),
    Column("score", Kind.SCORE),
    Column("guessed_at", Kind.TIME),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)
AUTHOR_FLAGS_COLUMNS = (
    Column("response_id", Kind.RESPONSE_ID),
    Column("item", Kind.ITEM),
    Column("grader_id", Kind.GRADER_ID),
    Column("flagged_at", Kind.TIME),
    Column("referred", Kind.STATUS),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)


def guesses_table(results: Results) -> Table:
    """Give every guess that enters the blinding check, without a word on whether it is right."""
    record = results.record
    rows: list[tuple[Cell, ...]] = [
        (
            one.response_id,
            one.item,
            one.grader_id,
            one.guess.value,
            None if one.sure is None else one.sure.value,
            None if one.response_id in results.replaced else score_beside(record, one),
            one.at,
            yes_or_no(one.grader_id in record.simulated),
            results.short_note,
        )
        for one in counted_guesses(record)
    ]
    return Table("guesses", GUESSES_COLUMNS, tuple(rows))


def author_flags_table(results: Results) -> Table:
    """Give every word of a grader that an answer's text gives its author away."""
    rows: list[tuple[Cell, ...]] = [
        (
            flag.response_id,
            flag.item,
            flag.grader_id,
            flag.at,
            yes_or_no(flag.referred),
            yes_or_no(flag.grader_id in results.record.simulated),
            results.short_note,
        )
        for flag in flags_of_answers(results.record)
    ]
    return Table("author_flags", AUTHOR_FLAGS_COLUMNS, tuple(rows))
