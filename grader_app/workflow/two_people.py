"""Acts that take two people: whether two actors may be one person."""

from __future__ import annotations

from grader_app.store.accounts import actor_name
from grader_app.store.database import Connection


def may_be_one_person(connection: Connection, one: str, other: str) -> bool:
    """Say whether two actors may be one person: by id, by name, or since the command line named nobody.

    Parameters
    ----------
    connection
        Of an open transaction.
    one, other
        Actor ids.
    """
    names = [actor_name(connection, actor).casefold() for actor in (one, other)]
    return one == other or names[0] == names[1] or any(name.startswith("cli:") for name in names)
