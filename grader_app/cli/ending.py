"""Ending when told to, without a message and with exit 0, from the first moment on."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ends_quietly(code: int = 0) -> Iterator[None]:
    """Let SIGTERM and Ctrl+C end a command without a word; what must be cleaned up still is.

    Parameters
    ----------
    code
        Exit code: 0 for a server, which was to run until then; another for work left undone.
    """

    def end(*_: object) -> None:
        sys.exit(code)

    signal.signal(signal.SIGTERM, end)
    # A shell that starts a command in the background lets it ignore Ctrl+C; being told to end is meant.
    signal.signal(signal.SIGINT, end)
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(code)
