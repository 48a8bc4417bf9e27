"""Joining sources onto a finished export, in a folder beside it, and recording that it happened."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from grader_app.blinding.arms import Arms, arms_of
from grader_app.blinding.blinding_check import GUESSES_COLUMNS, check_files, guess_rows
from grader_app.blinding.key import BlindingKey
from grader_app.blinding.key_records import KeptSource
from grader_app.blinding.settling import refuse_older_key, settle
from grader_app.domain.events import EventKind
from grader_app.errors import ExportProblem
from grader_app.export.json_lines import EVENTS_FILE, INPUTS_FILE, parse_events, parse_inputs
from grader_app.export.results import Results
from grader_app.export.verify import read_export, verify_export
from grader_app.files.spreadsheet_text import neutralise
from grader_app.store.event_log import append
from grader_app.store.stages import revealed_responses
from grader_app.workflow.workbench import Workbench

CONDITION = ("source", "prompt_type", "temperature", "model_version", "trial")
"""What tells candidates apart; joined to every table."""

OF_AN_ANSWER = ("sender_id", *CONDITION, "gold", "finish_reason", "licence", "slice")
"""What is known of one answer; joined to tables that name answers."""

_Files = Mapping[str, bytes]
_Joined = Mapping[str, Sequence[str]]


def reveal(
    bench: Workbench,
    key: BlindingKey,
    export_dir: Path,
    actor: str,
    arms_file: Path | None = None,
    *,
    although_provisional: bool = False,
) -> Path:
    """Write a copy of an export's tables with the sources joined on, and record it.

    Parameters
    ----------
    bench, key
        The workspace and its key.
    export_dir
        The export; it stays as it is.
    actor
        Who does it.
    arms_file
        Which sources are people and which are models; None to tell by what the key holds.
    although_provisional
        Go on though questions of the export are open: their answers that are disputed or not fully read never
        get a final score then.

    Returns
    -------
    Path
        ``<export>-revealed/`` beside the export: scores.csv, scaled.csv, grades.csv and sources.csv, and the
        blinding check: guesses.csv, blinding_check.json and blinding_check.html.

    Raises
    ------
    VerificationFailed
        The export is not as it was written.
    ExportProblem
        It comes from another workspace, was revealed before, is provisional, or the folder cannot be written.
    KeyProblem
        The key does not know an answer of the export.
    FileProblems
        The file of arms cannot be used; nothing is recorded.

    Notes
    -----
    The act is recorded before the first source reaches the disk, so that no crash leaves sources lying there
    without a record. Grading these answers is over from then on.
    """
    export_dir = Path(os.path.abspath(export_dir))  # `.` has no name to put `-revealed` behind
    target = export_dir.with_name(export_dir.name + "-revealed")
    if target.exists():
        raise ExportProblem(
            f"{target}: this export was revealed before. Remove the folder to write it again."
        )
    verify_export(export_dir)
    manifest, files = read_export(export_dir)
    last_hash = manifest["events"]["last_hash"]
    _refuse_foreign(bench, export_dir, last_hash)
    response_ids = _response_ids(files["scores.csv"])
    if not although_provisional:
        _refuse_provisional(bench, export_dir, manifest["open_items"], response_ids)
    scratch = _scratch(target)
    try:
        with bench.store.write() as connection:
            settle(bench.store, key)
            refuse_older_key(response_ids, key)
            sources = [s for s in key.sources(also_undone=True) if s.response_id in response_ids]
            arms = arms_of(sources, arms_file)
            written = _revealed(files, sources, key) | _blinding_check(manifest, files, sources, arms)
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.SOURCES_REVEALED,
                subject=bench.store.workspace_id,
                body={"export": last_hash, "response_ids": sorted(response_ids)},
            )
        _write(scratch, written, target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def _refuse_foreign(bench: Workbench, export_dir: Path, last_hash: str) -> None:
    if bench.store.row_or_none("SELECT 1 FROM event WHERE hash = ?", (last_hash,)) is None:
        raise ExportProblem(
            f"{export_dir}: this export comes from another workspace: its last event is not in this "
            "one's log. Name the workspace it was written from with --workspace DIR."
        )


def _refuse_provisional(
    bench: Workbench, export_dir: Path, open_items: Sequence[str], response_ids: set[str]
) -> None:
    # What is revealed already has nothing left to lose: its folder may be written again.
    if open_items and response_ids - revealed_responses(bench.store):
        raise ExportProblem(
            f"{export_dir}: this export is provisional ({', '.join(open_items)} open), and revealing ends "
            "the grading of its answers for good: those disputed or not fully read would never get a final "
            "score. Close the questions on the page Scores and export again, or add --provisional to go on "
            "all the same. Nothing was recorded."
        )


def _scratch(target: Path) -> Path:
    """Make the folder before anything is recorded, so that a place that cannot be written costs nothing."""
    try:
        return Path(tempfile.mkdtemp(prefix=".revealing-", dir=target.parent))
    except OSError as error:
        raise _unwritable(target, error, "Nothing was recorded") from error


def _write(scratch: Path, written: _Files, target: Path) -> None:
    try:
        whole = scratch / target.name
        whole.mkdir()
        for name, data in written.items():
            with (whole / name).open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        with suppress(OSError):  # a file system without permissions
            whole.chmod(0o700)
        whole.rename(target)
    except OSError as error:
        said = "That the sources are revealed is on record, though the files are not written"
        raise _unwritable(target, error, said) from error


def _unwritable(target: Path, error: OSError, said: str) -> ExportProblem:
    return ExportProblem(
        f"{target}: cannot be written ({error.strerror or error}). {said}; free some space or check the "
        "folder's permissions, and run reveal again."
    )


def _revealed(files: _Files, sources: list[KeptSource], key: BlindingKey) -> dict[str, bytes]:
    of_answer = {s.response_id: [str(getattr(s, name)) for name in OF_AN_ANSWER] for s in sources}
    of_candidate = {s.candidate_id: list(s.candidate) for s in sources}
    return {
        "scores.csv": _joined(files["scores.csv"], "response_id", OF_AN_ANSWER, of_answer),
        "scaled.csv": _joined(files["scaled.csv"], "candidate_id", CONDITION, of_candidate),
        "grades.csv": _joined(files["grades.csv"], "response_id", OF_AN_ANSWER, of_answer),
        "sources.csv": _sources_table(sources, key),
    }


def _blinding_check(
    manifest: Mapping[str, Any], files: _Files, sources: list[KeptSource], arms: Arms
) -> dict[str, bytes]:
    """Put each guess beside the truth, from the events of the export alone."""
    events, inputs = parse_events(files[EVENTS_FILE]), parse_inputs(files[INPUTS_FILE])
    results = Results(events, inputs, manifest["program"]["version"])
    guesses = _csv(GUESSES_COLUMNS, guess_rows(results, sources, arms), lambda _: ())
    return {"guesses.csv": guesses, **check_files(results, arms)}


def _response_ids(scores: bytes) -> set[str]:
    return {row["response_id"] for row in csv.DictReader(io.StringIO(scores.decode("utf-8"), newline=""))}


def _joined(data: bytes, by: str, names: Sequence[str], found: _Joined) -> bytes:
    """Add columns to a table of the export; its own cells stay as they are written."""
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8"), newline=""))
    at = header.index(by)
    nothing = [""] * len(names)
    return _csv([*header, *names], rows, lambda row: found.get(row[at], nothing))


def _sources_table(sources: list[KeptSource], key: BlindingKey) -> bytes:
    files = {batch.batch_id: batch.file_name for batch in key.batches()}
    names = ("response_id", "candidate_id", "item", *OF_AN_ANSWER, "file", "line", "other_columns")
    rows = [[s.response_id, s.candidate_id, s.item] for s in sorted(sources, key=lambda s: s.response_id)]
    by_id = {s.response_id: s for s in sources}

    def rest(row: Sequence[str]) -> list[str]:
        kept = by_id[row[0]]
        others = json.dumps(kept.others, ensure_ascii=False) if kept.others else ""
        known = [str(getattr(kept, name)) for name in OF_AN_ANSWER]
        return [*known, files[kept.batch], str(kept.line), others]

    return _csv(names, rows, rest)


def _csv(
    header: Sequence[str], rows: Iterable[Sequence[str]], added: Callable[[Sequence[str]], Sequence[str]]
) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([*row, *map(neutralise, added(row))] for row in rows)
    return text.getvalue().encode("utf-8")
