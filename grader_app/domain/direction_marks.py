"""Hidden characters that turn the direction of writing, made visible."""

from __future__ import annotations

import re

# They make a text read in another order than it is stored.
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]")


def with_controls_shown(text: str) -> str:
    """Name each control character that turns the direction of writing.

    Examples
    --------
    >>> with_controls_shown("a" + chr(0x202E) + "b")
    'a[U+202E]b'
    """
    return _DIRECTION.sub(lambda found: f"[U+{ord(found.group()):04X}]", text)
