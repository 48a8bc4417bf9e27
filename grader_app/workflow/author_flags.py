"""A grader's word that a text gives its author away: at any time, without a way out of grading."""

from __future__ import annotations

from grader_app.domain.events import EventKind
from grader_app.domain.panel import ReadKind
from grader_app.errors import GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store.event_log import append, first_at_or_none
from grader_app.store.grades import get_submission_or_none, keep_submission
from grader_app.store.stages import is_revealed
from grader_app.store.texts import keep_text
from grader_app.workflow.clock import as_words
from grader_app.workflow.grade_submission import Receipt
from grader_app.workflow.live_grading import own_assignment
from grader_app.workflow.workbench import Workbench

LONGEST_WORDS = 4_000
"""Characters that what gives an author away may be described in."""


def flag_author(
    bench: Workbench, grader_id: str, assignment_id: str, *, token: str, words: str = ""
) -> Receipt:
    """Record that a text gives its author away; on disk when this returns.

    Parameters
    ----------
    token
        The client's token. The same token again is the same flag.
    words
        What gives the author away, in the grader's words; may be empty.

    Raises
    ------
    NotDealtToYou, SourcesAreRevealed
        The answer is another's, or its source is known by now.
    NotAllowed
        It is a paper of a calibration packet, or has this grader's flag already.
    GradeProblem
        The words are too long.

    Notes
    -----
    Before, while or after grading, and also once the question is closed: the flag changes no score, moves
    no queue and drops no draft. It stays on record, since what was noticed cannot be unnoticed.
    """
    dealt = own_assignment(bench, grader_id, assignment_id)
    if dealt.kind is ReadKind.CALIBRATION:
        raise NotAllowed("This is a paper of a calibration packet, and its writer is no secret to be kept.")
    refuse_long(words)
    with bench.store.write() as connection:
        earlier = get_submission_or_none(connection, token)
        if earlier is not None:
            if (earlier.assignment_id, earlier.kind) != (assignment_id, EventKind.AUTHOR_GIVEN_AWAY.value):
                raise NotAllowed("This was sent for something else before. Reload the page and say it again.")
            return Receipt(earlier.event_seq, earlier.at, repeated=True)
        if is_revealed(connection, dealt.response_id):
            raise SourcesAreRevealed("The source of this answer has been revealed, so it hides no author.")
        before = first_at_or_none(connection, EventKind.AUTHOR_GIVEN_AWAY, assignment_id)
        if before is not None:
            raise NotAllowed(
                f"You said so of this answer at {as_words(before)}. It is on record once; nothing was added."
            )
        at = bench.now()
        body = {
            "item": dealt.item,
            "response_id": dealt.response_id,
            "note_hash": keep_text(connection, words) if words.strip() else None,
        }
        seq = append(
            connection,
            at=at,
            actor=grader_id,
            kind=EventKind.AUTHOR_GIVEN_AWAY,
            subject=assignment_id,
            body=body,
        )
        keep_submission(connection, token, seq)
    return Receipt(seq, at, repeated=False)


def flagged_at_or_none(bench: Workbench, grader_id: str, assignment_id: str) -> str | None:
    """Say when a grader said of an own answer that its text gives its author away."""
    own_assignment(bench, grader_id, assignment_id)
    with bench.store.connection() as connection:
        return first_at_or_none(connection, EventKind.AUTHOR_GIVEN_AWAY, assignment_id)


def refuse_long(words: str) -> None:
    """Refuse words too long to keep.

    Raises
    ------
    GradeProblem
        Saying how long they are.
    """
    if len(words) > LONGEST_WORDS:
        raise GradeProblem(f"This has {len(words):,} characters; keep it to {LONGEST_WORDS:,}.")
