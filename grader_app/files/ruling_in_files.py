"""Writing a ruling into an item's files: one paragraph more, the version raised, all else as it was."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from grader_app.errors import FileProblems, GraderAppError, Problem, StoreProblem
from grader_app.files.item_folder import SHEET
from grader_app.files.text_encoding import Utf8Content, read_as_utf8
from grader_app.files.yaml_lines import lines_of

GUIDELINES = "guidelines.md"

# Lines may end in CR alone, which ``re.MULTILINE`` does not know.
_VERSION_LINE = re.compile(r"""(?<![^\r\n])(version:[ \t]*)(["'])\d+\2""")
_NUMBERED = re.compile(r"(\d{1,3})\.\s+(.*)")
_NO_RULINGS = Utf8Content(b"# Rulings", "utf-8", bom=False)


def with_ruling(folder: Path, words: str, version: str) -> tuple[int, dict[Path, bytes]]:
    """Give a new ruling's number, and the files as they are to be; writes nothing.

    Parameters
    ----------
    folder
        The item's folder, whose files have no problems.
    words
        The ruling, on one line.
    version
        The version that it makes.

    Returns
    -------
    tuple
        The number, and the new content of ``guidelines.md`` and ``point_sheet.yaml``. Of the sheet the number
        of the version alone changes. Both keep their encoding, line ends and comments.

    Raises
    ------
    FileProblems
        The guidelines hold this ruling already, or the sheet's version stands on no line of its own.
    """
    sheet, guidelines = (folder / SHEET).resolve(), (folder / GUIDELINES).resolve()
    found = read_as_utf8(sheet)
    raised, count = _VERSION_LINE.subn(rf"\g<1>\g<2>{version}\g<2>", found.utf8.decode("utf-8"))
    if not count:
        fix = f'Begin a line of the sheet with `version: "{version}"`, and write the ruling there yourself.'
        raise FileProblems([Problem(str(folder / SHEET), 0, "The line of its version was not found.", fix)])
    kept = read_as_utf8(guidelines) if guidelines.exists() else _NO_RULINGS
    number, longer = _one_more(folder / GUIDELINES, kept.utf8.decode("utf-8"), words)
    return number, {guidelines: _encoded(longer, kept), sheet: _encoded(raised, found)}


@contextmanager
def in_place(new: Mapping[Path, bytes]) -> Iterator[None]:
    """Put files in place for a block to use; when anything fails, in it too, they are as they were before.

    Parameters
    ----------
    new
        Content by file; a file need not be there yet.

    Raises
    ------
    StoreProblem
        Saying what failed, and that the files are as they were.

    Notes
    -----
    All that needs room on the disk is written beside the files first. Putting files in place, or back, is
    renaming, which a full disk does not stop.
    """
    there = {path for path in new if path.exists()}
    replaced: list[Path] = []
    try:
        for path, data in new.items():
            _write_beside(path, data)
        for path in new:
            _beside(path, "new").replace(path)
            replaced.append(path)
        yield
    except BaseException as error:
        lost = [path for path in replaced if not _is_put_back(path, was_there=path in there)]
        if not lost:
            _clear(new)
        if isinstance(error, OSError | GraderAppError):
            raise StoreProblem(_not_written(new, lost, error)) from error
        raise
    _clear(new)


def _one_more(path: Path, text: str, words: str) -> tuple[int, str]:
    """Give a new ruling's number, and the guidelines with it as their last paragraph."""
    number = 1
    for line, written in enumerate(lines_of(text), start=1):
        numbered = _NUMBERED.match(written)
        if numbered is None:
            continue
        if numbered[2].rstrip() == words:
            what = f"This ruling stands here already, as number {numbered[1]}."
            raise FileProblems([Problem(str(path), line, what, "Nothing needs to be added.")])
        number = max(number, int(numbered[1]) + 1)
    end = next((end for end in ("\r\n", "\n", "\r") if end in text), "\n")
    return number, f"{text.rstrip()}{end}{end}{number}. {words}{end}"


def _encoded(text: str, like: Utf8Content) -> bytes:
    mark = "\ufeff" if like.bom else ""
    return (mark + text).encode(like.encoding)


def _write_beside(path: Path, data: bytes) -> None:
    """Write a file's new content, safe on disk, and a copy of the old one, both under names of their own."""
    with _beside(path, "new").open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    if path.exists():
        shutil.copymode(path, _beside(path, "new"))
        shutil.copyfile(path, _beside(path, "old"))
        shutil.copystat(path, _beside(path, "old"))


def _is_put_back(path: Path, *, was_there: bool) -> bool:
    try:
        if was_there:
            _beside(path, "old").replace(path)
        else:
            path.unlink()
    except OSError:
        return False
    return True


def _clear(paths: Iterable[Path]) -> None:
    """Remove what was written beside files; one left over harms nothing and is written anew next time."""
    for path in paths:
        for word in ("new", "old"):
            with suppress(OSError):
                _beside(path, word).unlink()


def _not_written(new: Mapping[Path, bytes], lost: list[Path], error: Exception) -> str:
    names = " and ".join(path.name for path in new)
    state = "they are as they were"
    if lost:
        state = f"what was there before lies in {' and '.join(_beside(path, 'old').name for path in lost)}"
    why = f"{error.strerror or error}." if isinstance(error, OSError) else str(error)
    return f"{next(iter(new)).parent}: {names} could not be written, and {state}. {why}"


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.name}.{word}")
