"""A workspace as one zip file, and back; the blinding key is never in it."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader_app.errors import StoreFull, StoreProblem, WorkspaceMissing
from grader_app.store.backup import copy_database, open_copy
from grader_app.store.scratch_folder import scratch_beside

_DATABASE = "workbench.db"
_FOLDERS = ("rubrics", "calibration_sets")
# What reading a damaged or foreign zip can raise: a bad frame, a bad stream, an unknown method, a password,
# a name that is no file's.
_NOT_A_BACKUP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeError,
    struct.error,
)


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
    files = _files(workspace)
    with _no_room(target):
        scratch = scratch_beside(target)
        try:
            return _write(scratch, database, workspace, files, target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _write(scratch: Path, database: Path, workspace: Path, files: list[Path], target: Path) -> int:
    copy_database(database, scratch / _DATABASE)
    partial = scratch / "archive.zip"
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(scratch / _DATABASE, _DATABASE)
        for path in files:
            archive.write(path, path.relative_to(workspace).as_posix())
        count = len(archive.namelist())
    os.replace(partial, target)
    return count


def read_archive(source: Path, folder: Path) -> None:
    """Bring a workspace back into a new or empty folder; an unsound archive leaves nothing there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreProblem(f"{folder}: there is something here already. Restore into a new or empty folder.")
    if not source.is_file():
        raise StoreProblem(f"{source}: there is no such file. Name a backup made by `grader-app backup`.")
    with _no_room(folder):
        scratch = scratch_beside(folder)
    try:
        with _no_room(folder):
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
    return [path for path in found if not _is_database(path)]


def _is_database(path: Path) -> bool:
    """Tell a database by its first bytes: a key kept among the files must not get into a backup."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\x00"


@contextmanager
def _no_room(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise StoreFull(f"{place}: the disk is full. Nothing was written; free some space.") from error


def _unpack(source: Path, scratch: Path) -> None:
    try:
        with zipfile.ZipFile(source) as archive:
            names = archive.namelist()
            outside = [name for name in names if name.startswith(("/", "\\")) or ".." in Path(name).parts]
            if _DATABASE not in names or outside or archive.testzip() is not None:
                raise StoreProblem(f"{source}: this is not a whole backup of a workspace. Use another copy.")
            archive.extractall(scratch)
    except (*_NOT_A_BACKUP, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise  # of the disk, not of the archive; a place before the file's beginning is the archive's
        raise StoreProblem(
            f"{source}: this cannot be read as a backup ({error}). "
            "Name another copy made by `grader-app backup`."
        ) from error
