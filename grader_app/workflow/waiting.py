"""One line of the lead's board: something that waits, how much of it, and since when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """What a line of the board is about; pages know the next step of each."""

    INCIDENT = "incident"
    DISPUTE = "dispute"
    REFERRAL = "referral"
    RECUSAL = "recusal"
    CODED = "coded"
    SHEET_QUESTION = "sheet_question"
    ALARM = "alarm"
    STOPPED = "stopped"
    EARLIER_VERSION = "earlier_version"
    SURPLUS = "surplus"
    UNDEALT = "undealt"
    NOBODY = "nobody"
    LEFT_BEHIND = "left_behind"
    PAUSED = "paused"
    PAUSED_FOR_ALL = "paused_for_all"
    QUIET = "quiet"
    LEASE = "lease"
    UNCALIBRATED = "uncalibrated"


@dataclass(frozen=True)
class Waiting:
    """Something that waits.

    Parameters
    ----------
    why
        What it is about.
    count
        How much of it.
    says
        The rest of the sentence after the count.
    since
        UTC time of the oldest, or None where there is none to give.
    item
        The one item it is about, or None where it is about several or none.
    grader_id
        The one grader it is about, or None.
    """

    why: Why
    count: int
    says: str
    since: str | None = None
    item: str | None = None
    grader_id: str | None = None


def oldest(times: Iterable[str | None]) -> str | None:
    """Give the earliest of some UTC times; None without one."""
    return min((at for at in times if at is not None), default=None)


def only_or_none(items: Iterable[str]) -> str | None:
    """Give the one item all are about, or None."""
    found = set(items)
    return found.pop() if len(found) == 1 else None
