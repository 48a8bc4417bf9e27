"""Numbers and times in words a lawyer would use."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Say how long something takes.

    Examples
    --------
    >>> duration(45), duration(150), duration(7400)
    ('45 s', '2 min 30 s', '2 h 3 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(round(whole / 60), 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def about(seconds: float) -> str:
    """Say roughly how long is left.

    Examples
    --------
    >>> about(100), about(1500), about(6000)
    ('about 2 min left', 'about 25 min left', 'about 2 h left')
    """
    minutes = seconds / 60
    if minutes < 60:
        return f"about {max(1, round(minutes))} min left"
    return f"about {round(minutes / 60)} h left"


def roughly(seconds: float) -> str:
    """Say how much time to set aside.

    Examples
    --------
    >>> roughly(60), roughly(20 * 60), roughly(5400), roughly(7200)
    ('about 5 minutes', 'about 20 minutes', 'about 1½ hours', 'about 2 hours')
    """
    minutes = max(1, round(seconds / 300)) * 5
    if minutes < 60:
        return f"about {minutes} minutes"
    hours, half = divmod(round(minutes / 30), 2)
    return f"about {hours}{'½' if half else ''} {'hour' if (hours, half) == (1, 0) else 'hours'}"


def moment(at: str) -> str:
    """Write a recorded UTC time for reading.

    Examples
    --------
    >>> moment("2026-07-28T14:02:31.005Z")
    '28 Jul 2026, 14:02 UTC'
    """
    return f"{day(at)}, {at[11:16]} UTC"


def day(at: str) -> str:
    """Write the day of a recorded UTC time for reading.

    Examples
    --------
    >>> day("2026-07-28T14:02:31.005Z")
    '28 Jul 2026'
    """
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{int(at[8:10])} {months[int(at[5:7]) - 1]} {at[:4]}"


def points(value: float) -> str:
    """Write a difference in points.

    Examples
    --------
    >>> points(0.4), points(1), points(-1.25)
    ('0.4 points', '1 point', '1.25 points')
    """
    size = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return f"{size} point" if size == "1" else f"{size} points"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "answer"), counted(0, "answer"), counted(2, "entry", "entries")
    ('1 answer', '0 answers', '2 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def waited(seconds: float) -> str:
    """Say how long something has waited.

    Examples
    --------
    >>> waited(40), waited(1500), waited(7300), waited(100_000), waited(300_000)
    ('1 minute', '25 minutes', '2 hours', '28 hours', '3 days')
    """
    minutes, hours, days = round(seconds / 60), round(seconds / 3600), round(seconds / 86400)
    if minutes < 60:
        return counted(max(1, minutes), "minute")
    return counted(hours, "hour") if hours < 48 else counted(days, "day")
