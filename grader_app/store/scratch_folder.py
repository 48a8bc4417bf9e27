"""A folder beside the place where something is to appear, so that it appears whole and in one move."""

from __future__ import annotations

import tempfile
from pathlib import Path


def scratch_beside(place: Path) -> Path:
    """Make a new folder beside a place, and the folders above it where they are missing.

    Parameters
    ----------
    place
        What is to appear there.

    Returns
    -------
    Path
        An empty folder on the same disk; its name begins with a dot.

    Raises
    ------
    OSError
        Naming the place, which is what a person asked for.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(place)) from error
