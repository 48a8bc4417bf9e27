"""Times as they are recorded: UTC, ISO 8601, to the millisecond."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Give the time now, in UTC."""
    return datetime.now(UTC)


def as_text(moment: datetime) -> str:
    """Write a time.

    Examples
    --------
    >>> as_text(datetime(2026, 7, 28, 14, 2, 31, 5000, tzinfo=UTC))
    '2026-07-28T14:02:31.005Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def as_words(at: str) -> str:
    """Write a recorded time for a sentence.

    Examples
    --------
    >>> as_words("2026-07-28T14:02:31.005Z")
    '14:02:31 UTC on 2026-07-28'
    """
    return f"{at[11:19]} UTC on {at[:10]}"


def from_text(text: str) -> datetime:
    """Read a time written by `as_text`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
