"""Where the words stand that graders attached to points, errors and gaps."""

from __future__ import annotations

from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Column, Table, yes_or_no

HIGHLIGHTS_COLUMNS = (
    Column("response_id", Kind.RESPONSE_ID),
    Column("grader_id", Kind.GRADER_ID),
    Column("of", Kind.EVIDENCE),
    Column("id", Kind.EVIDENCE),
    Column("start", Kind.EVIDENCE),
    Column("end", Kind.EVIDENCE),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)


def highlights_table(results: Results) -> Table:
    """Give every place attached in a grade that stands, one row a place, in the order of the text."""
    rows = tuple(
        (
            grade.response_id,
            grade.grader_id,
            one.of,
            one.id,
            one.start,
            one.end,
            yes_or_no(grade.grader_id in results.record.simulated),
            results.short_note,
        )
        for grade in results.grades
        for one in grade.highlights
        if not results.is_hidden(grade.response_id, grade.event_seq)
    )
    return Table("highlights", HIGHLIGHTS_COLUMNS, rows)
