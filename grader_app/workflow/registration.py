"""Registering a workspace's files, so that each grade can name the exact rubric it was given under."""

from __future__ import annotations

from pathlib import Path

from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems, Problem
from grader_app.files.item_folder import SHEET
from grader_app.files.rubric_file import examine_rubrics, load_rubric
from grader_app.store.event_log import append
from grader_app.store.file_versions import FileVersion, add_file_version, all_file_versions, current_hashes
from grader_app.workflow.workbench import Workbench


def register_files(bench: Workbench, actor: str) -> list[str]:
    """Read the workspace's files and register what is new.

    Returns
    -------
    list of str
        A line for each file registered; empty when nothing changed.

    Raises
    ------
    FileProblems
        A file is wrong, or its content changed under an unchanged version.

    Notes
    -----
    Content counts, not layout: a comment or a line break added to a YAML file is no change.
    """
    found = _on_disk(bench)
    _refuse_silent_changes(bench, found)
    current = current_hashes(bench.store)
    new = [
        (version, path) for version, path in found if current.get((version.kind, version.id)) != version.hash
    ]
    if not new:
        return []
    with bench.store.write() as connection:
        for version, _ in new:
            add_file_version(connection, version)
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.FILE_REGISTERED,
                subject=version.id,
                body={
                    "kind": version.kind,
                    "id": version.id,
                    "version": version.version,
                    "hash": version.hash,
                },
            )
    return [f"{version.kind} {version.id}, version {version.version}" for version, _ in new]


def _on_disk(bench: Workbench) -> list[tuple[FileVersion, Path]]:
    """Give rubrics first, then items, then the round, which refers to both."""
    the_round, items, rubrics = bench.folder.load_contents()
    used = {(item.sheet.rubric, item.sheet.rubric_version) for item in items.values()}
    versions = [
        (
            FileVersion(
                rubric.content_hash, "rubric", rubric.id, rubric.version, rubric.model_dump(mode="json")
            ),
            bench.folder.rubrics_path,
        )
        for key, rubric in sorted(rubrics.items())
        if key in used
    ]
    versions += [
        (
            FileVersion(item.content_hash, "item", item.id, item.version, item.model_dump(mode="json")),
            bench.folder.rubrics_path / item.id / SHEET,
        )
        for item in items.values()
    ]
    made = FileVersion(
        the_round.content_hash, "round", the_round.id, the_round.version, the_round.model_dump(mode="json")
    )
    return [*versions, (made, bench.folder.round_path)]


def silent_changes(bench: Workbench) -> list[Problem]:
    """List the files whose content changed under an unchanged version; none where they cannot be read."""
    try:
        found = _on_disk(bench)
    except FileProblems:
        return []
    return _silent_changes(bench, found)


def _refuse_silent_changes(bench: Workbench, found: list[tuple[FileVersion, Path]]) -> None:
    problems = _silent_changes(bench, found)
    if problems:
        raise FileProblems(problems)


def _silent_changes(bench: Workbench, found: list[tuple[FileVersion, Path]]) -> list[Problem]:
    known = {(v.kind, v.id, v.version): v.hash for v in all_file_versions(bench.store)}
    return [
        Problem(
            str(_rubric_file(path, version) if version.kind == "rubric" else path),
            0,
            f"Content of {version.kind} {version.id} changed, but the version is still {version.version}.",
            "Raise `version`; grades already given stay under the old one.",
        )
        for version, path in found
        if known.get((version.kind, version.id, version.version), version.hash) != version.hash
    ]


def _rubric_file(folder: Path, version: FileVersion) -> Path:
    """Find the file of a rubric in the folder of rubrics."""
    for path in examine_rubrics(folder).files:
        rubric = load_rubric(path)
        if (rubric.id, rubric.version) == (version.id, version.version):
            return path
    return folder
