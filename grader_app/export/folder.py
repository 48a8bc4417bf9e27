"""Writing an export as one new folder, whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from grader_app.domain.events import EventKind
from grader_app.domain.inputs import Inputs
from grader_app.errors import ChainBroken, ExportProblem
from grader_app.export.input_faults import TELL_OF_INPUTS, changed_faults, file_faults
from grader_app.export.json_lines import in_order
from grader_app.export.registry import pieces_of
from grader_app.export.results import Results
from grader_app.export.scratch_file import temporary_files
from grader_app.store.collector import collector_paused
from grader_app.store.database import Store
from grader_app.store.event_log import last_seq, last_seq_among
from grader_app.store.inputs import read_inputs
from grader_app.store.integrity import tail_faults
from grader_app.store.stored_log import StoredLog

_CHANGE_INPUTS = {EventKind.FILE_REGISTERED, EventKind.ANSWERS_TAKEN_IN, EventKind.MBE_TAKEN_IN}
_MOST_IN_A_SECOND = 1000


def write_export(store: Store, out_dir: Path, now: datetime) -> Path:
    """Write an export of a workspace; records nothing.

    Parameters
    ----------
    store
        The workspace's database, which may be in use.
    out_dir
        Where the new folder goes; made if absent.
    now
        The time that the folder's name carries, in any zone.

    Returns
    -------
    Path
        The folder, ``<round>-YYYYMMDDTHHMMSSZ``. A second one in the same second ends in ``-2``.

    Raises
    ------
    ExportProblem
        No round is registered, the log is broken, or the folder cannot be written.
    """
    with collector_paused():
        results = read_results(store)
        name = f"{results.round.id}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        return _written(out_dir, name, results)


def _written(out_dir: Path, name: str, results: Results) -> Path:
    try:
        return _write_folder(out_dir, name, pieces_of(results))
    except OSError as error:
        if error.filename is not None and error.filename == temporary_files():
            where, other = error.filename, "set TMPDIR to another folder"
        else:
            where, other = out_dir, "name another folder with --out"
        raise ExportProblem(
            f"{where}: the export cannot be written there ({error.strerror or error}). Nothing was "
            f"left behind; free some space or {other}."
        ) from error


def read_results(store: Store) -> Results:
    """Read everything an export is made of.

    Raises
    ------
    ExportProblem
        The log is broken, or a file, an answer or an MBE score is no longer the one on record.

    Notes
    -----
    What is read here equals what `verify` reads from the exported lines, in the same order, so that both
    compute the same.
    """
    with collector_paused():
        try:
            log, inputs = _consistent(store)
            results = Results(log, in_order(inputs), checked=True)
        except ChainBroken as broken:
            raise _changed(store, str(broken)) from broken
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _changed(
                store, f"Log and files do not tell a round that can be replayed ({error})."
            ) from error
        # The chain holds, so what its events say of the inputs is what was recorded. An answer that is gone
        # is no reason to write nothing: the export says so itself, in `reconciliation.json`.
        told = log.of_kinds(TELL_OF_INPUTS)
        for fault in chain(tail_faults(store), file_faults(told, inputs), changed_faults(told, inputs)):
            raise _changed(store, fault[:1].upper() + fault[1:])
        return results


def _changed(store: Store, fault: str) -> ExportProblem:
    return ExportProblem(f"{store.path}: {fault} Run `grader-app verify`, and restore a backup.")


def _consistent(store: Store) -> tuple[StoredLog, Inputs]:
    """Give log and inputs that belong together, although others may be writing meanwhile."""
    while True:
        n_events = last_seq(store)
        inputs = read_inputs(store)
        if last_seq_among(store, _CHANGE_INPUTS) <= n_events:
            return StoredLog(store, n_events), inputs


def _write_folder(out_dir: Path, name: str, files: Iterable[tuple[str, Iterable[bytes]]]) -> Path:
    out_dir.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=out_dir))
    try:
        whole = scratch / name
        whole.mkdir()
        for file, pieces in files:
            with (whole / file).open("xb") as stream:
                stream.writelines(pieces)
                stream.flush()
                os.fsync(stream.fileno())
        return _put_in_place(whole, out_dir, name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _put_in_place(whole: Path, out_dir: Path, name: str) -> Path:
    for number in range(1, _MOST_IN_A_SECOND):
        target = out_dir / (name if number == 1 else f"{name}-{number}")
        if target.exists():
            continue
        try:
            whole.rename(target)
        except OSError:
            if not target.exists():
                raise
            continue  # another export took the name in this moment
        return target
    raise ExportProblem(f"{out_dir}: too many exports named {name}. Wait a second and export again.")
