"""Every file of an export, and the one function that computes them all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

from grader_app import __version__
from grader_app.domain.events import Event
from grader_app.domain.inputs import Inputs
from grader_app.export.adjudications_table import adjudications_table
from grader_app.export.apprentices_table import apprentices_table
from grader_app.export.arithmetic_page import ARITHMETIC_FILE, arithmetic_bytes
from grader_app.export.blind_tables import author_flags_table, guesses_table
from grader_app.export.calibration_table import calibration_table
from grader_app.export.checks_table import checks_table
from grader_app.export.csv_file import csv_pieces
from grader_app.export.exporter import Exporter
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.highlights_table import highlights_table
from grader_app.export.intervals import INTERVALS_FILE, intervals_pieces
from grader_app.export.json_file import json_bytes
from grader_app.export.json_lines import EVENTS_FILE, INPUTS_FILE, events_pieces, inputs_pieces
from grader_app.export.manifest import MANIFEST_FILE, manifest_of
from grader_app.export.protocol_card import PROTOCOL_FILE, protocol_json
from grader_app.export.reconciliation import RECONCILIATION_FILE, reconciliation_bytes
from grader_app.export.referrals_table import referrals_table
from grader_app.export.report_page import REPORT_FILE, report_bytes
from grader_app.export.results import Results
from grader_app.export.table import Table
from grader_app.export.tables import grades_table, scaled_table, scores_table
from grader_app.export.workbook import WORKBOOK_FILE, workbook_pieces


def _as_csv(
    table_of: Callable[[Results], Table],
) -> Callable[[Results, frozenset[Kind]], Iterator[bytes]]:
    return lambda results, shows: csv_pieces(table_of(results).checked(shows))


_SCORES = frozenset(
    {Kind.CANDIDATE_ID, Kind.ITEM, Kind.RESPONSE_ID, Kind.SCORE, Kind.STATUS, Kind.NOTE},
)
_SCALED = frozenset({Kind.CANDIDATE_ID, Kind.SCORE, Kind.SCALED_SCORE, Kind.STATUS, Kind.NOTE})
_ARITHMETIC = frozenset({Kind.CANDIDATE_ID, Kind.ITEM, Kind.SCORE, Kind.SCALED_SCORE, Kind.MBE, Kind.NOTE})
_GRADES = frozenset(
    {
        Kind.RESPONSE_ID,
        Kind.GRADER_ID,
        Kind.FACET,
        Kind.SCORE,
        Kind.CONDITION_CODE,
        Kind.RUBRIC,
        Kind.TIME,
        Kind.STATUS,
        Kind.NOTE,
    }
)
_HIGHLIGHTS = frozenset({Kind.RESPONSE_ID, Kind.GRADER_ID, Kind.EVIDENCE, Kind.STATUS, Kind.NOTE})
_ADJUDICATIONS = (_GRADES - {Kind.RUBRIC}) | {Kind.ITEM, Kind.EVENT}
_REFERRALS = frozenset(
    {Kind.EVENT, Kind.RESPONSE_ID, Kind.ITEM, Kind.GRADER_ID, Kind.STATUS, Kind.TIME, Kind.NOTE}
)
_CHECKS = frozenset({Kind.GRADER_ID, Kind.ITEM, Kind.STATISTIC, Kind.TIME, Kind.NOTE})
_CALIBRATION = frozenset(
    {
        Kind.GRADER_ID,
        Kind.ITEM,
        Kind.RUBRIC,
        Kind.STATISTIC,
        Kind.TIME,
        Kind.STATUS,
        Kind.STATED_REASON,
        Kind.NOTE,
    }
)
_GUESSES = frozenset(
    {
        Kind.RESPONSE_ID,
        Kind.ITEM,
        Kind.GRADER_ID,
        Kind.SCORE,
        Kind.STATUS,
        Kind.TIME,
        Kind.NOTE,
    }
)
_AUTHOR_FLAGS = _GUESSES - {Kind.SCORE}
_INTERVALS = frozenset(
    {Kind.CANDIDATE_ID, Kind.ITEM, Kind.SCORE, Kind.SCALED_SCORE, Kind.STATISTIC, Kind.NOTE}
)
_PROTOCOL = frozenset({Kind.ITEM, Kind.EVENT, Kind.STATUS, Kind.STATISTIC, Kind.NOTE})
_RECONCILIATION = frozenset({Kind.CANDIDATE_ID, Kind.ITEM, Kind.EVENT, Kind.TIME, Kind.STATISTIC, Kind.NOTE})
_AGREEMENT = frozenset({Kind.ITEM, Kind.FACET, Kind.GRADER_ID, Kind.STATISTIC, Kind.NOTE})

EXPORTERS = (
    Exporter("scores.csv", _SCORES, _as_csv(scores_table), "lines"),
    Exporter("scaled.csv", _SCALED, _as_csv(scaled_table), "lines"),
    Exporter("grades.csv", _GRADES, _as_csv(grades_table), "lines"),
    Exporter("highlights.csv", _HIGHLIGHTS, _as_csv(highlights_table), "lines"),
    Exporter("apprentices.csv", _GRADES, _as_csv(apprentices_table), "lines"),
    Exporter("adjudications.csv", _ADJUDICATIONS, _as_csv(adjudications_table), "lines"),
    Exporter("referrals.csv", _REFERRALS, _as_csv(referrals_table), "lines"),
    Exporter("checks.csv", _CHECKS, _as_csv(checks_table), "lines"),
    Exporter("calibration.csv", _CALIBRATION, _as_csv(calibration_table), "lines"),
    Exporter("guesses.csv", _GUESSES, _as_csv(guesses_table), "lines"),
    Exporter("author_flags.csv", _AUTHOR_FLAGS, _as_csv(author_flags_table), "lines"),
    Exporter(INTERVALS_FILE, _INTERVALS, lambda results, _: intervals_pieces(results), "numbers"),
    Exporter(
        RECONCILIATION_FILE, _RECONCILIATION, lambda results, _: reconciliation_bytes(results), "numbers"
    ),
    Exporter("agreement.json", _AGREEMENT, lambda results, _: json_bytes(results.agreement), "numbers"),
    Exporter(PROTOCOL_FILE, _PROTOCOL, lambda results, _: json_bytes(protocol_json(results)), "numbers"),
    Exporter(
        REPORT_FILE,
        _SCORES
        | _SCALED
        | _CHECKS
        | _CALIBRATION
        | _GUESSES
        | _AGREEMENT
        | _PROTOCOL
        | {Kind.FINGERPRINT, Kind.FILE_CONTENT},
        report_bytes,
        "page",
    ),
    Exporter(ARITHMETIC_FILE, _ARITHMETIC, arithmetic_bytes, "page"),
    Exporter(
        WORKBOOK_FILE,
        _SCORES
        | _SCALED
        | _GRADES
        | _ADJUDICATIONS
        | _CHECKS
        | _CALIBRATION
        | _GUESSES
        | _AGREEMENT
        | {Kind.FINGERPRINT},
        workbook_pieces,
        "cells",
    ),
    Exporter(
        EVENTS_FILE,
        frozenset({Kind.EVENT, Kind.TIME, Kind.GRADER_ID, Kind.SCORE, Kind.TEXT_HASH, Kind.STATED_REASON}),
        lambda results, _: events_pieces(results.events),
        "lines",
    ),
    Exporter(
        INPUTS_FILE,
        frozenset(
            {Kind.FILE_CONTENT, Kind.RESPONSE_ID, Kind.CANDIDATE_ID, Kind.ITEM, Kind.TEXT_HASH, Kind.MBE}
        ),
        lambda results, _: inputs_pieces(results.inputs),
        "lines",
    ),
)
"""In the order in which they are written and verified."""


def tables(events: Sequence[Event], inputs: Inputs, version: str = __version__) -> dict[str, bytes]:
    """Compute every file of an export.

    Parameters
    ----------
    events
        The whole log.
    inputs
        What it refers to.
    version
        Version of the program that the files name.

    Returns
    -------
    dict
        Bytes by file name, the manifest last. The same log and inputs give the same bytes.

    Raises
    ------
    ExportProblem
        No round was ever registered.
    """
    return files_of(Results(events, inputs, version))


def files_of(results: Results) -> dict[str, bytes]:
    """Write every file from results that are there already; see `tables`."""
    return {file: b"".join(pieces) for file, pieces in pieces_of(results)}


def pieces_of(results: Results) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Write every file one after another, each in pieces.

    Notes
    -----
    All pieces of a file must be taken before the next file is asked for. A long log goes to the disk without
    ever being in memory as a file.
    """
    fingerprints = {}
    # The draws of the error bars take the most memory, so they are made before there is anything else.
    _ = results.errors
    for exporter in EXPORTERS:
        fingerprint = hashlib.sha256()
        yield exporter.file, _counted(exporter.pieces_of(results), fingerprint)
        fingerprints[exporter.file] = fingerprint.hexdigest()
    yield MANIFEST_FILE, iter([json_bytes(manifest_of(results, fingerprints))])


def _counted(pieces: Iterator[bytes], fingerprint: hashlib._Hash) -> Iterator[bytes]:
    for piece in pieces:
        fingerprint.update(piece)
        yield piece
