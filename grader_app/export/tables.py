"""The three tables of an export: scores, scaled scores, and the grades behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from grader_app.agreement.of_round import facets_of
from grader_app.domain.grade import Grade
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Cell, Column, Row, RowsMade, Table, yes_or_no

SCORES_COLUMNS = (
    Column("candidate_id", Kind.CANDIDATE_ID),
    Column("item", Kind.ITEM),
    Column("response_id", Kind.RESPONSE_ID),
    Column("raw", Kind.SCORE),
    Column("final", Kind.SCORE),
    Column("status", Kind.STATUS),
    Column("note", Kind.NOTE),
)
SCALED_COLUMNS = (
    Column("candidate_id", Kind.CANDIDATE_ID),
    Column("written_raw", Kind.SCORE),
    Column("written_scaled", Kind.SCALED_SCORE),
    Column("total", Kind.SCALED_SCORE),
    Column("in_scaling_group", Kind.STATUS),
    Column("note", Kind.NOTE),
)
GRADES_COLUMNS = (
    Column("response_id", Kind.RESPONSE_ID),
    Column("grader_id", Kind.GRADER_ID),
    Column("facet", Kind.FACET),
    Column("value", Kind.SCORE),
    Column("condition_code", Kind.CONDITION_CODE),
    Column("rubric", Kind.RUBRIC),
    Column("rubric_version", Kind.RUBRIC),
    Column("submitted_at", Kind.TIME),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)

KEYED = "keyed from paper, twice"
"""What the note of a grade says that others typed from its grader's score sheet."""


_BY = {"adjudication": "adjudication", "third read": "a third read", "re-read": "a re-read"}


def scores_table(results: Results) -> Table:
    """Give every answer with its raw and final score and where it stands."""
    rows = RowsMade(len(results.standings), partial(_scores, results))
    return Table("scores", SCORES_COLUMNS, rows)


def _scores(results: Results) -> Iterator[Row]:
    for response_id, standing in results.standings.items():
        answer = results.inputs.responses[response_id]
        settled = f"settled by {_BY[standing.settled_by]}" if standing.settled_by else ""
        decided = standing.for_lead is not None and standing.for_lead.decided
        said = standing.why.rstrip(".") if decided or response_id in results.record.excluded else ""
        note = "; ".join(words for words in (results.short_note, settled, said) if words)
        raw = None if response_id in results.replaced else standing.raw
        found = (raw, standing.final, standing.status, note)
        yield (str(answer["candidate_id"]), str(answer["item"]), response_id, *found)


def scaled_table(results: Results) -> Table:
    """Give every complete candidate; without constants there is a composite but no scaled score."""
    rows: list[tuple[Cell, ...]]
    if results.scaled is None:
        rows = [
            (candidate_id, raw, None, None, "no", results.short_note)
            for candidate_id, raw in results.composites.items()
        ]
    else:
        rows = [
            (
                row.candidate_id,
                row.written_raw,
                row.written_scaled,
                row.total,
                yes_or_no(row.in_scaling_group),
                results.short_note,
            )
            for row in results.scaled.candidates
        ]
    return Table("scaled", SCALED_COLUMNS, tuple(rows))


def grades_table(results: Results) -> Table:
    """Give every grade that stands, one row a facet; a condition code stands in every row of its grade."""
    facets = {digest: facets_of(results.record.rubric(digest)) for digest in _rubrics(results)}
    n = sum(len(facets[grade.rubric_hash]) for grade in _shown(results))
    return Table("grades", GRADES_COLUMNS, RowsMade(n, partial(_grades, results, facets)))


def _rubrics(results: Results) -> set[str]:
    return {grade.rubric_hash for grade in results.grades}


def _shown(results: Results) -> Iterator[Grade]:
    return (grade for grade in results.grades if not results.is_hidden(grade.response_id, grade.event_seq))


def _grades(results: Results, facets: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for grade in _shown(results):
        simulated = yes_or_no(grade.grader_id in results.record.simulated)
        end = (
            grade.condition_code,
            grade.rubric,
            grade.rubric_version,
            grade.submitted_at,
            simulated,
            "; ".join(filter(None, (results.short_note, KEYED if grade.keyed else ""))),
        )
        for facet in facets[grade.rubric_hash]:
            yield (grade.response_id, grade.grader_id, facet, grade.value(facet), *end)
