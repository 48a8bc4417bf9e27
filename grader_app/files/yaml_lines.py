"""What can be judged from the plain lines of a YAML file, before YAML is read: format line and characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from grader_app.errors import Problem

NEWEST_FORMATS: Mapping[str, int] = {"rubric": 1, "point_sheet": 1, "calibration_set": 1, "round": 1}

_FORMAT_LINE = re.compile(r"format:[ ]+([A-Za-z0-9_-]+)/([0-9]{1,9})[ ]*([ ]#.*)?")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_INVISIBLE = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
)
_UNWELCOME = re.compile(f"[{_INVISIBLE}]")
_UNWELCOME_OR_TAB = re.compile(f"[\t{_INVISIBLE}]")


def lines_of(text: str) -> list[str]:
    r"""Split text into physical lines as an editor does.

    Parameters
    ----------
    text
        The text of a file.

    Returns
    -------
    list of str
        Lines without their ends: LF, CR LF or CR.

    Examples
    --------
    >>> lines_of("a\r\nb\rc\u2028d")
    ['a', 'b', 'c\u2028d']
    """
    return _LINE_ENDS.split(text)


def character_problems(path: str, text: str, tabs: bool = False) -> Iterator[Problem]:
    """Find tabs and invisible characters, which change what a file says without being seen.

    Parameters
    ----------
    path
        The file's name, for the message.
    text
        Its text.
    tabs
        Whether tabs are welcome, as they are in Markdown.

    Yields
    ------
    Problem
        One for each line with a tab, and one for each with a control character, a line separator
        or a mark that changes the direction of reading.
    """
    for number, line in enumerate(lines_of(text), start=1):
        if "\t" in line and not tabs:
            yield Problem(path, number, "There is a tab in this line.", "Use spaces.")
        found = _UNWELCOME.search(line)
        if found:
            what = f"Column {found.start() + 1} holds the invisible character U+{ord(found.group()):04X}."
            yield Problem(path, number, what, "Delete it.")


def without_such_characters(text: str) -> str:
    """Put a space for each tab and invisible character, so that what else is wrong can be found.

    Parameters
    ----------
    text
        The text of a file.

    Returns
    -------
    str
        The text, every remaining character in its old place.
    """
    return _UNWELCOME_OR_TAB.sub(" ", text)


def written_format(text: str) -> tuple[str, int] | None:
    """Read the format a file names in its first line.

    Parameters
    ----------
    text
        The file's text, or its beginning.

    Returns
    -------
    tuple of (str, int), or None
        Name and number, as in ``rubric/1``; None when the first line is no format line.

    Examples
    --------
    >>> written_format("format: rubric/1")
    ('rubric', 1)
    """
    match = _FORMAT_LINE.fullmatch(lines_of(text)[0].rstrip())
    return (match[1], int(match[2])) if match else None


def format_problem(path: str, text: str, expected: str) -> Problem | None:
    """Say what is wrong with a file's first line, if anything.

    Parameters
    ----------
    path
        The file's name, for the message.
    text
        Its text.
    expected
        The name of the format that is wanted, for example ``rubric``.

    Returns
    -------
    Problem or None
        None when the first line names the expected format in a number this program reads.
    """
    newest = {expected: 1, **NEWEST_FORMATS}
    found = written_format(text)
    if found is None:
        what = f"The first line is not `format: {expected}/{newest[expected]}`."
        return Problem(path, 1, what, f"Begin the file with `format: {expected}/{newest[expected]}`.")
    name, number = found
    if name != expected:
        return Problem(path, 1, *_other_format(name, expected, newest))
    if number > newest[name]:
        what = f"`{name}/{number}` is too new: this program reads {name}/{newest[name]}."
        return Problem(path, 1, what, "Install a newer version of the program.")
    if number < newest[name]:
        what = f"`{name}/{number}` is too old: this program reads {name}/{newest[name]}."
        return Problem(path, 1, what, f"Rewrite the file as {name}/{newest[name]}.")
    return None


def _other_format(name: str, expected: str, newest: Mapping[str, int]) -> tuple[str, str]:
    if name in newest:
        return f"This is a {name} file; a {expected} file belongs here.", "Move it, or name the right file."
    close = get_close_matches(name, newest, n=1)
    fix = f"Did you mean `{close[0]}`?" if close else f"The formats are {', '.join(newest)}."
    return f"There is no format `{name}`.", fix
