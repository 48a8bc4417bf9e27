"""What apprentices gave the answers they read beside others; none of it counts."""

from __future__ import annotations

from grader_app.agreement.of_round import facets_of
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Cell, Column, Table

APPRENTICES_COLUMNS = (
    Column("response_id", Kind.RESPONSE_ID),
    Column("grader_id", Kind.GRADER_ID),
    Column("facet", Kind.FACET),
    Column("value", Kind.SCORE),
    Column("condition_code", Kind.CONDITION_CODE),
    Column("rubric", Kind.RUBRIC),
    Column("rubric_version", Kind.RUBRIC),
    Column("submitted_at", Kind.TIME),
    Column("note", Kind.NOTE),
)


def apprentices_table(results: Results) -> Table:
    """Give every apprentice's grade as it stands, one row a facet."""
    rows: list[tuple[Cell, ...]] = []
    given = results.record.shadow_grades.values()
    for grade in sorted(given, key=lambda one: (one.response_id, one.grader_id)):
        if results.is_hidden(grade.response_id, grade.event_seq):
            continue
        end = (
            grade.condition_code,
            grade.rubric,
            grade.rubric_version,
            grade.submitted_at,
            results.short_note,
        )
        rows += [
            (grade.response_id, grade.grader_id, facet, grade.value(facet), *end)
            for facet in facets_of(results.record.rubric(grade.rubric_hash))
        ]
    return Table("apprentices", APPRENTICES_COLUMNS, tuple(rows))
