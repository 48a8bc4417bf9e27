"""Random ids: a letter for the kind and ten characters that say nothing and sort in no order."""

from __future__ import annotations

import secrets

# No 0/o, 1/l/i: ids are read aloud in meetings. The letter in front keeps a spreadsheet from
# taking an id for a number (2e5431) or a date.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_id(kind: str) -> str:
    """Make a fresh id.

    Parameters
    ----------
    kind
        One letter: ``r`` response, ``c`` candidate, ``a`` assignment, ``p`` person, ``b`` batch,
        ``w`` workspace.

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
