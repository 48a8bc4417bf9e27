"""Computing an export again from its own events and inputs, and naming the first difference."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader_app import __version__
from grader_app.domain.events import FIRST_HASH, Event, first_break
from grader_app.domain.inputs import Inputs
from grader_app.domain.keyed_grades import keyed_faults
from grader_app.domain.release import release_faults
from grader_app.errors import ExportProblem, GraderAppError, VerificationFailed
from grader_app.export.calibration_table import check_judgments
from grader_app.export.comparison import cell_difference, json_difference, line_difference
from grader_app.export.exporter import Exporter
from grader_app.export.input_faults import changed_faults, file_faults, missing_faults
from grader_app.export.json_file import json_bytes
from grader_app.export.json_lines import EVENTS_FILE, INPUTS_FILE, parse_events, parse_inputs
from grader_app.export.manifest import MANIFEST_FILE, fingerprints_of, manifest_hash, manifest_of, sha256
from grader_app.export.registry import EXPORTERS
from grader_app.export.results import Results
from grader_app.store.integrity import ExportEnds, unregistered_rubrics
from grader_app.store.reread_integrity import reread_faults
from grader_app.store.settling_integrity import settling_faults

_FILES = tuple(exporter.file for exporter in EXPORTERS)
_ALWAYS = ("scores.csv", "scaled.csv", "grades.csv", "agreement.json", EVENTS_FILE, INPUTS_FILE)
"""What an export of any version has."""


def verify_export(folder: Path) -> None:
    """Check that an export is as the program wrote it; needs nothing but the folder, records nothing.

    Parameters
    ----------
    folder
        The export.

    Raises
    ------
    VerificationFailed
        Naming the first difference: file, line or cell, what it says and what it should say.
    ExportProblem
        The folder is no export.

    Notes
    -----
    The log is checked first, then what it refers to; from these two every other file is computed
    again and compared, and last every file with its fingerprint in the manifest. So an edited score
    is found although its fingerprint was repaired. If another version of the program wrote the
    export, the report is compared by its fingerprint only, and sentences are not compared.
    """
    manifest, files, results = _replayed(folder)
    version = manifest["program"]["version"]
    for exporter in EXPORTERS:
        if exporter.file in files:
            _check_file(exporter, results, files[exporter.file], same_program=version == __version__)
    if version == __version__:
        check_judgments(results)
    _check_manifest(manifest, results, files, same_program=version == __version__)


def replayed_export(folder: Path) -> Results:
    """Replay an export from its log and what it refers to, after checking both but no other file.

    Parameters
    ----------
    folder
        The export.

    Raises
    ------
    VerificationFailed, ExportProblem
        As for `verify_export`.
    """
    return _replayed(folder)[2]


def _replayed(folder: Path) -> tuple[dict[str, Any], dict[str, bytes], Results]:
    manifest, files = read_export(folder)
    events = _whole_log(files[EVENTS_FILE], manifest)
    inputs = parse_inputs(files[INPUTS_FILE])
    try:
        _check_inputs(events, inputs)
        results = Results(events, inputs, manifest["program"]["version"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise VerificationFailed(
            f"{EVENTS_FILE} and {INPUTS_FILE} do not tell a round that can be replayed ({error})."
        ) from error
    for source in (EVENTS_FILE, INPUTS_FILE):
        _check_fingerprint(manifest, source, files[source])
    return manifest, files, results


def read_export(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read an export without checking more than that its files are there.

    Returns
    -------
    tuple
        The manifest, and the bytes of every other file by name.

    Raises
    ------
    ExportProblem, VerificationFailed
        As for `read_manifest`.
    """
    manifest = read_manifest(folder)
    return manifest, {name: (folder / name).read_bytes() for name in files_beside(manifest)}


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of an export whose files are all there.

    Parameters
    ----------
    folder
        The export.

    Raises
    ------
    ExportProblem
        The folder is no export.
    VerificationFailed
        A file is missing, or the manifest cannot be read or was edited.
    """
    if not (folder / MANIFEST_FILE).is_file():
        if any((folder / file).is_file() for file in _FILES):
            raise VerificationFailed(_without_manifest(folder))
        raise ExportProblem(
            f"{folder}: this is no export, it has no {MANIFEST_FILE}. "
            "Name a folder that `grader-app export` wrote."
        )
    manifest = _read_manifest((folder / MANIFEST_FILE).read_bytes())
    if manifest.get("manifest_hash") != manifest_hash(manifest):
        raise VerificationFailed(f"{MANIFEST_FILE}{_manifest_edit(manifest, folder)}")
    for name in files_beside(manifest):
        if Path(name).name != name:
            raise VerificationFailed(f"{MANIFEST_FILE} names {name!r}, which is no file of an export.")
        if not (folder / name).is_file():
            raise VerificationFailed(f"{name} is missing from {folder}. Take the export again.")
    return manifest


def files_beside(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the files of an export but for its manifest, in their order."""
    # Another version may have written fewer files; all that this one writes must be there.
    ours = manifest["program"]["version"] == __version__
    return tuple(dict.fromkeys((*(_FILES if ours else _ALWAYS), *manifest["files"])))


def unchecked_of(folder: Path) -> list[str]:
    """Say what a verification of an export did not cover.

    Parameters
    ----------
    folder
        A verified export.

    Returns
    -------
    list of str
        Sentences: files that are not the export's, and what another version of the program leaves open.
    """
    manifest = read_manifest(folder)
    found = []
    version = manifest["program"]["version"]
    if version != __version__:
        found.append(
            f"Program version {version} wrote this, and {__version__} checked it. The report and the "
            "sentences in it were compared with their fingerprints in the manifest only."
        )
        absent = sorted(set(_FILES) - set(manifest["files"]))
        if absent:
            found.append(f"Not in this export, which another version wrote: {', '.join(absent)}.")
    others = sorted(path.name for path in folder.iterdir() if path.name not in (*_FILES, MANIFEST_FILE))
    if others:
        found.append(f"Not part of the export, and not checked: {', '.join(others)}.")
    return found


def ends_of_exports(exports: Path) -> ExportEnds:
    """Give the last event of each export in a folder, for checking a workspace's log against them.

    Parameters
    ----------
    exports
        The folder; folders in it without a manifest are passed over.

    Returns
    -------
    mapping
        Number and hash of the last event by the export's name.

    Raises
    ------
    VerificationFailed
        A manifest cannot be read.
    """
    ends = {}
    for path in sorted(exports.glob(f"*/{MANIFEST_FILE}")):
        try:
            manifest = _read_manifest(path.read_bytes())
        except VerificationFailed as problem:
            raise VerificationFailed(f"{path.parent.name}: {problem}") from None
        ends[path.parent.name] = (manifest["events"]["n"], manifest["events"]["last_hash"])
    return ends


def _read_manifest(data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
        whole = (
            isinstance(manifest["files"], dict)
            and isinstance(manifest["events"]["n"], int)
            and isinstance(manifest["events"]["last_hash"], str)
            and isinstance(manifest["program"]["version"], str)
            and json_bytes(manifest) == data
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        whole = False
    if not whole:
        raise VerificationFailed(f"{MANIFEST_FILE} is not as the program wrote it. Take the export again.")
    return dict(manifest)


def _manifest_edit(manifest: Mapping[str, Any], folder: Path) -> str:
    """Say which entry of an edited manifest is wrong, if the rest of the export still tells."""
    try:
        files = {file: (folder / file).read_bytes() for file in _FILES}
        log, inputs = parse_events(files[EVENTS_FILE]), parse_inputs(files[INPUTS_FILE])
        expected = manifest_of(Results(log, inputs, manifest["program"]["version"]), fingerprints_of(files))
    except (GraderAppError, OSError, ValueError, KeyError, TypeError, AttributeError):
        expected = {}
    difference = json_difference(json_bytes(manifest), json_bytes(expected), same_program=True)
    if expected and difference is not None and ", manifest_hash:" not in difference:
        return difference
    return (
        f", manifest_hash: says {manifest.get('manifest_hash')}, should say {manifest_hash(manifest)}. "
        "The manifest was changed; take the export again."
    )


def _whole_log(data: bytes, manifest: Mapping[str, Any]) -> list[Event]:
    events = parse_events(data)
    broken = first_break(events)
    if broken is not None:
        raise VerificationFailed(f"{EVENTS_FILE}: {broken}")
    said = manifest["events"]
    if said["n"] != len(events):
        raise VerificationFailed(
            f"{EVENTS_FILE} ends with event {len(events)}; {MANIFEST_FILE} says that there are {said['n']}."
        )
    if said["last_hash"] != (events[-1].hash if events else FIRST_HASH):
        raise VerificationFailed(
            f"{EVENTS_FILE}, line {len(events)}: the last event is not the one that {MANIFEST_FILE} names."
        )
    return events


def _check_inputs(events: Sequence[Event], inputs: Inputs) -> None:
    for fault in file_faults(events, inputs):
        raise VerificationFailed(f"{INPUTS_FILE}: {fault}")
    rounds = {digest: kept["content"] for digest, kept in inputs.files.items() if kept["kind"] == "round"}
    faults = (*unregistered_rubrics(events), *keyed_faults(events), *settling_faults(events))
    for fault in (*faults, *reread_faults(events, rounds), *release_faults(events)):
        raise VerificationFailed(f"{EVENTS_FILE}: {fault}")
    for fault in (*changed_faults(events, inputs), *missing_faults(events, inputs)):
        raise VerificationFailed(f"{INPUTS_FILE}: {fault}")


def _check_file(exporter: Exporter, results: Results, found: bytes, *, same_program: bool) -> None:
    if exporter.compared == "page" and not same_program:
        return  # its fingerprint is compared with all the others
    try:
        expected = exporter.bytes_of(results)
    except (GraderAppError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise VerificationFailed(
            f"{exporter.file} cannot be computed again from {EVENTS_FILE} and {INPUTS_FILE} ({error})."
        ) from error
    difference = _difference(exporter, found, expected, same_program=same_program)
    if difference is not None:
        raise VerificationFailed(difference)


def _difference(exporter: Exporter, found: bytes, expected: bytes, *, same_program: bool) -> str | None:
    if exporter.compared == "numbers":
        said = json_difference(found, expected, same_program=same_program)
    elif exporter.compared == "cells":
        said = cell_difference(found, expected, same_program=same_program)
    else:
        return line_difference(exporter.file, found, expected)
    return None if said is None else f"{exporter.file}{said}"


def _check_fingerprint(manifest: Mapping[str, Any], file: str, data: bytes) -> None:
    said = manifest["files"].get(file)
    if said != sha256(data):
        raise VerificationFailed(
            f"{file}: its fingerprint is {sha256(data)}, and {MANIFEST_FILE} says {said}."
        )


def _check_manifest(
    manifest: Mapping[str, Any], results: Results, files: Mapping[str, bytes], *, same_program: bool
) -> None:
    named = files if not same_program else {name: files[name] for name in _FILES}
    expected = manifest_of(results, fingerprints_of(named))
    for name in named:
        _check_fingerprint(manifest, name, files[name])
    computed = {key: value for key, value in expected.items() if key != "manifest_hash"}
    said = {key: value for key, value in manifest.items() if key != "manifest_hash"}
    difference = json_difference(json_bytes(said), json_bytes(computed), same_program=same_program)
    if difference is not None:
        raise VerificationFailed(f"{MANIFEST_FILE}{difference}")


def _without_manifest(folder: Path) -> str:
    if folder.name.endswith("-revealed"):
        original = folder.with_name(folder.name.removesuffix("-revealed"))
        return f"{folder} is a copy with sources joined on, which is not verified. Verify {original} instead."
    return f"{MANIFEST_FILE} is missing from {folder}. Take the export again."
