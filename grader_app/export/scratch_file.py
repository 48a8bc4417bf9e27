"""Files for work in progress, in the folder of temporary files: where that has no room, it is named."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def scratch_file() -> Iterator[IO[bytes]]:
    """Lend an empty file to write and to read, which goes when the block ends.

    Raises
    ------
    OSError
        Naming the folder of temporary files where there is no room for it, or no right to write there. So
        does any error of the disk in the block, which is to do nothing else with a disk.
    """
    try:
        with tempfile.TemporaryFile() as file:
            yield file
    except OSError as error:
        raise type(error)(error.errno, error.strerror or str(error), temporary_files()) from error


def temporary_files() -> str:
    """Name the folder of temporary files."""
    return tempfile.tempdir or "The folder of temporary files (TMPDIR)"
