"""What graders sent to the lead, and what was decided: recusals, incidents, answers not graded, codes."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.domain.events import EventKind
from grader_app.domain.referral import RECUSAL, Referral, Settled
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Column, Row, Table

REFERRALS_COLUMNS = (
    Column("event", Kind.EVENT),
    Column("response_id", Kind.RESPONSE_ID),
    Column("item", Kind.ITEM),
    Column("kind", Kind.STATUS),
    Column("reason", Kind.STATUS),
    Column("grader_id", Kind.GRADER_ID),
    Column("at", Kind.TIME),
    Column("decision", Kind.STATUS),
    Column("decided_event", Kind.EVENT),
    Column("decided_at", Kind.TIME),
    Column("decided_by", Kind.GRADER_ID),
    Column("note", Kind.NOTE),
)


def referrals_table(results: Results) -> Table:
    """Give every referral with each decision about it, in the order of the log; an open one has none.

    Notes
    -----
    What was written with either lies in no export. A decision about a condition code has no referral
    before it: its readers gave the code as their judgment. One that the round's redaction hides is left out.
    """
    record = results.record
    rows = [*(_settled(results, one) for one in record.settled), *_open(results), *_codes(results)]
    return Table("referrals", REFERRALS_COLUMNS, tuple(sorted(rows, key=_order)))


def _order(row: Row) -> tuple[int, int]:
    return int(str(row[0])), int(str(row[8] or 0))


def _start(referral: Referral) -> Row:
    kind = "incident" if referral.is_incident else "not_graded"
    kind = "recusal" if referral.reason == RECUSAL else kind
    return (
        referral.event_seq,
        referral.response_id,
        referral.item,
        kind,
        referral.reason,
        referral.grader_id,
        referral.at,
    )


def _settled(results: Results, one: Settled) -> Row:
    return (*_start(one.referral), one.decision, one.event_seq, one.at, one.actor, results.short_note)


def _open(results: Results) -> Iterator[Row]:
    for referral in results.record.referrals.values():
        yield (*_start(referral), None, None, None, None, results.short_note)


def _codes(results: Results) -> Iterator[Row]:
    for event in results.acts_but_reads:
        hidden = event.seq < results.hidden_before.get(event.subject, 0)
        if event.kind == EventKind.CODE_DECIDED and not hidden:
            body = event.body
            start = (event.seq, event.subject, body["item"], "code", body["condition_code"], None, None)
            yield (*start, body["counts_as"], event.seq, event.at, event.actor, results.short_note)
