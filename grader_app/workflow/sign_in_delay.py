"""Slowing down whoever guesses passwords, without letting them lock a grader out."""

from __future__ import annotations

import math
import threading
from datetime import datetime, timedelta

from grader_app.errors import SignInRefused

_FREE_TRIES = 4
# Many people can share an address, behind a proxy or in one office.
_FREE_TRIES_OF_ADDRESS = 40
_LONGEST_SECONDS = 60
_FORGOTTEN_AFTER = timedelta(minutes=15)


class SignInDelay:
    """Counts failures by name and by address, in memory.

    Notes
    -----
    After four failures of a name, or forty from an address, each further one doubles the wait, from 1
    second to at most 60. A person who knows the password waits that
    long at worst: an outsider cannot shut an account.
    """

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, datetime]] = {}
        self._lock = threading.Lock()

    def check(self, now: datetime, *keys: str) -> None:
        """Refuse a try that comes too soon.

        Parameters
        ----------
        keys
            What the try counts against: the name (``name:…``) and the address (``address:…``).

        Raises
        ------
        SignInRefused
            Saying how many seconds to wait.
        """
        with self._lock:
            waits = [self._wait(now, key) for key in keys]
        if max(waits, default=0) > 0:
            left = math.ceil(max(waits))
            unit = "second" if left == 1 else "seconds"
            raise SignInRefused(f"Too many tries. Wait {left} {unit}, then try again.")

    def failed(self, now: datetime, *keys: str) -> None:
        """Count a failure."""
        with self._lock:
            # Dropping old entries keeps a flood of invented names from growing the table for ever.
            self._failures = {k: v for k, v in self._failures.items() if now - v[1] < _FORGOTTEN_AFTER}
            for key in keys:
                self._failures[key] = (self._failures.get(key, (0, now))[0] + 1, now)

    def succeeded(self, *keys: str) -> None:
        """Forget the failures of a name and an address."""
        with self._lock:
            for key in keys:
                self._failures.pop(key, None)

    def _wait(self, now: datetime, key: str) -> float:
        count, last = self._failures.get(key, (0, now))
        free = _FREE_TRIES_OF_ADDRESS if key.startswith("address:") else _FREE_TRIES
        if count <= free or now - last > _FORGOTTEN_AFTER:
            return 0
        pause: float = min(2.0 ** (count - free - 1), _LONGEST_SECONDS)
        return pause - (now - last).total_seconds()
