"""A file for work in progress, whose disk may be full without the library that writes it falling over."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class ScratchFile(io.FileIO):
    """A file that keeps the first error of the disk for later and passes over what is written after it.

    Notes
    -----
    The library that packs a workbook has no way to stop halfway: it would print a traceback of its own when
    the half-written file is closed.
    """

    failed: OSError | None = None

    def write(self, data: ReadableBuffer) -> int:
        """Write all of the data; give its length even where the disk refuses it."""
        left = memoryview(data).cast("B")
        whole = len(left)
        while left and self.failed is None:
            try:
                left = left[super().write(left) or 0 :]
            except OSError as error:
                self.failed = error
        return whole


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Lend a folder for temporary files, which goes with all that is in it.

    Raises
    ------
    OSError
        Naming the folder of temporary files where there is no room for one, or no right to write there.
    """
    try:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    except OSError as error:
        raise in_temporary_files(error) from error
    with folder as path:
        yield Path(path)


def in_temporary_files(error: OSError) -> OSError:
    """Give an error again, naming the folder of temporary files."""
    return type(error)(error.errno, error.strerror or str(error), temporary_files())


def temporary_files() -> str:
    """Name the folder of temporary files."""
    return tempfile.tempdir or "The folder of temporary files (TMPDIR)"
