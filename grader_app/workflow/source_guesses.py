"""Asking graders, after they submitted, who wrote the answer they just graded."""

from __future__ import annotations

from grader_app.domain.blinding_check import Guess, Sureness, is_asked
from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store.event_log import append, first_at_or_none
from grader_app.store.grades import (
    get_submission_or_none,
    graded_another_since,
    graded_at_or_none,
    keep_submission,
)
from grader_app.store.stages import is_revealed
from grader_app.store.texts import keep_text
from grader_app.workflow.author_flags import refuse_long
from grader_app.workflow.grade_submission import Receipt
from grader_app.workflow.live_grading import own_assignment
from grader_app.workflow.workbench import Workbench


def asks_guess(bench: Workbench, grader_id: str, assignment_id: str) -> bool:
    """Say whether a grader is to be asked who wrote an answer they have just graded.

    Notes
    -----
    A pure draw from the round's seed and the assignment's id, the same for every kind of paper but those of
    calibration packets. The question is put once, right after the grade: closing it, or a reload, leaves
    it unanswered for good, and unanswered is not "I cannot tell".
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    if not is_asked(bench.material().round, dealt):
        return False
    with bench.store.connection() as connection:
        return first_at_or_none(connection, EventKind.SOURCE_GUESSED, assignment_id) is None


def guess_source(
    bench: Workbench,
    grader_id: str,
    assignment_id: str,
    guess: str,
    sure: str | None,
    *,
    token: str,
    words: str = "",
) -> Receipt:
    """Record who a grader thinks wrote an answer; on disk when this returns. No grade changes by it.

    Parameters
    ----------
    guess
        One of `Guess`.
    sure
        One of `Sureness`, or None where the grader did not say. Who cannot tell is never sure.
    token
        The client's token. The same token again is the same guess.
    words
        Why, in the grader's words; may be empty.

    Raises
    ------
    GradeProblem
        The guess or the sureness is none the workbench knows, or the words are too long.
    NotAllowed
        There is no grade yet, the question was not put, it was answered, or the next grade is in.
    NotDealtToYou, SourcesAreRevealed
        The answer is another's, or its source is known by now.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    chosen, how_sure = _read(guess, sure)
    refuse_long(words)
    with bench.store.write() as connection:
        earlier = get_submission_or_none(connection, token)
        if earlier is not None:
            if (earlier.assignment_id, earlier.kind) != (assignment_id, EventKind.SOURCE_GUESSED.value):
                raise NotAllowed("This was sent for something else before. Go on to the next answer.")
            return Receipt(earlier.event_seq, earlier.at, repeated=True)
        if graded_at_or_none(connection, assignment_id) is None:
            raise NotAllowed("Grade this answer first; who wrote it is asked afterwards, if at all.")
        if not is_asked(bench.material().round, dealt):
            raise NotAllowed("You were not asked about this answer. Go on to the next one.")
        if is_revealed(connection, dealt.response_id):
            raise SourcesAreRevealed("The source of this answer has been revealed, so a guess says nothing.")
        if first_at_or_none(connection, EventKind.SOURCE_GUESSED, assignment_id) is not None:
            raise NotAllowed("You have said who you think wrote this answer. The first word stands.")
        if graded_another_since(connection, grader_id, assignment_id):
            raise NotAllowed(
                "You have graded another answer since, so this is no longer asked. Go on grading."
            )
        at = bench.now()
        body = {
            "item": dealt.item,
            "response_id": dealt.response_id,
            "guess": chosen.value,
            "sure": None if how_sure is None else how_sure.value,
            "note_hash": keep_text(connection, words) if words.strip() else None,
        }
        seq = append(
            connection,
            at=at,
            actor=grader_id,
            kind=EventKind.SOURCE_GUESSED,
            subject=assignment_id,
            body=body,
        )
        keep_submission(connection, token, seq)
    return Receipt(seq, at, repeated=False)


def _read(guess: str, sure: str | None) -> tuple[Guess, Sureness | None]:
    try:
        chosen = Guess(guess)
        how_sure = None if sure is None else Sureness(sure)
    except ValueError:
        raise GradeProblem(
            "This is no guess the workbench knows. Choose a person, a language model, or neither."
        ) from None
    return chosen, None if chosen is Guess.CANNOT_TELL else how_sure
