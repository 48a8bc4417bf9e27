"""The table of calibration: who tried which packet, what the gate said, and whom the lead let in."""

from __future__ import annotations

from grader_app.agreement.of_attempt import is_scored, report_of_attempt
from grader_app.domain.calibration_record import Attempt
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.grading_basis import GradingBasis, grading_bases
from grader_app.errors import VerificationFailed
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.export.table import Cell, Column, Table, yes_or_no

_CONDITIONS = ("rank_order", "exact_or_adjacent", "quadratic_weighted_kappa", "severity")

CALIBRATION_COLUMNS = (
    Column("grader_id", Kind.GRADER_ID),
    Column("item", Kind.ITEM),
    Column("item_version", Kind.RUBRIC),
    Column("set", Kind.RUBRIC),
    Column("set_version", Kind.RUBRIC),
    Column("attempt", Kind.STATISTIC),
    Column("begun_at", Kind.TIME),
    Column("ranked_at", Kind.TIME),
    Column("judged_at", Kind.TIME),
    Column("outcome", Kind.STATUS),
    *(Column(name, Kind.STATISTIC) for name in _CONDITIONS),
    Column("kind", Kind.STATUS),
    Column("graded_as", Kind.STATUS),
    Column("reason", Kind.STATED_REASON),
    Column("taken_back_at", Kind.TIME),
    Column("taken_back_reason", Kind.STATED_REASON),
    Column("simulated", Kind.STATUS),
    Column("note", Kind.NOTE),
)


def calibration_table(results: Results) -> Table:
    """Give every gated attempt with its figures, and a row for whoever grades without one.

    Notes
    -----
    The figures are computed again from the order and the scores; `check_judgments` holds them against
    what was recorded.
    """
    rows: list[tuple[Cell, ...]] = []
    for basis in grading_bases(results.record):
        rows += [_attempt_row(results, basis, attempt) for attempt in basis.attempts]
        if not basis.attempts:
            rows.append(_row(results, basis, [None] * 13))
    return Table("calibration", CALIBRATION_COLUMNS, tuple(rows))


def check_judgments(results: Results) -> None:
    """See that each recorded outcome is the one its order and scores lead to.

    Raises
    ------
    VerificationFailed
        Naming the first that is not.
    """
    for attempt in results.record.calibration.attempts.values():
        judged = attempt.judgment
        if judged is None:
            continue
        gate = report_of_attempt(results.record, attempt, resamples=0).gate
        if gate is None and judged.outcome in ("exercise", "reference"):
            continue
        found = "nothing" if gate is None else "qualified" if gate.passed else "not_qualified"
        if found != judged.outcome:
            raise VerificationFailed(
                f"Event {judged.event_seq} says {judged.outcome.replace('_', ' ')}, but the order and the "
                f"scores of attempt {attempt.attempt_id} lead to {found.replace('_', ' ')}."
            )
        said = {c["name"]: (c["value"], c["needed"], c["met"]) for c in judged.conditions}
        made = {c.name: (c.value, c.needed, c.met) for c in gate.conditions} if gate else {}
        if canonical_json(said) != canonical_json(made):
            raise VerificationFailed(
                f"The figures in event {judged.event_seq} are not those of attempt {attempt.attempt_id}."
            )


def _attempt_row(results: Results, basis: GradingBasis, attempt: Attempt) -> tuple[Cell, ...]:
    files = results.inputs.files
    said = files[attempt.set_hash]
    values: dict[str, float | None] = dict.fromkeys(_CONDITIONS)
    kind = None
    if is_scored(results.record, attempt):
        report = report_of_attempt(results.record, attempt, resamples=0)
        values |= {c.name: c.value for c in report.gate.conditions} if report.gate else {}
        kind = report.kind.kind if report.kind else None
    judged = attempt.judgment
    cells: list[Cell] = [
        files[attempt.item_hash]["version"],
        attempt.set_id,
        said["version"],
        attempt.number,
        attempt.begun_at,
        attempt.ranked_at,
        judged.at if judged else None,
        judged.outcome if judged else None,
        *values.values(),
        kind,
    ]
    return _row(results, basis, cells)


def _row(results: Results, basis: GradingBasis, cells: list[Cell]) -> tuple[Cell, ...]:
    last = basis.overrides[-1] if basis.overrides else None
    return (
        basis.grader_id,
        basis.item,
        *cells,
        basis.footing,
        last.reason if last else None,
        last.taken_back_at if last else None,
        (last.taken_back_why or None) if last else None,
        yes_or_no(basis.grader_id in results.record.simulated),
        results.short_note,
    )
