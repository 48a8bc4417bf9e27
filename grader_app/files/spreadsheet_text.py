"""Text that a spreadsheet would run as a formula: made harmless on the way out, restored on the way in."""

from __future__ import annotations

import re
from collections.abc import Container

_RUNS_AS_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r]")


def neutralise(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula.

    Parameters
    ----------
    text
        A text cell. Numbers are never passed through here: ``-1`` as a number stays ``-1``.

    Returns
    -------
    str
        The text; with one apostrophe in front if it starts with ``= + - @``, a tab or a carriage
        return, or with apostrophes followed by one of these.

    Notes
    -----
    Text that already starts with an apostrophe and such a character gets another one, so that
    `undo_neutralised` gives back every text exactly.

    Examples
    --------
    >>> neutralise("=1+1")
    "'=1+1"
    >>> neutralise("'tis")
    "'tis"
    """
    return "'" + text if _RUNS_AS_FORMULA.match(text) else text


def undo_neutralised(text: str) -> str:
    """Give back the text that `neutralise` was given.

    Parameters
    ----------
    text
        A text cell of one of our exports.

    Returns
    -------
    str
        The text as it was before the export.

    Examples
    --------
    >>> undo_neutralised(neutralise("'=1+1"))
    "'=1+1"
    """
    return text[1:] if _NEUTRALISED.match(text) else text


def as_known(text: str, known: Container[str]) -> str:
    """Give a name as it is known, though somebody may have copied it from one of our exports.

    Parameters
    ----------
    text
        A cell of a file that a person made.
    known
        The names there are. One of them that begins with an apostrophe is never taken for another.

    Returns
    -------
    str
        The text, or the text as it was before an export, where only that is known.

    Examples
    --------
    >>> as_known("'=quill", {"=quill"}), as_known("'=quill", {"=quill", "'=quill"})
    ('=quill', "'=quill")
    """
    before = undo_neutralised(text)
    return before if text not in known and before in known else text
