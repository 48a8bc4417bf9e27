"""Random ids: a letter for the kind and ten characters that say nothing and sort in no order."""

from __future__ import annotations

import secrets

# No 0/o, 1/l/i: ids are read aloud in meetings. The letter in front keeps a spreadsheet from
# taking an id for a number (2e5431) or a date.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
# Written by hand in capitals; a prime number of them, so that no weight of the sum hides a change.
_CHECK_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"


def new_id(kind: str) -> str:
    """Make a fresh id.

    Parameters
    ----------
    kind
        One letter: ``r`` response, ``c`` candidate, ``a`` assignment, ``p`` person, ``b`` batch,
        ``w`` workspace, ``k`` packet printed on paper.

    Examples
    --------
    >>> len(new_id("r")), new_id("r")[0]
    (11, 'r')
    """
    return kind + "".join(secrets.choice(_ALPHABET) for _ in range(10))


def new_ids(kind: str, count: int) -> list[str]:
    """Make many distinct ids from one draw of randomness, quicker than `new_id` in a loop."""
    made: dict[str, None] = {}
    while len(made) < count:
        draw = secrets.token_bytes(16 * (count - len(made)))
        for start in range(0, len(draw), 16):
            number = int.from_bytes(draw[start : start + 16], "big")
            letters = []
            for _ in range(10):
                number, rest = divmod(number, 31)
                letters.append(_ALPHABET[rest])
            made[kind + "".join(letters)] = None
    return list(made)


def check_letter(one_id: str) -> str:
    """Give the letter that stands behind an id on paper, so that an id copied wrongly is noticed.

    Notes
    -----
    A weighted sum of the characters modulo 23. One character mistaken for another gives another letter,
    and so do two characters exchanged, but for eight pairs of a digit and a letter that look
    nothing alike (2 and s, 3 and t, and so on).

    Examples
    --------
    >>> check_letter("a2345678abc") == check_letter("a2345687abc")
    False
    """
    places = (_ALPHABET.index(sign) for sign in one_id[1:])
    total = sum((at + 1) * place for at, place in enumerate(places))
    return _CHECK_LETTERS[total % len(_CHECK_LETTERS)]
