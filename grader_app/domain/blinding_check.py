"""What graders say about the blind itself: a text that gives its author away, and guesses of the source."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.round import Round

SOURCE_SHOWN = "source-shown"
"""The reason of a referral that says the text names its writer."""

COUNTED = (ReadKind.LIVE, ReadKind.THIRD, ReadKind.REREAD)
"""Kinds of reads whose guesses enter the blinding check: those whose grades count for a score."""


class Guess(StrEnum):
    """Who a grader thinks wrote an answer."""

    PERSON = "person"
    MODEL = "model"
    CANNOT_TELL = "cannot_tell"


GUESS_WORDS = {
    Guess.PERSON: "A person",
    Guess.MODEL: "A language model",
    Guess.CANNOT_TELL: "I cannot tell",
}
"""The choices as the grader reads them, in the order of the keys 1, 2 and 3."""


class Sureness(StrEnum):
    """How sure a grader is of a guess."""

    SURE = "sure"
    LEANING = "leaning"


SURENESS_WORDS = {Sureness.SURE: "Sure", Sureness.LEANING: "Leaning that way"}
"""The choices as the grader reads them."""


@dataclass(frozen=True)
class SourceGuess:
    """One guess, made after the grade was submitted.

    Parameters
    ----------
    event_seq, at
        The act.
    assignment_id, response_id, item, grader_id
        What was guessed at, by whom.
    guess
        A person, a language model, or no idea.
    sure
        How sure; None where the grader did not say or could not tell.
    note_hash
        Salted hash of the words written with it, or None.
    """

    event_seq: int
    at: str
    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    guess: Guess
    sure: Sureness | None
    note_hash: str | None


@dataclass(frozen=True)
class AuthorFlag:
    """A grader's word that a text gives its author away.

    Parameters
    ----------
    event_seq, at
        The act.
    assignment_id, response_id, item, grader_id
        Which text, and who said so.
    referred
        True where the answer was sent to the lead for this reason; False for the flag alone.
    note_hash
        Salted hash of the words written with it, or None.
    """

    event_seq: int
    at: str
    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    referred: bool
    note_hash: str | None


def is_asked(the_round: Round, dealt: Assignment) -> bool:
    """Say whether a grader is asked to guess after grading a paper.

    Parameters
    ----------
    the_round
        Says for which questions and which share of the grades, and gives the seed.
    dealt
        The paper. Those of calibration packets are never asked about. All others are asked alike, so that
        the question tells no grader that a paper is a check.
    """
    asked = the_round.guesses
    if dealt.kind is ReadKind.CALIBRATION or (asked.items and dealt.item not in asked.items):
        return False
    # Asked of every grade of a long log: where nobody is asked there is nothing to draw.
    share = asked.share_percent / 100
    return share > 0 and place_drawn(the_round.seed, dealt.assignment_id) < share


def place_drawn(seed: int, assignment_id: str) -> float:
    """Draw a number from 0 to below 1 for a paper before a grader, whose id there is random.

    Examples
    --------
    >>> sum(place_drawn(7, f"a{n}") < 0.25 for n in range(1000))
    237
    """
    drawn = hashlib.sha256(f"guess:{seed}:{assignment_id}".encode()).digest()
    return int.from_bytes(drawn[:8], "big") / 2**64
