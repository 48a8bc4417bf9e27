"""The people of a panel, and which answers are dealt to whom."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """What an account may do."""

    GRADER = "grader"
    LEAD = "lead"


@dataclass(frozen=True)
class Account:
    """A person who can sign in, or a simulated grader of the sample round.

    Parameters
    ----------
    account_id
        Random id; the only name events and exports carry.
    name
        What the person types to sign in.
    role
        Grader or lead.
    disabled
        True when the account can no longer sign in.
    simulated
        True for the sample round's invented graders, who cannot sign in and are labelled wherever shown.
    apprentice
        True while the grader reads beside others and no grade of theirs counts.
    """

    account_id: str
    name: str
    role: Role
    disabled: bool = False
    simulated: bool = False
    apprentice: bool = False

    @property
    def shown_name(self) -> str:
        """The name as screens show it, with the label of a simulated grader."""
        return f"{self.name} (simulated)" if self.simulated else self.name


class ReadKind(StrEnum):
    """Why a paper is before a grader, who cannot tell them apart but for calibration."""

    LIVE = "live"
    """An answer of the round, read for its score."""
    VALIDITY = "validity"
    """A validity paper: planted, with a known reference."""
    REPEAT = "repeat"
    """A self-repeat: an answer the grader has graded before."""
    CALIBRATION = "calibration"
    """A paper of a calibration set, read before live grading."""
    THIRD = "third"
    """An answer whose two reads are disputed, read by somebody new to it; counts for the score alone."""
    REREAD = "reread"
    """An answer with a score, read again before release by somebody new to it; counts for the score alone."""
    APPRENTICE = "apprentice"
    """An answer that an apprentice reads beside its graders; never counts."""


CHECKS = (ReadKind.VALIDITY, ReadKind.REPEAT)
"""Kinds of reads that are planted among live ones; their grades never count."""


NEVER_COUNT = (*CHECKS, ReadKind.APPRENTICE)
"""Kinds of reads in a live queue whose grades never count; nobody else takes one over."""


class Assignment(NamedTuple):
    """One paper dealt to one grader.

    Parameters
    ----------
    assignment_id
        The only id of the answer its grader ever sees; another grader of the same answer has another.
    response_id
        The answer, or the paper of a calibration set.
    item
        The question it answers.
    grader_id
        The grader's account id.
    position
        Place in that grader's own queue for the item, from 1.
    read_number
        1 for the first read of the answer, 2 for the second, and so on; 0 for a read that never counts.
    kind
        Why it is read. No screen of a grader says so.
    """

    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    position: int
    read_number: int
    kind: ReadKind = ReadKind.LIVE
