"""Where an answer's score stands: raw, final, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Status = Literal["final", "disputed", "coded", "waiting"]
SettledBy = Literal["", "adjudication", "third read", "re-read"]


@dataclass(frozen=True)
class CodeForLead:
    """An agreed condition code of which the rubric says that the lead decides how it counts.

    Parameters
    ----------
    condition_code, title
        The code, and its title.
    lowest
        The rubric's lowest score.
    decided
        True once the lead's decision is in the standing.
    """

    condition_code: str
    title: str
    lowest: float
    decided: bool = False


class ScoreStanding(NamedTuple):
    """Where an answer's score stands.

    Parameters
    ----------
    raw
        The reads combined by the round's rule before any dispute is settled; None when a read is
        outstanding or carries a condition code.
    final
        The score that stands, or None.
    status
        ``final``, ``disputed``, ``coded`` (a condition code decides) or ``waiting``.
    why
        A sentence for the lead.
    settled_by
        ``adjudication``, ``third read`` or ``re-read`` when that made the score; empty
        when the reads alone did.
    for_lead
        The code, when it is one that the lead decides about.
    """

    raw: float | None
    final: float | None
    status: Status
    why: str
    settled_by: SettledBy = ""
    for_lead: CodeForLead | None = None
