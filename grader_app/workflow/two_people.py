"""Acts that take two people: whether two actors may be one person."""

from __future__ import annotations

import re
import unicodedata

from grader_app.store.accounts import actor_name
from grader_app.store.database import Connection

_TERMINAL_STYLE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")
"""What a terminal takes for a colour and does not show."""
_BLANKS = (
    ("\u034f", "\u034f"),
    ("\u115f", "\u1160"),
    ("\u17b4", "\u17b5"),
    ("\u180b", "\u180f"),
    ("\u2800", "\u2800"),
    ("\u3164", "\u3164"),
    ("\ufe00", "\ufe0f"),
    ("\uffa0", "\uffa0"),
    ("\U000e0100", "\U000e01ef"),
)
"""Letters and marks drawn as nothing: joiners, fillers, variation selectors, the empty Braille cell."""


def may_be_one_person(connection: Connection, one: str, other: str) -> bool:
    """Say whether two actors may be one person: by id, by name, or since the command line named nobody.

    Parameters
    ----------
    connection
        Of an open transaction.
    one, other
        Actor ids.

    Notes
    -----
    Names are held against each other as they are read: width, capitals, spaces and characters that are not
    seen make no other person.
    """
    return one == other or may_name_one_person(actor_name(connection, one), actor_name(connection, other))


def may_name_one_person(one: str, other: str) -> bool:
    """Say whether two names may be of one person, or name nobody; see `may_be_one_person`."""
    names = [_as_read(name) for name in (one, other)]
    return names[0] == names[1] or any(map(_names_nobody, names))


def is_nobody(connection: Connection, actor: str) -> bool:
    """Say whether the command line named nobody, so that no second person can be told from this one."""
    return _names_nobody(_as_read(actor_name(connection, actor)))


def _names_nobody(name: str) -> bool:
    return not name or name.startswith("cli:")


def _as_read(name: str) -> str:
    plain = _TERMINAL_STYLE.sub("", name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())
    return "".join(sign for sign in folded if _is_seen(sign))


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign)[0] not in "CZ" and not any(
        first <= sign <= last for first, last in _BLANKS
    )
