"""A workspace as one zip file, and back; the blinding key is never in it."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from pathlib import Path

from grader_app.errors import StoreProblem, WorkspaceMissing
from grader_app.store.backup import copy_database, open_copy

_DATABASE = "workbench.db"
_FOLDERS = ("rubrics", "calibration_sets")


def write_archive(workspace: Path, target: Path) -> int:
    """Copy a workspace into a zip file that appears under its name only when whole.

    Parameters
    ----------
    workspace
        Its database may be in use.
    target
        The zip; an existing file is never overwritten.

    Returns
    -------
    int
        Files in the archive.
    """
    database = workspace / _DATABASE
    if not database.is_file():
        raise WorkspaceMissing(
            f"{database}: there is no workbench database here. Name a workspace with --workspace."
        )
    if target.exists():
        raise StoreProblem(f"{target}: this file exists. Choose another name; backups are never overwritten.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        copy_database(database, Path(scratch) / _DATABASE)
        partial = Path(scratch) / "archive.zip"
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(Path(scratch) / _DATABASE, _DATABASE)
            for path in _files(workspace):
                archive.write(path, path.relative_to(workspace).as_posix())
            count = len(archive.namelist())
        os.replace(partial, target)
    return count


def read_archive(source: Path, folder: Path) -> None:
    """Bring a workspace back into a new or empty folder; an unsound archive leaves nothing there."""
    if folder.exists() and any(folder.iterdir()):
        raise StoreProblem(f"{folder}: this folder is not empty. Restore into a new one.")
    if not source.is_file():
        raise StoreProblem(f"{source}: there is no such file. Name a backup made by `grader-app backup`.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        _unpack(source, scratch)
        open_copy(scratch / _DATABASE).close()
        if folder.exists():
            folder.rmdir()
        os.replace(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _files(workspace: Path) -> list[Path]:
    found = [workspace / "round.yaml"] if (workspace / "round.yaml").is_file() else []
    for name in _FOLDERS:
        found += sorted(path for path in (workspace / name).rglob("*") if path.is_file())
    return found


def _unpack(source: Path, scratch: Path) -> None:
    try:
        with zipfile.ZipFile(source) as archive:
            names = archive.namelist()
            outside = [name for name in names if name.startswith(("/", "\\")) or ".." in Path(name).parts]
            if _DATABASE not in names or outside or archive.testzip() is not None:
                raise StoreProblem(f"{source}: this is not a whole backup of a workspace. Use another copy.")
            archive.extractall(scratch)
    except zipfile.BadZipFile as error:
        raise StoreProblem(
            f"{source}: this is not a zip file ({error}). Name a backup made by `grader-app backup`."
        ) from error
