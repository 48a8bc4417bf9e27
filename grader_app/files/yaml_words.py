"""What a word without quotes means in a YAML file: text, a number, true, false or nothing; no surprises."""

from __future__ import annotations

import re
from typing import NamedTuple

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,299})")
_DECIMAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.inf|\.nan", re.IGNORECASE)
_READ_DIFFERENTLY = re.compile(
    r"[-+]?0[0-9_]+|[-+]?0[xob][0-9a-fA-F_]+"  # octal, hexadecimal, binary
    r"|[-+]?[0-9]+_[0-9_]*(\.[0-9_]*)?"  # 1_000
    r"|[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?"  # 1:30 is 90 to YAML 1.1
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?"  # a date
)
_NOTHING = {"", "~", "null", "Null", "NULL"}
_CHOICES = {"yes", "no", "on", "off", "true", "false"}


class Word(NamedTuple):
    """A word's value, and what is wrong with writing it this way, if anything."""

    value: str | int | float | bool | None
    what: str = ""
    fix: str = ""


def plain_word(text: str) -> Word:
    """Read a YAML value that stands without quotes.

    Parameters
    ----------
    text
        The value as written.

    Returns
    -------
    Word
        With `what` and `fix` where programs read the word differently, or no finite number is meant.

    Examples
    --------
    >>> plain_word("0.5").value
    0.5
    >>> plain_word("No").what
    '`No` without quotes is a choice to YAML, not text.'
    """
    if text in _NOTHING:
        return Word(None)
    if text in ("true", "false"):
        return Word(text == "true")
    if _INTEGER.fullmatch(text):
        return Word(int(text))
    return _doubtful(text) or _number_or_text(text)


def _doubtful(text: str) -> Word | None:
    if text.lower() in _CHOICES:
        fix = f'Write "{text}" in quotes if text is meant, true or false if a choice is.'
        return Word(text, f"`{text}` without quotes is a choice to YAML, not text.", fix)
    if _READ_DIFFERENTLY.fullmatch(text):
        fix = f'Write "{text}" in quotes if text is meant, or a plain number.'
        return Word(text, f"`{text}` without quotes is not read alike by all programs.", fix)
    return None


def _number_or_text(text: str) -> Word:
    decimal = _DECIMAL.fullmatch(text) is not None
    if _NOT_FINITE.fullmatch(text) or (decimal and abs(float(text)) == float("inf")):
        return Word(text, f"`{text[:40]}` is not a finite number.", "Write a plain number such as 1.")
    return Word(float(text)) if decimal else Word(text)
