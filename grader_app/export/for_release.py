"""Whether an export still says what its workspace says, so that it can be released."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader_app.domain.release import ExportFacts, change_since_or_none
from grader_app.errors import ExportProblem, VerificationFailed
from grader_app.export.folder import read_results
from grader_app.export.manifest import MANIFEST_FILE
from grader_app.export.registry import EXPORTERS
from grader_app.export.verify import read_export, verify_export
from grader_app.store.database import Store

SCORE_TABLES = ("scores.csv", "scaled.csv", "grades.csv", "adjudications.csv")
"""What is computed again from the workspace and compared."""


@dataclass(frozen=True)
class MadeExport:
    """What the manifest of an export says of itself; nothing is checked."""

    hash: str
    n_events: int
    provisional: bool


def manifests_of(exports: Path, names: Iterable[str]) -> dict[str, MadeExport]:
    """Read the manifests of exports by their names; one that cannot be read is left out."""
    found = {}
    for name in names:
        try:
            manifest = json.loads((exports / name / MANIFEST_FILE).read_bytes())
            found[name] = MadeExport(
                str(manifest["manifest_hash"]), int(manifest["events"]["n"]), bool(manifest["provisional"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def facts_for_release(folder: Path, store: Store) -> ExportFacts:
    """Verify an export, hold it against its workspace, and give what a release says of it.

    Parameters
    ----------
    folder
        The export.
    store
        The workspace.

    Raises
    ------
    VerificationFailed
        It is not as the program wrote it.
    ExportProblem
        It is of another workspace, provisional, or the workspace has changed since.
    """
    try:
        verify_export(folder)
    except VerificationFailed as fault:
        raise VerificationFailed(
            f"{folder.name} cannot be released, since it is not as the program wrote it: {fault} "
            "Write a new export, and release that."
        ) from fault
    manifest, files = read_export(folder)
    results = read_results(store)
    events, n = results.events, manifest["events"]["n"]
    last_hash = manifest["events"]["last_hash"]
    if n > len(events) or n == 0 or events[n - 1].hash != last_hash:
        raise ExportProblem(f"{folder}: this is no export of this workspace. Write one, and release that.")
    if manifest["provisional"]:
        raise ExportProblem(
            f"{folder}: this export is provisional ({', '.join(manifest['open_items'])} open). Close every "
            "question, then write a new export."
        )
    changed = change_since_or_none(events, n)
    if changed is not None:
        raise ExportProblem(
            f"{folder}: the workspace has changed since this export (event {changed.seq}, {changed.kind}). "
            "Write a new export, and have it prepared and released."
        )
    for exporter in EXPORTERS:
        if exporter.file in SCORE_TABLES and exporter.bytes_of(results) != files[exporter.file]:
            raise ExportProblem(
                f"{folder}: {exporter.file} is not what the workspace gives now. Write a new export."
            )
    return ExportFacts(manifest["manifest_hash"], n, last_hash)
