"""The report: one page to read, print and send, with what to know before any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader_app.domain.counted_reads import dispute_settled_by
from grader_app.domain.scaling_rules import METHODS_SAY, ROUNDINGS_SAY
from grader_app.export import html
from grader_app.export.agreement_rows import graders_table, variant
from grader_app.export.blind_section import blind_section
from grader_app.export.calibration_table import calibration_table
from grader_app.export.checks_section import checks_section
from grader_app.export.error_bars_section import error_bars_section
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.report_first_page import COVERS, first_page
from grader_app.export.rereads_section import rereads_section
from grader_app.export.results import Results
from grader_app.export.table import Cell, Table
from grader_app.export.tables import scaled_table, scores_table
from grader_app.scaling.scale_pool import LeftOut, Scaled

REPORT_FILE = "report.html"
MOST_ROWS = 2000
"""Longer tables are cut on the page, with a sentence; the CSV files are whole."""


def report_bytes(results: Results, shows: frozenset[Kind]) -> bytes:
    """Write the report.

    Parameters
    ----------
    results
        What to write.
    shows
        The kinds of fields that may stand in it.

    Returns
    -------
    bytes
        A page in UTF-8 without scripts and without outside requests.
    """
    parts = [
        first_page(results),
        _agreement_section(results),
        checks_section(results, shows),
        blind_section(results, shows),
        _calibration_section(results, calibration_table(results).checked(shows)),
        _disputes_section(results),
        rereads_section(results),
        _scores_section(results, scores_table(results).checked(shows)),
        _scaled_section(results, scaled_table(results).checked(shows)),
        error_bars_section(results),
        _evidence_section(results),
    ]
    return html.page(f"{results.round.title}: results", parts, results.short_note).encode("utf-8")


def _section(results: Results, title: str, *parts: str, short: bool = False) -> str:
    return html.section(title, html.in_short(results.notes, results.short_note), *parts, short=short)


def _agreement_section(results: Results) -> str:
    parts = [html.paragraph(COVERS)]
    for facet in results.agreement["facets"]:
        parts += [
            html.heading(3, f"{results.item_title(facet['item'])}: {facet['facet']}"),
            html.paragraph(_design_sentence(facet["design"])),
            _figures(facet["figures"], results.short_note),
        ]
    severity = graders_table(results.agreement)
    parts.append(
        html.table(
            "Graders",
            [column.name for column in severity.columns],
            severity.rows,
            note=results.short_note,
            numbers=frozenset({"n", "mean", "sd", "severity"}),
            decimals=2,
        )
    )
    parts.append(
        html.paragraph(
            "Severity is the mean that others gave the same answers minus the grader's own: "
            "a positive number is a harsh grader.",
            quiet=True,
        )
    )
    return _section(results, "Agreement", *parts)


def _design_sentence(design: Mapping[str, Any]) -> str:
    text = (
        f"{design['n_ratings']} ratings of {design['n_responses']} answers by {design['n_graders']} graders; "
        f"{design['n_paired_responses']} answers were rated by two graders or more."
    )
    left_out = [f"{left['n']} ({left['why']})" for left in design["left_out"]]
    return f"{text} Left out: {', '.join(left_out)}." if left_out else text


def _figures(figures: Sequence[Mapping[str, Any]], note: str) -> str:
    heads = ("figure", "variant", "value", "low", "high", "answers", "status")
    rows = [
        (
            figure["name"].replace("_", " "),
            variant(figure),
            figure["value"],
            figure["low"],
            figure["high"],
            figure["n_responses"],
            figure["status"].replace("_", " "),
        )
        for figure in figures
    ]
    numbers = frozenset({"value", "low", "high", "answers"})
    return html.table("Figures of the panel", heads, rows, note=note, numbers=numbers, decimals=3)


_FIGURES = ("rank_order", "exact_or_adjacent", "quadratic_weighted_kappa", "severity")
_OF_ATTEMPTS = ("grader_id", "item_version", "set", "attempt", "judged_at", "outcome", *_FIGURES, "kind")
_OF_FOOTING = ("grader_id", "item", "graded_as", "reason", "taken_back_at", "simulated")


def _calibration_section(results: Results, table: Table) -> str:
    """Say who had qualified for what they graded, with every reason for which somebody was let in.

    Notes
    -----
    The table is too wide for a page, so attempts stand in one table and each grader's footing in another.
    """
    attempts = _some_columns(table, _OF_ATTEMPTS)
    tried = [row for row in attempts if row[_OF_ATTEMPTS.index("attempt")] is not None]
    footing = list(dict.fromkeys(_some_columns(table, _OF_FOOTING)))
    numbers = frozenset({"attempt", *_FIGURES})
    return _section(
        results,
        "Calibration",
        html.paragraph(
            "Before grading live, a grader puts a packet of papers in order and then scores it; both are "
            "held against reference scores. An outcome counts for one question and one version of its point "
            "sheet. Severity: a positive number is a harsh grader."
        ),
        html.paragraph(_reference_sentence(results)),
        html.bullets(_given_before(results)),
        html.table(
            "Attempts",
            [head.replace("_", " ") for head in _OF_ATTEMPTS],
            tried,
            note=results.short_note,
            numbers=frozenset(head.replace("_", " ") for head in numbers),
            decimals=2,
        )
        if tried
        else "",
        html.table("On what footing", _OF_FOOTING, footing, note=results.short_note)
        if footing
        else html.paragraph("Nobody has calibrated, and nobody was let in."),
    )


def _some_columns(table: Table, names: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Give some columns of a table; of a time the day and the minute are enough on a page."""
    places = {column.name: place for place, column in enumerate(table.columns)}
    return [tuple(_to_the_minute(name, row[places[name]]) for name in names) for row in table.rows]


def _to_the_minute(name: str, cell: Cell) -> Cell:
    return cell[:16].replace("T", " ") if name.endswith("_at") and isinstance(cell, str) else cell


def _given_before(results: Results) -> list[str]:
    """Say what became of grades given under an earlier version of their item."""
    calibration, files = results.record.calibration, results.inputs.files
    kept: Counter[tuple[str, str, str]] = Counter()
    again: Counter[str] = Counter()
    for assignment_id, grade in results.record.grades.items():
        under = calibration.kept.get(assignment_id)
        # A correction made since was given under the newer version itself.
        if under is not None and grade.item_hash in files and grade.item_hash != under:
            kept[grade.item, files[grade.item_hash]["version"], files[under]["version"]] += 1
        again[grade.item] += assignment_id in calibration.recalled
    return [
        *(
            f"{_grades(number)} of {results.item_title(item)} given under version {old} "
            f"{'was' if number == 1 else 'were'} let stand under version {new}."
            for (item, old, new), number in sorted(kept.items())
        ),
        *(
            f"{_grades(number)} of {results.item_title(item)} {'waits' if number == 1 else 'wait'} "
            "to be given again."
            for item, number in sorted(again.items())
            if number
        ),
    ]


def _grades(number: int) -> str:
    return "1 grade" if number == 1 else f"{number} grades"


def _reference_sentence(results: Results) -> str:
    origins = {
        results.inputs.files[attempt.set_hash]["content"]["set"]["origin"]
        for attempt in results.record.calibration.attempts.values()
    }
    if origins == {"constructed"}:
        return "The references were written together with the papers: no bar panel graded them."
    if origins == {"panel"}:
        return "The references come from a panel's own grades."
    return "" if not origins else "Some references were written with the papers, some come from a panel."


def _disputes_section(results: Results) -> str:
    """Say how disputes were settled; nothing where there were none."""
    settling = results.record.settling
    by = Counter(dispute_settled_by(results.record, one) for one in results.standings)
    open_ones = results.counts["answers_disputed"]
    if not (open_ones or by["adjudication"] or by["third read"] or settling.backreads):
        return ""
    return _section(
        results,
        "Disputes",
        html.paragraph(
            f"Settled by an adjudicator: {by['adjudication']}. By a third read: {by['third read']}. "
            f"Open: {open_ones}. Graded answers read again by the lead: {len(settling.backreads)}."
        ),
        html.paragraph(
            "None of these judgments enters a figure on agreement. Each stands in adjudications.csv.",
            quiet=True,
        ),
        short=True,
    )


def _scores_section(results: Results, scores: Table) -> str:
    return _section(
        results,
        "Scores",
        html.paragraph(
            "Raw is the reads combined by the round's rule before a dispute is settled, final is the score "
            "that stands. A dash is no score; it is never zero."
        ),
        _long_table("Scores", scores, results.short_note, {"raw", "final"}, "scores.csv"),
    )


def _scaled_section(results: Results, scaled: Table) -> str:
    how = _how_scaled(results.scaled) if results.scaled else [html.paragraph(results.not_scaled)]
    left_out = results.scaled.left_out if results.scaled else ()
    return _section(
        results,
        "Scaled scores",
        *how,
        _rules_table(results),
        _long_table(
            "Scaled scores",
            scaled,
            results.short_note,
            {"written_raw", "written_scaled", "total"},
            "scaled.csv",
            decimals=4,
        ),
        _left_out_table(left_out, results.short_note) if left_out else "",
    )


def _rules_table(results: Results) -> str:
    """List who set rules of scaling, when, what and why; nothing where nobody did."""
    rows = [
        (one.at, one.actor, "; ".join(one.rules.says) or "the round's own", one.reason)
        for one in results.record.rules.decisions
    ]
    heads = ("decided_at", "decided_by", "rules", "reason")
    return html.table("Rules of scaling", heads, rows, note=results.short_note) if rows else ""


def _left_out_table(left_out: Sequence[LeftOut], note: str) -> str:
    rows = [(left.candidate_id, left.why) for left in left_out[:MOST_ROWS]]
    made = html.table("Candidates without a composite", ("candidate_id", "why"), rows, note=note)
    rest = len(left_out) - MOST_ROWS
    return made if rest <= 0 else made + html.paragraph(f"And {rest} more.")


def _how_scaled(scaled: Scaled) -> Iterator[str]:
    yield html.paragraph(
        f"Method: {METHODS_SAY[scaled.method]}; reference {scaled.reference}; "
        f"{ROUNDINGS_SAY[scaled.rounding]}. "
        "Only candidates with an MBE score form the constants; all others are placed on them."
    )
    for constants in scaled.constants.values():
        yield html.paragraph(
            f"Constants from {constants.written.n} candidates: written mean {constants.written.mean:.4f}, "
            f"SD {constants.written.sd:.4f}; MBE mean {constants.mbe_mean:.4f}, SD {constants.mbe_sd:.4f}."
        )
    for warning in scaled.warnings:
        yield html.paragraph(warning)


def _long_table(
    caption: str, table: Table, note: str, numbers: set[str], file: str, decimals: int | None = None
) -> str:
    # The note stands above the heads already; in every row it would only take room.
    shown = [place for place, column in enumerate(table.columns) if column.kind is not Kind.NOTE]
    made = html.table(
        caption,
        [table.columns[place].name for place in shown],
        [[row[place] for place in shown] for row in table.rows[:MOST_ROWS]],
        note=note,
        numbers=frozenset(numbers),
        decimals=decimals,
    )
    rest = len(table.rows) - MOST_ROWS
    return made if rest <= 0 else made + html.paragraph(f"{rest} more rows stand in {file}.")


def _evidence_section(results: Results) -> str:
    return _section(
        results,
        "How to check this report",
        html.paragraph(
            "Keep this page with the other files of its folder and run grader-app verify on the folder: "
            "every number is computed again from the recorded acts and compared."
        ),
        html.paragraph(f"Made from {len(results.events)} recorded acts. Fingerprint of the last act:"),
        html.fingerprint(results.last_hash),
        html.paragraph("Fingerprint of what the acts refer to (inputs.jsonl):"),
        html.fingerprint(results.inputs_fingerprint),
        short=True,
    )
