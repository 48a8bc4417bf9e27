"""How a stored answer is shown to graders, and which stored characters the shown ones are."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

_CHARACTER = re.compile("\r\n|.", re.DOTALL)


def shown(stored: str) -> str:
    """Give a text with one kind of line end and nothing around it: how a file was saved tells whose it is."""
    return stored.replace("\r\n", "\n").replace("\r", "\n").strip()


class Places:
    """Places in one text as shown, and the same places in it as stored.

    Parameters
    ----------
    stored
        The text as stored.

    Notes
    -----
    Made once a text: a long answer can have many words attached. Places count Unicode code points, end
    exclusive.
    """

    def __init__(self, stored: str) -> None:
        spans = _kept(stored)
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def to_stored(self, start: int, end: int) -> tuple[int, int]:
        """See `to_stored`."""
        if not 0 <= start < end <= len(self._starts):
            raise ValueError(f"{start} to {end} is no place in a text of {len(self._starts)} characters")
        return self._starts[start], self._ends[end - 1]

    def to_shown(self, start: int, end: int) -> tuple[int, int]:
        """See `to_shown`."""
        first, past = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first >= past:
            raise ValueError(f"nothing that is shown lies at {start} to {end}")
        return first, past


def to_stored(stored: str, start: int, end: int) -> tuple[int, int]:
    r"""Turn a place in the text as shown into the same place in the text as stored.

    Parameters
    ----------
    stored
        The text as stored.
    start, end
        Place in `shown` of it, in Unicode code points, end exclusive.

    Raises
    ------
    ValueError
        If the place is empty or outside the text.

    Examples
    --------
    >>> to_stored("\r\nOne.\r\nTwo.", 5, 8)
    (8, 11)
    """
    return Places(stored).to_stored(start, end)


def to_shown(stored: str, start: int, end: int) -> tuple[int, int]:
    r"""Turn a place in the text as stored into the same place in the text as shown.

    Parameters
    ----------
    stored
        The text as stored.
    start, end
        Place in it, in Unicode code points, end exclusive.

    Raises
    ------
    ValueError
        If nothing shown lies there.

    Examples
    --------
    >>> to_shown("\r\nOne.\r\nTwo.", 8, 11)
    (5, 8)
    """
    return Places(stored).to_shown(start, end)


def _kept(stored: str) -> list[tuple[int, int]]:
    """List, for each shown character, the stored characters it stands for: first, and one past the last."""
    spans = [found.span() for found in _CHARACTER.finditer(stored)]
    whole = stored.replace("\r\n", "\n")
    lead = len(whole) - len(whole.lstrip())
    return spans[lead : lead + len(whole.strip())]
