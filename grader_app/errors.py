"""Every error raised on purpose, drawn as a tree.

Each message has three parts: what and where, what was found, what to do. The command line
prints it without a traceback and exits with 1; the pages show the same sentence.

::

    GraderAppError
    ├── FileProblems             files people wrote: every problem at once, with file and line
    ├── RatingsProblem           a table of ratings cannot be used for agreement
    ├── ScalingProblem           a pool of scores cannot be scaled
    ├── GradeProblem             a grade does not fit its rubric
    ├── ChainBroken              an event does not follow from the one before it
    ├── ExportProblem            an export cannot be written or read
    │   └── VerificationFailed   a recomputed export, or a chain of events, differs
    ├── KeyProblem               the blinding key is missing, or belongs to another workspace
    ├── StoreProblem             the workbench database cannot be used
    │   ├── WorkspaceMissing     there is no database where one was looked for
    │   ├── StoreBusy            another process holds the database
    │   ├── StoreFull            the disk is full; nothing was stored
    │   ├── SchemaTooOld         the database was written by an older program
    │   └── SchemaTooNew         the database was written by a newer program
    ├── PortTaken                the server cannot listen where it was asked to
    └── NotAllowed               the workflow says no, and says what to do instead
        ├── SignInRefused        name or password wrong, account disabled, or too many tries
        ├── NotSignedIn          the session has ended
        ├── ForeignRequest       another site sent the request, or it lacks its form token
        ├── TooLong              a request brings more than its route takes, or broke off
        ├── WrongRole            the act belongs to another role
        ├── NotDealtToYou        the answer is not in this grader's queue
        ├── AlreadyGraded        the answer has a grade; correct it instead
        ├── DraftMovedOn         another tab has saved the draft since
        ├── ItemIsClosed         the lead has closed the item
        ├── NotReconciled        papers taken in and papers accounted for differ
        ├── NotQualified         the grader has not qualified for the item, or waits to be calibrated anew
        ├── SourcesAreRevealed   the answer's source is known; grading it is over
        └── ScoresAreReleased    scores are released; nothing is graded after that
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class GraderAppError(Exception):
    """A problem a person can do something about."""


@dataclass(frozen=True, order=True)
class Problem:
    """One problem in one file.

    Parameters
    ----------
    path
        The file, as the person would name it.
    line
        Physical line, the first being 1; 0 when the problem concerns the whole file.
    what
        What is wrong and what was found, ending with a full stop.
    fix
        What to do, ending with a full stop.

    Examples
    --------
    >>> str(Problem("round.yaml", 14, "Unknown key `wieght`.", "Did you mean `weight`?"))
    'round.yaml:14: Unknown key `wieght`. Did you mean `weight`?'
    """

    path: str
    line: int
    what: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what} {self.fix}".rstrip()


class FileProblems(GraderAppError):
    """Files people wrote have problems; all of them are listed at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RatingsProblem(GraderAppError):
    """A table of ratings cannot be used for agreement figures."""


class ScalingProblem(GraderAppError):
    """A pool of scores cannot be scaled."""


class GradeProblem(GraderAppError):
    """A grade does not fit the rubric it is given under."""


class ChainBroken(GraderAppError):
    """An event does not follow from the one before it, or was changed; the message names it."""


class ExportProblem(GraderAppError):
    """An export cannot be written or read."""


class VerificationFailed(ExportProblem):
    """What was recomputed differs from what is on disk; the message names the first difference."""


class KeyProblem(GraderAppError):
    """The blinding key is missing, unreadable, or belongs to another workspace."""


class StoreProblem(GraderAppError):
    """The workbench database cannot be used."""


class WorkspaceMissing(StoreProblem):
    """There is no workbench database where one was looked for."""


class StoreBusy(StoreProblem):
    """Another process holds the database; nothing was stored."""


class StoreFull(StoreProblem):
    """The disk is full; nothing was stored."""


class SchemaTooOld(StoreProblem):
    """The database was written by an older program."""


class SchemaTooNew(StoreProblem):
    """The database was written by a newer program."""


class PortTaken(GraderAppError):
    """The server cannot listen where it was asked to."""


class NotAllowed(GraderAppError):
    """The workflow refuses an act and says what to do instead."""


class SignInRefused(NotAllowed):
    """Name or password wrong, account disabled, or too many tries."""


class NotSignedIn(NotAllowed):
    """The session has ended; sign in again."""


class ForeignRequest(NotAllowed):
    """A request that another site sent, or that lacks this session's form token."""


class TooLong(NotAllowed):
    """A request that brings more than its route takes, or that broke off before its end."""


class WrongRole(NotAllowed):
    """The act belongs to another role."""


class NotDealtToYou(NotAllowed):
    """The answer is not in this grader's queue."""


class AlreadyGraded(NotAllowed):
    """The answer already has this grader's grade; it can be corrected, not graded again."""


class DraftMovedOn(NotAllowed):
    """Another tab of the same grader has saved the draft since this one read it."""


class ItemIsClosed(NotAllowed):
    """The lead has closed the item."""


class NotReconciled(NotAllowed):
    """Papers taken in and papers accounted for differ."""


class NotQualified(NotAllowed):
    """The grader may not grade the item live: not qualified, guidelines to read anew, or work paused."""


class SourcesAreRevealed(NotAllowed):
    """The answer's source has been revealed, so grading it is over."""


class ScoresAreReleased(NotAllowed):
    """Scores have been released, and nothing is graded after that."""
