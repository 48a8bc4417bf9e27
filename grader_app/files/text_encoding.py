"""Bytes on disk to UTF-8 text: byte order marks and UTF-16 understood, all else named and refused."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader_app.errors import FileProblems, Problem

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_LISTED = 20
_SAMPLE = 65536
_ZERO_SHARE = 0.3  # Latin text in UTF-16 has a zero in nearly every other byte
_SAVE_AS = "Save the file as UTF-8 (in Excel: CSV UTF-8)."


@dataclass(frozen=True)
class Utf8Content:
    """A file's text as UTF-8 bytes, without a byte order mark.

    Parameters
    ----------
    utf8
        The text, valid UTF-8, free of NUL characters.
    encoding
        ``utf-8``, ``utf-16-le`` or ``utf-16-be``, as found on disk.
    bom
        Whether the file began with a byte order mark.
    """

    utf8: bytes
    encoding: str
    bom: bool


def read_as_utf8(path: Path) -> Utf8Content:
    """Read a text file, whatever Unicode encoding it is in.

    Parameters
    ----------
    path
        UTF-8 or UTF-16, with or without a byte order mark.

    Returns
    -------
    Utf8Content
        The text as UTF-8 bytes, and how it was stored.

    Raises
    ------
    FileProblems
        If the file cannot be read, holds NUL bytes or lone surrogates, or is in another encoding;
        the line, byte and position are named and nothing is replaced.
    """
    name = str(path)
    raw = read_bytes(path)
    encoding, mark = _encoding_of(raw)
    if encoding == "utf-32":
        raise FileProblems([Problem(name, 0, "The file is UTF-32.", _SAVE_AS)])
    body = raw[len(mark) :] if mark else raw
    if encoding == "utf-8":
        _refuse_bad_utf8(name, body, len(mark))
    else:
        body = _transcoded(name, body, encoding, len(mark))
    _refuse_nul(name, body)
    return Utf8Content(body, encoding, bool(mark))


def read_bytes(path: Path) -> bytes:
    """Read a file, turning what the system says into a sentence.

    Parameters
    ----------
    path
        Any file.

    Returns
    -------
    bytes
        Its content.

    Raises
    ------
    FileProblems
        If there is no such file, it is a folder, or it may not be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        problem = Problem(str(path), 0, "There is no such file.", "Check the name and the folder.")
    except IsADirectoryError:
        problem = Problem(str(path), 0, "This is a folder.", "Name a file in it.")
    except OSError as error:
        problem = Problem(
            str(path), 0, f"The file cannot be read: {error.strerror}.", "Check its permissions."
        )
    raise FileProblems([problem])


def _encoding_of(raw: bytes) -> tuple[str, bytes]:
    """Name the encoding, and the byte order mark if there is one."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32", b""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if raw.startswith(mark):
            return encoding, mark
    return _encoding_by_zeros(raw), b""


def _encoding_by_zeros(raw: bytes) -> str:
    """Tell UTF-16 without a mark by zeros in every other byte; one stray NUL does not make it UTF-16."""
    sample = raw[:_SAMPLE]
    if len(raw) % 2 or b"\0" not in sample:
        return "utf-8"
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) < _ZERO_SHARE * len(sample) / 2:
        return "utf-8"
    return "utf-16-le" if odd > even else "utf-16-be"


def _refuse_bad_utf8(name: str, body: bytes, offset: int) -> None:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        problems = list(_bad_lines(name, body, offset))
        more = len(problems) - _LISTED
        if more > 0:
            what = f"{more} further lines are not UTF-8."
            problems[_LISTED:] = [Problem(name, 0, what, _SAVE_AS)]
        raise FileProblems(problems) from None


def _bad_lines(name: str, body: bytes, offset: int) -> Iterator[Problem]:
    for number, match in enumerate(_LINE.finditer(body), start=1):
        try:
            match.group().decode("utf-8")
        except UnicodeDecodeError as error:
            at = match.start() + error.start
            byte = body[at : at + 1]
            yield Problem(
                name,
                number,
                f"Byte 0x{byte.hex().upper()} (position {offset + at}) is not UTF-8{_guess(byte)}.",
                _SAVE_AS,
            )


def _guess(byte: bytes) -> str:
    try:
        return f"; in Windows-1252 it would be `{byte.decode('cp1252')}`"
    except UnicodeDecodeError:
        return ""


def _transcoded(name: str, body: bytes, encoding: str, offset: int) -> bytes:
    try:
        return body.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        line = line_count(body[: error.start].decode(encoding, "ignore")) + 1
        found = body[error.start : error.start + 2].hex(" ").upper()
        what = f"Bytes {found} (position {offset + error.start}) are not {encoding.upper()}."
        raise FileProblems([Problem(name, line, what, _SAVE_AS)]) from None


def _refuse_nul(name: str, body: bytes) -> None:
    at = body.find(b"\0")
    if at >= 0:
        line = line_count(body[:at].decode("utf-8")) + 1
        what = f"There is a NUL character (position {at} of the text)."
        raise FileProblems([Problem(name, line, what, "Save the file as text again; this one is damaged.")])


def line_count(text: str) -> int:
    r"""Count line ends: LF, CR LF and CR each end one line.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    int
        The number of line ends.

    Examples
    --------
    >>> line_count("a\r\nb\rc\n")
    3
    """
    return text.count("\n") + text.count("\r") - text.count("\r\n")
