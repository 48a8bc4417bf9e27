"""Judgments beside the reads: third reads, re-reads, adjudications, backreads, raised disputes."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.of_round import facets_of
from grader_app.domain.counted_reads import counted_readers, decision_counts, third_read_counts
from grader_app.domain.grade import Grade
from grader_app.domain.settling import RaisedDispute
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Column, Row, Table, yes_or_no

ADJUDICATIONS_COLUMNS = (
    Column("event", Kind.EVENT),
    Column("response_id", Kind.RESPONSE_ID),
    Column("item", Kind.ITEM),
    Column("kind", Kind.STATUS),
    Column("actor_id", Kind.GRADER_ID),
    Column("facet", Kind.FACET),
    Column("value", Kind.SCORE),
    Column("first_score", Kind.SCORE),
    Column("condition_code", Kind.CONDITION_CODE),
    Column("at", Kind.TIME),
    Column("about_events", Kind.EVENT),
    Column("counts", Kind.STATUS),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)


def adjudications_table(results: Results) -> Table:
    """Give every such judgment, one row a facet, in the order of the log; a dispute raised has no facet."""
    rows = sorted(
        [
            *_third_reads(results),
            *_rereads(results),
            *_adjudications(results),
            *_backreads(results),
            *_raised(results),
        ],
        key=lambda found: found[0],
    )
    shown = (made for seq, made in rows if made and not results.is_hidden(str(made[0][1]), seq))
    return Table("adjudications", ADJUDICATIONS_COLUMNS, tuple(row for made in shown for row in made))


def _third_reads(results: Results) -> Iterator[tuple[int, list[Row]]]:
    for grade in results.record.third_grades.values():
        counts = yes_or_no(third_read_counts(results.record, grade))
        yield grade.event_seq, _rows(results, "third_read", grade, (), counts)


def _rereads(results: Results) -> Iterator[tuple[int, list[Row]]]:
    record = results.record
    for assignment_id, grade in record.rereads.grades.items():
        reread = record.reread_or_none(grade.response_id)
        standing = results.standings.get(grade.response_id)
        stands = reread is not None and grade in reread.given
        counts = (
            stands
            and standing is not None
            and standing.settled_by == "re-read"
            and grade.grader_id in counted_readers(record, grade.response_id)
        )
        about = record.rereads.last_of[grade.response_id].settles[grade.response_id]
        if reread is not None and reread.second is not None and grade == reread.third:
            about = (*about, reread.second.event_seq)
        first = record.first_standing(record.assignments[assignment_id].response_id).final
        if results.discloses_no_first_score:
            first = None
        yield grade.event_seq, _rows(results, "re-read", grade, about, yes_or_no(counts), first)


def _adjudications(results: Results) -> Iterator[tuple[int, list[Row]]]:
    settling = results.record.settling
    for response_id, made in settling.adjudications.items():
        before = results.record.settling_of(response_id).before_reread
        for one in made:
            counts = yes_or_no(decision_counts(results.record, response_id, one))
            # What a re-read has taken the place of is no decision that waits to be confirmed.
            replaced = before is not None and one.event_seq <= before.event_seq
            if counts == "no" and one is made[-1] and not replaced:
                counts = "stale"
            yield one.event_seq, _rows(results, "adjudication", one.given, one.settles, counts)
    for looks in settling.first_looks.values():
        for look in looks:
            yield look.event_seq, _rows(results, "first_look", look.given, look.settles, "no")


def _backreads(results: Results) -> Iterator[tuple[int, list[Row]]]:
    for made in results.record.settling.backreads:
        yield made.given.event_seq, _rows(results, "backread", made.given, (made.of,), "no")


def _raised(results: Results) -> Iterator[tuple[int, list[Row]]]:
    for response_id, raised in results.record.settling.raised.items():
        item = str(results.inputs.responses[response_id]["item"])
        for one in raised:
            yield one.event_seq, [_raised_row(results, one, item)]


def _raised_row(results: Results, one: RaisedDispute, item: str) -> Row:
    nothing = (None, None, None, None)
    start = (one.event_seq, one.response_id, item, "dispute_raised", one.actor)
    return (*start, *nothing, one.at, None, "no", "no", results.short_note)


def _rows(
    results: Results,
    kind: str,
    given: Grade,
    about: tuple[int, ...],
    counts: str,
    first: float | None = None,
) -> list[Row]:
    start = (given.event_seq, given.response_id, given.item, kind, given.grader_id)
    end = (
        given.condition_code,
        given.submitted_at,
        " ".join(str(seq) for seq in about) or None,
        counts,
        yes_or_no(given.grader_id in results.record.simulated),
        results.short_note,
    )
    return [
        (*start, facet, given.value(facet), first if facet == "score" else None, *end)
        for facet in facets_of(results.record.rubric(given.rubric_hash))
    ]
