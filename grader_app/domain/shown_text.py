"""How a stored answer is shown to graders, and which stored characters the shown ones are."""

from __future__ import annotations


def shown(stored: str) -> str:
    """Give a text with one kind of line end and nothing around it: how a file was saved tells whose it is."""
    return stored.replace("\r\n", "\n").replace("\r", "\n").strip()


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
    kept = _kept(stored)
    if not 0 <= start < end <= len(kept):
        raise ValueError(f"{start} to {end} is no place in a text of {len(kept)} characters")
    return kept[start][0], kept[end - 1][1]


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
    within = [at for at, (first, last) in enumerate(_kept(stored)) if first < end and last > start]
    if not within:
        raise ValueError(f"nothing that is shown lies at {start} to {end}")
    return within[0], within[-1] + 1


def _kept(stored: str) -> list[tuple[int, int]]:
    """List, for each shown character, the stored characters it stands for: first, and one past the last."""
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(stored):
        wide = 2 if stored.startswith("\r\n", at) else 1
        spans.append((at, at + wide))
        at += wide
    whole = stored.replace("\r\n", "\n")
    lead = len(whole) - len(whole.lstrip())
    return spans[lead : lead + len(whole.strip())]
