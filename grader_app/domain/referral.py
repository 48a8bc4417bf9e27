"""Why an answer leaves its grader's queue without a score, and what the lead can decide about it."""

from __future__ import annotations

from dataclasses import dataclass

RECUSAL = "conflict"
"""The reason by which a grader steps aside from everything one candidate wrote."""

INCIDENTS = {
    "concern-threat": "It worries me: a threat to somebody",
    "concern-distress": "It worries me: the writer may be in distress",
    "concern-copying": "It worries me: suspected copying",
}
"""Reasons that open an incident, by id."""

REASONS = {
    "text-broken": "The text is missing or damaged",
    "wrong-question": "It was filed under the wrong question (if the candidate erred, use a code)",
    RECUSAL: "I know, or may know, who wrote it",
    **INCIDENTS,
    "source-shown": "The text names its writer, and I cannot grade it as if it did not",
    "other": "Another reason",
}
"""Why an answer cannot be graded, by id, in the order in which graders are offered them."""

_OFFERED_BEFORE = {"concern": "It worries me: a threat, distress, or suspected copying"}

DECISIONS = {
    "returned": "back to its grader",
    "taken_out": "out of that queue",
    "excluded": "out of the round",
    "recusal_lifted": "recusal taken back",
}
"""What can be decided about a referred answer, by id."""


def reason_in_words(reason: str) -> str:
    """Give a reason in words, also one that is no longer offered."""
    return REASONS.get(reason) or _OFFERED_BEFORE.get(reason) or reason


def is_incident(reason: str) -> bool:
    """Say whether a reason opens an incident.

    Examples
    --------
    >>> is_incident("concern-threat"), is_incident("concern"), is_incident("other")
    (True, True, False)
    """
    return reason in INCIDENTS or reason in _OFFERED_BEFORE


@dataclass(frozen=True)
class Referral:
    """An answer its grader could not grade.

    Parameters
    ----------
    event_seq, at
        The act.
    assignment_id, response_id, item, grader_id
        What was referred, by whom.
    reason
        Id of the reason chosen.
    note_hash
        Salted hash of the words written with it, or None.
    along_with
        The referred answer by the same writer with which this one left the queue; None where the grader
        sent the answer itself.
    """

    event_seq: int
    at: str
    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    reason: str
    note_hash: str | None
    along_with: str | None = None

    @property
    def is_incident(self) -> bool:
        """Whether it is an incident: held back from everybody until the lead has closed it."""
        return is_incident(self.reason)


@dataclass(frozen=True)
class Settled:
    """A referral with what became of it.

    Parameters
    ----------
    referral
        What was referred.
    decision
        One of `DECISIONS`.
    event_seq, at, actor
        The act that settled it.
    reason_hash
        Salted hash of the words that say what was done, or None.
    """

    referral: Referral
    decision: str
    event_seq: int
    at: str
    actor: str
    reason_hash: str | None


@dataclass(frozen=True)
class CodeDecision:
    """What the lead decided about an answer whose condition code waits for the lead.

    Parameters
    ----------
    event_seq, at, actor
        The act.
    condition_code
        The code the reads had agreed on; of another code it decides nothing.
    counts_as
        ``zero``, ``lowest``, ``excluded`` or ``scored`` (read anew for a score).
    reason_hash
        Salted hash of the words that say why, or None.
    """

    event_seq: int
    at: str
    actor: str
    condition_code: str
    counts_as: str
    reason_hash: str | None
