"""Registering a workspace's files, so that each grade can name the exact rubric it was given under."""

from __future__ import annotations

from pathlib import Path

from grader_app.domain.calibration_record import SetPaper
from grader_app.domain.calibration_set import Packet
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_ids
from grader_app.domain.qualification import fits_current_item, set_content
from grader_app.errors import FileProblems, Problem
from grader_app.files.calibration_folder import SET
from grader_app.files.item_folder import SHEET
from grader_app.files.rubric_file import examine_rubrics, load_rubric
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.file_versions import FileVersion, add_file_version, all_file_versions, current_hashes
from grader_app.store.set_papers import add_set_papers, papers_of_set
from grader_app.store.texts import keep_text
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
    A calibration set whose folder is gone is retired: nobody begins it any more, and its papers are planted
    no more. What was judged on it stands.
    Content counts, not layout: a comment or a line break added to a YAML file is no change.
    """
    found = _on_disk(bench)
    _refuse_silent_changes(bench, found)
    current = current_hashes(bench.store)
    with bench.record() as record:
        sets = dict(record.calibration.current_sets)
    new = [
        (version, path)
        for version, path in found
        if current.get((version.kind, version.id)) != version.hash
        or (version.kind == "calibration_set" and version.id not in sets)
    ]
    there = {version.id for version, _ in found if version.kind == "calibration_set"}
    gone = sorted(sets.keys() - there)
    if not new and not gone:
        return []
    with bench.store.write() as connection:
        for set_id in gone:
            body = {"set_hash": sets[set_id]}
            kind = EventKind.SET_RETIRED
            append(connection, at=bench.now(), actor=actor, kind=kind, subject=set_id, body=body)
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
                    **(_kept_papers(connection, version) if version.kind == "calibration_set" else {}),
                },
            )
    read = [f"{version.kind} {version.id}, version {version.version}" for version, _ in new]
    return read + [f"calibration_set {set_id} is no longer there" for set_id in gone]


def _on_disk(bench: Workbench) -> list[tuple[FileVersion, Path]]:
    """Give rubrics first, then items, calibration sets and the round, each after what it refers to."""
    the_round, items, rubrics, sets = bench.folder.load_contents()
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
    versions += [
        (
            FileVersion(
                packet.content_hash,
                "calibration_set",
                packet.id,
                packet.version,
                packet.model_dump(mode="json"),
            ),
            bench.folder.calibration_sets_path / packet.id / SET,
        )
        for packet in sets.values()
    ]
    made = FileVersion(
        the_round.content_hash, "round", the_round.id, the_round.version, the_round.model_dump(mode="json")
    )
    return [*versions, (made, bench.folder.round_path)]


def _kept_papers(connection: Connection, version: FileVersion) -> dict[str, object]:
    """Keep the papers of a set, each under an id like an answer's, and say so for its event."""
    packet = Packet.model_validate_json(canonical_json(version.content))
    kept = papers_of_set(connection, version.hash)
    if kept:  # the set was taken away and is back
        rows = [{"response_id": r, "essay": essay, "text_hash": text_hash} for r, essay, text_hash in kept]
        return {"item": packet.item, "papers": rows}
    papers = [
        SetPaper(
            response_id, packet.item, packet.id, version.hash, paper.essay, keep_text(connection, paper.text)
        )
        for response_id, paper in zip(new_ids("r", len(packet.papers)), packet.papers, strict=True)
    ]
    add_set_papers(connection, papers)
    rows = [{"response_id": p.response_id, "essay": p.essay, "text_hash": p.text_hash} for p in papers]
    return {"item": packet.item, "papers": rows}


def sets_that_hold(bench: Workbench) -> list[Path]:
    """List the files of calibration sets whose references still hold, for the items as registered last."""
    with bench.record() as record:
        said = {
            set_id: set_content(record, digest) for set_id, digest in record.calibration.current_sets.items()
        }
        return [
            bench.folder.calibration_sets_path / set_id / SET
            for set_id, one in said.items()
            if fits_current_item(record, one["item"], one["point_sheet_version"])
        ]


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
