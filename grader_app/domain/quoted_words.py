"""Where words that somebody copied from a text stand in it."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"\[U\+([0-9A-F]{4})\]")


def places_of(text: str, words: str) -> list[tuple[int, int]]:
    r"""Find every place of words in a text.

    Parameters
    ----------
    text
        The text as shown.
    words
        Copied from it. Any white space stands for any other; a hidden control may be written as the screen
        shows it, ``[U+202E]``.

    Returns
    -------
    list
        Start and end of each place, in Unicode code points, end exclusive; none overlaps the one before.

    Examples
    --------
    >>> places_of("A duty\nof care, a duty of care.", "duty of care")
    [(2, 14), (18, 30)]
    >>> places_of("Nothing.", "  ")
    []
    """
    written = _CONTROL.sub(lambda found: chr(int(found.group(1), 16)), words)
    parts = [re.escape(part) for part in written.split()]
    return [found.span() for found in re.finditer(r"\s+".join(parts), text)] if parts else []
